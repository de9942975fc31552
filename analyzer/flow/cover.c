/* Whether one state holds all that another can be: then the other has nothing to add. */
#include "analyzer/flow/state.h"

static bool numbers_cover(const struct value *a, const struct value *b)
{
    if (a->is_real || b->is_real || a->is_bool != b->is_bool)
        return value_equal(a, b) || (a->is_real && b->is_real && !a->has_real);
    if (!a->count) {
        int64_t low = b->count ? b->as.number[0] : b->as.range.low;
        int64_t high = b->count ? b->as.number[b->count - 1] : b->as.range.high;
        return a->as.range.low <= low && a->as.range.high >= high;
    }
    for (int j = 0, i = 0; j < b->count; j++) {
        while (i < a->count && a->as.number[i] < b->as.number[j])
            i++;
        if (i == a->count || a->as.number[i] != b->as.number[j])
            return false;
    }
    return b->count > 0;
}

/* Where b lies on no other devices, the same numbers are the same gpus. */
static bool fact_covers(const struct fact *a, const struct fact *b)
{
    return !(b->dtypes & ~a->dtypes) && !(b->devices & ~a->devices) &&
           (b->gpus == a->gpus || !(fact_gpus(b) & ~fact_gpus(a))) &&
           !(b->zero_dim & ~a->zero_dim) && !(b->grad & ~a->grad) && !(b->leaf & ~a->leaf) &&
           b->grad_open <= a->grad_open;
}

static bool tensors_cover(const struct state *x, const struct value *a, const struct state *y,
                          const struct value *b)
{
    for (int j = 0, i = 0; j < b->count; j++) {
        while (i < a->count && a->as.tensor[i] < b->as.tensor[j])
            i++;
        if (i == a->count || a->as.tensor[i] != b->as.tensor[j])
            return false;
        const struct tensor *s = state_tensor(x, a->as.tensor[i]);
        const struct tensor *t = state_tensor(y, b->as.tensor[j]);
        if (s && (!t || !fact_covers(&s->fact, &t->fact)))
            return false;
    }
    return true;
}

static bool names_cover(const struct value *a, const struct value *b)
{
    for (int j = 0; j < b->count; j++) {
        int i = 0;
        while (i < a->count && a->as.loc[i] != b->as.loc[j])
            i++;
        if (i == a->count)
            return false;
    }
    return true;
}

/* The memory that both point to, and what the pointers say of it. */
static bool memory_covers(const struct state *x, const struct value *a, const struct state *y,
                          const struct value *b)
{
    uint16_t mine = a->elements ? a->elements : DTYPES_UNTYPED;
    uint16_t other = b->elements ? b->elements : DTYPES_UNTYPED;
    if (b->count && other & ~mine)
        return false;
    for (int j = 0; x->has_memory && j < b->count; j++) {
        int memory = b->as.loc[j]->object->memory;
        const struct tensor *s = memory ? state_tensor(x, memory) : NULL;
        const struct tensor *t = memory ? state_tensor(y, memory) : NULL;
        if (s && (!t || !fact_covers(&s->fact, &t->fact)))
            return false;
    }
    return true;
}

static bool is_null_constant(const struct value *v)
{
    return v->kind == VALUE_ADDRESS && v->count == 0 && v->null == TRI_YES;
}

bool value_covers(const struct state *x, const struct value *a, const struct state *y,
                  const struct value *b)
{
    if (a->kind == VALUE_ANY || b->kind == VALUE_NOTHING)
        return b->kind != VALUE_ZEROED;
    bool pointer = a->kind == VALUE_TENSOR || a->kind == VALUE_ADDRESS || a->kind == VALUE_FUNCTION;
    if (pointer && is_null_constant(b))
        return a->null & TRI_YES;
    if (a->kind != b->kind || (pointer && b->null & ~a->null))
        return false;
    switch ((enum value_kind)a->kind) {
    case VALUE_NUMBER:
        return numbers_cover(a, b);
    case VALUE_TENSOR:
        return tensors_cover(x, a, y, b);
    case VALUE_ADDRESS:
        return names_cover(a, b) && memory_covers(x, a, y, b);
    case VALUE_FUNCTION:
        return names_cover(a, b);
    case VALUE_NOTHING:
        return false;
    case VALUE_ANY:
    case VALUE_ZEROED:
        break;
    }
    return true;
}

/* Whether what is known of each of its tensors holds all that the other knows of them. */
static bool all_tensors_cover(const struct state *x, const struct state *y)
{
    for (int i = 0; i < x->tensors.count; i++) {
        const struct tensor *s = &x->tensors.items[i], *t = state_tensor(y, s->id);
        if (!t || !fact_covers(&s->fact, &t->fact))
            return false;
    }
    return true;
}

/* Past the pages that they share. Those that lead to tensors say the same only if these do. */
static void skip_shared(const struct state *x, struct cursor *i, const struct state *y,
                        struct cursor *j, enum tri *tensors)
{
    while (cursor_shares(x, *i, y, *j)) {
        bool leads = x->pages.items[i->page]->leads;
        if (leads && *tensors == TRI_MAYBE)
            *tensors = all_tensors_cover(x, y) ? TRI_YES : TRI_NO;
        if (leads && *tensors == TRI_NO)
            return;
        i->page++;
        j->page++;
    }
}

/* Whether the last slots say no: what was written last is where states differ most often. */
static bool end_refuses(const struct state *x, const struct state *y)
{
    const struct page *p = x->pages.count ? x->pages.items[x->pages.count - 1] : NULL;
    const struct page *q = y->pages.count ? y->pages.items[y->pages.count - 1] : NULL;
    if (!p || !q || p == q)
        return false;
    for (int i = p->count - 1, j = q->count - 1; i >= 0 && j >= 0; i--, j--) {
        if (p->slots[i].loc != q->slots[j].loc)
            return false;
        if (!value_covers(x, &p->slots[i].value, y, &q->slots[j].value))
            return true;
    }
    return false;
}

/* A slot that only one of them has. */
static bool covers_alone(const struct state *x, const struct state *y, const struct slot *slot,
                         bool is_of_x)
{
    struct value other = state_unwritten(is_of_x ? y : x, slot->loc, &slot->value);
    return is_of_x ? value_covers(x, &slot->value, y, &other)
                   : value_covers(x, &other, y, &slot->value);
}

bool state_covers(const struct state *x, const struct state *y)
{
    struct cursor i = {0}, j = {0};
    enum tri tensors = TRI_MAYBE;
    if ((x->past && !y->past) || (x->missed && !y->missed) || end_refuses(x, y))
        return false;
    for (;;) {
        skip_shared(x, &i, y, &j, &tensors);
        const struct slot *a = slot_at(x, i), *b = slot_at(y, j);
        if (!a && !b)
            return state_covers_record(x, y);
        bool both = a && b && a->loc == b->loc; /* most are: their ids need not be fetched */
        bool first = both || (a && (!b || a->loc->id < b->loc->id)), second = both || !first;
        if (both ? !value_covers(x, &a->value, y, &b->value)
                 : !covers_alone(x, y, first ? a : b, first))
            return false;
        if (first)
            cursor_on(x, &i);
        if (second)
            cursor_on(y, &j);
    }
}
