/* Subsumption: whether one state describes every run that another does. */
#include "analyzer/flow/states/states.h"

/* A copy of an initial value says more than the numbers it can be. */
static bool numbers_subsume(const struct value *a, const struct value *b)
{
    if (value_is_initial(a) && a->test != b->test)
        return false;
    if (a->unit && a->unit != b->unit)
        return false;
    if (a->is_real || b->is_real || a->is_bool != b->is_bool || a->names != b->names)
        return value_equal(a, b) || (a->is_real && b->is_real && !a->has_real);
    if (!a->count) {
        return a->as.range.low <= value_low(b) && a->as.range.high >= value_high(b) &&
               !(a->as.range.isnt & ~value_isnt(b));
    }
    for (int j = 0, i = 0; j < b->count; j++) {
        while (i < a->count && a->as.number[i] < b->as.number[j])
            i++;
        if (i == a->count || a->as.number[i] != b->as.number[j])
            return false;
    }
    return b->count > 0;
}

/* If b is on no other devices, equal bits are equal gpus. */
static bool fact_subsumes(const struct fact *a, const struct fact *b)
{
    return !(b->dtypes & ~a->dtypes) && !(b->devices & ~a->devices) &&
           (b->gpus == a->gpus || !(fact_gpus(b) & ~fact_gpus(a))) &&
           !(b->zero_dim & ~a->zero_dim) && !(b->grad & ~a->grad) && !(b->leaf & ~a->leaf) &&
           b->grad_open <= a->grad_open;
}

static bool tensors_subsume(const struct state *x, const struct value *a, const struct state *y,
                            const struct value *b)
{
    for (int j = 0, i = 0; j < b->count; j++) {
        while (i < a->count && a->as.tensor[i] < b->as.tensor[j])
            i++;
        if (i == a->count || a->as.tensor[i] != b->as.tensor[j])
            return false;
        const struct tensor *s = state_tensor(x, a->as.tensor[i]);
        const struct tensor *t = state_tensor(y, b->as.tensor[j]);
        if (s && (!t || (s->cases && s->cases != t->cases) || !fact_subsumes(&s->fact, &t->fact)))
            return false;
    }
    return true;
}

static bool functions_subsume(const struct value *a, const struct value *b)
{
    for (int j = 0; j < b->count; j++) {
        int i = 0;
        while (i < a->count && value_functions(a)[i] != value_functions(b)[j])
            i++;
        if (i == a->count)
            return false;
    }
    return true;
}

static bool names_subsume(const struct value *a, const struct value *b)
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

/* The memory that both point to, and the element types of the pointers. */
static bool memory_subsumes(const struct state *x, const struct value *a, const struct state *y,
                            const struct value *b)
{
    dtype_set mine = a->elements ? a->elements : DTYPES_UNTYPED;
    dtype_set other = b->elements ? b->elements : DTYPES_UNTYPED;
    if (b->count && other & ~mine)
        return false;
    for (int j = 0; x->has_memory && j < b->count; j++) {
        int memory = b->as.loc[j]->object->memory;
        const struct tensor *s = memory ? state_tensor(x, memory) : NULL;
        const struct tensor *t = memory ? state_tensor(y, memory) : NULL;
        if (s && (!t || !fact_subsumes(&s->fact, &t->fact)))
            return false;
    }
    return true;
}

/* One of several subsumes only the same one of several; anything else, all that it can be. */
static bool guarded_subsumes(const struct state *x, const struct value *a, const struct state *y,
                             const struct value *b)
{
    bool is_same = value_equal(a, b), all_are = is_same || a->kind != VALUE_GUARDED;
    struct arena *leaves = arena_new();
    value_list all = guard_values(leaves, y, b);
    for (int i = 0; i < all.count && all_are; i++)
        all_are = value_subsumes(x, is_same ? all.items[i] : a, y, all.items[i]);
    arena_free(leaves);
    return all_are;
}

bool value_subsumes(const struct state *x, const struct value *a, const struct state *y,
                    const struct value *b)
{
    if (a->kind == VALUE_GUARDED || b->kind == VALUE_GUARDED)
        return guarded_subsumes(x, a, y, b);
    if (a->kind == VALUE_ANY || b->kind == VALUE_NOTHING)
        return b->kind != VALUE_ZEROED;
    bool pointer = a->kind == VALUE_TENSOR || a->kind == VALUE_ADDRESS || a->kind == VALUE_FUNCTION;
    if (pointer && value_is_null_constant(b))
        return a->null & TRI_YES;
    if (a->kind != b->kind || (pointer && b->null & ~a->null))
        return false;
    switch ((enum value_kind)a->kind) {
    case VALUE_NUMBER:
        return numbers_subsume(a, b);
    case VALUE_TENSOR:
        return tensors_subsume(x, a, y, b);
    case VALUE_ADDRESS:
        return names_subsume(a, b) && memory_subsumes(x, a, y, b);
    case VALUE_FUNCTION:
        return functions_subsume(a, b);
    case VALUE_NOTHING:
        return false;
    case VALUE_ANY:
    case VALUE_ZEROED:
    case VALUE_GUARDED:
        break;
    }
    return true;
}

