/* What a run saw and what it did not: the last line of every run, on stderr, and before it a line
 * for each unit that could not be analysed, or not all of it. */
#include "frontends/cli/cli.h"
#include "frontends/cli/terminal.h"

#include <string.h>

struct tally {
    int units, failed, broken; /* broken: with errors of the compiler */
    int notes;
};

static void say_failed(const struct input *in)
{
    const struct error *e = &in->error;
    fprintf(stderr, "%s: error: could not be analysed: %s\n", e->file[0] ? e->file : in->file,
            e->message);
}

static void say_broken(const struct input *in)
{
    fprintf(stderr, "%s\n", in->first_error ? in->first_error : in->file);
    if (in->errors > 1)
        fprintf(stderr, "%s: note: and %d more; analysed as far as the compiler could follow\n",
                in->file, in->errors - 1);
    else
        fprintf(stderr, "%s: note: analysed as far as the compiler could follow\n", in->file);
}

bool coverage_say_trouble(const struct input *in)
{
    if (!in->is_parsed)
        say_failed(in);
    else if (in->errors)
        say_broken(in);
    return !in->is_parsed || in->errors;
}

static void count_input(const struct input *in, struct tally *t)
{
    bool trouble = coverage_say_trouble(in);
    t->units += in->is_parsed;
    t->failed += !in->is_parsed;
    t->broken += trouble && in->is_parsed;
    t->notes += in->is_parsed ? in->notes : 0;
}

static const char *many(int n)
{
    return n == 1 ? "" : "s";
}

static void say_flow(const struct flow_counts *c)
{
    fprintf(stderr, "; tensors in %d of %d function%s", c->functions_analysed, c->functions,
            many(c->functions));
    fprintf(stderr, "; %d call%s not modelled", c->calls_unmodelled, many(c->calls_unmodelled));
}

static void say_database(const struct project *p)
{
    const char *path = p->database_path;
    if (p->summaries)
        fprintf(stderr, "; from %d summar%s\n", p->summaries, p->summaries == 1 ? "y" : "ies");
    else if (!path)
        fputs("; no compile database: default flags\n", stderr);
    else if (p->has_default_flags)
        fprintf(stderr, "; not in the database %s: default flags\n", path);
    else if (p->is_analysed && !p->linked && strstr(path, "compile_commands.json"))
        fprintf(stderr, "; not in the database %s, flags of files like it\n", path);
    else
        fprintf(stderr, "; database %s\n", path);
}

static void say_line(const struct project *p, const struct tally *t)
{
    fprintf(stderr, "miscast: %d unit%s analysed, %d failed", t->units, many(t->units), t->failed);
    if (t->broken)
        fprintf(stderr, ", %d with errors", t->broken);
    if (p->is_analysed)
        say_flow(&p->counts);
    fprintf(stderr, "; %d thing%s not lowered", t->notes, many(t->notes));
    if (p->is_analysed)
        fprintf(stderr, "; %d budget%s hit", p->counts.budgets, many(p->counts.budgets));
    if (p->flags_left_out)
        fprintf(stderr, "; %d flag%s left out", p->flags_left_out, many(p->flags_left_out));
    say_database(p);
}

/* A name that is mistyped would otherwise look like good news. */
static void say_assumptions(const struct project *p)
{
    for (int i = 0; i < p->options->assume.count; i++)
        if (!p->assumptions_used[i])
            fprintf(stderr, "miscast: note: --assume '%s' fits no tensor that was analysed\n",
                    p->options->assume.items[i]);
}

enum exit_code coverage_print(const struct project *p)
{
    struct tally t = {0};
    fflush(stdout);
    progress_end();
    if (p->is_analysed)
        say_assumptions(p);
    for (int i = 0; i < p->inputs.count; i++)
        count_input(&p->inputs.items[i], &t);
    say_line(p, &t);
    return t.failed || t.broken ? EXIT_PARTIAL : EXIT_CLEAN;
}
