/* The head of a loop: ranges of elements that an iteration changed. The range of a tensor is one at
 * the head, whatever else of it depends on conditions, and a bound that moves is given up, so that
 * ranges neither make cases of their own nor keep a loop from ending. */
#include "analyzer/flow/states/states.h"

/* All that it is in any case; *differ: not in all of them. */
static struct value_range all_cases(struct arena *a, const struct state *s, const struct tensor *t,
                                    bool *differ)
{
    tensor_list all = guard_tensors(a, s, t);
    struct value_range r = all.count ? all.items[0]->fact.range : (struct value_range){0};
    for (int i = 1; i < all.count; i++) {
        *differ |= !range_is_same(&r, &all.items[i]->fact.range);
        r = range_join(&r, &all.items[i]->fact.range);
    }
    return r;
}

static bool put_range(struct tensor *t, void *what)
{
    const struct value_range *r = what;
    bool is_same = range_is_same(&t->fact.range, r);
    t->fact.range = *r;
    return !is_same;
}

/* True: it was another one in some case. */
static bool set_range(struct state *s, int i, struct value_range r)
{
    struct tensor *t = state_tensor_write(s, i);
    diagram cases = t->cases;
    if (!cases)
        return put_range(t, &r);
    *t = guard_map_tensor(s, t, put_range, &r);
    return t->cases != cases;
}

void state_forget_ranges(struct state *s)
{
    for (int i = 0; i < s->tensors.count; i++)
        if (state_tensor_raw(s, i)->cases || state_tensor_raw(s, i)->fact.range.is_known)
            set_range(s, i, (struct value_range){0});
}

static bool is_same(const struct tensor *x, const struct tensor *y)
{
    if (x->cases || y->cases)
        return x->cases == y->cases;
    return range_is_same(&x->fact.range, &y->fact.range);
}

static bool widen(struct arena *a, struct state *head, int i, struct state *s, int j)
{
    bool differ = false;
    struct value_range before = all_cases(a, head, state_tensor_raw(head, i), &differ);
    struct value_range now = all_cases(a, s, state_tensor_raw(s, j), &differ);
    if (!differ && range_is_same(&before, &now))
        return false;
    bool is_known = range_contains(&before, &now);
    struct value_range both = is_known ? before : range_widened(&before, &now);
    set_range(s, j, both);
    return set_range(head, i, both);
}

bool state_widen_ranges(struct arena *a, struct state *head, struct state *s)
{
    bool grew = false;
    for (int i = 0, j = 0; i < head->tensors.count && j < s->tensors.count;) {
        const struct tensor *x = state_tensor_raw(head, i), *y = state_tensor_raw(s, j);
        if (x->id == y->id && !is_same(x, y))
            grew |= widen(a, head, i, s, j);
        int x_id = head->tensors.items[i].id, y_id = s->tensors.items[j].id;
        i += x_id <= y_id;
        j += y_id <= x_id;
    }
    return grew;
}
