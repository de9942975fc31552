/* Members of an element of which only the index is known: what each of them holds is one of what
 * the writes of several calls left in some element, and a call that fills an element writes all its
 * members. Which of those one member has is thus not free once another one was read: a weight and
 * the bias that was made with it, a tensor and the pointer to its data. */
#include "analyzer/flow/memory/memory.h"

enum { MAX_MEMBERS = 16 };

/* What one member can be, and what another one was read as. */
struct members {
    const struct state *s;
    const struct heap *heap;
    const value_list *now, *read;
    const struct value *by[MAX_MEMBERS]; /* what goes with each of those */
};

static struct value nth_of(const struct value *v, int k)
{
    struct value one = *v;
    one.count = 1;
    one.origin = NULL;
    if (v->kind == VALUE_TENSOR)
        one.as.tensor[0] = v->as.tensor[k];
    else
        one.as.loc[0] = v->as.loc[k];
    return one;
}

static bool is_set(const struct value *v)
{
    return (v->kind == VALUE_TENSOR || v->kind == VALUE_ADDRESS) && v->count > 1;
}

/* The tensor that it is, or whose memory it points to; 0: neither. */
static int tensor_at(const struct value *v)
{
    if (v->kind == VALUE_TENSOR && v->count == 1)
        return v->as.tensor[0];
    return v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0]->object->memory : 0;
}

static bool is_same(const struct value *x, const struct value *y)
{
    bool is_tensor = x->kind == y->kind && tensor_at(x) && tensor_at(x) == tensor_at(y);
    return is_tensor || value_equal(x, y);
}

static void add_one(struct arena *a, value_list *to, struct value one)
{
    for (int i = 0; i < to->count; i++)
        if (is_same(to->items[i], &one))
            return;
    LIST_ADD(a, to, arena_copy(a, &one, sizeof one));
}

/* Each that it can be, by itself. */
static value_list each_of(struct arena *a, const struct state *s, const struct value *v)
{
    value_list all = guard_values(a, s, v), each = {0};
    for (int i = 0; i < all.count; i++) {
        const struct value *one = all.items[i];
        if (!is_set(one))
            add_one(a, &each, *one);
        for (int k = 0; is_set(one) && k < one->count; k++)
            add_one(a, &each, nth_of(one, k));
    }
    return each;
}

/* ---- a tensor and its memory ----------------------------------------------------------------- */

static bool share_memory(const struct state *s, const struct value *x, const struct value *y)
{
    const struct tensor *a = state_tensor(s, tensor_at(x)), *b = state_tensor(s, tensor_at(y));
    return x->kind != y->kind && a && b && tensor_kin(a) == tensor_kin(b);
}

/* ---- tensors that were made together --------------------------------------------------------- */

/* In the same call of the same function, as the last ones or as earlier ones. */
static bool are_of_one_call(const struct key *x, const struct key *y)
{
    bool is_made = x->kind == KEY_PACK_TENSOR || x->kind == KEY_PACK_OLDER_TENSOR;
    return is_made && x->kind == y->kind && x->of == y->of && x->more == y->more;
}

/* How many of the candidates are of that call: before the instruction, and in all. */
struct rank {
    int before, all;
};

static void rank_one(struct rank *r, const struct key *of, const struct key *one)
{
    bool is_one = are_of_one_call(of, one);
    r->all += is_one;
    r->before += is_one && one->at < of->at;
}

static struct rank rank_in(const struct members *m, const value_list *all, const struct key *of)
{
    struct rank r = {0};
    for (int k = 0; k < all->count; k++) {
        struct key key = tensor_key(m->heap, tensor_at(all->items[k]));
        rank_one(&r, of, &key);
    }
    return r;
}

static bool are_made_together(const struct members *m, const struct value *x, const struct value *y)
{
    if (x->kind != VALUE_TENSOR || y->kind != VALUE_TENSOR)
        return false;
    struct key a = tensor_key(m->heap, tensor_at(x)), b = tensor_key(m->heap, tensor_at(y));
    if (!are_of_one_call(&a, &b))
        return false;
    struct rank now = rank_in(m, m->now, &a), read = rank_in(m, m->read, &b);
    return now.all == read.all && now.before == read.before;
}

/* ---- which goes with which ------------------------------------------------------------------- */

/* Each candidate goes with one of those that were read, and no two with the same. */
static bool find_pairs(struct members *m)
{
    bool is_used[MAX_MEMBERS] = {false};
    for (int i = 0; i < m->read->count; i++) {
        int found = -1;
        for (int k = 0; k < m->now->count; k++) {
            const struct value *one = m->now->items[k];
            bool fits = share_memory(m->s, one, m->read->items[i]) ||
                        are_made_together(m, one, m->read->items[i]);
            if (fits && (found >= 0 || is_used[k]))
                return false;
            found = fits ? k : found;
        }
        if (found < 0)
            return false;
        is_used[found] = true;
        m->by[i] = m->now->items[found];
    }
    return true;
}

static bool replace(struct value *v, const void *members)
{
    const struct members *m = members;
    for (int i = 0; i < m->read->count; i++)
        if (is_same(m->read->items[i], v)) {
            *v = *m->by[i];
            return true;
        }
    return false;
}

static bool has_sets(struct flow *f, const struct state *s, const struct value *v)
{
    value_list all = guard_values(f->scratch, s, v);
    for (int i = 0; i < all.count; i++)
        if (is_set(all.items[i]))
            return true;
    return false;
}

static bool pair_with(struct flow *f, struct state *s, const struct value *other, struct value *v)
{
    if (has_sets(f, s, other))
        return false;
    value_list read = each_of(f->scratch, s, other), now = each_of(f->scratch, s, v);
    struct members m = {.s = s, .heap = f->heap, .now = &now, .read = &read};
    if (read.count != now.count || now.count < 2 || now.count > MAX_MEMBERS || !find_pairs(&m))
        return false;
    *v = guard_map(s, other, replace, &m);
    return true;
}

/* Of each set that it can be, one of them: from now on the same. */
static void choose_each(struct flow *f, struct state *s, struct value *v)
{
    value_list all = guard_values(f->scratch, s, v);
    for (int i = 0; i < all.count; i++) {
        if (!is_set(all.items[i]))
            continue;
        value_list each = each_of(f->scratch, s, all.items[i]);
        struct value one = guard_one_of(s, &each);
        *v = guard_with(s, v, all.items[i], &one);
    }
}

bool read_with_members(struct flow *f, struct state *s, const struct loc *l, struct value *v)
{
    const struct cell *cell;
    bool is_member = l->field && l->parent && l->parent->index && !l->parent->parent->any;
    if (!is_member || (v->kind != VALUE_GUARDED && !is_set(v)))
        return false;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, l->object)); cursor_on(s, &w)) {
        bool is_other = cell->loc->parent == l->parent && cell->loc != l;
        if (is_other && cell->value.kind == VALUE_GUARDED && pair_with(f, s, &cell->value, v))
            return true;
    }
    if (v->kind != VALUE_GUARDED || each_of(f->scratch, s, v).count > MAX_MEMBERS)
        return false;
    choose_each(f, s, v);
    return true;
}
