/* A whole program, driven to its findings: it is built, run with one command line after the other,
 * and every run is judged, until all findings are settled or there is nothing left to try. */
#include "analyzer/verify/command_line.h"
#include "analyzer/verify/c/harness.h"

#include <string.h>

/* So many command lines are tried in any case; more while all runs have not taken this long. */
enum { FEW_LINES = 12 };
#define ENOUGH_NS ((uint64_t)15 * 1000000000)

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

static const char *entry_text(struct verifying *v, const char *const *arguments)
{
    struct text t = {0};
    text_add(&t, "main");
    for (; *arguments; arguments++)
        text_printf(&t, " %s", *arguments);
    return text_keep(v->arena, &t);
}

/* How a command line is run: as people would; where it may write, if it could not; then past the
 * first error, for others stand behind it; then with memory that may not be touched beyond its
 * ends. */
enum { AS_IT_IS, IN_ROOM, PAST_ERRORS, GUARDED, WAY_COUNT };
static const struct run_way ways[WAY_COUNT] = {
    [IN_ROOM] = {.in_room = true},
    [PAST_ERRORS] = {.setting = "MISCAST_PROBE_ERRORS=go-on"},
    [GUARDED] = {.setting = "MISCAST_GUARD=1"},
};

struct drive {
    struct verifying *v;
    const struct program *program;
    struct arguments *arguments;
    const char *executable;
    finding_list *findings;
    command_lines tried;
    int runs;
    uint64_t ns;     /* how long all runs took */
    bool measures;   /* there are measurements in the executable */
    bool sanitizes;  /* the executable was built with AddressSanitizer */
    bool is_harness; /* the arguments of what runs are ours */
    bool broken;     /* a run's events were not to be believed: no other run is made */
};

static bool wants_guard(const finding_list *l)
{
    for (int i = 0; i < l->count; i++)
        if (!is_settled(l->items[i]) && proof_instrument(l->items[i]) == INSTRUMENT_MEMORY)
            return true;
    return false;
}

/* What one run could forge, it may have tried to forge before. What was confirmed stays: that took
 * an event with the runtime's seal. */
static void give_up(struct drive *d, const char *what)
{
    for (int i = 0; i < d->findings->count; i++)
        if (!is_settled(d->findings->items[i]))
            d->findings->items[i]->verdict =
                (struct verdict){.kind = VERDICT_NOT_RUN, .what = what, .held = d->v->held};
    d->broken = true;
}

/* A run speaks about all findings that are not settled yet. NULL: it was not even started, and e
 * says why. */
static struct run *drive_once(struct drive *d, const char *const *arguments, const char *entry,
                              int way, struct error *e)
{
    struct run *r = run_program(d->v, d->executable, arguments, entry, d->program->entry->directory,
                                &ways[way], e);
    d->runs++;
    if (!r) {
        give_all(d->findings, VERDICT_NOT_RUN, arena_printf(d->v->arena, "%s", e->message));
        return NULL;
    }
    d->ns += r->end.ns;
    if (r->broken) {
        give_up(d, arena_printf(d->v->arena, "tampered: %s", r->broken));
        run_free(r);
        return NULL;
    }
    r->sanitized = d->sanitizes;
    r->is_harness = d->is_harness;
    for (int i = 0; i < d->findings->count; i++)
        if (!is_settled(d->findings->items[i]))
            judge_run(d->v, d->findings->items[i], r);
    return r;
}

/* ---- command lines -----------------------------------------------------------------------------
 */

static bool drive_line(struct drive *d, struct command_line *l, int way)
{
    struct error e = {0};
    struct run *r = drive_once(d, l->words, entry_text(d->v, l->words), way, &e);
    if (!r)
        return false;
    for (int i = 0; i < r->events.count; i++) {
        const struct event *at = &r->events.items[i];
        l->raised |= at->error != NULL;
        l->lacks_files |= at->error && !strcmp(at->error_kind, "file");
    }
    if (way == AS_IT_IS)
        arguments_learn(d->arguments, l, r->events.count > 0);
    run_free(r);
    return true;
}

