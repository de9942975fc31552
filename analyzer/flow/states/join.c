/* The join of two states: the least upper bound, with widening at loop heads. */
#include "analyzer/flow/states/states.h"

#include <string.h>

/* It becomes the join of all that it can be. */
static struct tensor tensor_flatten(struct arena *a, struct state *into, const struct state *of,
                                    const struct tensor *t)
{
    tensor_list all = guard_tensors(a, of, t);
    struct tensor one = *all.items[0];
    for (int i = 1; i < all.count; i++) {
        fact_join(&one.fact, &all.items[i]->fact);
        one.unknown |= all.items[i]->unknown;
        one.several |= all.items[i]->several;
        one.changed = one.changed ? one.changed : all.items[i]->changed;
        tensor_join_tape(a, into, &one, all.items[i]);
        tensor_join_memory(into, &one, all.items[i]);
    }
    into->blurred |= all.count > 1;
    into->joined |= all.count > 1;
    return one;
}

static bool is_same_class(const char *x, const char *y)
{
    return x == y || (x && y && !strcmp(x, y));
}

static void fold_into(struct arena *a, struct state *s, struct tensor *all, const struct value *v)
{
    for (int i = 0; i < v->count; i++) {
        const struct tensor *t = state_tensor(s, v->as.tensor[i]);
        if (!t || t->id == all->id)
            continue;
        all->how = all->how ? all->how : t->how;
        if (!all->half && t->fact.dtypes & (DTYPE_BIT(DTYPE_F16) | DTYPE_BIT(DTYPE_BF16)))
            all->half = t->several && t->half ? t->half : t->how;
        all->unknown |= t->unknown;
        all->class = is_same_class(all->class, t->class) ? t->class : NULL;
        fact_join(&all->fact, &t->fact);
        tensor_join_tape(a, s, all, t);
        state_join_kin(s, tensor_kin(all), tensor_kin(t));
        all->kin = tensor_kin(state_tensor(s, t->id));
    }
}

/* What stands there for others so far. As one of several by a condition, it would stay what it is
 * in each case, whatever is folded into it. */
static struct tensor folded_so_far(struct arena *a, struct state *s, int id)
{
    const struct tensor *before = state_tensor(s, id);
    if (!before)
        return (struct tensor){.id = id, .storage = id};
    bool blurred = s->blurred, joined = s->joined; /* it stood for several before, too */
    struct tensor all = before->cases ? tensor_flatten(a, s, s, before) : *before;
    s->blurred = blurred;
    s->joined = joined;
    all.is_absent = false;
    return all;
}

static struct value fold_tensors(struct arena *a, struct state *s, const struct value *x,
                                 const struct value *y)
{
    int id = tensor_folded_name(x->as.tensor[x->count - 1]);
    const struct tensor *first = state_tensor(s, x->as.tensor[0]);
    bool is_new = !state_tensor(s, id);
    struct tensor all = folded_so_far(a, s, id);
    if (is_new && first)
        all.class = first->class;
    struct value v = *x;
    all.several = true;
    fold_into(a, s, &all, x);
    fold_into(a, s, &all, y);
    state_tensor_put(a, s, all);
    v.count = 1;
    v.as.tensor[0] = id;
    return v;
}

/* Either, whichever: an unknown of its own. */
static struct value join_guarded(struct state *s, const struct value *x, const struct value *y)
{
    if (!s)
        return value_any;
    s->guarded = true;
    struct value v = guard_choose(s, guard_new_choice(s->guards), x, y);
    v.origin = NULL;
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
    if (x->kind == VALUE_GUARDED || y->kind == VALUE_GUARDED)
        return join_guarded(s, x, y);
    if (value_union(s ? s->kept : NULL, x, y, &v))
        return v;
    joined = fold_tensors(a, s, x, y);
    joined.null = x->null | y->null;
    joined.test = NULL;
    joined.via = NULL;
    joined.origin = x->origin == y->origin ? x->origin : NULL;
    return joined;
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
        const struct tensor *t = state_tensor_raw(s, i);
        struct tensor *mine = state_tensor_own(into, t->id), flat;
        if (!mine) {
            state_tensor_put(a, into, *t);
            changed = true;
            continue;
        }
        if (mine->cases && mine->cases == t->cases)
            continue;
        if (mine->cases || t->cases) {
            changed |= mine->cases != 0;
            *mine = tensor_flatten(a, into, into, mine);
            flat = tensor_flatten(a, into, s, t);
            t = &flat;
        }
        struct fact before = mine->fact;
        fact_join(&mine->fact, &t->fact);
        mine->unknown |= t->unknown;
        mine->several |= t->several;
        mine->exposed |= t->exposed;
        if (!range_is_same(&before.range, &t->fact.range)) /* it need not have an end */
            mine->fact.range = (struct value_range){0};
        mine->half = mine->half ? mine->half : t->half;
        mine->changed = mine->changed ? mine->changed : t->changed;
        changed |= !fact_equal(&before, &mine->fact);
        changed |= tensor_join_tape(a, into, mine, t);
        changed |= tensor_join_memory(into, mine, t);
    }
    return changed;
}

static struct value zero_like(const struct state *s, const struct value *v)
{
    if (v->kind == VALUE_GUARDED) /* each of them is of the same type */
        v = guard_values(s->arena, s, v).items[0];
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
        return zero_like(s, other);
    if (l->object->unknown_contents)
        return l->known->initial ? *l->known->initial : value_any;
    return l->object->kind == OBJECT_GLOBAL ? zero_like(s, other) : value_nothing;
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

static bool blur_shape(struct state *into, struct tensor *a, const struct tensor *b)
{
    struct fact before = a->fact;
    a->fact.shape = a->fact.shape == b->fact.shape ? a->fact.shape : NULL;
    a->fact.extent = a->fact.extent == b->fact.extent ? a->fact.extent : NULL;
    a->fact.ranks = a->fact.ranks && b->fact.ranks ? a->fact.ranks | b->fact.ranks : 0;
    a->exposed |= b->exposed;
    if (!range_is_same(&a->fact.range, &b->fact.range))
        a->fact.range = (struct value_range){0};
    bool changed = before.shape != a->fact.shape || before.extent != a->fact.extent ||
                   before.ranks != a->fact.ranks || !range_is_same(&before.range, &a->fact.range);
    return tensor_join_memory(into, a, b) || changed;
}

bool state_blur_shapes(struct state *into, const struct state *s)
{
    bool changed = false;
    for (int i = 0, j = 0; i < into->tensors.count && j < s->tensors.count;) {
        const struct tensor *a = state_tensor_raw(into, i);
        const struct tensor *b = state_tensor_raw(s, j);
        int at = i;
        i += a->id <= b->id;
        j += b->id <= a->id;
        if (a->id != b->id)
            continue;
        if (memcmp(a, b, sizeof *a) != 0)
            changed |= blur_shape(into, state_tensor_write(into, at), b);
    }
    return changed;
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
    into->guarded |= s->guarded;
    if (into->path != s->path)
        into->path = condition_or(guard_conditions(into->guards), into->path, s->path);
    bool changed = state_join_nodes(a, into, s);
    changed |= join_tensors(a, into, s);
    changed |= join_missing(a, into, s);
    changed |= join_cells(a, into, s, false, widen);
    changed |= join_cells(a, into, s, true, widen);
    state_join_conditions(into, s);
    into->graded = into->graded ? into->graded : s->graded;
    into->blurred |= s->blurred;
    into->joined |= s->joined;
    into->split |= s->split;
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
