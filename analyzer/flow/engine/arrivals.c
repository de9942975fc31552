/* Arrivals: which states came to a block, by the edge that they came on. A block that is run again
 * is run with a state that subsumes the earlier one, because the loop around it has another
 * iteration to stand for; what it sends on replaces what it sent before. Only iterations that are
 * unrolled send states that stand side by side. */
#include "analyzer/flow/engine/worklist.h"

static bool is_in_loop(const struct code *c, int head, int block)
{
    return block > head && block <= c->loop_end[head];
}

static int rounds_at(const struct worklist *w, int head)
{
    int rounds = 0;
    for (int i = 0; i < w->blocks[head].count; i++)
        rounds += w->blocks[head].items[i].rounds;
    return rounds;
}

/* Which unrolled iterations are run: of the loops around a block, without those that another one
 * is in, too, or of those alone. */
static uint64_t iterations(const struct worklist *w, int block, int other, bool shared)
{
    const struct code *c = w->fr->code;
    uint64_t all = 0;
    for (int i = 0; i < c->loop_heads.count && c->loop_heads.items[i] <= block; i++) {
        int head = c->loop_heads.items[i];
        if ((head == block || is_in_loop(c, head, block)) && is_in_loop(c, head, other) == shared)
            all = hash_words(all, (uint64_t)head, (uint64_t)rounds_at(w, head));
    }
    return all;
}

enum { OUTSIDE = -1 };

static struct arrival arrival_of(const struct worklist *w, int block, struct state *s)
{
    return (struct arrival){.state = s,
                            .from = w->block,
                            .run = w->runs,
                            .inside = iterations(w, w->block, block, true),
                            .left = iterations(w, w->block, block, false)};
}

/* Whether the new arrival stands for the old one, or the old one is of an earlier iteration, which
 * was run to its end. */
static bool is_replaced(const struct arrival *old, const struct arrival *now)
{
    bool is_earlier = old->inside != now->inside;
    bool may_be = is_earlier ? old->was_run : old->from == now->from && old->left == now->left;
    return may_be && old->run != now->run && old->state->past == now->state->past;
}

/* Whether anything can have come to the block that the arrival replaces: something from an earlier
 * run of the block before, or of an earlier iteration of a loop. */
static bool may_replace(const struct worklist *w, int block, const struct arrival *now)
{
    const struct code *c = w->fr->code;
    if (w->times_run[now->from] > 1)
        return true;
    for (int i = 0; i < c->loop_heads.count && c->loop_heads.items[i] <= block; i++)
        if (block <= c->loop_end[c->loop_heads.items[i]])
            return true;
    return false;
}

static void leave_replaced(arrival_list *all, const struct arrival *now)
{
    int kept = 0;
    for (int i = 0; i < all->count; i++) {
        if (is_replaced(&all->items[i], now))
            continue;
        if (kept != i) /* a block may have many, and most remain where they are */
            all->items[kept] = all->items[i];
        kept++;
    }
    all->count = kept;
}

static void add(struct worklist *w, int block, arrival_list *all, struct arrival now)
{
    if (may_replace(w, block, &now))
        leave_replaced(all, &now);
    LIST_ADD(w->f->scratch, all, now);
}

void arrival_add(struct worklist *w, int block, struct state *s)
{
    add(w, block, &w->arrivals[block], arrival_of(w, block, s));
}

void arrival_add_exit(struct worklist *w, struct exit_state e)
{
    struct arrival now = arrival_of(w, OUTSIDE, e.state);
    now.value = e.value;
    add(w, OUTSIDE, &w->leaving, now);
}

struct state *arrivals_merged(struct worklist *w, int block, bool past)
{
    struct state *all = NULL;
    bool is_own = false, joined = false;
    for (int i = 0; i < w->arrivals[block].count && !(all && is_given_up(w->f)); i++) {
        struct arrival *a = &w->arrivals[block].items[i];
        if (a->state->past != past)
            continue;
        a->was_run = true;
        joined |= a->state->joined;
        if (!all) {
            all = a->state;
            continue;
        }
        all = is_own ? all : state_fork_counted(w->f, all);
        is_own = true;
        state_merge(w->f->scratch, all, a->state);
    }
    if (all->joined && !joined)
        limit_note(w->f, w->fr->code, block, FLOW_LIMIT_STATES);
    return all;
}
