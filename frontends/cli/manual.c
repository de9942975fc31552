/* miscast manual: the manual page, generated from the same tables as the help. */
#include "frontends/cli/cli.h"

#include <string.h>

#ifndef MISCAST_VERSION
#define MISCAST_VERSION "0"
#endif

/* Escaped for roff: no requests at the beginning of a line, no dashes that become hyphens. */
static void add_plain(struct text *out, const char *text)
{
    bool begins = true;
    for (; *text; text++) {
        if (begins && (*text == '.' || *text == '\''))
            text_add(out, "\\&");
        begins = *text == '\n';
        if (*text == '-')
            text_add(out, "\\-");
        else if (*text == '\\')
            text_add(out, "\\e");
        else
            text_add_range(out, text, 1);
    }
}

static void add_line(struct text *out, const char *macro, const char *text)
{
    text_add(out, macro);
    add_plain(out, text);
    text_add(out, "\n");
}

static void add_option(struct text *out, struct option_row o)
{
    text_add(out, ".TP\n.B ");
    if (o.letter)
        text_printf(out, "\\-%c, ", o.letter);
    text_add(out, "\\-\\-");
    add_plain(out, o.name);
    if (o.value)
        text_printf(out, " \\fI%s\\fR", o.value);
    text_add(out, "\n");
    add_line(out, "", o.summary);
}

static void add_command(struct text *out, const struct command *c)
{
    text_add(out, ".SS miscast ");
    add_plain(out, c->name);
    text_add(out, " ");
    add_plain(out, c->operands);
    text_add(out, "\n");
    add_line(out, "", c->summary);
    if (*c->more)
        add_line(out, ".PP\n", c->more + strspn(c->more, "\n"));
    for (int i = 0; i < OPTION_COUNT; i++)
        if (command_takes(c, i) && strcmp(option_at(i).name, "help") &&
            strcmp(option_at(i).name, "version"))
            add_option(out, option_at(i));
}

static void add_rules(struct text *out)
{
    for (int g = 0; g < GROUP_COUNT; g++) {
        text_printf(out, ".SS %s\n", group_name((enum rule_group)g));
        for (int i = 0; i < RULE_COUNT; i++)
            if (rules[i].group == (enum rule_group)g) {
                text_printf(out, ".TP\n.B %s ", rules[i].code);
                add_plain(out, rules[i].name);
                text_add(out, "\n");
                add_line(out, "", rules[i].summary);
            }
    }
}

static const char comments[] =
    ".TP\n// miscast: ignore[RULE, ...] why\nThis line; the next line of code, if the comment "
    "stands alone.\n"
    ".TP\n// miscast: ignore\\-next\\-line[RULE] why\nThe next line of code.\n"
    ".TP\n// miscast: ignore\\-begin[RULE], ignore\\-end[RULE]\nAll lines between the two.\n"
    ".TP\n// miscast: ignore\\-file[RULE]\nThe whole file.\n"
    ".TP\n// NOLINT(miscast\\-RULE)\nAs in clang\\-tidy; also NOLINTNEXTLINE, NOLINTBEGIN and "
    "NOLINTEND.\n";

static const char files[] =
    ".TP\n.B .miscast.yaml\nThe configuration: the nearest one, upward from the checked files. "
    "Keys: "
    "select, ignore, extend\\-select (lists of rules, groups, codes and beginnings of codes), "
    "per\\-file\\-ignores (patterns with such lists), exclude (patterns), packs (files), format "
    "(as \\-\\-format), database (a folder), baseline (a file), fail\\-on (error, warning or "
    "note).\n"
    ".TP\n.B compile_commands.json, compile_flags.txt\nHow files are compiled. If the "
    "flags do not find <miscast/tensor.h>, the installed one is used.\n"
    ".TP\n.B .miscast/verdicts.json\nVerdicts (miscast verify), next to the "
    "database or at the root of the repository. It can be removed at any time.\n"
    ".TP\n.B $XDG_STATE_HOME/miscast/key, ~/.local/state/miscast/key\nThe key by which "
    "the cache is recognised as the user's own. Without it, results are computed again.\n";

static const char codes[] =
    ".TP\n.B 0\nClean.\n.TP\n.B 1\nFindings.\n.TP\n.B 2\nUsage, configuration, or a fault of "
    "miscast's own.\n.TP\n.B 3\nSome unit could not be analysed, or not all of it.\n";

static enum exit_code manual_run(const struct options *o)
{
    struct text out = {0};
    text_printf(&out, ".TH MISCAST 1 \"\" \"miscast %s\"\n.SH NAME\n", MISCAST_VERSION);
    text_add(&out, "miscast \\- find tensors whose dtype or device is wrong in model code\n"
                   ".SH SYNOPSIS\n.B miscast\n\\fICOMMAND\\fR [\\fIOPTION\\fR...] ...\n"
                   ".SH COMMANDS\n");
    for (int i = 0; i < o->commands->count; i++)
        add_command(&out, o->commands->items[i]);
    text_add(&out, ".SH COMMENTS IN THE SOURCE\n");
    text_add(&out, comments);
    text_add(&out, ".SH RULES\n.PP\nmiscast explain RULE describes one.\n");
    add_rules(&out);
    text_add(&out, ".SH FILES\n");
    text_add(&out, files);
    text_add(&out, ".SH EXIT STATUS\n");
    text_add(&out, codes);
    text_add(&out, ".SH ENVIRONMENT\n.TP\n.B NO_COLOR, FORCE_COLOR\nNo colours, colours in any "
                   "case.\n.TP\n.B MISCAST_PACKS\nThe folder of the installed packs.\n"
                   ".TP\n.B MISCAST_RUNTIME\nWhere the runtime is that programs are verified with: "
                   "a folder with include/miscast and lib/miscast/libmiscast_run.so.\n.TP\n.B "
                   "CC\nThe compiler "
                   "that they are compiled with; else cc.\n");
    fwrite(out.data, 1, out.length, stdout);
    text_free(&out);
    return EXIT_CLEAN;
}

const struct command manual_command = {
    .name = "manual",
    .task = TASK_SETUP,
    .operands = "",
    .summary = "Writes the manual page, miscast(1).",
    .options = 0,
    .least = 0,
    .most = 0,
    .run = manual_run,
    .more = "\n"
            "miscast manual | man -l - shows it.\n",
};
