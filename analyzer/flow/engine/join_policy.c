/* Join policies: what happens to states that meet at a block, after a call, or at the exits of a
 * function. Which is kept, when they are joined, and what is dropped where there is no room. The
 * first policy of a list that applies is taken.
 *
 * A join is exact, widening (at loop heads), or for lack of room; only the last combines facts
 * of paths that exclude each other, and is counted. */
#include "analyzer/flow/engine/worklist.h"

#include <string.h>

/* ---- loops ----------------------------------------------------------------------------------- */

struct loop {
    const struct frame *fr;
    const bool *written; /* of each local: by the loop */
};

static struct loop loop_at(const struct worklist *w, int block)
{
    return (struct loop){w->fr, w->fr->code->loop_writes[block]};
}

static bool is_loop_head(const struct worklist *w, int block)
{
    return w->fr->code->loop_head[block];
}

/* A local that the loop writes, or a value computed from one: a state that differs in nothing
 * else is another iteration. Flags from elsewhere keep states separate, as they do outside of
 * loops. */
static bool is_written_by_loop(const struct loc *at, const void *what)
{
    const struct loop *l = what;
    const struct ir_function *fn = l->fr->code->fn;
    if (at->object == l->fr->regs)
        return true;
    for (int i = 0; i < fn->locals.count && !at->parent; i++)
        if (l->fr->locals[i] == at->object)
            return l->written[i];
    return false;
}

/* A number in an array, unless it is a flag or an enumeration. */
static bool is_data(const struct loc *at, const void *regs)
{
    return at->has_element && at->object != regs && !loc_is_choice(at);
}

/* A short loop is unrolled while it is clear that there is another iteration: then its effect on
 * each element of an array is known. If an iteration is cheap, as over all tensors of a model,
 * it may be longer. Iterations that only repeat show nothing new. With merged states the first one
 * is kept apart at any cost: what it sets is set after the loop. A merged state costs as much as
 * those that it stands for. Of a dynamic language, the first few are: its loops are often over a
 * few things that are named, and each is as costly as what it calls. */
enum { MAX_UNROLLED = 16, MAX_ROUND_COST = 4000, MAX_ROUNDS = 160, MAX_LATER_COST = 800 };
enum { TIMES_MERGED = 4, MIN_UNROLLED = 4 };

static bool is_other_place(const struct value *x, const struct value *y)
{
    return x->kind == VALUE_ADDRESS && y->kind == VALUE_ADDRESS && x->count && y->count &&
           !value_equal(x, y);
}

/* Tensors that there were before change places. */
static bool is_exchanged(const struct state *before, const struct value *x, const struct state *s,
                         const struct value *y)
{
    return x->kind == VALUE_TENSOR && y->kind == VALUE_TENSOR && x->count == 1 && y->count == 1 &&
           x->as.tensor[0] != y->as.tensor[0] && state_tensor(before, y->as.tensor[0]) &&
           state_tensor(s, x->as.tensor[0]);
}

static bool exchanges(const struct state *before, const struct state *s)
{
    struct cell_pair p = {.x = before, .y = s};
    while (next_cell_pair(&p))
        if (p.a && p.b && is_exchanged(before, &p.a->value, s, &p.b->value))
            return true;
    return false;
}

static bool walks(const struct state *before, const struct state *s)
{
    struct cell_pair p = {.x = before, .y = s};
    while (next_cell_pair(&p))
        if (p.a && p.b && is_other_place(&p.a->value, &p.b->value))
            return true;
    return exchanges(before, s);
}

/* Characters one after the other, of a text that is known: the end is near. */
static bool is_next_character(const struct value *x, const struct value *y)
{
    const struct loc *to = is_other_place(x, y) && y->count == 1 ? y->as.loc[0] : NULL;
    return to && to->object == x->as.loc[0]->object && to->object->text && to->parent &&
           to->element != ELEMENT_ANY;
}

static bool walks_text(const struct worklist *w, const struct state *before, const struct state *s)
{
    struct cell_pair p = {.x = before, .y = s};
    while (w->f->merges && next_cell_pair(&p))
        if (p.a && p.b && is_next_character(&p.a->value, &p.b->value))
            return true;
    return false;
}

