/* What a run analysed and what it did not: the coverage line, the last of every run, on stderr, and
 * before it a line for each unit that could not be analysed completely. With -v, a second line says
 * what was not understood. */
#include "frontends/driver/project/project.h"
#include "frontends/driver/process/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tally {
    int units, failed, broken; /* broken: with compiler errors */
    int notes;
};

static void say_failed(const struct input *in)
{
    const struct error *e = &in->error;
    bool is_gone = in->is_listed && access(in->file, F_OK);
    print_shown(stderr, "%s", e->file[0] ? e->file : in->file);
    if (e->line)
        fprintf(stderr, ":%d:%d", e->line, e->column);
    print_shown(stderr, ": error: could not be analysed: %s\n",
                is_gone ? "the database names a file that is gone" : e->message);
}

/* "file:line:col: text" as compilers put it. */
static void say_compiler_error(const char *error)
{
    const char *text = strstr(error, ": ");
    if (text)
        print_shown(stderr, "%.*s: error%s\n", (int)(text - error), error, text);
    else
        print_shown(stderr, "%s\n", error);
}

static void say_broken(const struct input *in)
{
    say_compiler_error(in->first_error ? in->first_error : in->file);
    if (in->errors > 1)
        print_shown(stderr, "%s: note: and %d more; analysed as far as it could be parsed\n",
                    in->file, in->errors - 1);
    else
        print_shown(stderr, "%s: note: analysed as far as it could be parsed\n", in->file);
}

bool coverage_has_trouble(const struct input *in)
{
    return !in->is_parsed || in->errors;
}

bool coverage_say_trouble(const struct input *in)
{
    if (!in->is_parsed)
        say_failed(in);
    else if (in->errors)
        say_broken(in);
    return coverage_has_trouble(in);
}

bool coverage_is_nothing(const struct project *p)
{
    for (int i = 0; i < p->inputs.count; i++)
        if (!coverage_has_trouble(&p->inputs.items[i]))
            return false;
    return p->inputs.count;
}

static void count_input(const struct input *in, struct tally *t)
{
    t->units += in->is_parsed;
    t->failed += !in->is_parsed;
    t->broken += in->is_parsed && in->errors;
    t->notes += in->is_parsed ? in->notes : 0;
}

static const char *many(int n)
{
    return n == 1 ? "" : "s";
}

/* Nothing if it is zero. */
static void add_number(struct text *out, int n, const char *one, const char *more)
{
    if (n)
        text_printf(out, "%s%d %s", out->length ? "; " : "", n, n == 1 ? one : more);
}

/* One, and more than one. */
static const char *const limit_words[FLOW_LIMIT_COUNT][2] = {
    [FLOW_LIMIT_STATES] = {"place with more paths than are kept apart",
                           "places with more paths than are kept apart"},
    [FLOW_LIMIT_RECURSION] = {"recursive function not followed to its fixpoint",
                              "recursive functions not followed to their fixpoints"},
    [FLOW_LIMIT_TAPE] = {"backward through more ops than are followed",
                         "backwards through more ops than are followed"},
    [FLOW_LIMIT_CHOICES] = {"call with an operand that can be more than is tried",
                            "calls with operands that can be more than is tried"},
    [FLOW_LIMIT_ARGUMENTS] = {"call with more arguments than are read",
                              "calls with more arguments than are read"},
    [FLOW_LIMIT_ALIASES] = {"result that may be a view of more tensors than are kept",
                            "results that may be views of more tensors than are kept"},
    [FLOW_LIMIT_CASES] = {"call in more cases than rules look at",
                          "calls in more cases than rules look at"},
};

static void add_flow(struct text *out, const struct flow_counts *c)
{
    add_number(out, c->calls_unmodelled, "call of a function that no pack knows",
               "calls of functions that no pack knows");
    int assumed = 0;
    for (int i = 0; i < FLOW_ASSUMED_COUNT; i++)
        assumed += c->assumed[i];
    add_number(out, assumed, "assumption about what cannot be seen",
               "assumptions about what cannot be seen");
    add_number(out, c->budgets, "limit reached, so that something may be missing",
               "limits reached, so that something may be missing");
    for (int i = 0; i < FLOW_LIMIT_COUNT; i++)
        add_number(out, c->limits[i], limit_words[i][0], limit_words[i][1]);
    add_number(out, c->dropped, "possible failure not reported, since paths had been joined",
               "possible failures not reported, since paths had been joined");
}

