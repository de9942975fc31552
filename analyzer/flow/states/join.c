/* The join of two states: the least upper bound, with widening at loop heads. */
#include "analyzer/flow/states/states.h"

#include <string.h>

static bool is_null_constant(const struct value *v)
{
    return v->kind == VALUE_ADDRESS && v->count == 0 && v->null == TRI_YES;
}

/* Paths are distinguished by what is known of initial values. For other numbers a range is
 * enough, and makes loops that count terminate. */
static uint64_t isnt_either(const struct value *x, const struct value *y)
{
    return value_is_initial(x) && x->test == y->test ? value_isnt(x) & value_isnt(y) : 0;
}

static struct value join_numbers(const struct value *x, const struct value *y)
{
    struct value v = *x;
    v.test = NULL;
    v.query = NULL;
    if (x->is_real || y->is_real) {
        v = value_unknown_real();
        v.is_real = x->is_real && y->is_real;
        return v.is_real ? v : value_any;
    }
    v.is_bool = x->is_bool && y->is_bool;
    if (x->count && y->count) {
        int64_t merged[VALUE_MAX * 2];
        int n = 0, i = 0, j = 0;
        while (i < x->count || j < y->count) {
            int64_t next = j == y->count || (i < x->count && x->as.number[i] <= y->as.number[j])
                               ? x->as.number[i++]
                               : y->as.number[j++];
            if (!n || merged[n - 1] != next)
                merged[n++] = next;
        }
        if (n <= VALUE_MAX) {
            v.count = (uint8_t)n;
            memcpy(v.as.number, merged, sizeof *merged * (size_t)n);
            return v;
        }
    }
    int64_t xl = value_low(x), yl = value_low(y), xh = value_high(x), yh = value_high(y);
    struct value r = value_range_without(xl < yl ? xl : yl, xh > yh ? xh : yh, isnt_either(x, y));
    r.is_bool = v.is_bool;
    return r;
}

/* Sets of names, sorted; false: too many. */
static bool merge_tensors(struct value *into, const struct value *y)
{
    for (int j = 0; j < y->count; j++) {
        int i = 0;
        while (i < into->count && into->as.tensor[i] < y->as.tensor[j])
            i++;
        if (i < into->count && into->as.tensor[i] == y->as.tensor[j])
            continue;
        if (into->count == VALUE_MAX)
            return false;
        memmove(&into->as.tensor[i + 1], &into->as.tensor[i],
                sizeof *into->as.tensor * (size_t)(into->count - i));
        into->as.tensor[i] = y->as.tensor[j];
        into->count++;
    }
    return true;
}

static bool merge_locs(struct value *into, const struct value *y)
{
    for (int j = 0; j < y->count; j++) {
        int i = 0;
        while (i < into->count && into->as.loc[i]->id < y->as.loc[j]->id)
            i++;
        if (i < into->count && into->as.loc[i] == y->as.loc[j])
            continue;
        if (into->count == VALUE_MAX)
            return false;
        memmove(&into->as.loc[i + 1], &into->as.loc[i],
                sizeof *into->as.loc * (size_t)(into->count - i));
        into->as.loc[i] = y->as.loc[j];
        into->count++;
    }
    return true;
}

/* In order of arrival; false: too many. */
static bool merge_functions(struct state *s, struct value *into, const struct value *y)
{
    const struct ir_function *all[2 * FUNCTIONS_MAX];
    int count = into->count;
    memcpy(all, value_functions(into), sizeof *all * (size_t)count);
    for (int j = 0; j < y->count; j++) {
        int i = 0;
        while (i < count && all[i] != value_functions(y)[j])
            i++;
        if (i == count)
            all[count++] = value_functions(y)[j];
    }
    if (count > FUNCTIONS_MAX || (count > VALUE_MAX && !s->kept))
        return false;
    if (count > VALUE_MAX && count > into->count)
        into->as.functions = arena_copy(s->kept, all, sizeof *all * (size_t)count);
    else if (count <= VALUE_MAX)
        memcpy(into->as.function, all, sizeof *all * (size_t)count);
    into->count = (uint8_t)count;
    return true;
}

