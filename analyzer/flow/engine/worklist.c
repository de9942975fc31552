/* A state that comes to a block: it waits there beside others, becomes part of one of them, or
 * takes its place. */
#include "analyzer/flow/engine/worklist.h"

#include <string.h>

struct loop {
    const struct frame *fr;
    const bool *turned;
};

/* A local that the loop itself writes, or what is computed from it: a state that differs in nothing
 * else has come round. Flags from elsewhere keep states apart as they do outside of loops. */
static bool is_turned(const struct loc *at, const void *what)
{
    const struct loop *l = what;
    const struct ir_function *fn = l->fr->code->fn;
    if (at->object == l->fr->regs)
        return true;
    for (int i = 0; i < fn->locals.count && !at->parent; i++)
        if (l->fr->locals[i] == at->object)
            return l->turned[i];
    return false;
}

/* A number in an array of them: not of the values at hand, among which may be what is chosen by. */
static bool is_data(const struct loc *at, const void *regs)
{
    return at->has_element && at->object != regs && !loc_is_choice(at);
}

/* A short loop is followed round by round while it is clear that there is another: what it does to
 * each element of an array is then known. One of which a round takes little, over all tensors of a
 * model say, may be longer. Rounds that only repeat show nothing more. A state that was run is done
 * with. */
enum { MAX_UNROLLED = 16, MAX_ROUND_COST = 4000, MAX_ROUNDS = 160, MAX_LATER_COST = 800 };

static bool take_another_round(const struct work *w, int block, struct waiting *old,
                               struct state *s)
{
    const struct flow *f = w->f;
    bool first = old->rounds < MAX_UNROLLED;
    if ((w->fr->code->repeats[block] && old->rounds) || (f->sampling && w->fr->code->counts[block]))
        return false;
    if (!old->done || !old->decided || old->rounds >= MAX_ROUNDS || f->left < 0 ||
        old->left - f->left > (first ? MAX_ROUND_COST : MAX_LATER_COST))
        return false;
    *old = (struct waiting){.state = s, .rounds = old->rounds + 1};
    return true;
}

/* At the head of a loop whose rounds are not followed one by one: a state that differs from one
 * that was there in how often something happened, and in nothing else. */
static bool is_another_count(const struct work *w, int block, const struct waiting *old,
                             const struct state *s)
{
    struct loop l = {w->fr, w->fr->code->turned[block]};
    return w->fr->code->repeats[block] && old->state->past == s->past &&
           state_differs_in_counts(old->state, s, is_turned, &l);
}

/* Within a loop, states of earlier rounds have had their effect. */
static bool replace_done(struct work *w, int block, struct state *s)
{
    for (int i = 0; i < w->blocks[block].count; i++)
        if (w->blocks[block].items[i].done && !(block == w->block && i == w->item)) {
            w->blocks[block].items[i] = (struct waiting){.state = s};
            return true;
        }
    return false;
}

/* Of a loop that does something else to tensors in each round, and of which it was clear that there
 * is another: what the earlier rounds did is in the later ones. How many were given up so is
 * counted with the first. */
static bool replace_round(struct work *w, int block, struct state *s)
{
    struct waiting *all = w->blocks[block].items;
    if (w->f->left < 0 || all[0].rounds >= MAX_ROUNDS)
        return false;
    for (int i = 0; i < w->blocks[block].count; i++)
        if (all[i].done && all[i].decided && !(block == w->block && i == w->item)) {
            all[i] = (struct waiting){.state = s, .rounds = all[i].rounds};
            all[0].rounds++;
            return true;
        }
    return false;
}

/* Where there is no room left, what no run gets to makes way. */
static bool make_way(struct work *w, int block, struct state *s)
{
    for (int i = 0; i < w->blocks[block].count && !s->past; i++)
        if (w->blocks[block].items[i].state->past && !(block == w->block && i == w->item)) {
            w->blocks[block].items[i] = (struct waiting){.state = s};
            return true;
        }
    return s->past;
}

/* The state that waits is no longer what it was compared as. */
static void forget_compared(struct work *w, int block, struct waiting *old)
{
    struct contrasts *c = w->contrasts[block];
    if (old->cache)
        compare_cache_clear(old->cache);
    for (int i = 0; c && i <= SAMPLED_STATES; i++)
        if (c->of[i] == old->state)
            contrasts_take(c, i, NULL);
}

/* It has something added. */
static bool join_into(struct work *w, int block, struct waiting *old, const struct state *s,
                      bool widen,
                      bool (*join)(struct arena *, struct state *, const struct state *, bool))
{
    forget_compared(w, block, old);
    return join(w->f->scratch, old->state, s, widen);
}

static unsigned compare(struct work *w, struct waiting *old, struct coming *s)
{
    if (!old->cache)
        old->cache = arena_one(w->f->scratch, struct compare_cache);
    return compare_cached(old->cache, old->state, s);
}

enum { MAX_REPLACED = 8, MAX_DECIDED = 64 };

static struct contrasts *contrasts_of(struct work *w, int block)
{
    if (!w->contrasts[block])
        w->contrasts[block] = arena_one(w->f->scratch, struct contrasts);
    return w->contrasts[block];
}

