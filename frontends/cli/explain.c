/* miscast explain: the documentation of a rule; of a group, its rules. */
#include "frontends/cli/cli.h"

static bool unknown(const char *word, struct error *e)
{
    const char *near = rule_word_nearest(word);
    return near ? error_set(e, "unknown rule '%s'; did you mean '%s'?", word, near)
                : error_set(e, "unknown rule '%s'", word);
}

static enum exit_code explain_run(const struct options *o)
{
    const struct rule *r = rule_find(o->operands.items[0]);
    struct error e = {0};
    if (!r && rule_word_known(o->operands.items[0])) {
        enum exit_code code = rules_run(o);
        puts("\n'miscast explain RULE' describes one of them.");
        return code;
    }
    if (!r) {
        unknown(o->operands.items[0], &e);
        return say_error(&e);
    }
    fputs(r->doc, stdout);
    return EXIT_CLEAN;
}

const struct command explain_command = {
    .name = "explain",
    .task = TASK_UNDERSTAND,
    .operands = "RULE|GROUP",
    .summary =
        "Describes a rule: what it finds, why, and how to fix it; lists the rules of a group.",
    .options = 0,
    .least = 1,
    .most = 1,
    .run = explain_run,
    .more = "",
};
