/* Help, of the program and of its commands: options by what they are about, commands by what they
 * are for. It is wrapped to the width of the terminal. */
#include "frontends/cli/cli.h"

#include "frontends/driver/process/terminal.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 100, COLUMNS_LEAST = 40, OPTION_COLUMN = 32, COMMAND_COLUMN = 16 };

static const char *const group_titles[] = {
    [GROUP_INPUT] = "input",
    [GROUP_RULES] = "which findings",
    [GROUP_OUTPUT] = "output",
    [GROUP_FIXES] = "fixes",
    [GROUP_VERIFICATION] = "verification",
    [GROUP_STEPS] = "in steps",
    [GROUP_CACHE] = "cache",
    [GROUP_HOOK] = "hooks",
    [GROUP_GENERAL] = "general",
};

static const char *const task_titles[] = {
    [TASK_FIND] = "find and fix",  [TASK_UNDERSTAND] = "understand",
    [TASK_FOLLOW] = "as you work", [TASK_STEPS] = "check in steps",
    [TASK_SETUP] = "set up",
};

static int columns_of(FILE *out)
{
    int columns = terminal_columns(out);
    return !columns || columns > COLUMNS_MOST ? COLUMNS_MOST
           : columns < COLUMNS_LEAST          ? COLUMNS_LEAST
                                              : columns;
}

/* What is being printed: the column, and where further lines begin. */
struct wrapping {
    FILE *out;
    int most, at, left;
    bool begins; /* a line */
};

static void print_word(struct wrapping *w, const char *word, size_t length)
{
    char *text = strndup(word, length);
    int width = text ? text_width(text) : 0;
    if (!w->begins && w->at + 1 + width > w->most) {
        fprintf(w->out, "\n%*s", w->left, "");
        w->at = w->left;
        w->begins = true;
    }
    fprintf(w->out, "%s%s", w->begins ? "" : " ", text ? text : "");
    w->at += width + !w->begins;
    w->begins = false;
    free(text);
}

/* Text that begins in column `left`. Of its line breaks, only those of paragraphs are kept. */
static void print_wrapped(FILE *out, const char *text, int left)
{
    struct wrapping w = {out, columns_of(out), left, left, true};
    while (*text) {
        size_t length = strcspn(text, " \n"), blank = strspn(text + length, " \n");
        if (length)
            print_word(&w, text, length);
        text += length;
        if (blank > 1 && *text == '\n' && text[1] == '\n' && text[blank]) {
            fprintf(out, "\n\n%*s", left, "");
            w.at = left;
            w.begins = true;
        }
        text += blank;
    }
    fputc('\n', out);
}

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
    fprintf(out, "  %-*s", OPTION_COLUMN - 2, left);
    print_wrapped(out, summary_of(o, c), OPTION_COLUMN);
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
            if (t->items[i]->task == (enum command_task)task) {
                fprintf(out, "  %-*s", COMMAND_COLUMN - 2, t->items[i]->name);
                print_wrapped(out, t->items[i]->summary, COMMAND_COLUMN);
            }
    }
}

void usage_print(const struct command_table *t, const struct command *c, FILE *out)
{
    if (c) {
        fprintf(out, "usage: miscast %s [OPTION...]%s%s\n\n", c->name, *c->operands ? " " : "",
                c->operands);
        print_wrapped(out, c->summary, 0);
        if (*c->more) {
            fputc('\n', out);
            print_wrapped(out, c->more + strspn(c->more, "\n"), 0);
        }
        print_options(c, out);
        return;
    }
    fputs("usage: miscast COMMAND [OPTION...] ...\n\n", out);
    print_wrapped(out,
                  "Infers the dtype and device of every tensor in model code, in Python (PyTorch), "
                  "C and C++, and reports where they do not fit. To begin: 'miscast check' in the "
                  "folder of a project.",
                  0);
    print_commands(t, out);
    print_options(NULL, out);
    fputc('\n', out);
    print_wrapped(
        out,
        "'miscast COMMAND --help' describes a command. Exit codes: 0 clean, 1 findings, 2 "
        "usage or configuration error, 3 some file could not be analysed.",
        0);
}
