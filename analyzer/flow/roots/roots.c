/* The analysis as a whole: link, find the roots (functions nobody calls), run each, join their
 * results. */
#include "analyzer/flow/roots/roots.h"

#include "analyzer/flow/dynamic/dynamic.h"

#include <stdlib.h>
#include <string.h>

/* Runs functions that nobody calls and that take and return nothing, one after the other. */
static void run_each(struct flow *f, const code_list *all, struct state *s)
{
    for (int k = 0; k < all->count; k++)
        run_alone(f, all->items[k], s);
}

static void run_initialisers(struct flow *f, struct code *root, struct state *s)
{
    code_list all = link_initialisers(f, root);
    run_each(f, &all, s);
}

/* Behind main, if it returns: what it asked for, then what the program was built with. */
static void run_ends(struct flow *f, const struct code *root, const struct frame *fr,
                     exit_list *exits)
{
    code_list all = link_ends(f, root);
    if (!all.count && !ends_are_given(f, exits))
        return;
    join_exits(f, fr, exits, 1);
    if (!exits->count)
        return;
    struct path p = {.f = f, .fr = fr, .s = exits->items[0].state};
    run_at_end(&p);
    run_each(f, &all, p.s);
}

static bool may_be_forgotten(const struct page *p, const void *what)
{
    (void)p;
    (void)what;
    return true;
}

static bool is_forgotten(const struct cell *cell, const void *what)
{
    const struct object *o = cell->loc->object;
    (void)what;
    return o->kind == OBJECT_GLOBAL && !o->is_const && cell->value.kind != VALUE_FUNCTION;
}

/* Unless the program starts at this root, a global may have been changed since its initialiser;
 * tables of functions are assumed not to be. */
static void forget_globals(struct state *s)
{
    const struct cell *cell;
    state_drop_if(s, may_be_forgotten, is_forgotten, NULL);
    for (struct cursor w = {0}; (cell = cell_at(s, w)); cursor_on(s, &w)) {
        struct value v = cell->value;
        v.test = NULL; /* they are freed with the root; this is not */
        v.query = NULL;
        cell_set(s->arena, s, w, v);
    }
}

/* Memory at the start of a root. */
static struct state *state_at_start(struct flow *f, struct code *root)
{
    bool is_main = strcmp(root->name, "main") == 0 && !f->options.incomplete;
    struct state *s = state_new(f->scratch, &f->stamps, f->guards);
    s->kept = f->kept;
    regions_begin(f, s);
    gradients_begin(f, s);
    lookups_begin(f, s);
    f->globals_unknown = false;
    if (root->unit->is_dynamic) /* a body is run when it is imported */
        return s;
    run_initialisers(f, root, s);
    f->globals_unknown = !is_main;
    if (is_main)
        ends_begin(f, s);
    else
        forget_globals(s);
    return s;
}

static void bind_unknown(struct flow *f, const struct frame *fr, struct state *s)
{
    const struct ir_function *fn = fr->code->fn;
    for (int i = 0; i < fn->param_count; i++) {
        fr->locals[i]->unknown_contents = true;
        memory_read(f, fr, s, loc_root(f->heap, fr->locals[i]), fn->locals.items[i].type);
    }
}

/* The next root starts without them. */
static void clear_own(struct flow *f)
{
    for (int i = 0; i < f->own.values.count; i++) {
        const struct flow_value *v = f->own.values.items[i];
        code_of(f, v->function)->values[v->inst] = NULL;
    }
    for (int i = 0; i < f->own.calls.count; i++) {
        const struct flow_call *c = f->own.calls.items[i];
        code_of(f, c->function)->reached[c->inst] = NULL;
    }
}