/* More locations than a value can hold: only the objects they are in. VALUE_ANY without objects
 * if these are too many, too. */
static struct value somewhere(const struct value *x, const struct value *y)
{
    struct value v = value_any;
    for (int side = 0; side < 2; side++) {
        const struct value *from = side ? y : x;
        for (int i = 0; i < from->count; i++) {
            const struct loc *root = from->as.loc[i]->object->root;
            int k = 0;
            while (k < v.count && v.as.loc[k] != root)
                k++;
            if (k == VALUE_MAX || !root)
                return value_any;
            v.as.loc[k] = root;
            v.count = (uint8_t)(k == v.count ? k + 1 : v.count);
        }
    }
    return v;
}

/* NULL points to nothing, whatever its type. */
static uint16_t join_elements(const struct value *x, const struct value *y)
{
    if (!x->count || !y->count || x->elements == y->elements)
        return x->count ? x->elements : y->elements;
    return (uint16_t)((x->elements ? x->elements : DTYPES_UNTYPED) |
                      (y->elements ? y->elements : DTYPES_UNTYPED));
}

/* More tensors than a value can hold: one with a name of its own stands for all, with the join
 * of their facts. The others remain; a write to it may be a write to any of them. */
enum { STANDS_FOR_MORE = 1 << 30 };

static void fold_into(struct arena *a, struct state *s, struct tensor *all, const struct value *v)
{
    for (int i = 0; i < v->count; i++) {
        const struct tensor *t = state_tensor(s, v->as.tensor[i]);
        if (!t || t->id == all->id)
            continue;
        all->how = all->how ? all->how : t->how;
        if (!all->half && t->fact.dtypes & (1u << DTYPE_F16 | 1u << DTYPE_BF16))
            all->half = t->several && t->half ? t->half : t->how;
        all->unknown |= t->unknown;
        fact_join(&all->fact, &t->fact);
        tensor_join_tape(a, s, all, t);
        state_join_kin(s, tensor_kin(all), tensor_kin(t));
        all->kin = tensor_kin(state_tensor(s, t->id));
    }
}

static struct value fold_tensors(struct arena *a, struct state *s, const struct value *x,
                                 const struct value *y)
{
    int id = x->as.tensor[x->count - 1] | STANDS_FOR_MORE;
    const struct tensor *before = state_tensor(s, id);
    struct tensor all = before ? *before : (struct tensor){.id = id, .storage = id};
    struct value v = *x;
    all.several = true;
    fold_into(a, s, &all, x);
    fold_into(a, s, &all, y);
    state_tensor_put(a, s, all);
    v.count = 1;
    v.as.tensor[0] = id;
    return v;
}

struct value value_join(struct arena *a, struct state *s, const struct value *x,
                        const struct value *y)
{
    struct value v = *x, joined;
    if (x->kind == VALUE_NOTHING)
        return *y;
    if (y->kind == VALUE_NOTHING)
        return *x;
    if (value_equal(x, y)) {
        if (!value_says_the_same(x, y))
            v.test = NULL;
        return v;
    }
    v.test = NULL;
    v.query = NULL;
    v.origin = x->origin == y->origin ? x->origin : NULL;
    if (is_null_constant(x) && (y->kind == VALUE_TENSOR || y->kind == VALUE_FUNCTION)) {
        v = *y;
        v.null |= TRI_YES;
        return v;
    }
    if (is_null_constant(y) && (x->kind == VALUE_TENSOR || x->kind == VALUE_FUNCTION)) {
        v.null |= TRI_YES;
        return v;
    }
    if ((x->kind == VALUE_ANY && x->count && y->kind == VALUE_ADDRESS) ||
        (y->kind == VALUE_ANY && y->count && (x->kind == VALUE_ADDRESS || x->kind == VALUE_ANY)))
        return somewhere(x, y);
    if (x->kind != y->kind)
        return value_any;
    v.null |= y->null;
    switch ((enum value_kind)x->kind) {
    case VALUE_NUMBER:
        return join_numbers(x, y);
    case VALUE_TENSOR:
        if (merge_tensors(&v, y))
            return v;
        joined = fold_tensors(a, s, x, y);
        joined.null = v.null;
        joined.test = NULL;
        joined.via = NULL;
        joined.origin = v.origin;
        return joined;
    case VALUE_ADDRESS:
        v.elements = join_elements(x, y);
        return merge_locs(&v, y) ? v : somewhere(x, y);
    case VALUE_FUNCTION:
        return merge_functions(s, &v, y) ? v : value_any;
    case VALUE_NOTHING:
    case VALUE_ANY:
    case VALUE_ZEROED:
        break;
    }
    return value_any;
}