/* Without those of unknown numbers, which the analysis made up. */
static int count_places(const struct state *s)
{
    const struct cell *cell;
    int count = 0;
    for (struct cursor w = {0}; (cell = cell_at(s, w)); cursor_on(s, &w))
        count += !cell->loc->object->is_fresh;
    return count;
}

/* An iteration that counts its rounds in nothing that it uses, but fills another place each time,
 * as where a list or vector grows, moves a pointer on or exchanges tensors. */
enum { MAX_GROWING = 8 };
static bool shows_nothing_new(const struct worklist *w, int block, const struct work_item *old,
                              const struct state *s)
{
    if (!w->fr->code->repeats[block] || !old->rounds || walks_text(w, old->state, s))
        return false;
    if (!w->f->merges || old->rounds >= MAX_GROWING)
        return true;
    if (w->f->joins_iterations) /* of a loop around it: what grows has no end */
        return !exchanges(old->state, s);
    return count_places(s) <= count_places(old->state) && !walks(old->state, s);
}

/* Both a number, or both a tensor on all paths. */
static bool is_alike(const struct value *x, const struct value *y)
{
    bool numbers = x->kind == VALUE_NUMBER && y->kind == VALUE_NUMBER && x->names == y->names &&
                   x->is_bool == y->is_bool;
    bool x_names = x->kind == VALUE_TENSOR || (x->kind == VALUE_GUARDED && !x->as.guard.points);
    bool y_names = y->kind == VALUE_TENSOR || (y->kind == VALUE_GUARDED && !y->as.guard.points);
    return numbers || (x_names && y_names);
}

/* They lead to the same objects, and there are no others. */
static bool leads_on_as(const struct state *before, const struct state *s)
{
    struct cell_pair p = {.x = before, .y = s};
    unsigned both = STATE_SUBSUMES | STATE_IS_SUBSUMED;
    while (next_cell_pair(&p)) {
        const struct value *x = p.a ? &p.a->value : NULL, *y = p.b ? &p.b->value : NULL;
        const struct loc *at = p.a ? p.a->loc : p.b->loc;
        if (!(x && y && is_alike(x, y)) && state_compare_at(before, x, s, y, at, both) != both)
            return false;
    }
    return true;
}

/* Of a dynamic language: the iteration was not cheap, took the same out of containers as the one
 * before, and differs from it in nothing but numbers and tensors. */
enum { MIN_REPEATED_COST = 200 };
static bool repeats_itself(const struct worklist *w, const struct work_item *old,
                           const struct state *s)
{
    return w->is_dynamic && old->rounds && old->left - w->f->left > MIN_REPEATED_COST &&
           w->f->picked - old->picked == old->picked_before && leads_on_as(old->state, s);
}

/* Whether the loop has more iterations than are ever unrolled, by how fast the two numbers approach
 * each other that its condition compares. */
static bool is_too_long(const struct work_item *old)
{
    uint64_t step = old->distance_before - old->distance;
    return old->distance && old->distance < old->distance_before &&
           old->distance / step > MAX_ROUNDS;
}

/* Whether each iteration asks about something that is not known: what follows many of them depends
 * on as many unknowns. */
static bool is_open(const struct worklist *w, const struct work_item *old, const struct state *s)
{
    return w->f->merges && old->rounds >= MAX_GROWING &&
           (term_id)term_total(guard_conditions(s->guards)) > old->since;
}

/* Whether the loop only computes numbers: there is no end to these, and they select nothing. */
enum { MAX_COMPUTED = 16, MAX_CHARACTERS = 64 };
static bool only_computes(const struct worklist *w, int block, const struct work_item *old,
                          const struct state *s)
{
    if (!w->f->merges || !w->fr->code->computes[block] || w->computed < MAX_COMPUTED)
        return false;
    return w->computed >= MAX_CHARACTERS || !walks_text(w, old->state, s);
}