static void run_paths(struct flow *f, struct code *c)
{
    exit_list exits = {0};
    struct arena *guards = arena_new();
    f->scratch = arena_new();
    f->kept = arena_new();
    f->guards = guards_new(guards, f->arena, c->unit->is_dynamic);
    merge_begin(f);
    f->joined = false;
    f->is_divisible = false;
    f->lost_text = false;
    f->caller_paths = 1;
    f->left = f->given = f->options.max_visits;
    f->most_memory = MOST_MEMORY(c->unit->is_dynamic);
    f->is_blamed = false;
    f->rounds = 1;
    f->is_dynamic = c->unit->is_dynamic;
    struct state *s = state_at_start(f, c);
    f->left = f->given = f->sampling ? sampling_visits(f) : f->options.max_visits;
    code_prepare(f, c);
    struct frame *fr = frame_new(f, c, NULL, 0, c->fn->span);
    bool is_dynamic = c->unit->is_dynamic;
    if (is_dynamic)
        f->dynamic->begin(f, fr, s);
    else
        bind_unknown(f, fr, s);
    run_code(f, fr, s, &exits, NULL);
    run_ends(f, c, fr, &exits);
    f->is_rest = is_dynamic && exits.count && (f->runs_rest || !c->may_be_imported);
    c->has_no_rest = is_dynamic && (f->is_rest || !exits.count);
    if (f->is_rest)
        f->dynamic->run_rest(f, fr, exits.items[0].state);
    f->is_rest = false;
    f->own.counts.roots++;
    f->spent += f->options.max_visits - f->left;
    f->is_too_large = f->merges && budget_is_spent(f);
    untrained_decide(f);
    arena_free(f->scratch);
    arena_free(guards);
    f->scratch = NULL;
    f->guards = NULL;
    clear_own(f);
}

/* On a path that runs take, with known operands. */
static bool is_sure(const struct flow_failure *r)
{
    return !r->unknown && !r->blurred && !r->past;
}

/* What a run found, and what that is allocated in. */
struct found {
    struct root_results results;
    struct arena *kept;
};

static struct found found_by_run(const struct flow *f)
{
    return (struct found){f->own, f->kept};
}

static void put_found(struct flow *f, const struct found *found)
{
    f->own = found->results;
    f->kept = found->kept;
}

/* What another run of the root found is added to its results. It may have got further within its
 * budget. */
static void take_found(struct flow *f, struct found *some)
{
    const struct root_results *r = &some->results;
    reach_take(f, r->entered.items, r->entered.count);
    for (int i = 0; i < r->failures.count; i++)
        if (is_sure(&r->failures.items[i]->failure))
            failure_take(f, r->failures.items[i]);
    arena_free(some->kept);
}

/* Another run of a root whose results are there. */
static void run_again(struct flow *f, struct code *c, void (*run)(struct flow *, struct code *))
{
    struct found all = found_by_run(f);
    run(f, c);
    struct found some = found_by_run(f);
    put_found(f, &all);
    take_found(f, &some);
}

static bool has_failure(const struct flow *f, bool (*is)(const struct flow_failure *))
{
    for (int i = 0; i < f->own.failures.count; i++)
        if (is(&f->own.failures.items[i]->failure))
            return true;
    return false;
}

/* What was found may be of a combination that no iteration of a loop leads to, where it showed too
 * late what belongs together: then the root is run again, and that is kept together from the
 * beginning. If it is too much for that, the first run stands. */
static void run_united(struct flow *f, struct code *c)
{
    enum { MAX_RUNS = 2 };
    for (int i = 0; i < MAX_RUNS && !f->is_too_large && late_grew(f) && has_failure(f, is_sure);
         i++) {
        struct found first = found_by_run(f), again;
        bool joined = f->joined;
        run_paths(f, c);
        again = found_by_run(f);
        arena_free(f->is_too_large ? again.kept : first.kept);
        if (!f->is_too_large)
            continue;
        put_found(f, &first);
        f->joined = joined;
        f->is_too_large = false;
    }
}

static void run_sampled(struct flow *f, struct code *c)
{
    f->sampling = true;
    run_paths(f, c);
    f->sampling = false;
}

/* A root that is too large to be run with one state per block is run so again, now with a share of
 * the budget for each function that it did not get through: what needs more is not followed, and
 * what comes behind it is found, too. Where there is no such function, and no loop has places that
 * are now known to belong together, it would run as before. */
static void run_divided(struct flow *f, struct code *c)
{
    f->merges = true;
    run_paths(f, c);
    f->merges = false;
}

/* The run ended before it was everywhere: what a call was seen to give may not be all that it
 * gives. What was found on the way happens in some run all the same. */
static void forget_unfinished(struct flow *f)
{
    struct fact unknown = fact_unknown();
    for (int i = 0; i < f->own.values.count; i++)
        fact_join(&f->own.values.items[i]->fact, &unknown);
}

