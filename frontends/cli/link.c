/* miscast link: summaries → findings, see frontends/driver/shards. */
#include "frontends/cli/cli.h"

#include "frontends/driver/shards/summary.h"

static enum exit_code link_command_run(const struct options *o)
{
    return link_run(&o->request);
}

const struct command link_command = {
    .name = "link",
    .task = TASK_STEPS,
    .operands = "SUMMARY...|@FILE",
    .summary = "Checks the program that summaries make up, without parsing anything.",
    .options = RULE_OPTIONS | BASELINE_OPTIONS | CONFIG_OPTIONS | EXIT_OPTIONS | OPT(PACK) |
               OPT(ASSUME) | OPT(STRICT) | OPT(JOBS) | OPT(UNIT_TIMEOUT) | OPT(UNIT_MEMORY) |
               OPT(FORMAT) | OPT(DIFF) | OPT(UNSAFE_FIXES) | OPT(STATISTICS) | OPT(ROOT) |
               OPT(OUTPUT),
    .least = 1,
    .most = -1,
    .run = link_command_run,
    .more = "\n"
            "Summaries come from 'miscast summarize', one per file, or from 'miscast check --shard "
            "I/N', all N of\n"
            "them; @FILE contains their names, one per line. The findings are those of one check "
            "of all these files.\n"
            "The sources must not have changed since the summaries were made.\n",
};