/* Of all that are there and the new one, the one that is missed least; of those at the head of a
 * loop, one that has been round: how often is limited, so that loops end, and less where it is
 * known that another round comes. */
static void leave_one_out(struct work *w, int block, struct state *s)
{
    struct state *all[SAMPLED_STATES + 1];
    int chosen[SAMPLED_STATES], count = 0, out = 0;
    bool any = false; /* that could make way */
    for (; count < w->blocks[block].count && count < SAMPLED_STATES; count++) {
        struct waiting *old = &w->blocks[block].items[count];
        if (old->done && old->replaced < (old->decided ? MAX_DECIDED : MAX_REPLACED) &&
            !(block == w->block && count == w->item)) {
            *old = (struct waiting){.state = s, .replaced = old->replaced + 1};
            return;
        }
        any |= !old->done;
        all[count] = old->state;
    }
    if (!any)
        return;
    all[count] = s;
    sampling_choose(all, count + 1, count, chosen, contrasts_of(w, block));
    for (int i = 0; i < count; i++) /* the sum of all but one */
        out += i + 1 - chosen[i];
    if (out < count && !w->blocks[block].items[out].done)
        w->blocks[block].items[out] = (struct waiting){.state = s};
}

/* It waits no longer: what it was is part of another. */
static void take_out(struct work *w, int block, struct waiting *old)
{
    forget_compared(w, block, old);
    struct waiting *end = w->blocks[block].items + --w->blocks[block].count;
    memmove(old, old + 1, sizeof *old * (size_t)(end - old));
}

/* Where a comparison said that both have something to add, and said it of one place. */
static const struct loc *only_difference(const struct waiting *old)
{
    return old->cache->at[0] == old->cache->at[1] ? old->cache->at[0] : NULL;
}

/* The state joins those that wait at the block, unless it has nothing to add. */
static void compare_all(struct work *w, int block, struct state *s)
{
    struct flow *f = w->f;
    struct loop l = {w->fr, w->fr->code->turned[block]};
    bool head = w->fr->code->loop_head[block];
    struct waiting new = {.state = s};
    struct coming coming = {.state = s};
    f->left -= (int64_t)s->cell_count * w->blocks[block].count / CELLS_PER_VISIT;
    for (int i = 0; i < w->blocks[block].count; i++) {
        struct waiting *old = &w->blocks[block].items[i];
        unsigned is = compare(w, old, &coming);
        if (is & STATE_SUBSUMES) {
            if (state_blur_shapes(old->state, s)) {
                forget_compared(w, block, old);
                old->done = false;
            }
            state_join_conditions(old->state, s);
            return;
        }
        if (is & STATE_IS_SUBSUMED) {
            join_into(w, block, old, s, head, state_join);
            old->done = false;
            return;
        }
        if (!head && !f->sampling && !old->done && only_difference(old) &&
            state_join_exactly(f->scratch, old->state, s, only_difference(old))) {
            struct state *both = old->state;
            take_out(w, block, old);
            compare_all(w, block, both);
            return;
        }
        if (head && old->state->past == s->past &&
            state_differs_in(old->state, s, is_turned, &l, &old->turned)) {
            if (take_another_round(w, block, old, s))
                return;
            if (join_into(w, block, old, s, true, state_join))
                old->done = false;
            return;
        }
        if (head && !f->sampling && is_another_count(w, block, old, s)) {
            if (!take_another_round(w, block, old, s) &&
                join_into(w, block, old, s, true, state_join))
                old->done = false;
            return;
        }
        if (f->sampling && !old->done &&
            state_differs_in(old->state, s, is_data, w->fr->regs, &old->turned)) {
            join_into(w, block, old, s, false, state_join);
            return;
        }
        if (head && f->sampling && state_differs_in_counts(old->state, s, is_turned, &l)) {
            if (old->done && w->block < block)
                *old = new; /* come to anew, from outside of the loop */
            else if (old->done && !old->decided)
                return; /* it went on from here, with counts that are as good */
            else if (!take_another_round(w, block, old, s) &&
                     join_into(w, block, old, s, true, state_join))
                old->done = false;
            return;
        }
    }
    if (w->blocks[block].count < states_allowed(f)) {
        LIST_ADD(f->scratch, &w->blocks[block], new);
        return;
    }
    if (make_way(w, block, s) || (head ? replace_round(w, block, s) : replace_done(w, block, s)))
        return;
    if (f->sampling) {
        leave_one_out(w, block, s);
        return;
    }
    struct waiting *into = &w->blocks[block].items[nearest_of(
        w->blocks[block].items, w->blocks[block].count, SIZE_AND_STATE(struct waiting, state), s)];
    f->joined = true;
    if (join_into(w, block, into, s, head, state_blur))
        into->done = false;
}

void arrive(struct work *w, int block, struct state *s)
{
    live_drop(w->fr, block, s);
    state_prune(s, NULL);
    compare_all(w, block, s);
    w->first = block < w->first ? block : w->first;
}
