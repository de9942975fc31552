/* The distance of two states: how much their join would lose, and in what they differ. */
#include "analyzer/flow/states/states.h"

#include <limits.h>

/* Tensor by tensor; false: a closer look is needed. */
static bool are_tensors_alike(const struct state *x, const struct value *a, const struct state *y,
                              const struct value *b)
{
    if (a->kind != b->kind || a->null != b->null || a->count != b->count)
        return false;
    for (int k = 0; k < a->count; k++) {
        const struct tensor *s = state_tensor(x, a->as.tensor[k]);
        const struct tensor *t = state_tensor(y, b->as.tensor[k]);
        if (!s || !t || !fact_is_alike(&s->fact, &t->fact))
            return false;
    }
    return true;
}

/* What the join of the two values would lose. */
static int value_distance(const struct state *x, const struct value *a, const struct state *y,
                          const struct value *b)
{
    if (a->kind == VALUE_NUMBER && b->kind == VALUE_NUMBER)
        return !value_equal(a, b);
    if (a->kind == VALUE_TENSOR || b->kind == VALUE_TENSOR) {
        if (are_tensors_alike(x, a, y, b))
            return 0;
        struct fact fa = state_fact(x, a, NULL, NULL), fb = state_fact(y, b, NULL, NULL);
        return fact_is_alike(&fa, &fb) ? 0 : DISTANCE_TENSOR;
    }
    if (!value_equal(a, b))
        return DISTANCE_POINTER;
    for (int k = 0; x->has_memory && a->kind == VALUE_ADDRESS && k < a->count; k++) {
        int memory = a->as.loc[k]->object->memory;
        const struct tensor *s = memory ? state_tensor(x, memory) : NULL;
        const struct tensor *t = memory ? state_tensor(y, memory) : NULL;
        if (s && t && !fact_is_alike(&s->fact, &t->fact))
            return DISTANCE_TENSOR;
    }
    return 0;
}

/* Two states walked in parallel: their cells in order, those of both at once. Shared pages with
 * equal contents are skipped. */
struct pair {
    const struct state *x, *y;
    struct cursor i, j;
    struct difference difference;
    const struct cell *a, *b; /* NULL: it has none there */
};

static struct pair pair_of(const struct state *x, const struct state *y)
{
    return (struct pair){.x = x, .y = y};
}

/* The next cell in either; false: one of them ends. */
static bool next_pair(struct pair *p)
{
    while (cursor_shares(p->x, p->i, p->y, p->j) &&
           page_says_the_same(p->x->pages.items[p->i.page], p->x, p->y, &p->difference)) {
        p->i.page++;
        p->j.page++;
    }
    const struct cell *a = cell_at(p->x, p->i), *b = cell_at(p->y, p->j);
    if (!a || !b)
        return false;
    bool both = a->loc == b->loc, first = both || a->loc->id < b->loc->id;
    p->a = first ? a : NULL;
    p->b = both || !first ? b : NULL;
    if (p->a)
        cursor_on(p->x, &p->i);
    if (p->b)
        cursor_on(p->y, &p->j);
    return true;
}

/* 0 where only one of them has a cell. */
static int pair_distance(const struct pair *p)
{
    return p->a && p->b ? value_distance(p->x, &p->a->value, p->y, &p->b->value) : 0;
}

static bool is_flag(const struct value *v)
{
    for (int i = 0; i < v->count; i++)
        if (v->as.number[i] < 0 || v->as.number[i] > 1)
            return false;
    return v->count > 0 || v->as.range.isnt & 1;
}

/* A size, a seed, a rate or a string: no dtype is selected by it. */
static bool is_count(const struct cell *a, const struct cell *b)
{
    const struct type *t = loc_type(a->loc);
    bool text = type_is_string(t);
    if (a->value.kind != VALUE_NUMBER || b->value.kind != VALUE_NUMBER || a->value.is_real)
        return text || (t && t->kind == TYPE_FLOAT);
    return t && t->kind == TYPE_INT && !loc_is_choice(a->loc) &&
           !(is_flag(&a->value) && is_flag(&b->value));
}

int state_distance(const struct state *x, const struct state *y, int most)
{
    struct pair p = pair_of(x, y);
    int distance = 0;
    while (distance < most && next_pair(&p)) {
        int one = pair_distance(&p);
        if (p.a && p.b)
            distance += one == 1 && !is_count(p.a, p.b) ? DISTANCE_CHOICE : one;
        else if ((p.a ? p.a : p.b)->loc->object->unknown_contents)
            distance++;
    }
    return distance;
}

int state_contrast(const struct state *x, const struct state *y, int most)
{
    struct pair p = pair_of(x, y);
    int contrast = 0;
    while (contrast < most && contrast < INT_MAX / 2 && next_pair(&p)) {
        int one = pair_distance(&p);
        contrast += one >= DISTANCE_TENSOR       ? DISTANCE_TENSOR
                    : !one || is_count(p.a, p.b) ? one != 0
                    : one == 1                   ? DISTANCE_POINTER
                                                 : DISTANCE_CHOICE;
    }
    return contrast;
}

static bool differs_at(const struct state *x, const struct state *y, const struct loc *l,
                       bool is_in)
{
    const struct value *a = state_get_guarded(x, l), *b = state_get_guarded(y, l);
    int distance = a && b ? value_distance(x, a, y, b) : 0;
    return distance >= DISTANCE_POINTER || (distance && !is_in);
}

bool state_differs_in(const struct state *x, const struct state *y,
                      bool (*in)(const struct loc *, const void *), const void *what,
                      const struct loc **difference)
{
    struct pair p = pair_of(x, y);
    if (*difference && differs_at(x, y, *difference, in(*difference, what)))
        return false;
    while (next_pair(&p)) {
        int distance = pair_distance(&p);
        if (distance >= DISTANCE_POINTER || (distance && !in(p.a->loc, what))) {
            *difference = p.a->loc;
            return false;
        }
    }
    return true;
}

bool state_differs_in_counts(const struct state *x, const struct state *y,
                             bool (*in)(const struct loc *, const void *), const void *what)
{
    struct pair p = pair_of(x, y);
    while (next_pair(&p)) {
        int distance = pair_distance(&p);
        bool small = distance < DISTANCE_TENSOR && distance && is_count(p.a, p.b);
        if (distance && !small && (distance >= DISTANCE_POINTER || !in(p.a->loc, what)))
            return false;
    }
    return true;
}
