/* A program comes in with its findings: it is built and run with one command line after the other,
 * and every run is judged, until all findings are settled or there is nothing left to try. */
#include "analyzer/verify/attempt.h"

#include "analyzer/verify/bundle.h"
#include "analyzer/verify/command.h"
#include "analyzer/verify/guide.h"
#include "analyzer/verify/judge.h"
#include "analyzer/verify/runner.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

/* This many command lines are always tried; more until all runs together have taken this long: CPU
 * time, so that the same is tried on a busy machine, and what a start takes. */
enum { FEW_LINES = 12 };
#define ENOUGH_NS ((uint64_t)4 * 1000000000)
/* A program that a limit has ended so often probably waits or loops: most findings are reached by
 * the first lines or by none. At least one line is tried for each finding. */
enum { ENDED_LINES = 3 };

static uint64_t time_of(const struct run *r)
{
    enum { START_NS = 5000000 };
    return r->end.cpu_ns + START_NS;
}

static bool all_settled(const finding_list *l)
{
    for (int i = 0; i < l->count; i++)
        if (!is_settled(l->items[i]))
            return false;
    return true;
}

static void give_all(const finding_list *l, enum verdict_kind kind, const char *what)
{
    for (int i = 0; i < l->count; i++)
        if (!l->items[i]->verdict.kind)
            l->items[i]->verdict = (struct verdict){.kind = kind, .what = what};
}

/* How a command line is run: as people would; where it may write, if it could not; past the first
 * error, because others may follow; with memory that may not be touched beyond its ends. */
enum { AS_IT_IS, IN_ROOM, PAST_ERRORS, GUARDED, WAY_COUNT };
static const struct launch ways[WAY_COUNT] = {
    [IN_ROOM] = {.in_room = true},
    [PAST_ERRORS] = {.past_errors = true},
    [GUARDED] = {.guards_memory = true},
};

struct attempt {
    struct verifier *v;
    const struct program *program;
    struct line_search *lines;
    const struct build *build;
    finding_list *findings;
    command_lines tried;
    command_lines shadowed; /* that were run with shadow values */
    command_lines better;   /* that came nearer to findings: only these are tried; empty: all */
    int runs;
    int ended;          /* runs that a limit ended, of time or of memory */
    uint64_t ns;        /* how long all runs took */
    bool measures;      /* there are measurements in the build, or shadow values next to it */
    bool shadows;       /* it runs with shadow values */
    bool unlikely;      /* its random numbers are often the least or the greatest */
    bool checks_memory; /* it runs under a memory checker */
    bool is_harness;    /* the arguments of what runs are ours */
    bool broken;        /* the events of a run cannot be believed: no other run is made */
    const struct branches *branches; /* that the build reports; NULL: none */
};

static bool wants_guard(const finding_list *l)
{
    for (int i = 0; i < l->count; i++)
        if (!is_settled(l->items[i]) && proof_instrument(l->items[i]) == INSTRUMENT_MEMORY)
            return true;
    return false;
}

/* A program that forges events in one run may have done so before. What was confirmed stays: it
 * took an event with the runtime's seal. */
static void give_up(struct attempt *d, const char *what)
{
    for (int i = 0; i < d->findings->count; i++)
        if (!is_settled(d->findings->items[i]))
            d->findings->items[i]->verdict =
                (struct verdict){.kind = VERDICT_NOT_RUN, .what = what, .held = d->v->held};
    d->broken = true;
}

/* Judges all findings that are not settled by one more run. NULL: it was not started, or is not
 * believed. */
static struct run *attempt_once(struct attempt *d, const struct launch *given, int way)
{
    struct error e = {0};
    struct launch l = *given;
    l.in_room = ways[way].in_room;
    l.past_errors = ways[way].past_errors;
    l.guards_memory = ways[way].guards_memory;
    l.shadows = d->shadows;
    l.unlikely = d->unlikely;
    struct run *r = run_build(d->v, d->build, &l, d->program->entry->directory, &e);
    d->runs++;
    if (!r) {
        give_all(d->findings, VERDICT_NOT_RUN, arena_printf(d->v->arena, "%s", e.message));
        return NULL;
    }
    d->ns += time_of(r);
    d->ended += sandbox_was_ended(&r->end);
    r->checks_memory = d->checks_memory;
    r->is_harness = d->is_harness;
    r->branches = d->branches;
    bundle_record(d->v, r, &l);
    if (r->broken) {
        give_up(d, arena_printf(d->v->arena, "tampered: %s", r->broken));
        run_free(r);
        return NULL;
    }
    for (int i = 0; i < d->findings->count; i++)
        if (!is_settled(d->findings->items[i]))
            judge_run(d->v, d->findings->items[i], r);
    return r;
}