static bool unroll(struct worklist *w, int block, struct work_item *old, struct state *s)
{
    const struct flow *f = w->f;
    int64_t most = old->rounds < MAX_UNROLLED ? MAX_ROUND_COST : MAX_LATER_COST;
    most *= f->merges ? TIMES_MERGED : 1;
    if (shows_nothing_new(w, block, old, s) || repeats_itself(w, old, s) || is_open(w, old, s) ||
        only_computes(w, block, old, s) || (f->sampling && w->fr->code->counts[block]))
        return false;
    bool is_first = f->merges && old->rounds < (w->is_dynamic ? MIN_UNROLLED : 1);
    if (!old->done || !old->decided || old->rounds >= MAX_ROUNDS || f->left < 0 ||
        (!is_first && old->left - f->left > most) || (f->merges && is_too_long(old)))
        return false;
    *old = (struct work_item){.state = s,
                              .rounds = old->rounds + 1,
                              .past = s->past,
                              .distance_before = old->distance,
                              .picked_before = f->picked - old->picked,
                              .trips = old->trips};
    w->computed += w->fr->code->computes[block];
    return true;
}

static bool counts_up(const struct loc *at, const struct value *x, const struct value *y)
{
    int64_t before, now;
    return !loc_is_choice(at) && number_exact(x, &before) && number_exact(y, &now) &&
           before < INT64_MAX && now == before + 1;
}

static cell_list counters(struct worklist *w, const struct state *before, const struct state *s)
{
    cell_list all = {0};
    struct cell_pair p = {.x = before, .y = s};
    while (next_cell_pair(&p))
        if (p.a && p.b && counts_up(p.a->loc, &p.a->value, &p.b->value))
            LIST_ADD(w->f->scratch, &all, *p.b);
    return all;
}

/* Numbers that count iterations are, from the second on, those from here on. */
static void widen_counters(struct worklist *w, const cell_list *all, struct state *s)
{
    for (int i = 0; i < all->count; i++)
        state_put(w->f->scratch, s, all->items[i].loc,
                  value_range(all->items[i].value.as.number[0], INT64_MAX));
}

static bool is_loaded_in(const struct worklist *w, int block, const struct loc *at)
{
    const struct ir_function *fn = w->fr->code->fn;
    const struct ir_block *b = &fn->blocks.items[block];
    for (int k = 0; k < b->count; k++) {
        const struct ir_inst *i = &fn->insts.items[b->insts[k]];
        const struct ir_inst *from = i->op == IR_LOAD ? &fn->insts.items[i->args[0]] : i;
        if (i->op == IR_LOAD && from->op == IR_LOCAL && w->fr->locals[from->integer] == at->object)
            return true;
    }
    return false;
}

/* Whether it counts something else than its iterations: what it collects. */
static bool collects(const struct worklist *w, int block, const cell_list *all)
{
    for (int i = 0; i < all->count; i++)
        if (!is_loaded_in(w, block, all->items[i].loc))
            return true;
    return false;
}

/* Of a loop of which it is not known whether there is an iteration, and which counts what it
 * collects, the first one is kept apart: without one there is nothing. Of others, what follows
 * without one is mostly one of what follows with some, so that it is not worth much. */
enum { MAX_APART_COST = 150 };
static bool set_first_apart(struct worklist *w, int block, struct work_item *old, struct state *s)
{
    if (!w->f->merges || old->rounds || old->decided || !old->done || old->ways || w->f->left < 0 ||
        w->fr->code->computes[block])
        return false;
    cell_list all = counters(w, old->state, s);
    if (old->left - w->f->left > MAX_APART_COST && !collects(w, block, &all))
        return false;
    widen_counters(w, &all, s);
    *old = (struct work_item){.state = s, .rounds = 1, .past = s->past, .entered = old->since};
    return true;
}

/* ---- two states at one block ----------------------------------------------------------------- */

/* The waiting state changes: what is known of comparisons with it is void. */
static void forget_compared(struct worklist *w, int block, struct work_item *old)
{
    struct contrasts *c = w->contrasts[block];
    if (old->cache)
        compare_cache_clear(old->cache);
    for (int i = 0; c && i <= SAMPLED_STATES; i++)
        if (c->of[i] == old->state)
            contrasts_take(c, i, NULL);
}

static bool join_into(struct worklist *w, int block, struct work_item *old, const struct state *s,
                      bool widen)
{
    forget_compared(w, block, old);
    return state_join(w->f->scratch, old->state, s, widen);
}

/* It is taken off the list: it became part of another. */
static void take_out(struct worklist *w, int block, struct work_item *old)
{
    forget_compared(w, block, old);
    struct work_item *end = w->blocks[block].items + --w->blocks[block].count;
    memmove(old, old + 1, sizeof *old * (size_t)(end - old));
}