/* Widening: a number that grew once can be any number. */
static struct value widened(const struct loc *l, const struct value *before, struct value after)
{
    if (after.kind != VALUE_NUMBER || after.is_real || value_equal(before, &after) ||
        (after.count && loc_is_choice(l)))
        return after;
    return value_range(INT64_MIN, INT64_MAX);
}

static bool join_tensors(struct arena *a, struct state *into, const struct state *s)
{
    bool changed = false;
    for (int i = 0; i < s->tensors.count; i++) {
        const struct tensor *t = &s->tensors.items[i];
        struct tensor *mine = state_tensor(into, t->id);
        if (!mine) {
            state_tensor_put(a, into, *t);
            changed = true;
            continue;
        }
        struct fact before = mine->fact;
        fact_join(&mine->fact, &t->fact);
        mine->unknown |= t->unknown;
        mine->several |= t->several;
        mine->half = mine->half ? mine->half : t->half;
        mine->changed = mine->changed ? mine->changed : t->changed;
        changed |= !fact_equal(&before, &mine->fact);
        changed |= tensor_join_tape(a, into, mine, t);
        changed |= tensor_join_memory(into, mine, t);
    }
    return changed;
}

static struct value zero_like(const struct value *v)
{
    if (v->kind == VALUE_TENSOR || v->kind == VALUE_ADDRESS || v->kind == VALUE_FUNCTION)
        return value_null();
    struct value zero = v->kind == VALUE_NUMBER && v->is_real ? value_real(0) : value_int(0);
    zero.is_bool = v->kind == VALUE_NUMBER && v->is_bool;
    return zero;
}

struct value state_unwritten(const struct state *s, const struct loc *l, const struct value *other)
{
    if (other->kind == VALUE_ZEROED)
        return value_nothing;
    if (state_zeroed(s, l))
        return zero_like(other);
    if (l->object->unknown_contents)
        return l->known->initial ? *l->known->initial : value_any;
    return l->object->kind == OBJECT_GLOBAL ? zero_like(other) : value_nothing;
}

/* The value at a location, in a state that is walked in the order of its cells. */
static const struct value *walk_to(const struct state *s, struct cursor *w, const struct loc *l)
{
    for (const struct cell *cell; (cell = cell_at(s, *w)); cursor_on(s, w)) {
        if (cell->loc == l)
            return &cell->value;
        if (cell->loc->id > l->id)
            return NULL;
    }
    return NULL;
}

/* Skips the pages that they share, where there is nothing to join. */
static void skip_shared(const struct state *x, struct cursor *i, const struct state *y,
                        struct cursor *j)
{
    while (cursor_shares(x, *i, y, *j)) {
        i->page++;
        j->page++;
    }
}

static bool join_missing(struct arena *a, struct state *into, const struct state *s)
{
    bool changed = false;
    struct cursor i = {0}, at = {0};
    const struct cell *cell;
    for (; skip_shared(into, &i, s, &at), (cell = cell_at(into, i)); cursor_on(into, &i)) {
        if (walk_to(s, &at, cell->loc)) {
            cursor_on(s, &at);
            continue;
        }
        struct value other = state_unwritten(s, cell->loc, &cell->value);
        if (other.kind == VALUE_NOTHING || value_says_the_same(&cell->value, &other))
            continue;
        struct value joined = value_join(a, into, &cell->value, &other);
        changed |= !value_says_the_same(&cell->value, &joined);
        cell_set(a, into, i, joined);
    }
    return changed;
}