/* Whether it shows in measurements only. */
static bool needs_measure(const struct finding *f)
{
    enum instrument how = proof_instrument(f);
    return how != INSTRUMENT_NONE && how != INSTRUMENT_MEMORY;
}

/* In turn, so that one that nothing shows does not keep the others waiting. Not those that stand
 * behind an error: as it is, no run gets there; nor, before they are measured, those that only that
 * shows. NULL: there is none. */
static const struct finding *next_finding(const struct drive *d, int turn)
{
    for (int i = 0; i < d->findings->count; i++) {
        const struct finding *f = d->findings->items[(turn + i) % d->findings->count];
        bool in_vain = f->past || (!d->measures && needs_measure(f));
        if (!is_settled(f) && (!in_vain || !d->tried.count))
            return f;
    }
    return NULL;
}

/* One command line after the other, each the most likely for some finding. */
static bool drive_new(struct drive *d)
{
    const struct finding *f;
    int most = d->v->in->limits.runs / 2;
    for (int turn = 0; d->tried.count < most && (f = next_finding(d, turn)); turn++) {
        struct command_line l;
        if (d->tried.count >= FEW_LINES && d->ns > ENOUGH_NS)
            return true;
        if (!arguments_next(d->arguments, f, &d->tried, &l))
            return true;
        bool ran = drive_line(d, &l, AS_IT_IS);
        LIST_ADD(d->v->arena, &d->tried, l);
        if (!ran)
            return false;
    }
    return true;
}

/* Where a command line would do the same in another way, that is left out. */
static bool is_other(const struct drive *d, const struct command_line *l, int way)
{
    switch (way) {
    case IN_ROOM:
        return l->lacks_files;
    case PAST_ERRORS:
        return l->raised;
    case GUARDED:
        return !d->sanitizes && wants_guard(d->findings);
    default:
        return false;
    }
}

