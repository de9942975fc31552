/* Lineage: the branches taken on a path, and the places that decided a fact. A place that
 * several paths pass is one step, under the conditions that they have in common. */
#include "analyzer/flow/results/results.h"

#include <string.h>

/* Only so many conditions are compared, the oldest. */
enum { COMPARED = 64 };

void condition_add(struct flow *f, struct state *s, struct condition c)
{
    c.before = s->when;
    s->when =
        f->merges ? condition_known(f->arena, s->guards, &c) : arena_copy(f->arena, &c, sizeof c);
    s->conditions++;
}

static bool is_same_condition(const struct condition *a, const struct condition *b)
{
    return a == b || (a->truth == b->truth && a->is_case == b->is_case && a->value == b->value &&
                      a->span.line == b->span.line && a->span.column == b->span.column &&
                      a->span.file && b->span.file && !strcmp(a->span.file, b->span.file));
}

static int depth_of(const struct condition *c)
{
    int n = 0;
    for (; c; c = c->before)
        n++;
    return n;
}

/* The oldest ones, oldest first. */
static int oldest(const struct condition *c, const struct condition **out)
{
    int depth = depth_of(c), kept = depth < COMPARED ? depth : COMPARED;
    for (; depth > kept; depth--)
        c = c->before;
    for (int i = kept; i > 0; c = c->before)
        out[--i] = c;
    return kept;
}

const struct condition *condition_common(const struct condition *a, const struct condition *b)
{
    const struct condition *x[COMPARED], *y[COMPARED], *common = NULL;
    if (a == b || !a || !b)
        return a == b ? a : NULL;
    int n = oldest(a, x), m = oldest(b, y);
    for (int i = 0; i < n && i < m && is_same_condition(x[i], y[i]); i++)
        common = x[i];
    return common;
}

static void set_near(const struct flow *f, struct step *s)
{
    const struct code *c = code_of(f, s->function);
    const struct step *x = s->from[0], *y = s->from[1];
    s->near[0] = hash_words(c ? c->id : 0, (uint64_t)s->inst, s->fact.dtypes);
    for (int i = 1; i < COUNT(s->near); i++)
        s->near[i] = hash_words(s->near[0], x ? x->near[i - 1] : 0, y ? y->near[i - 1] : 0);
}

const struct frame *frame_in_program(const struct frame *fr, ir_value *inst)
{
    for (; fr->code->unit->module && fr->outer; fr = fr->outer)
        *inst = fr->call;
    return fr;
}

const struct step *step_at(struct flow *f, const struct frame *fr, const struct step *made)
{
    uint64_t facts = (uint64_t)(made->fact.dtypes & 0xffff) | (uint64_t)made->fact.devices << 16 |
                     (uint64_t)made->fact.zero_dim << 24 | (made->fact.dtypes >> 16 & 63) << 26 |
                     (uint64_t)made->inst << 32;
    const uint64_t words[] = {fr->context,
                              facts,
                              (uint64_t)made->fact.gpus | made->fact.dtypes >> 22 << 16,
                              (uint64_t)(uintptr_t)made->function,
                              (uint64_t)made->span.line << 32 | (uint32_t)made->span.column,
                              (uint64_t)(uintptr_t)made->from[0],
                              (uint64_t)(uintptr_t)made->from[1],
                              (uint64_t)(uintptr_t)made->on};
    void **at = memo_at(f->steps, words, sizeof words / sizeof *words);
    struct step *known = *at;
    if (known) {
        known->when = condition_common(known->when, made->when);
        return known;
    }
    *at = known = arena_copy(f->arena, made, sizeof *made);
    known->has_choice = (made->from[0] && made->from[0]->has_choice) ||
                        (made->from[1] && made->from[1]->has_choice) ||
                        (made->on && made->on->has_choice);
    set_near(f, known);
    return known;
}