bool state_blur_shapes(struct state *into, const struct state *s)
{
    bool changed = false;
    for (int i = 0, j = 0; i < into->tensors.count && j < s->tensors.count;) {
        struct tensor *a = &into->tensors.items[i];
        const struct tensor *b = &s->tensors.items[j];
        i += a->id <= b->id;
        j += b->id <= a->id;
        if (a->id != b->id)
            continue;
        struct fact before = a->fact;
        a->fact.shape = a->fact.shape == b->fact.shape ? a->fact.shape : NULL;
        a->fact.ranks = a->fact.ranks && b->fact.ranks ? a->fact.ranks | b->fact.ranks : 0;
        changed |= before.shape != a->fact.shape || before.ranks != a->fact.ranks;
        changed |= tensor_join_memory(into, a, b);
    }
    return changed;
}

void state_join_conditions(struct state *into, const struct state *s)
{
    while (into->conditions > s->conditions) {
        into->when = into->when->before;
        into->conditions--;
    }
    const struct condition *other = s->when;
    for (int n = s->conditions; n > into->conditions; n--)
        other = other->before;
    while (into->when != other) {
        into->when = into->when->before;
        other = other->before;
        into->conditions--;
    }
}

/* VALUE_ZEROED cells come last: until then they say what `into` held itself. */
static bool join_cells(struct arena *a, struct state *into, const struct state *s, bool zeroed,
                       bool widen)
{
    bool changed = false;
    struct cursor i = {0}, at = {0};
    const struct cell *cell;
    for (; skip_shared(s, &i, into, &at), (cell = cell_at(s, i)); cursor_on(s, &i)) {
        const struct value *mine = walk_to(into, &at, cell->loc);
        bool found = mine, meant = (cell->value.kind == VALUE_ZEROED) == zeroed;
        if (meant && !(found && value_says_the_same(mine, &cell->value))) {
            struct value before = found ? *mine : state_unwritten(into, cell->loc, &cell->value);
            struct value joined = value_join(a, into, &before, &cell->value);
            if (widen && before.kind != VALUE_NOTHING)
                joined = widened(cell->loc, &before, joined);
            if (!value_says_the_same(&before, &joined)) {
                state_put(a, into, cell->loc, joined);
                at = found ? at : state_seek(into, cell->loc);
                changed = found = true;
            }
        }
        if (found)
            cursor_on(into, &at);
    }
    return changed;
}

bool state_join(struct arena *a, struct state *into, const struct state *s, bool widen)
{
    into->has_memory |= s->has_memory;
    bool changed = state_join_nodes(a, into, s);
    changed |= join_tensors(a, into, s);
    changed |= join_missing(a, into, s);
    changed |= join_cells(a, into, s, false, widen);
    changed |= join_cells(a, into, s, true, widen);
    state_join_conditions(into, s);
    into->graded = into->graded ? into->graded : s->graded;
    into->blurred |= s->blurred;
    into->joined |= s->joined;
    into->past &= s->past;
    into->lookup_failed = into->blurred ? into->lookup_failed || s->lookup_failed
                                        : into->lookup_failed && s->lookup_failed;
    return changed;
}

static bool nowhere(const struct loc *l, const void *what)
{
    (void)l;
    (void)what;
    return false;
}

bool state_mix(struct state *into, const struct state *s)
{
    bool mixed = !state_differs_in_counts(into, s, nowhere, NULL);
    into->blurred |= mixed;
    return mixed;
}

bool state_join_for_room(struct arena *a, struct state *into, const struct state *s, bool widen)
{
    into->joined |= state_mix(into, s);
    return state_join(a, into, s, widen);
}
