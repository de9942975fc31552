/* miscast link: summaries → findings, see frontends/driver/shards. */
#include "frontends/cli/cli.h"

#include "frontends/driver/shards/summary.h"

static enum exit_code link_command_run(const struct options *o)
{
    return link_run(&o->request);
}

const struct command link_command = {
    .name = "link",
    .operands = "SUMMARY...|@FILE",
    .summary = "Checks the program that summaries make, and parses nothing.",
    .options = RULE_OPTIONS | BASELINE_OPTIONS | CONFIG_OPTIONS | EXIT_OPTIONS | OPT(PACK) |
               OPT(ASSUME) | OPT(JOBS) | OPT(UNIT_TIMEOUT) | OPT(UNIT_MEMORY) | OPT(FORMAT) |
               OPT(DIFF) | OPT(UNSAFE_FIXES) | OPT(STATISTICS) | OPT(ROOT),
    .least = 1,
    .most = -1,
    .run = link_command_run,
    .more = "\nSummaries come from 'miscast summarize', one a file, or from 'miscast check --shard "
            "I/N', all N of\n"
            "them; @FILE has their names, one a line. What is told is what one check of all these "
            "files would tell.\n"
            "The sources have to be as they were when the summaries were made.\n",
};
