/* miscast rules: all rules, or those that are named. */
#include "frontends/cli/cli.h"

#include <string.h>

static bool is_wanted(const struct options *o, const struct rule *r)
{
    for (int i = 0; i < o->operands.count; i++)
        if (rule_is_meant(o->operands.items[i], r))
            return true;
    return !o->operands.count;
}

static bool unknown(const char *word, struct error *e)
{
    const char *near = rule_word_nearest(word);
    return near ? error_set(e, "unknown rule '%s'; did you mean '%s'?", word, near)
                : error_set(e, "unknown rule '%s'", word);
}

static bool check_words(const struct options *o, struct error *e)
{
    for (int i = 0; i < o->operands.count; i++)
        if (!rule_word_known(o->operands.items[i]))
            return unknown(o->operands.items[i], e);
    return true;
}

enum exit_code rules_run(const struct options *o)
{
    struct error e = {0};
    struct text out = {0};
    bool colours = paint_wanted(stdout);
    enum rule_group group = GROUP_COUNT;
    if (!check_words(o, &e))
        return say_error(&e);
    for (int i = 0; i < RULE_COUNT; i++) {
        const struct rule *r = &rules[i];
        if (!is_wanted(o, r))
            continue;
        if (r->group != group) {
            text_add(&out, out.length ? "\n" : "");
            paint_add(&out, colours, PAINT_STRONG, group_name(r->group));
            text_printf(&out, ": %s\n", group_summary(r->group));
        }
        group = r->group;
        text_printf(&out, "  %s  %-24s %s%s%s\n", r->code, r->name, r->summary,
                    r->fix == FIX_NONE   ? ""
                    : r->fix == FIX_SOME ? " (--fix)"
                                         : " (--unsafe-fixes)",
                    r->on ? "" : "; off by default");
    }
    fwrite(out.data, 1, out.length, stdout);
    text_free(&out);
    return EXIT_CLEAN;
}

const struct command rules_command = {
    .name = "rules",
    .task = TASK_UNDERSTAND,
    .operands = "[RULE...]",
    .summary = "Lists rules: all, or those with these names, codes or groups.",
    .options = 0,
    .least = 0,
    .most = -1,
    .run = rules_run,
    .more = "",
};
