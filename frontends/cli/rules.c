/* miscast rules: all rules, or those that are named, with the highest severity that each reports
 * and whether it is on: by default, or here. */
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

static const char *fixed_by(const struct rule *r)
{
    return r->fix == FIX_NONE ? "" : r->fix == FIX_SOME ? " (--fix)" : " (--unsafe-fixes)";
}

static const char *state_of(const struct rule *r, bool selected)
{
    return selected ? r->on ? "" : "; on here" : r->on ? "; off here" : "; off by default";
}

static void list_rules(const struct options *o, const bool selected[RULE_COUNT], struct text *out)
{
    bool colours = paint_wanted(stdout);
    enum rule_group group = GROUP_COUNT;
    for (int i = 0; i < RULE_COUNT; i++) {
        const struct rule *r = &rules[i];
        if (!is_wanted(o, r))
            continue;
        if (r->group != group) {
            text_add(out, out->length ? "\n" : "");
            paint_add(out, colours, PAINT_STRONG, group_name(r->group));
            text_printf(out, ": %s\n", group_summary(r->group));
        }
        group = r->group;
        text_printf(out, "  %s  %-7s  %-24s %s%s%s\n", r->code, severity_name(r->most), r->name,
                    r->summary, fixed_by(r), state_of(r, selected[i]));
    }
}

enum exit_code rules_run(const struct options *o)
{
    struct error e = {0};
    struct text out = {0};
    struct arena *a = arena_new();
    struct config config;
    bool selected[RULE_COUNT];
    bool ok = check_words(o, &e) && config_find(a, &o->request, ".", &config, &e);
    if (ok) {
        config_select(&config, selected);
        list_rules(o, selected, &out);
        fwrite(out.data, 1, out.length, stdout);
        text_free(&out);
    }
    arena_free(a);
    return ok ? EXIT_CLEAN : say_error(&e);
}

const struct command rules_command = {
    .name = "rules",
    .task = TASK_UNDERSTAND,
    .operands = "[RULE...]",
    .summary = "Lists rules: all, or those with these names, codes or groups.",
    .options = OPT(CONFIG) | OPT(ISOLATED) | OPT(SELECT) | OPT(EXTEND_SELECT) | OPT(IGNORE),
    .least = 0,
    .most = -1,
    .run = rules_run,
    .more = "\nEach with the highest severity that it reports, and what fixes it. 'off here' and "
            "'on here' "
            "are\nthose that the configuration of this folder turns off and on.\n",
};