/* ---- command lines -----------------------------------------------------------------------------
 */

/* "x: half": what is in a file, as far as that fits into a line. */
static void show_file(struct text *out, const struct line_file *f)
{
    enum { MOST = 24 };
    size_t n = f->content->length < MOST ? f->content->length : MOST;
    text_printf(out, "%s%s: ", out->length ? ", " : "", *f->name ? f->name : "standard input");
    for (size_t i = 0; i < n; i++) {
        char c = f->content->text[i];
        if (c == '\n' && i + 1 == f->content->length)
            break;
        text_printf(out, "%c", c == '\n' ? '|' : c >= ' ' && c < 127 ? c : '.');
    }
    text_add(out, n < f->content->length ? "..." : "");
}

static bool write_file(struct verifier *v, const char *folder, const struct line_file *f)
{
    struct error e = {0};
    char *path = arena_printf(v->arena, "%s/%s", folder, *f->name ? f->name : "stdin");
    for (char *at = path + strlen(folder) + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    return file_write(v->arena, path, f->content->text, f->content->length, &e);
}

/* Writes the files of a command line into a folder of their own, where the program starts. */
static struct launch launch_of(struct attempt *d, const struct command_line *l)
{
    struct launch launch = {.arguments = l->words, .environment = l->environment};
    struct text shown = {0};
    const char *folder = l->file_count ? make_folder(d->v, "files") : NULL;
    for (int i = 0; folder && i < l->file_count; i++) {
        if (!write_file(d->v, folder, &l->files[i]))
            continue;
        show_file(&shown, &l->files[i]);
        if (*l->files[i].name)
            launch.folder = folder;
        else
            launch.input = arena_printf(d->v->arena, "%s/stdin", folder);
    }
    if (folder) {
        launch.files = arena_copy(d->v->arena, l->files, sizeof l->files);
        launch.file_count = l->file_count;
    }
    launch.reads = shown.length ? text_keep(d->v->arena, &shown) : NULL;
    return launch;
}

/* Whether it did anything with tensors, reported or not. */
static bool run_did(const struct run *r)
{
    return r->events.count > 0 || json_integer_value(json_object_get(r->last, "ops")) > 0;
}

static bool attempt_line(struct attempt *d, struct command_line *l, int way)
{
    struct launch launch = launch_of(d, l);
    struct run *r = attempt_once(d, &launch, way);
    if (!r)
        return false;
    for (int i = 0; i < r->events.count; i++) {
        const struct event *at = &r->events.items[i];
        l->raised |= at->error != NULL;
        l->lacks_files |= at->error && !strcmp(at->error_kind, "file");
    }
    if (way == AS_IT_IS)
        line_search_learn(d->lines, l, run_did(r));
    run_free(r);
    return true;
}

/* Whether only measurements show it. */
static bool needs_measure(const struct finding *f)
{
    enum instrument how = proof_instrument(f);
    return how != INSTRUMENT_NONE && how != INSTRUMENT_MEMORY;
}

/* In turn, so that one that nothing shows does not delay the others. Not those behind an error,
 * which no run reaches as it is; before there are measurements not those that need them; and for
 * long not those whose values lose nothing. NULL: there is none. */
static const struct finding *next_finding(const struct attempt *d, int turn)
{
    for (int i = 0; i < d->findings->count; i++) {
        const struct finding *f = d->findings->items[(turn + i) % d->findings->count];
        bool in_vain = f->past || (!d->measures && needs_measure(f)) ||
                       (d->tried.count >= FEW_LINES && is_about_values(f) && f->verdict.reached);
        if (!is_settled(f) && (!in_vain || !d->tried.count))
            return f;
    }
    return NULL;
}

static bool has_tried_enough(const struct attempt *d)
{
    int most = d->findings->count > ENDED_LINES ? d->findings->count : ENDED_LINES;
    return d->ended >= most || (d->tried.count >= FEW_LINES && d->ns > ENOUGH_NS);
}

/* One command line after the other, each the most likely for some finding. */
static bool attempt_new(struct attempt *d)
{
    const struct finding *f;
    for (int i = 0; i < d->better.count; i++) {
        if (!attempt_line(d, &d->better.items[i], AS_IT_IS))
            return false;
        LIST_ADD(d->v->arena, &d->tried, d->better.items[i]);
    }
    if (d->better.count)
        return true;
    /* People who say how the program runs want no long search for other ways. */
    int most = command_is_asked(d->v->in) ? FEW_LINES : d->v->in->limits.runs / 2;
    for (int turn = 0; d->tried.count < most && (f = next_finding(d, turn)); turn++) {
        struct command_line l;
        if (has_tried_enough(d))
            return true;
        if (!line_search_next(d->lines, f, &d->tried, &l))
            return true;
        bool ran = attempt_line(d, &l, AS_IT_IS);
        LIST_ADD(d->v->arena, &d->tried, l);
        if (!ran)
            return false;
    }
    return true;
}

/* Whether the command line could do something else when run in that way. */
static bool is_other(const struct attempt *d, const struct command_line *l, int way)
{
    switch (way) {
    case IN_ROOM:
        return l->lacks_files;
    case PAST_ERRORS:
        return l->raised && d->v->in->runner->goes_past_errors;
    case GUARDED:
        return !d->checks_memory && wants_guard(d->findings);
    default:
        return false;
    }
}

static void attempt_lines(struct attempt *d)
{
    if (!attempt_new(d))
        return;
    for (int way = AS_IT_IS + 1; way < WAY_COUNT; way++)
        for (int i = 0; i < d->tried.count; i++) {
            if (all_settled(d->findings) || d->runs >= d->v->in->limits.runs)
                return;
            struct command_line *l = &d->tried.items[i];
            if (is_other(d, l, way) && !attempt_line(d, l, way))
                return;
        }
}

static void take_out(finding_list *l, const finding_list *done)
{
    int kept = 0;
    for (int i = 0; i < l->count; i++) {
        bool is_done = false;
        for (int k = 0; k < done->count; k++)
            is_done |= l->items[i] == done->items[k];
        if (!is_done)
            l->items[kept++] = l->items[i];
    }
    l->count = kept;
}

/* The unit in which a finding is proven; NULL: in none that is here. */
static const struct verify_unit *measured_unit(struct verifier *v, const struct finding *f)
{
    struct finding there = *f;
    const struct flow_call *c = call_of(v, f);
    there.span = *proof_span(f);
    there.function = c ? c->function->name : f->function;
    return unit_of(v, &there);
}

static bool is_measured(const struct finding *f, bool checks_memory)
{
    enum instrument how = proof_instrument(f);
    return !is_settled(f) && (checks_memory ? how == INSTRUMENT_MEMORY : how != INSTRUMENT_NONE);
}

/* "it does not compile: …", "tampered: …" */
static const char *build_trouble(struct verifier *v, const struct build_error *e)
{
    return arena_printf(v->arena, "%s%s", e->tampered ? "tampered: " : "", e->error.message);
}

/* Runs a build with measurements for these findings; NULL: there is none, for that reason. */
static void attempt_build(struct attempt *d, const struct build *b, const struct build_error *e,
                          bool checks_memory, finding_list *findings)
{
    struct attempt again = {.v = d->v,
                            .program = d->program,
                            .lines = d->lines,
                            .build = b,
                            .findings = findings,
                            .ns = d->ns,
                            .better = d->better,
                            .measures = !checks_memory,
                            .checks_memory = checks_memory};
    if (b)
        attempt_lines(&again);
    else if (e->tampered)
        give_up(&again, build_trouble(d->v, e));
    else
        give_all(findings, VERDICT_NOT_RUN, build_trouble(d->v, e));
    d->broken |= again.broken;
    d->ns = again.ns;
}

/* Those that are measured in a unit. */
static finding_list measured_in(struct attempt *d, const struct verify_unit *u, bool checks_memory)
{
    finding_list found = {0};
    for (int k = 0; k < d->findings->count; k++)
        if (is_measured(d->findings->items[k], checks_memory) &&
            measured_unit(d->v, d->findings->items[k]) == u)
            LIST_ADD(d->v->arena, &found, d->findings->items[k]);
    return found;
}

/* With measurements in one unit, for findings that raise nothing. Those whose calls are nested need
 * a build each. */
static void attempt_unit(struct attempt *d, const struct verify_unit *u, bool checks_memory)
{
    finding_list left = measured_in(d, u, checks_memory);
    while (left.count && !d->broken) {
        finding_list now = {0};
        struct build_error e = {0};
        const struct build_plan plan = {.program = d->program,
                                        .unit = u,
                                        .findings = &left,
                                        .measured = &now,
                                        .checks_memory = checks_memory};
        const struct build *b = d->v->in->runner->build(d->v, &plan, &e);
        if (!now.count)
            break;
        take_out(&left, &now);
        attempt_build(d, b, &e, checks_memory, &now);
    }
    for (int k = 0; k < left.count && !d->broken; k++)
        if (!left.items[k]->verdict.reached)
            left.items[k]->verdict = (struct verdict){
                .kind = VERDICT_NOT_RUN,
                .what = "nothing can be measured there: its call is not written as one"};
}

static finding_list open_values(const struct attempt *d)
{
    finding_list open = {0};
    for (int i = 0; i < d->findings->count; i++)
        if (!is_settled(d->findings->items[i]) && is_about_values(d->findings->items[i]))
            LIST_ADD(d->v->arena, &open, d->findings->items[i]);
    return open;
}

/* With shadow values, for findings about numbers: nothing has to be compiled for that. */
static void attempt_shadowed(struct attempt *d)
{
    finding_list findings = open_values(d);
    struct attempt again = {.v = d->v,
                            .program = d->program,
                            .lines = d->lines,
                            .build = d->build,
                            .findings = &findings,
                            .ns = d->ns,
                            .measures = true,
                            .shadows = true};
    if (findings.count && !d->broken)
        attempt_lines(&again);
    d->shadowed = again.tried;
    d->broken |= again.broken;
    d->ns = again.ns;
}

/* Its values lost nothing: others may. */
static finding_list harmless_values(const struct attempt *d)
{
    finding_list open = open_values(d), found = {0};
    for (int i = 0; i < open.count; i++)
        if (open.items[i]->verdict.reached)
            LIST_ADD(d->v->arena, &found, open.items[i]);
    return found;
}

/* What a program draws at random it could have drawn otherwise: the lines that got there are run
 * once more, with values that are rarely drawn. */
static void attempt_unlikely(struct attempt *d)
{
    finding_list findings = harmless_values(d);
    struct attempt again = *d;
    again.findings = &findings;
    again.shadows = again.unlikely = true;
    command_lines lines = d->shadowed;
    for (int i = 0; i < d->better.count; i++)
        LIST_ADD(d->v->arena, &lines, d->better.items[i]);
    for (int i = 0; i < lines.count && i < FEW_LINES && !again.broken; i++)
        if (!all_settled(&findings))
            attempt_line(&again, &lines.items[i], AS_IT_IS);
    d->broken |= again.broken;
    d->ns = again.ns;
}

/* Under a memory checker for the program's own memory, of which the runtime knows nothing. */
static void attempt_measured(struct attempt *d, bool checks_memory)
{
    for (int i = 0; i < d->program->units.count && !d->broken; i++)
        attempt_unit(d, d->program->units.items[i], checks_memory);
}

/* ---- what was not reached ----------------------------------------------------------------------
 */

/* So many of the command lines are run once more to see which branches they take. */
enum { EXPLAINED_LINES = 20 };
/* And so many that follow from what these did. */
enum { GUIDED_LINES = 160 };

/* Not one whose values lose nothing: a run has got there. */
static bool is_unreached(const struct finding *f)
{
    bool was_there = is_about_values(f) && f->verdict.reached;
    return f->verdict.kind == VERDICT_NOT_REACHED && f->verdict.entry && !f->past && !was_there;
}

/* What the search for inputs needs. */
struct following {
    struct attempt *attempt; /* with the build that reports its branches */
    struct branches branches;
    struct nearest_run *nearest; /* by finding */
    int *missing;                /* by finding: what the last run did not do that is needed, */
    int *least;                  /* and the run that came nearest */
    command_lines better;        /* that came nearer to some finding */
    int ended;                   /* runs that a limit had ended before */
};

/* A call that can fail until it does: what refutes it may lack something that nobody knows of.
 * Other findings until nothing that they need is missing. */
static bool is_sought(const struct following *w, int finding)
{
    const struct finding *f = w->attempt->findings->items[finding];
    bool is_open =
        f->verdict.kind == VERDICT_NOT_REACHED ||
        (f->failure && f->verdict.kind == VERDICT_REFUTED && w->least[finding] < INT_MAX);
    bool lacks = f->failure || w->least[finding] > 0;
    return !f->past && lacks && is_open && f->verdict.entry;
}

/* -1: there is none. */
static int next_sought(const struct following *w)
{
    for (int i = 0; i < w->attempt->findings->count; i++)
        if (is_sought(w, i))
            return i;
    return -1;
}

/* Judges by one more run, and compares it with what findings need: branches, and its place. False:
 * it did not run. */
static bool follow_line(struct following *w, const struct command_line *l, struct guide *g)
{
    struct attempt *d = w->attempt;
    struct launch launch = launch_of(d, l);
    struct run *r = attempt_once(d, &launch, AS_IT_IS);
    bool better = false;
    for (int i = 0; r && i < d->findings->count; i++) {
        bool is_there = run_reaches(d->v, d->findings->items[i], r);
        w->missing[i] = nearest_run_take(r, is_there, &w->nearest[i]) + !is_there;
        better |= w->missing[i] < w->least[i];
        w->least[i] = w->missing[i] < w->least[i] ? w->missing[i] : w->least[i];
    }
    if (r && g)
        guide_learn(g, r, w->missing);
    if (better)
        LIST_ADD(d->v->arena, &w->better, *l);
    run_free(r);
    return r;
}

static void say_nearest(struct attempt *d, const struct nearest_run *nearest)
{
    for (int i = 0; i < d->findings->count; i++) {
        struct verdict *now = &d->findings->items[i]->verdict;
        const char *needs =
            is_unreached(d->findings->items[i]) ? nearest_run_text(d->v, &nearest[i]) : NULL;
        if (needs)
            now->what = arena_printf(d->v->arena, "%s; %s", now->what, needs);
    }
}

/* A program that waits or loops takes all the time it has in each run. */
static bool goes_on(const struct following *w)
{
    return w->attempt->ended == w->ended;
}

/* Of the lines that were tried, those that came nearest to a finding are where the search begins.
 */
static void follow_tried(struct following *w, const command_lines *tried, struct guide *g)
{
    for (int i = 0; i < tried->count && i < EXPLAINED_LINES && goes_on(w); i++)
        if (!follow_line(w, &tried->items[i], NULL))
            return;
    for (int i = 0; i < w->better.count; i++)
        guide_begin_with(g, &w->better.items[i]);
}

static void follow_guided(struct following *w, struct guide *g)
{
    struct command_line l;
    uint64_t begun = w->attempt->ns;
    int f, most = command_is_asked(w->attempt->v->in) ? FEW_LINES : GUIDED_LINES;
    for (int i = 0; i < most && w->attempt->ns - begun < ENOUGH_NS / 2 && goes_on(w); i++)
        if ((f = next_sought(w)) < 0 || !guide_next(g, f, &l) || !follow_line(w, &l, g))
            return;
}

/* A build that reports the branches, and where that compiles what it does with what it reads. */
static const struct build *build_followed(struct attempt *d, const condition_list *branches)
{
    for (int follows = 1; follows >= 0; follows--) {
        struct build_error e = {0};
        const struct build_plan plan = {
            .program = d->program, .branches = branches, .follows = follows, .judged = d->findings};
        const struct build *b = d->v->in->runner->build(d->v, &plan, &e);
        if (b || e.tampered)
            return b;
    }
    return NULL;
}

/* With shadow values, these lines as they are. */
static void attempt_listed(struct attempt *d, const command_lines *lines)
{
    finding_list findings = open_values(d);
    struct attempt again = *d;
    again.findings = &findings;
    again.shadows = true;
    for (int i = 0; i < lines->count && findings.count && !again.broken; i++)
        attempt_line(&again, &lines->items[i], AS_IT_IS);
    d->broken |= again.broken;
    d->ns = again.ns;
}

/* Follows what the program does with what it reads towards findings that no run has reached, and
 * names the branch that is in the way of the others. */
static void attempt_followed(struct attempt *d)
{
    int count = d->findings->count;
    struct following w = {.nearest = arena_array(d->v->arena, struct nearest_run, count),
                          .missing = arena_array(d->v->arena, int, count),
                          .least = arena_array(d->v->arena, int, count),
                          .ended = d->ended};
    struct attempt again = *d;
    w.attempt = &again;
    for (int i = 0; i < count; i++) {
        w.least[i] = INT_MAX;
        if (!is_sought(&w, i))
            continue;
        w.nearest[i].own = branches_of(d->v, d->findings->items[i]);
        branches_add(d->v, &w.nearest[i].own, &w.branches.all);
    }
    again.branches = &w.branches;
    again.build = next_sought(&w) >= 0 && !d->broken ? build_followed(d, &w.branches.all) : NULL;
    if (!again.build)
        return;
    struct guide *g = guide_new(d->v, line_search_choices(d->lines), &w.branches.all, count);
    follow_tried(&w, &d->tried, g);
    follow_guided(&w, g);
    d->broken |= again.broken;
    d->ns = again.ns;
    d->better = w.better;
    if (d->v->in->runner->shadows)
        attempt_listed(d, &w.better);
    if (w.better.count && !d->measures)
        attempt_measured(d, false);
    say_nearest(d, w.nearest);
}

/* False: it cannot be built; its findings say why. */
static bool attempt_begin(struct attempt *d, const char *function)
{
    struct build_error e = {0};
    const struct build_plan plan = {
        .program = d->program, .function = function, .judged = d->findings};
    d->build = d->v->in->runner->build(d->v, &plan, &e);
    if (!d->build)
        give_all(d->findings, VERDICT_NOT_RUN, build_trouble(d->v, &e));
    return d->build;
}

void attempt_program(struct verifier *v, const struct verify_unit *entry, finding_list *findings)
{
    struct attempt d = {
        .v = v, .program = v->in->runner->program_of(v, entry), .findings = findings};
    if (!attempt_begin(&d, NULL))
        return;
    d.lines = line_search_new(v, d.program);
    d.measures = v->in->runner->measures_always;
    attempt_lines(&d);
    if (v->in->runner->shadows)
        attempt_shadowed(&d);
    if (!d.measures) {
        attempt_measured(&d, false);
        attempt_measured(&d, true);
    }
    attempt_followed(&d);
    if (v->in->runner->shadows && !d.broken)
        attempt_unlikely(&d);
}

/* ---- functions ---------------------------------------------------------------------------------
 */

static struct run *attempt_inputs_once(struct attempt *d, const char *const *arguments)
{
    const struct launch l = {.arguments = arguments};
    return attempt_once(d, &l, AS_IT_IS);
}

/* One run after the other, as long as the runner has other arguments for it. */
static void attempt_inputs(struct attempt *d, const struct finding *f)
{
    const struct runner *runner = d->v->in->runner;
    struct inputs *inputs = runner->inputs_for(d->v, d->build, f);
    struct run *r = attempt_inputs_once(d, runner->inputs_next(inputs, NULL));
    d->runs = 1;
    while (r && !all_settled(d->findings)) {
        const char *const *next =
            d->runs < d->v->in->limits.runs ? runner->inputs_next(inputs, r) : NULL;
        run_free(r);
        r = next ? attempt_inputs_once(d, next) : NULL;
    }
    run_free(r);
}

void attempt_function(struct verifier *v, const struct verify_unit *entry, const char *function,
                      finding_list *findings)
{
    struct attempt d = {.v = v,
                        .program = v->in->runner->program_of(v, entry),
                        .findings = findings,
                        .is_harness = true};
    if (!attempt_begin(&d, function))
        return;
    for (int i = 0; i < findings->count; i++)
        if (!is_settled(findings->items[i]) && !d.broken)
            attempt_inputs(&d, findings->items[i]);
}
