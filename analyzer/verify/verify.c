/* The stages of a verification: verdicts that are kept, whole programs, then functions for what is
 * left (tasks.c). Tasks are independent, so that several threads build and run them; which thread
 * does what makes no difference to the verdicts. */
#include "analyzer/verify/attempt.h"
#include "analyzer/verify/bundle.h"
#include "analyzer/verify/command.h"
#include "analyzer/verify/interrupt.h"
#include "analyzer/verify/judge.h"
#include "analyzer/verify/runner.h"
#include "analyzer/verify/scratch.h"
#include "analyzer/verify/state.h"
#include "analyzer/verify/tasks.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct work {
    const struct verify_input *in;
    const finding_list *findings;
    struct arena *arena;
    const char *room;
    task_list tasks;
    atomic_int next, workers;
    pthread_mutex_t lock; /* of the arena and of the findings' verdicts */
    const uint64_t *states;
    struct error *trouble; /* of writing a bundle */
};

/* ---- folders -------------------------------------------------------------------------------- */

static const char *kept_room(struct arena *a, const char *keep, struct error *e)
{
    if (!output_folder_make(a, keep, "--keep", e))
        return NULL;
    char *real = realpath(keep, NULL);
    const char *kept = arena_printf(a, "%s", real ? real : keep);
    free(real);
    return kept;
}

static const char *make_room(struct arena *a, const struct verify_input *in, struct scratch *s,
                             struct error *e)
{
    if (in->emit && !output_folder_make(a, in->emit, "--emit", e))
        return NULL;
    if (in->keep)
        return kept_room(a, in->keep, e);
    return scratch_make(a, s, e) ? s->path : NULL;
}

/* ---- workers --------------------------------------------------------------------------------- */

static struct verifier worker_begin(struct work *w)
{
    int number = atomic_fetch_add(&w->workers, 1);
    const char *room = NULL;
    if (w->room) {
        pthread_mutex_lock(&w->lock);
        room = arena_printf(w->arena, "%s/worker%d", w->room, number);
        pthread_mutex_unlock(&w->lock);
        mkdir(room, 0700);
    }
    return verifier_begin(w->in, room);
}

static const char *kept_text(struct arena *a, const char *text)
{
    return text ? arena_printf(a, "%s", text) : NULL;
}

/* Of two that did not get there, a call of the function that the analysis began with says more than
 * a program. */
static bool is_root(const struct work *w, const struct task *t, const struct finding *f)
{
    const char *root = finding_root_of(f).function;
    return t->function && (!root || strcmp(root, w->in->runner->start) != 0) &&
           w->in->runner->makes_up_types;
}

static bool says_more(const struct verdict *now, const struct verdict *before, bool of_root)
{
    return verdict_strength(now->kind) > verdict_strength(before->kind) ||
           (of_root && now->kind == before->kind && now->entry && !before->reached);
}

/* A verdict that says more replaces the one before. */
static void hand_in(struct work *w, struct verifier *v, int nth, const struct finding *own,
                    bool of_root)
{
    struct finding *f = w->findings->items[nth];
    const struct verdict *now = &own->verdict;
    pthread_mutex_lock(&w->lock);
    if (says_more(now, &f->verdict, of_root)) {
        struct arena *a = w->in->arena;
        if (w->in->emit)
            bundle_add(v, own, w->states[nth], w->trouble);
        f->verdict = *now;
        f->verdict.entry = kept_text(a, now->entry);
        f->verdict.what = kept_text(a, now->what);
        f->verdict.inputs = kept_text(a, now->inputs);
        f->verdict.held = kept_text(a, now->held);
    }
    pthread_mutex_unlock(&w->lock);
}