/* The only location in which the two were found to differ; NULL: there are others. */
static const struct loc *only_difference(const struct work_item *old)
{
    return old->cache->at[0] == old->cache->at[1] ? old->cache->at[0] : NULL;
}

static bool unroll_or_widen(struct worklist *w, int block, struct work_item *old, struct state *s)
{
    if (!unroll(w, block, old, s) && join_into(w, block, old, s, true))
        old->done = false;
    return true;
}

/* The waiting state subsumes the new one, which has nothing to add but shapes. */
static bool drop_subsumed(struct worklist *w, int block, struct work_item *old, struct incoming *in)
{
    if (state_blur_shapes(old->state, in->state)) {
        forget_compared(w, block, old);
        old->done = false;
    }
    state_join_conditions(old->state, in->state);
    return true;
}

/* The new state subsumes the waiting one, and takes its place. */
static bool replace_subsumed(struct worklist *w, int block, struct work_item *old,
                             struct incoming *in)
{
    join_into(w, block, old, in->state, is_loop_head(w, block));
    old->done = false;
    return true;
}

/* They differ in one number, and their join stands for these two and no other. It may now subsume
 * others. */
static bool join_exactly(struct worklist *w, int block, struct work_item *old, struct incoming *in)
{
    if (old->done || !only_difference(old) ||
        !state_join_exactly(w->f->scratch, old->state, in->state, only_difference(old)))
        return false;
    struct state *both = old->state;
    take_out(w, block, old);
    policy_for_state(w, block, both);
    return true;
}

/* Another iteration of the loop, on the same path. */
static bool join_round(struct worklist *w, int block, struct work_item *old, struct incoming *in)
{
    struct loop l = loop_at(w, block);
    return old->state->past == in->state->past &&
           state_differs_in(old->state, in->state, is_written_by_loop, &l, &old->differs_at) &&
           unroll_or_widen(w, block, old, in->state);
}

/* At the head of a loop whose iterations repeat: they differ in counts. */
static bool join_count(struct worklist *w, int block, struct work_item *old, struct incoming *in)
{
    struct loop l = loop_at(w, block);
    return w->fr->code->repeats[block] && old->state->past == in->state->past &&
           state_differs_in_counts(old->state, in->state, is_written_by_loop, &l) &&
           unroll_or_widen(w, block, old, in->state);
}

/* On sampled paths: they differ in numbers in arrays only. */
static bool join_data(struct worklist *w, int block, struct work_item *old, struct incoming *in)
{
    if (old->done ||
        !state_differs_in(old->state, in->state, is_data, w->fr->regs, &old->differs_at))
        return false;
    join_into(w, block, old, in->state, false);
    return true;
}

/* On sampled paths, at the head of a loop: they differ in counts. One that arrives from outside of
 * the loop starts over; one that left it with other counts is as good. */
static bool join_sampled_count(struct worklist *w, int block, struct work_item *old,
                               struct incoming *in)
{
    struct loop l = loop_at(w, block);
    if (!state_differs_in_counts(old->state, in->state, is_written_by_loop, &l))
        return false;
    if (old->done && w->block < block)
        *old = (struct work_item){.state = in->state};
    else if (!old->done || old->decided)
        unroll_or_widen(w, block, old, in->state);
    return true;
}

typedef bool pair_policy(struct worklist *, int block, struct work_item *, struct incoming *);

/* What is tried with states of which neither subsumes the other. There are many such pairs, so each
 * kind of block has a list of its own. */
static pair_policy *const *pair_policies(const struct worklist *w, int block)
{
    static pair_policy *const at_block[] = {join_exactly, NULL},
                              *const at_head[] = {join_round, join_count, NULL},
                              *const at_sampled_block[] = {join_data, NULL},
                              *const at_sampled_head[] = {join_round, join_data, join_sampled_count,
                                                          NULL};
    if (w->f->sampling)
        return is_loop_head(w, block) ? at_sampled_head : at_sampled_block;
    return is_loop_head(w, block) ? at_head : at_block;
}

/* ---- a state that remains separate ----------------------------------------------------------- */

static bool is_running(const struct worklist *w, int block, int item)
{
    return block == w->block && item == w->item;
}

