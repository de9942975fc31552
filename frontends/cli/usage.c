/* Help, of the program and of its commands: options by what they are about, commands by what they
 * are for. */
#include "frontends/cli/cli.h"

#include <string.h>

static const char *const group_titles[] = {
    [GROUP_INPUT] = "input", [GROUP_RULES] = "which findings",      [GROUP_OUTPUT] = "output",
    [GROUP_FIXES] = "fixes", [GROUP_VERIFICATION] = "verification", [GROUP_STEPS] = "in steps",
    [GROUP_CACHE] = "cache", [GROUP_GENERAL] = "general",
};

static const char *const task_titles[] = {
    [TASK_FIND] = "find and fix",  [TASK_UNDERSTAND] = "understand",
    [TASK_FOLLOW] = "as you work", [TASK_STEPS] = "check in steps",
    [TASK_SETUP] = "set up",
};

/* A summary names the option that it needs, except where that is a command of its own. */
static const char *summary_of(const struct option_row *o, const struct command *c)
{
    static const char needs[] = "with --verify: ";
    bool implied =
        c && !command_takes(c, OPTION_VERIFY) && !strncmp(o->summary, needs, strlen(needs));
    return o->summary + (implied ? strlen(needs) : 0);
}

static void print_option(const struct option_row *o, const struct command *c, FILE *out)
{
    char left[64], letter[8] = "    ";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->value ? " " : "",
             o->value ? o->value : "");
    fprintf(out, "  %-28s  %s\n", left, summary_of(o, c));
}

static void print_group(const struct command *c, enum option_group group, FILE *out)
{
    bool begun = false;
    for (int i = 0; i < OPTION_COUNT; i++) {
        struct option_row o = option_at(i);
        if (o.group != group || !command_takes(c, i))
            continue;
        if (!begun)
            fprintf(out, "\n%s:\n", group_titles[group]);
        begun = true;
        print_option(&o, c, out);
    }
}

static void print_options(const struct command *c, FILE *out)
{
    for (int g = 0; g < OPTION_GROUP_COUNT; g++)
        print_group(c, (enum option_group)g, out);
}

static void print_commands(const struct command_table *t, FILE *out)
{
    for (int task = 0; task < TASK_COUNT; task++) {
        fprintf(out, "\n%s:\n", task_titles[task]);
        for (int i = 0; i < t->count; i++)
            if (t->items[i]->task == (enum command_task)task)
                fprintf(out, "  %-12s  %s\n", t->items[i]->name, t->items[i]->summary);
    }
}

void usage_print(const struct command_table *t, const struct command *c, FILE *out)
{
    if (c) {
        fprintf(out, "usage: miscast %s [OPTION...] %s\n\n%s\n%s", c->name, c->operands, c->summary,
                c->more);
        print_options(c, out);
        return;
    }
    fputs("usage: miscast COMMAND [OPTION...] ...\n\n"
          "Infers the dtype and device of every tensor in model code, in Python (PyTorch), C and "
          "C++, and "
          "reports\nwhere they do not fit. To begin: 'miscast check' in the folder of a project.\n",
          out);
    print_commands(t, out);
    print_options(NULL, out);
    fputs("\n'miscast COMMAND --help' describes a command. Exit codes: 0 clean, 1 findings, 2 "
          "usage or "
          "configuration\nerror, 3 some unit could not be analysed.\n",
          out);
}