static void do_task(struct work *w, struct verifier *v, const struct task *t)
{
    finding_list own = {0}; /* copies, so that no thread waits for another */
    for (int i = 0; i < t->findings.count; i++) {
        const struct finding *f = w->findings->items[t->findings.items[i]];
        LIST_ADD(v->arena, &own, arena_copy(v->arena, f, sizeof *f));
        if (is_root(w, t, f))
            own.items[i]->verdict = (struct verdict){0};
    }
    if (t->function)
        attempt_function(v, t->entry, t->function, &own);
    else
        attempt_program(v, t->entry, &own);
    for (int i = 0; i < t->findings.count; i++)
        hand_in(w, v, t->findings.items[i], own.items[i], is_root(w, t, own.items[i]));
}

static void *do_tasks(void *argument)
{
    struct work *w = argument;
    struct verifier v = worker_begin(w);
    for (int i; (i = atomic_fetch_add(&w->next, 1)) < w->tasks.count;) {
        const struct task *t = &w->tasks.items[i];
        if (w->in->progress && t->findings.count)
            w->in->progress(w->in->context, i, w->tasks.count,
                            w->findings->items[t->findings.items[0]]);
        do_task(w, &v, t);
    }
    verifier_end(&v);
    return NULL;
}

static void do_all(struct work *w)
{
    int others = (w->in->jobs < w->tasks.count ? w->in->jobs : w->tasks.count) - 1, started = 0;
    pthread_t *threads = arena_array(w->arena, pthread_t, others > 0 ? others : 1);
    atomic_store(&w->next, 0);
    while (started < others && !pthread_create(&threads[started], NULL, do_tasks, w))
        started++;
    do_tasks(w);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* ---- verdicts of earlier runs -----------------------------------------------------------------
 */

/* A command that nobody asked for is for what no run of ours has got to. */
static bool is_left(const struct finding *f, bool is_offered)
{
    return is_provable(f) &&
           (is_offered ? verdict_strength(f->verdict.kind) < verdict_strength(VERDICT_REFUTED)
                       : !is_settled(f));
}

/* What was seen holds whatever the limits were. */
static bool is_seen(const struct verdict *d)
{
    return d->kind == VERDICT_CONFIRMED || d->kind == VERDICT_REFUTED;
}

static bool recall(const struct verify_input *in, struct finding *f, uint64_t state)
{
    return verdicts_get(in->kept, f->identity, state, &f->verdict) ||
           verdicts_get(in->kept, f->identity, state_within_limits(in, state), &f->verdict);
}

/* Findings whose code did not change get their verdicts; the others go into left. */
static void take_kept(struct work *w, struct verifier *v, const finding_list *all,
                      finding_list *left, uint64_t *states)
{
    struct states *s = states_new(v);
    for (int i = 0; i < all->count; i++) {
        struct finding *f = all->items[i];
        const char *function;
        bool wanted = w->in->kept || w->in->emit || w->in->import;
        uint64_t state = wanted ? state_of(s, f, harness_unit(v, f, &function)) : 0;
        if (w->in->kept && !w->in->emit && !w->in->import && recall(w->in, f, state)) {
            /* A command may get to other places than last time: what it depends on is not known. */
            if (!is_left(f, true) || !command_is_asked(w->in))
                continue;
            f->verdict = (struct verdict){0};
        }
        states[left->count] = state;
        LIST_ADD(w->arena, left, f);
    }
}

static void keep_all(const struct work *w, const uint64_t *states)
{
    for (int i = 0; w->in->kept && i < w->findings->count; i++)
        verdicts_put(w->in->kept, w->findings->items[i],
                     is_seen(&w->findings->items[i]->verdict)
                         ? states[i]
                         : state_within_limits(w->in, states[i]));
}

static void import_all(struct work *w, struct verifier *v)
{
    for (int i = 0; i < w->findings->count; i++) {
        struct finding *f = w->findings->items[i], own = *f;
        struct error e = {0};
        if (bundle_judge(v, &own, w->states[i], &e))
            ;
        else if (!w->in->kept || !recall(w->in, &own, w->states[i]))
            own.verdict = (struct verdict){.kind = VERDICT_NOT_RUN, .what = e.message};
        hand_in(w, v, i, &own, false);
    }
}

static void give_the_rest(struct work *w)
{
    for (int k = 0; k < w->findings->count; k++) {
        struct finding *f = w->findings->items[k];
        if (f->verdict.kind)
            continue;
        f->verdict = (struct verdict){
            .kind = VERDICT_NOT_RUN,
            .what = is_provable(f) ? "no program gets there" : proof_missing(f),
        };
    }
}

/* ---- commands --------------------------------------------------------------------------------
 */

static void run_command(struct work *w, struct verifier *v, struct verify_command *c)
{
    finding_list own = {0};
    LIST(int) numbers = {0};
    for (int i = 0; i < w->findings->count; i++)
        if (is_left(w->findings->items[i], c->is_offered)) {
            struct finding *f = w->findings->items[i];
            LIST_ADD(v->arena, &own, arena_copy(v->arena, f, sizeof *f));
            LIST_ADD(v->arena, &numbers, i);
        }
    if (!own.count)
        return;
    if (w->in->progress)
        w->in->progress(w->in->context, 0, 1, own.items[0]);
    command_attempt(v, c, &own);
    for (int i = 0; i < own.count; i++)
        hand_in(w, v, numbers.items[i], own.items[i], false);
}

static void run_commands(struct work *w, struct verifier *v, bool offered)
{
    for (int i = 0; i < w->in->command_count; i++)
        if (w->in->commands[i].is_offered == offered)
            run_command(w, v, &w->in->commands[i]);
}

static void run_all(struct work *w, struct verifier *v)
{
    run_commands(w, v, false);
    plan_programs(v, w->findings, &w->tasks);
    do_all(w);
    w->tasks.count = 0;
    plan_functions(v, w->findings, &w->tasks);
    do_all(w);
    run_commands(w, v, true);
    give_the_rest(w);
    if (w->in->emit)
        w->in->runner->bundle_close(v, w->trouble);
}

bool verify_findings(const struct verify_input *in, const finding_list *findings, struct error *e)
{
    if (in->import && access(in->import, R_OK | X_OK))
        return error_at(e, in->import, 0, 0, "%s", strerror(errno));
    struct error trouble = {0};
    struct work w = {.in = in, .arena = arena_new(), .trouble = &trouble};
    finding_list left = {0};
    pthread_mutex_init(&w.lock, NULL);
    struct scratch scratch = {.lock = -1};
    w.room = make_room(w.arena, in, &scratch, e);
    if (w.room) {
        interrupt_begin(in->keep ? NULL : w.room);
        struct verifier v = worker_begin(&w);
        uint64_t *states = arena_array(w.arena, uint64_t, findings->count ? findings->count : 1);
        take_kept(&w, &v, findings, &left, states);
        w.findings = &left;
        w.states = states;
        if (in->import)
            import_all(&w, &v);
        else
            run_all(&w, &v);
        keep_all(&w, states);
        verifier_end(&v);
        if (!in->keep)
            scratch_remove(&scratch);
        interrupt_end();
    }
    bool ok = w.room && !trouble.message[0];
    if (w.room && !ok)
        *e = trouble;
    pthread_mutex_destroy(&w.lock);
    arena_free(w.arena);
    return ok;
}

void verify_recall(const struct verify_input *in, const finding_list *findings)
{
    struct work w = {.in = in, .arena = arena_new()};
    finding_list some = {0}, left = {0};
    for (int i = 0; i < findings->count; i++)
        if (verdicts_know(in->kept, findings->items[i]->identity, false))
            LIST_ADD(w.arena, &some, findings->items[i]);
    if (some.count) {
        struct verifier v = worker_begin(&w);
        take_kept(&w, &v, &some, &left, arena_array(w.arena, uint64_t, some.count));
        verifier_end(&v);
    }
    arena_free(w.arena);
}