static bool add_if_room(struct worklist *w, int block, struct state *s)
{
    struct work_item new = {.state = s};
    if (w->blocks[block].count >= states_allowed(w->f))
        return false;
    LIST_ADD(w->f->scratch, &w->blocks[block], new);
    return true;
}

/* States past an error are dropped first. */
static bool evict_after_error(struct worklist *w, int block, struct state *s)
{
    for (int i = 0; i < w->blocks[block].count && !s->past; i++)
        if (w->blocks[block].items[i].state->past && !is_running(w, block, i)) {
            w->blocks[block].items[i] = (struct work_item){.state = s};
            return true;
        }
    return s->past;
}

/* At the head of a loop whose iterations affect different tensors, where it was clear that there
 * is another: the effects of earlier iterations are in later ones. The number of replacements is
 * kept in the first item. */
static bool replace_round(struct worklist *w, int block, struct state *s)
{
    struct work_item *all = w->blocks[block].items;
    if (!is_loop_head(w, block) || w->f->left < 0 || all[0].rounds >= MAX_ROUNDS)
        return false;
    for (int i = 0; i < w->blocks[block].count; i++)
        if (all[i].done && all[i].decided && !is_running(w, block, i)) {
            all[i] = (struct work_item){.state = s, .rounds = all[i].rounds};
            all[0].rounds++;
            return true;
        }
    return false;
}

/* Elsewhere, states that were run have had their effect. */
static bool replace_done(struct worklist *w, int block, struct state *s)
{
    for (int i = 0; i < w->blocks[block].count && !is_loop_head(w, block); i++)
        if (w->blocks[block].items[i].done && !is_running(w, block, i)) {
            w->blocks[block].items[i] = (struct work_item){.state = s};
            return true;
        }
    return false;
}

enum { MAX_REPLACED = 8, MAX_DECIDED = 64 };

static struct contrasts *contrasts_of(struct worklist *w, int block)
{
    if (!w->contrasts[block])
        w->contrasts[block] = arena_one(w->f->scratch, struct contrasts);
    return w->contrasts[block];
}

/* On sampled paths: of those at the block and the new one, the one most similar to another is
 * dropped; at a loop head, one that was run. The number is limited so that loops terminate, less
 * strictly where another iteration is certain. */
static bool drop_least_different(struct worklist *w, int block, struct state *s)
{
    struct state *all[SAMPLED_STATES + 1];
    int chosen[SAMPLED_STATES], count = 0, out = 0;
    bool any = false; /* one could be dropped */
    if (!w->f->sampling)
        return false;
    for (; count < w->blocks[block].count && count < SAMPLED_STATES; count++) {
        struct work_item *old = &w->blocks[block].items[count];
        if (old->done && old->replaced < (old->decided ? MAX_DECIDED : MAX_REPLACED) &&
            !is_running(w, block, count)) {
            *old = (struct work_item){.state = s, .replaced = old->replaced + 1};
            return true;
        }
        any |= !old->done;
        all[count] = old->state;
    }
    if (!any)
        return true;
    all[count] = s;
    sampling_choose(all, count + 1, count, chosen, contrasts_of(w, block));
    for (int i = 0; i < count; i++) /* the sum of all but one */
        out += i + 1 - chosen[i];
    if (out < count && !w->blocks[block].items[out].done)
        w->blocks[block].items[out] = (struct work_item){.state = s};
    return true;
}

static bool join_nearest(struct worklist *w, int block, struct state *s)
{
    struct work_item *into =
        &w->blocks[block].items[nearest_of(w->blocks[block].items, w->blocks[block].count,
                                           SIZE_AND_STATE(struct work_item, state), s)];
    forget_compared(w, block, into);
    w->f->joined = true;
    if (state_join_for_room(w->f->scratch, into->state, s, is_loop_head(w, block)))
        into->done = false;
    if (into->state->joined)
        limit_note(w->f, w->fr->code, block, FLOW_LIMIT_STATES);
    return true;
}

typedef bool room_policy(struct worklist *, int block, struct state *);
static room_policy *const room_policies[] = {add_if_room,  evict_after_error,    replace_round,
                                             replace_done, drop_least_different, join_nearest};

/* ---- one state per block --------------------------------------------------------------------- */

