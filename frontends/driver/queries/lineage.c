/* From a place in a file to the tensor that is mentioned there, and from that back to where its
 * dtype and device were decided; for `miscast trace` and editors. */
#include "frontends/driver/queries/queries.h"

#include <string.h>

enum { MAX_CHAINS = 16 };

/* ---- the place ------------------------------------------------------------------------------ */

static bool holds(const struct span *s, int line, int column)
{
    bool after = line > s->line || (line == s->line && column >= s->column);
    bool before = line < s->end_line || (line == s->end_line && column < s->end_column);
    return after && before;
}

static bool is_narrower(const struct span *a, const struct span *b)
{
    int lines = a->end_line - a->line, than = b->end_line - b->line;
    return lines != than ? lines < than : a->end_column - a->column < b->end_column - b->column;
}

const struct mention *mention_at(const mention_list *l, int line, int column)
{
    const struct mention *best = NULL;
    for (int i = 0; i < l->count; i++) {
        const struct mention *m = &l->items[i];
        if (m->kind == MENTION_FAILURE || m->kind == MENTION_REVEAL ||
            !holds(&m->span, line, column))
            continue;
        if (!best || is_narrower(&m->span, &best->span))
            best = m;
    }
    return best;
}

/* ---- chains --------------------------------------------------------------------------------- */

struct lineage {
    struct arena *arena;
    chain_list chains;
    struct chain now;
};

static bool is_repeated(const struct lineage *l, const struct chain *c)
{
    for (int i = 0; i < l->chains.count; i++)
        if (l->chains.items[i].count == c->count &&
            !memcmp(l->chains.items[i].steps, c->steps, sizeof *c->steps * (size_t)c->count))
            return true;
    return false;
}

static void follow(struct lineage *l, const struct step *s)
{
    bool ends = !s->from[0] && !s->from[1];
    if (l->chains.count >= MAX_CHAINS)
        return;
    l->now.steps[l->now.count++] = s;
    if (ends || l->now.count == CHAIN_MAX) {
        l->now.cut = !ends;
        if (!is_repeated(l, &l->now))
            LIST_ADD(l->arena, &l->chains, l->now);
    } else {
        for (int k = 0; k < 2; k++)
            if (s->from[k] && (!k || s->from[0] != s->from[1]))
                follow(l, s->from[k]);
    }
    l->now.count--;
}

/* Few chains: a simple stable sort. */
static void sort_by_length(struct lineage *l)
{
    for (int i = 1; i < l->chains.count; i++)
        for (int k = i; k > 0 && l->chains.items[k].count < l->chains.items[k - 1].count; k--) {
            struct chain moved = l->chains.items[k];
            l->chains.items[k] = l->chains.items[k - 1];
            l->chains.items[k - 1] = moved;
        }
}

void chains_of(struct arena *a, const struct mention *m, chain_list *out)
{
    struct lineage l = {.arena = a};
    if (m->value && m->value->how)
        follow(&l, m->value->how);
    for (int i = 0; m->value && i < m->value->other_way_count; i++)
        follow(&l, m->value->other_ways[i]);
    sort_by_length(&l);
    *out = l.chains;
}