/* What was not understood; empty: nothing of the kind. */
static void add_gaps(struct text *out, const struct project *p, const struct tally *t)
{
    if (p->is_analysed)
        add_flow(out, &p->counts);
    add_number(out, t->notes, "place in the code not understood",
               "places in the code not understood");
    add_number(out, p->flags_left_out, "flag left out", "flags left out");
}

/* The build decides which files are in the program; the database may be out of date. */
static void say_unlisted(const struct project *p)
{
    if (p->unlisted == 1)
        print_shown(stderr, ", which does not list %s: run cmake again?", p->first_unlisted);
    else if (p->unlisted)
        print_shown(stderr, ", which does not list %d files here, such as %s: run cmake again?",
                    p->unlisted, p->first_unlisted);
}

bool project_has_flags(const struct project *p)
{
    for (int i = 0; i < p->inputs.count; i++)
        if (frontend_of(p->inputs.items[i].language)->flags)
            return true;
    return !p->inputs.count;
}

static void say_database(const struct project *p)
{
    const char *path = p->database_path;
    if (p->summaries)
        print_shown(stderr, "; from %d summar%s", p->summaries, p->summaries == 1 ? "y" : "ies");
    else if (p->request->has_flags && project_has_flags(p))
        fputs("; your flags", stderr);
    else if (!path && project_has_flags(p))
        fputs("; no compile database: default flags", stderr);
    else if (!path)
        ; /* none is needed */
    else if (p->has_default_flags && p->is_database_empty)
        print_shown(stderr, "; the database %s is empty: default flags", path);
    else if (p->has_default_flags)
        print_shown(stderr, "; not in the database %s: default flags", path);
    else if (p->is_analysed && !p->linked && strstr(path, "compile_commands.json"))
        print_shown(stderr, "; not in the database %s, flags of files like it", path);
    else
        print_shown(stderr, "; database %s", path);
    say_unlisted(p);
    fputc('\n', stderr);
}

/* Only if the program has more units than were requested. */
static int count_asked(const struct project *p)
{
    int count = 0;
    for (int i = 0; i < p->inputs.count && p->asked.count; i++)
        count += p->inputs.items[i].is_parsed && project_asks_for(p, p->inputs.items[i].file);
    return count;
}

static void say_line(const struct project *p, const struct tally *t)
{
    int asked = p->linked ? count_asked(p) : 0;
    struct text gaps = {0};
    add_gaps(&gaps, p, t);
    print_shown(stderr, "miscast: %d file%s analysed", t->units, many(t->units));
    if (asked && asked < t->units)
        fprintf(stderr, ", %d of them requested", asked);
    if (t->failed)
        fprintf(stderr, ", %d failed", t->failed);
    if (t->broken)
        fprintf(stderr, ", %d with errors", t->broken);
    if (p->is_analysed && p->counts.functions)
        print_shown(stderr, "; tensors in %d of %d function%s", p->counts.functions_analysed,
                    p->counts.functions, many(p->counts.functions));
    unread_say(p);
    if (gaps.length && !p->request->verbose)
        fputs("; not all of it was understood (-v)", stderr);
    say_database(p);
    if (gaps.length && p->request->verbose)
        print_shown(stderr, "miscast: not understood: %s\n", gaps.data);
    if (p->request->verbose && p->request->past_errors && (t->failed || t->broken))
        fputs("miscast: nothing is reported that depends on values from what was not parsed\n",
              stderr);
    text_free(&gaps);
}

/* Few others cost nothing worth knowing. */
enum { MANY_OTHERS = 50 };

void coverage_say_others(const struct project *p)
{
    int asked = 0;
    if (!p->linked || !p->request->takes_folders || p->request->quiet)
        return;
    for (int i = 0; i < p->inputs.count; i++)
        asked += project_asks_for(p, p->inputs.items[i].file);
    if (p->inputs.count - asked >= MANY_OTHERS)
        print_shown(stderr,
                    "miscast: %d units of %s are read, since causes may be in any of them; "
                    "--only-here reads only %d\n",
                    p->inputs.count, p->database_path, asked);
}