/* A state that runs get to, and one past an error. */
static struct work_item *item_like(struct worklist *w, int block, const struct state *s)
{
    for (int i = 0; i < w->blocks[block].count; i++)
        if (w->blocks[block].items[i].past == s->past)
            return &w->blocks[block].items[i];
    return NULL;
}

/* The state stands for some later iteration: whole numbers that iterations change are not known in
 * it. There is little left of the budget, and what follows the loop shall be run, too. */
static void take_for_later(struct worklist *w, struct work_item *old, struct state *s)
{
    cell_list all = {0};
    struct cell_pair p = {.x = old->state, .y = s};
    while (next_cell_pair(&p)) {
        const struct value *x = p.a ? &p.a->value : NULL, *y = p.b ? &p.b->value : NULL;
        bool are_numbers = x && y && x->kind == VALUE_NUMBER && y->kind == VALUE_NUMBER &&
                           !x->names && !x->is_real && !y->is_real && !value_equal(x, y);
        struct cell c = are_numbers ? *p.b : (struct cell){0};
        if (are_numbers && !c.loc->object->is_note) {
            c.value = x->is_bool ? value_either(x, y) : value_range(INT64_MIN, INT64_MAX);
            LIST_ADD(w->f->scratch, &all, c);
        }
    }
    for (int i = 0; i < all.count; i++)
        state_put(w->f->scratch, s, all.items[i].loc, all.items[i].value);
    *old = (struct work_item){.state = s, .rounds = old->rounds + 1, .past = s->past};
    old->is_later = true;
}

/* Whether it is only run to its end if each iteration is. */
static bool has_end(const struct worklist *w, int block, const struct work_item *old)
{
    return old->decided && w->fr->code->ends_once[block];
}

/* Another iteration: the head of the loop stands for it, too. */
static void add_iteration(struct worklist *w, int block, struct work_item *old, struct state *s)
{
    if (old->is_later)
        return;
    bool is_last = state_subsumes(old->state, s);
    if (!is_last && is_hurried(w->f) && !has_end(w, block, old)) {
        limit_note(w->f, w->fr->code, block, FLOW_LIMIT_STATES);
        take_for_later(w, old, s);
        return;
    }
    const struct state *before = old->state;
    bool compares = w->f->compared != old->compared;
    if (!is_last && unroll(w, block, old, s)) {
        if (w->is_dynamic && !compares)
            w->f->dynamic->skip(w->f, w->fr, before, s);
        old->entered = old->since = (term_id)term_total(guard_conditions(s->guards));
        return;
    }
    if (!is_last && set_first_apart(w, block, old, s)) {
        old->since = (term_id)term_total(guard_conditions(s->guards));
        return;
    }
    if (state_widen_ranges(w->f->scratch, old->state, s))
        old->done = false;
    if (is_last) {
        if (state_blur_shapes(old->state, s))
            old->done = false;
        return;
    }
    if (!old->ways) {
        old->ways = ways_new(w->f->scratch, old->since);
        old->ways->entered = old->rounds ? old->entered : old->since;
        old->ways->heap = w->f->heap;
        old->ways->together = late_places(w->f, w->fr->code, block);
    }
    if (state_add_ways(w->f->scratch, old->state, s, old->ways))
        old->done = false;
    if (old->ways->flattened)
        limit_note(w->f, w->fr->code, block, FLOW_LIMIT_STATES);
}

void policy_for_iteration(struct worklist *w, int block, struct work_item *head)
{
    struct state *s = head->next;
    head->next = NULL;
    add_iteration(w, block, head, s);
}

/* What comes back to the head of a loop is put together before the head is run again. */
static void add_next(struct worklist *w, int block, struct work_item *head, struct state *s)
{
    if (!head->next) {
        head->next = s;
        return;
    }
    bool joined = head->next->joined || s->joined;
    state_merge(w->f->scratch, head->next, s);
    if (head->next->joined && !joined)
        limit_note(w->f, w->fr->code, block, FLOW_LIMIT_STATES);
}

static void policy_for_one(struct worklist *w, int block, struct state *s)
{
    struct work_item *old = item_like(w, block, s);
    if (old && old->state && is_loop_head(w, block) && w->block >= block) {
        add_next(w, block, old, s);
        return;
    }
    arrival_add(w, block, s);
    if (old)
        *old = (struct work_item){.past = s->past, .next = old->next};
    else
        LIST_ADD(w->f->scratch, &w->blocks[block], ((struct work_item){.past = s->past}));
}