/* Skips shared pages that mean the same in both. */
static void skip_shared(const struct state *x, struct cursor *i, const struct state *y,
                        struct cursor *j, struct difference *d)
{
    while (cursor_shares(x, *i, y, *j) && page_says_the_same(x->pages.items[i->page], x, y, d)) {
        i->page++;
        j->page++;
    }
}

static bool is_exact(const struct value *v)
{
    return v->kind == VALUE_NUMBER && v->count == 1 && !v->is_real;
}

unsigned state_compare_at(const struct state *x, const struct value *a, const struct state *y,
                          const struct value *b, const struct loc *l, unsigned asked)
{
    struct value other;
    if (l->object->is_note)
        return asked;
    if (!a || !b) {
        other = state_unwritten(a ? y : x, l, a ? a : b);
        a = a ? a : &other;
        b = b ? b : &other;
    }
    if (is_exact(a) && is_exact(b)) /* most are */
        return a->as.number[0] == b->as.number[0] && a->is_bool == b->is_bool &&
                       a->names == b->names && a->unit == b->unit
                   ? asked
                   : 0;
    if (asked & STATE_SUBSUMES && !value_subsumes(x, a, y, b))
        asked &= ~(unsigned)STATE_SUBSUMES;
    if (asked & STATE_IS_SUBSUMED && !value_subsumes(y, b, x, a))
        asked &= ~(unsigned)STATE_IS_SUBSUMED;
    return asked;
}

/* For each that no longer holds: where. */
static unsigned note_difference(struct first_difference *difference, const struct loc *l,
                                unsigned before, unsigned now)
{
    for (unsigned k = 0; difference && k < 2; k++)
        if (before & ~now & (k + 1))
            difference->at[k] = l;
    return now;
}

/* States differ most often in what was written last. */
static unsigned still_at_last(const struct state *x, const struct state *y,
                              struct first_difference *difference, unsigned asked)
{
    const struct page *p = x->pages.count ? x->pages.items[x->pages.count - 1] : NULL;
    const struct page *q = y->pages.count ? y->pages.items[y->pages.count - 1] : NULL;
    if (!p || !q || p == q)
        return asked;
    for (int i = p->count - 1, j = q->count - 1; i >= 0 && j >= 0 && asked; i--, j--) {
        const struct loc *l = p->cells[i].loc;
        if (l != q->cells[j].loc)
            break;
        asked = note_difference(
            difference, l, asked,
            state_compare_at(x, &p->cells[i].value, y, &q->cells[j].value, l, asked));
    }
    return asked;
}

/* Whether runs of x are runs of y, too. */
static bool path_implies(const struct state *x, const struct state *y)
{
    if (x->path == y->path || y->path == DIAGRAM_YES)
        return true;
    return condition_implies(guard_conditions(x->guards), x->path, y->path);
}

/* What can be decided without comparing cells. */
static unsigned still_of_tensors(const struct state *x, const struct state *y, unsigned asked)
{
    if ((x->past && !y->past) || (x->lookup_failed && !y->lookup_failed) || !path_implies(y, x))
        asked &= ~(unsigned)STATE_SUBSUMES;
    if ((y->past && !x->past) || (y->lookup_failed && !x->lookup_failed) || !path_implies(x, y))
        asked &= ~(unsigned)STATE_IS_SUBSUMED;
    return asked;
}

static unsigned still_of_tapes(const struct state *x, const struct state *y, unsigned asked)
{
    if (asked & STATE_SUBSUMES && !state_subsumes_tape(x, y))
        asked &= ~(unsigned)STATE_SUBSUMES;
    if (asked & STATE_IS_SUBSUMED && !state_subsumes_tape(y, x))
        asked &= ~(unsigned)STATE_IS_SUBSUMED;
    return asked;
}

unsigned state_compare(const struct state *x, const struct state *y, unsigned asked,
                       struct first_difference *difference)
{
    struct cursor i = {0}, j = {0};
    struct difference d = {0};
    asked = still_of_tensors(x, y, asked);
    if (asked)
        asked = still_at_last(x, y, difference, asked);
    while (asked) {
        skip_shared(x, &i, y, &j, &d);
        const struct cell *a = cell_at(x, i), *b = cell_at(y, j);
        if (!a && !b)
            return still_of_tapes(x, y, asked);
        bool both = a && b && a->loc == b->loc; /* most are: their ids need not be loaded */
        bool first = both || (a && (!b || a->loc->id < b->loc->id)), second = both || !first;
        const struct loc *l = first ? a->loc : b->loc;
        asked = note_difference(
            difference, l, asked,
            state_compare_at(x, first ? &a->value : NULL, y, second ? &b->value : NULL, l, asked));
        if (first)
            cursor_on(x, &i);
        if (second)
            cursor_on(y, &j);
    }
    return 0;
}

bool state_subsumes(const struct state *x, const struct state *y)
{
    return state_compare(x, y, STATE_SUBSUMES, NULL);
}