void coverage_say_no_database(const char *others)
{
    print_shown(stderr,
                "miscast: no compile database, so default flags and %s: cmake "
                "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, meson, or bear -- make writes one; or put the "
                "flags, such as -Iinclude, into compile_flags.txt, one per line\n",
                others);
}

/* A mistyped name would otherwise look like a clean result. */
static void say_assumptions(const struct project *p)
{
    for (int i = 0; i < p->request->assume.count; i++)
        if (!p->assumptions_used[i])
            print_shown(stderr, "miscast: note: --assume '%s' matches no analysed tensor\n",
                        p->request->assume.items[i]);
}

/* Code after it must not be taken for clean. */
static void say_cut(const struct flow_counts *c)
{
    if (c->cut.file)
        print_shown(stderr,
                    "%s:%d:%d: note: the analysis was cut short here: what follows from it is not "
                    "known\n",
                    c->cut.file, c->cut.line, c->cut.column);
}

/* The most used first. */
static int compare_missing(const void *a, const void *b)
{
    const struct missing_call *x = a, *y = b;
    return x->count != y->count ? y->count - x->count : strcmp(x->name, y->name);
}

missing_list coverage_missing(const struct project *p)
{
    missing_list l = {0};
    const missing_list *all = &p->counts.missing;
    for (int i = 0; i < all->count; i++)
        missing_add(p->arena, &l, *all->items[i].name ? all->items[i].name : "(no name)",
                    all->items[i].count);
    if (l.count)
        qsort(l.items, (size_t)l.count, sizeof *l.items, compare_missing);
    return l;
}

void coverage_list_missing(const struct project *p, FILE *out)
{
    missing_list l = coverage_missing(p);
    for (int i = 0; i < l.count; i++)
        print_shown(out, "%6d  %s\n", l.items[i].count, l.items[i].name);
}

static void say_known(const struct flow_known *k)
{
    int lost = k->calls - k->known - k->outside - k->unreached;
    print_shown(stderr,
                "miscast: tensors in %d call%s that packs describe: %d known, %d from outside, "
                "%d not known, %d not reached\n",
                k->calls, many(k->calls), k->known, k->outside, lost, k->unreached);
}

/* A header of the tensor library that no installed folder has. */
static void say_no_headers(const struct project *p)
{
    for (int i = 0; i < p->inputs.count; i++) {
        const char *error = p->inputs.items[i].first_error;
        if (error && strstr(error, "'miscast/") && strstr(error, "file not found")) {
            print_shown(
                stderr,
                "miscast: the headers of the tensor library are not installed: a wheel has "
                "none; the Debian package, or cmake --install, has them, and the runtime\n");
            return;
        }
    }
}

/* Whether what is wrong in some C file may be a matter of flags: a syntax error is not. */
static bool may_lack_flags(const struct project *p)
{
    for (int i = 0; i < p->inputs.count; i++) {
        const struct input *in = &p->inputs.items[i];
        const char *text = in->first_error ? strstr(in->first_error, ": expected ") : NULL;
        if (frontend_of(in->language)->flags && coverage_has_trouble(in) && !text)
            return true;
    }
    return false;
}

enum exit_code coverage_sum(const struct project *p)
{
    struct tally t = {0};
    for (int i = 0; i < p->inputs.count; i++)
        count_input(&p->inputs.items[i], &t);
    if (!p->request->quiet)
        say_line(p, &t);
    if (p->request->verbose && p->is_analysed && p->known.calls)
        say_known(&p->known);
    if (p->request->verbose && p->is_analysed && p->counts.missing.count) {
        print_shown(stderr, "miscast: functions that no pack knows, and their calls:\n");
        coverage_list_missing(p, stderr);
    }
    bool trouble = t.failed || t.broken;
    if (p->request->folders_unread && !trouble)
        return EXIT_PARTIAL;
    if (!p->database_path && !p->summaries && !p->request->has_flags && may_lack_flags(p))
        coverage_say_no_database("no other files");
    if (trouble)
        say_no_headers(p);
    return trouble ? EXIT_PARTIAL : EXIT_CLEAN;
}

enum exit_code coverage_print(const struct project *p)
{
    fflush(stdout);
    progress_end();
    if (p->is_analysed) {
        say_assumptions(p);
        say_cut(&p->counts);
    }
    for (int i = 0; i < p->inputs.count; i++)
        coverage_say_trouble(&p->inputs.items[i]);
    return coverage_sum(p);
}