/* ---- at a block ------------------------------------------------------------------------------ */

static unsigned compare(struct worklist *w, struct work_item *old, struct incoming *in)
{
    if (!old->cache)
        old->cache = arena_one(w->f->scratch, struct compare_cache);
    return compare_cached(old->cache, old->state, in);
}

/* True: the new state is dealt with. */
static bool combine(struct worklist *w, int block, struct incoming *in)
{
    pair_policy *const *policies = pair_policies(w, block);
    for (int i = 0; i < w->blocks[block].count; i++) {
        struct work_item *old = &w->blocks[block].items[i];
        unsigned is = compare(w, old, in);
        if (is & STATE_SUBSUMES)
            return drop_subsumed(w, block, old, in);
        if (is & STATE_IS_SUBSUMED)
            return replace_subsumed(w, block, old, in);
        for (int k = 0; policies[k]; k++)
            if (policies[k](w, block, old, in))
                return true;
    }
    return false;
}

void policy_for_state(struct worklist *w, int block, struct state *s)
{
    enum { ROOMS = sizeof room_policies / sizeof *room_policies };
    struct incoming in = {.state = s};
    if (w->f->merges) {
        policy_for_one(w, block, s);
        return;
    }
    w->f->left -= (int64_t)s->cell_count * w->blocks[block].count / CELLS_PER_VISIT;
    if (combine(w, block, &in))
        return;
    for (int k = 0; k < ROOMS; k++)
        if (room_policies[k](w, block, s))
            return;
}

/* Where limits are counted that are reached after calls and at exits of a function. */
enum { AFTER_CALLS = -1 };

/* ---- in a list of records -------------------------------------------------------------------- */

static struct state *state_in(const struct state_records *r, int i)
{
    struct state *s;
    memcpy(&s, (const char *)r->items + r->size * (size_t)i + r->at, sizeof s);
    return s;
}

/* One that runs get to, and one past an error. */
static int merge_list(struct flow *f, const struct frame *fr, struct state_records r,
                      join_records *join, void *context)
{
    int kept = 0;
    for (int i = 0; i < r.count; i++) {
        int to = 0;
        while (to < kept && state_in(&r, to)->past != state_in(&r, i)->past)
            to++;
        char *from = (char *)r.items + r.size * (size_t)i,
             *into = (char *)r.items + r.size * (size_t)to;
        bool before = state_in(&r, to)->joined || state_in(&r, i)->joined;
        if (to < kept)
            join(context, into, from);
        else if (kept++ != i)
            memcpy(into, from, r.size);
        if (state_in(&r, to)->joined && !before)
            limit_note(f, fr->code, AFTER_CALLS, FLOW_LIMIT_STATES);
    }
    return kept;
}

int policy_for_list(struct flow *f, const struct frame *fr, struct state_records r, int room,
                    join_records *join, void *context)
{
    if (f->merges)
        return merge_list(f, fr, r, join, context);
    if (r.count > room)
        r.count = drop_after_error(r.items, r.count, r.size, r.at);
    if (f->sampling && r.count > room)
        r.count = sampling_keep(f, r.items, r.count, r.size, r.at, room);
    f->joined |= r.count > room;
    while (r.count > room) {
        const char *last = (const char *)r.items + r.size * (size_t)--r.count;
        const struct state *s;
        memcpy(&s, last + r.at, sizeof s);
        int near = nearest_of(r.items, r.count, r.size, r.at, s);
        char *into = (char *)r.items + r.size * (size_t)near;
        join(context, into, last);
        memcpy(&s, into + r.at, sizeof s);
        if (s->joined)
            limit_note(f, fr->code, AFTER_CALLS, FLOW_LIMIT_STATES);
    }
    return r.count;
}

int policy_for_samples(struct flow *f, struct state_records r, int before)
{
    int room = states_allowed(f);
    if (r.count > room)
        r.count = drop_after_error(r.items, r.count, r.size, r.at);
    else if (r.count <= before)
        return r.count;
    return sampling_keep(f, r.items, r.count, r.size, r.at, room);
}