static void drive_lines(struct drive *d)
{
    if (!drive_new(d))
        return;
    for (int way = AS_IT_IS + 1; way < WAY_COUNT; way++)
        for (int i = 0; i < d->tried.count; i++) {
            if (all_settled(d->findings) || d->runs >= d->v->in->limits.runs)
                return;
            struct command_line *l = &d->tried.items[i];
            if (is_other(d, l, way) && !drive_line(d, l, way))
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
static const struct verify_unit *measured_unit(struct verifying *v, const struct finding *f)
{
    struct finding there = *f;
    const struct flow_call *c = call_of(v, f);
    there.span = *proof_span(f);
    there.function = c ? c->function->name : f->function;
    return unit_of(v, &there);
}

static bool is_measured(const struct finding *f, bool sanitizes)
{
    enum instrument how = proof_instrument(f);
    return !is_settled(f) && (sanitizes ? how == INSTRUMENT_MEMORY : how != INSTRUMENT_NONE);
}

/* Runs one build with measurements in it, which are those of the findings. */
static void drive_build(struct drive *d, const struct compiling *how, finding_list *findings)
{
    struct error e = {0};
    struct drive again = {.v = d->v,
                          .program = d->program,
                          .arguments = d->arguments,
                          .findings = findings,
                          .measures = !how->sanitizes,
                          .sanitizes = how->sanitizes};
    again.executable = build_program(d->v, d->program, how, &e);
    const char *what = arena_printf(d->v->arena, "%s", e.message);
    if (again.executable)
        drive_lines(&again);
    else if (!strncmp(what, "tampered: ", 10))
        give_up(&again, what);
    else
        give_all(findings, VERDICT_NOT_RUN, what);
    d->broken |= again.broken;
}

/* The same with measurements in the source of one unit, for findings that raise nothing. Those
 * whose calls are within each other need a build each. With AddressSanitizer, for memory that is
 * the program's own, of which the runtime knows nothing. */
static void drive_measured(struct drive *d, bool sanitizes)
{
    struct verifying *v = d->v;
    for (int i = 0; i < d->program->units.count && !d->broken; i++) {
        struct compiling how = {.unit = d->program->units.items[i], .sanitizes = sanitizes};
        finding_list left = {0};
        for (int k = 0; k < d->findings->count; k++)
            if (is_measured(d->findings->items[k], sanitizes) &&
                measured_unit(v, d->findings->items[k]) == how.unit)
                LIST_ADD(v->arena, &left, d->findings->items[k]);
        while (left.count && !d->broken) {
            finding_list now = {0};
            how.text = measured_source(v, how.unit, &left, &now);
            if (!how.text)
                break;
            take_out(&left, &now);
            drive_build(d, &how, &now);
        }
        for (int k = 0; k < left.count && !d->broken; k++)
            if (!left.items[k]->verdict.reached)
                left.items[k]->verdict = (struct verdict){
                    .kind = VERDICT_NOT_RUN,
                    .what = "nothing can be measured there: its call is not written as one"};
    }
}

void drive_program(struct verifying *v, const struct verify_unit *entry, finding_list *findings)
{
    struct error e = {0};
    struct compiling how = {0};
    struct drive d = {.v = v, .program = program_of(v, entry), .findings = findings};
    d.executable = build_program(v, d.program, &how, &e);
    if (!d.executable) {
        give_all(findings, VERDICT_NOT_RUN, arena_printf(v->arena, "%s", e.message));
        return;
    }
    d.arguments = arguments_of(v, d.program);
    drive_lines(&d);
    drive_measured(&d, false);
    drive_measured(&d, true);
}

/* ---- a function
 * ---------------------------------------------------------------------------------- */

/* Runs with what the slots are. */
static struct run *drive_slots(struct drive *d, const slot_list *slots, const char *entry)
{
    struct error e = {0};
    return drive_once(d, slots_arguments(d->v, slots), entry, AS_IT_IS, &e);
}

/* Climbs: of all ways to be otherwise, the first that gets further is taken. */
static void climb(struct drive *d, slot_list *slots, const char *entry)
{
    struct run *r = drive_slots(d, slots, entry);
    while (r && !all_settled(d->findings)) {
        struct repair *ways = repair_begin(d->v, slots, r);
        int far = run_progress(r);
        struct run *better = NULL;
        slot_list other;
        while (!better && d->runs < d->v->in->limits.runs && repair_next(ways, &other)) {
            struct run *now = drive_slots(d, &other, entry);
            if (!now || all_settled(d->findings))
                break;
            if (run_progress(now) > far)
                better = now;
            else
                run_free(now);
        }
        run_free(r);
        r = better;
        if (better)
            *slots = other;
    }
    run_free(r);
}

void drive_function(struct verifying *v, const struct verify_unit *entry, const char *function,
                    finding_list *findings)
{
    struct error e = {0};
    slot_list slots = {0};
    struct drive d = {
        .v = v, .program = program_of(v, entry), .findings = findings, .is_harness = true};
    struct compiling how = {.unit = entry, .no_main = true};
    how.text = harness_source(v, d.program, function_of(entry, function), &slots);
    d.executable = build_program(v, d.program, &how, &e);
    if (!d.executable) {
        give_all(findings, VERDICT_NOT_RUN, arena_printf(v->arena, "%s", e.message));
        return;
    }
    const char *name = arena_printf(v->arena, "%s()", function);
    for (int i = 0; i < findings->count; i++) {
        slot_list own = {0};
        for (int k = 0; k < slots.count; k++)
            LIST_ADD(v->arena, &own, slots.items[k]);
        if (is_settled(findings->items[i]) || d.broken)
            continue;
        slots_steer(v, &own, findings->items[i]);
        d.runs = 0;
        climb(&d, &own, name);
    }
}
