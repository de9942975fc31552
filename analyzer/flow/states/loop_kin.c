/* The head of a loop: which tensors of unknown dtype may share memory. Iterations that differ in
 * nothing else would be distinguished by it, although all that follows from it is that something is
 * not sure: so what was of one kin or another, before an iteration or after it, is of one kin in
 * all of them. */
#include "analyzer/flow/states/loop.h"

static int kin_in_loop(const struct loop *l, int name)
{
    for (int i = 0; i < l->kins.count; i++)
        if (l->kins.items[i].name == name)
            return l->kins.items[i].now;
    return name;
}

/* The smaller name becomes that of all. */
static void unite(struct loop *l, int a, int b)
{
    int to = a < b ? a : b, from = a < b ? b : a;
    if (from == to)
        return;
    for (int i = 0; i < l->kins.count; i++)
        if (l->kins.items[i].now == from)
            l->kins.items[i].now = to;
    struct kin_in_loop united = {from, to};
    LIST_ADD(l->arena, &l->kins, united);
}

/* What is certain of a tensor can depend on which one it is. */
static bool is_any_known(const tensor_list *all)
{
    for (int i = 0; i < all->count; i++)
        if (!(all->items[i]->fact.dtypes & (all->items[i]->fact.dtypes - 1)))
            return true;
    return false;
}

static void unite_all(struct loop *l, const struct tensor *x, const struct tensor *y)
{
    tensor_list before = guard_tensors(l->arena, l->head, x),
                after = guard_tensors(l->arena, l->s, y);
    if (is_any_known(&before) || is_any_known(&after))
        return;
    int first = tensor_kin(before.items[0]);
    for (int i = 1; i < before.count; i++)
        unite(l, kin_in_loop(l, first), kin_in_loop(l, tensor_kin(before.items[i])));
    for (int i = 0; i < after.count; i++)
        unite(l, kin_in_loop(l, first), kin_in_loop(l, tensor_kin(after.items[i])));
}

static bool set_kin(struct tensor *t, void *what)
{
    int now = kin_in_loop(what, tensor_kin(t));
    bool changes = now != tensor_kin(t);
    t->kin = changes ? now : t->kin;
    return changes;
}

struct tensor loop_with_kin(struct loop *l, const struct state *s, const struct tensor *t)
{
    struct tensor same = *t;
    if (l->kins.count && t->cases)
        return guard_map_tensor(s, t, set_kin, l);
    if (l->kins.count)
        set_kin(&same, l);
    return same;
}

void loop_join_kins(struct loop *l)
{
    for (int i = 0; i < l->s->tensors.count; i++) {
        const struct tensor *t = state_tensor_raw(l->s, i), *mine = state_tensor(l->head, t->id);
        if (mine && (mine->cases || t->cases || tensor_kin(mine) != tensor_kin(t)))
            unite_all(l, mine, t);
    }
    for (int i = 0; l->kins.count && i < l->head->tensors.count; i++) {
        struct tensor *mine = state_tensor_write(l->head, i), now = loop_with_kin(l, l->head, mine);
        l->grew |= now.kin != mine->kin || now.cases != mine->cases;
        *mine = now;
    }
}