/* A root that is too large is run with states apart, and by parts. */
static void run_large(struct flow *f, struct code *c, int first)
{
    struct found whole = found_by_run(f);
    bool is_divisible = f->is_divisible || late_grew(f);
    if (is_divisible)
        arena_free(whole.kept);
    f->merges = false;
    run_paths(f, c);
    if (f->own.counts.cut.file)
        forget_unfinished(f);
    if (f->joined)
        run_again(f, c, run_sampled);
    f->divides = first;
    if (is_divisible)
        run_again(f, c, run_divided);
    else
        take_found(f, &whole);
    f->divides = 0;
}

/* It is possible, but not certain, since conditions were dropped for lack of room. */
static bool is_doubtful(const struct flow_failure *r)
{
    return r->joined && r->blurred && !r->unknown && !r->past;
}

/* Of what another run found, what was doubtful only. */
static void take_doubtful(struct flow *f, struct found *some)
{
    for (int i = 0; i < some->results.failures.count; i++) {
        const struct failed *r = some->results.failures.items[i];
        const struct flow_failure *known = failure_at(f, r->key);
        if (known && is_doubtful(known) && is_sure(&r->failure))
            failure_take(f, r);
    }
    arena_free(some->kept);
}

/* Another run of the root, of which only that is taken. */
static void confirm_by(struct flow *f, struct code *c, void (*run)(struct flow *, struct code *))
{
    struct found all = found_by_run(f);
    run(f, c);
    struct found some = found_by_run(f);
    put_found(f, &all);
    take_doubtful(f, &some);
}

/* What is doubtful with one state per block may be certain on a path of its own: the root is run
 * again with states apart, which confirms what was found, and finds nothing else. Such a state does
 * not know that two questions are the same, so texts that were lost would be asked about twice. */
static void run_doubtful(struct flow *f, struct code *c)
{
    f->merges = false;
    f->confirms = true;
    confirm_by(f, c, run_paths);
    if (f->joined && has_failure(f, is_doubtful))
        confirm_by(f, c, run_sampled);
    f->joined = f->is_too_large = f->confirms = false;
}

void root_run(struct flow *f, struct code *c)
{
    int first = f->root + 1;
    f->merges = !f->options.apart;
    f->divides = 0;
    f->late = NULL;
    run_paths(f, c);
    if (f->merges)
        run_united(f, c);
    if (f->is_too_large && c->unit->is_dynamic)
        cut_short(f, c->fn->span);
    else if (f->is_too_large)
        run_large(f, c, first);
    else if (f->joined)
        run_again(f, c, run_sampled);
    else if (f->merges && !c->unit->is_dynamic && !f->lost_text && has_failure(f, is_doubtful))
        run_doubtful(f, c);
}

/* The public summary of a root, once it is joined. */
static void summarise_root(struct flow *f, struct finished_root *r)
{
    struct flow_reach *all = arena_array(f->arena, struct flow_reach, f->own.entered.count);
    for (int i = 0; i < f->own.entered.count; i++) {
        const struct reach *x = &f->own.entered.items[i];
        all[i] = (struct flow_reach){x->code->fn, x->gave, x->effective};
    }
    r->summary = (struct flow_root){r->code->fn, f->own.counts, f->own.graded_unknown, all,
                                    f->own.entered.count};
}

static bool is_root(const struct code *c)
{
    if (c->unit->is_dynamic)
        return is_initialiser(c) && !c->unit->module && !c->unit->is_imported;
    return c->fn->has_body && symbol_is_root(&c->symbol);
}

struct flow *flow_begin(const struct pack_set *packs, const struct flow_options *options,
                        struct error *e)
{
    struct arena *a = arena_new();
    struct flow *f = arena_one(a, struct flow);
    f->arena = a;
    f->packs = packs;
    f->dynamic = &dynamic_language;
    f->callbacks = &callbacks;
    f->options = options ? *options : (struct flow_options){0};
    f->options.max_states = f->options.max_states ? f->options.max_states : 32;
    f->options.max_visits = f->options.max_visits ? f->options.max_visits : 1000000;
    f->names = names_new(a);
    f->shapes = shapes_new();
    f->by_function = map_new(a);
    symbols_init(&f->symbols, a);
    f->outcome_memo = memo_new(a);
    merge_nothing(f);
    if (assume_parse(f, e))
        return f;
    shapes_free(f->shapes);
    arena_free(a);
    return NULL;
}

static void join_finished(struct flow *f, struct finished_root *r)
{
    f->own = r->results;
    merge_end(f);
    summarise_root(f, r);
}

/* Nothing of the root is needed any more. */
static void join_at_once(struct flow *f, struct finished_root *r)
{
    join_finished(f, r);
    arena_free(r->kept);
    r->kept = NULL;
}

static bool has_tensors(const struct code *c)
{
    for (int n = 1; c->names && n < c->fn->insts.count; n++)
        if (c->all_reached[n] || c->all_values[n])
            return true;
    return false;
}

/* Which functions handle tensors is known once they were run; model files are not the program. */
static void count_dynamic(struct flow *f)
{
    for (int k = 0; k < f->codes.count; k++) {
        const struct code *c = f->codes.items[k];
        f->counts.functions -= c->fn->has_body && c->unit->module;
        if (!c->unit->is_dynamic)
            continue;
        f->counts.functions_analysed -= c->symbol.relevant;
        f->counts.functions_analysed += !c->unit->module && has_tensors(c);
    }
}

/* Functions that no body ran, of dynamic languages: once all that are run are known. A body that no
 * other unit imports knows that at its end. One that did not get to its end would not, again. */
static void run_rest(struct flow *f, const code_list *roots)
{
    code_list again = {0};
    struct map *left = map_new(f->arena); /* the units that have some */
    for (int k = 0; k < f->codes.count; k++)
        if (f->codes.items[k]->unit->is_dynamic && !f->codes.items[k]->was_entered)
            map_put(left, (uint64_t)(uintptr_t)f->codes.items[k]->unit, f);
    for (int i = 0; i < roots->count; i++) {
        struct code *c = roots->items[i];
        if (!c->has_no_rest && map_get(left, (uint64_t)(uintptr_t)c->unit))
            LIST_ADD(f->arena, &again, c);
    }
    f->runs_rest = true;
    roots_run(f, &again, join_at_once);
    count_dynamic(f);
}

struct flow *flow_run(struct ir_unit *const *units, int unit_count, const struct pack_set *packs,
                      const struct flow_options *options, struct error *e)
{
    struct flow *f = flow_begin(packs, options, e);
    if (!f)
        return NULL;
    for (int i = 0; i < unit_count; i++) {
        link_unit(f, units[i], i);
        if (units[i]->is_dynamic)
            f->options.threads = 1;
    }
    link_program(f);
    code_list roots = {0};
    for (int k = 0; k < f->codes.count; k++)
        if (is_root(f->codes.items[k]))
            LIST_ADD(f->arena, &roots, f->codes.items[k]);
    f->runs_rest = roots.count == 1;
    modules_note_imported(f);
    roots_run(f, &roots, join_at_once);
    if (roots.count == 1)
        count_dynamic(f);
    else
        run_rest(f, &roots);
    results_sort(f);
    return f;
}

/* ---- parts of a program ---------------------------------------------------------------------- */

void flow_add(struct flow *f, const struct ir_unit *u, int rank)
{
    link_unit(f, u, rank);
}

void flow_run_roots(struct flow *f, const struct ir_function *const *roots, int count)
{
    code_list all = {0};
    for (int i = 0; i < count; i++)
        LIST_ADD(f->arena, &all, code_of(f, roots[i]));
    roots_run(f, &all, NULL);
}

static int compare_finished(const void *x, const void *y)
{
    const struct code *a = (*(struct finished_root *const *)x)->code,
                      *b = (*(struct finished_root *const *)y)->code;
    return (a->order > b->order) - (a->order < b->order);
}

void flow_join(struct flow *f)
{
    merge_nothing(f);
    if (f->finished.count)
        qsort(f->finished.items, (size_t)f->finished.count, sizeof *f->finished.items,
              compare_finished);
    for (int i = 0; i < f->finished.count; i++)
        join_finished(f, f->finished.items[i]);
    results_sort(f);
}

/* ---- results --------------------------------------------------------------------------------- */

void flow_free(struct flow *f)
{
    for (int i = 0; f && i < f->finished.count; i++)
        if (f->finished.items[i]->kept)
            arena_free(f->finished.items[i]->kept);
    for (int i = 0; f && i < f->members.count; i++)
        flow_free(f->members.items[i]);
    if (f) {
        if (!f->is_member)
            shapes_free(f->shapes);
        arena_free(f->arena);
    }
}
