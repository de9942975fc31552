/* Shared memory of tensors, in a state. Tensors of one storage surely share it: views and their
 * base. Those of one kin may: a cast that may return its operand, a value that is one of several
 * tensors. */
#include "analyzer/flow/states/states.h"

enum tri tensor_shares(const struct tensor *x, const struct tensor *y)
{
    bool sure = !x->several && !y->several && (x->id == y->id || (!x->perhaps && !y->perhaps));
    if (tensor_storage(x) == tensor_storage(y))
        return sure ? TRI_YES : TRI_MAYBE;
    return tensor_kin(x) == tensor_kin(y) ? TRI_MAYBE : TRI_NO;
}

/* What detach gave, and its views, share the memory of what it was detached from, but have a
 * history of their own. */
enum tri tensor_shares_history(const struct tensor *x, const struct tensor *y)
{
    enum tri shares = tensor_shares(x, y);
    if (x->id == y->id || shares == TRI_NO)
        return shares;
    if (tensor_storage(x) != tensor_storage(y))
        return y->detached || (x->detached && !y->view) ? TRI_NO : TRI_MAYBE;
    if (x->history == y->history)
        return x->history == HISTORY_OPEN ? TRI_MAYBE : shares;
    return x->history == HISTORY_OPEN || y->history == HISTORY_OPEN ? TRI_MAYBE : TRI_NO;
}

/* The smaller name becomes that of all, so that the order of joins does not matter. */
bool state_join_kin(struct state *s, int a, int b)
{
    int from = a > b ? a : b, to = a > b ? b : a;
    for (int i = 0; from != to && i < s->tensors.count; i++)
        if (tensor_kin(state_tensor_raw(s, i)) == from)
            state_tensor_write(s, i)->kin = to;
    return from != to;
}

bool degree_join(uint8_t *to, uint8_t from)
{
    uint8_t before = *to ? *to : TRI_NO, after = before | (from ? from : TRI_NO);
    if (after == before)
        return false;
    *to = after;
    return true;
}

/* What steps and clearing did to its gradient. */
static bool join_clearing(struct tensor *to, const struct tensor *t)
{
    bool changed = (to->is_cleared && !t->is_cleared) || (!to->is_used && t->is_used) ||
                   (!to->is_piled && t->is_piled);
    to->is_cleared &= t->is_cleared;
    to->is_used |= t->is_used;
    to->is_piled |= t->is_piled;
    return changed;
}

bool tensor_join_memory(struct state *into, struct tensor *to, const struct tensor *t)
{
    bool changed = degree_join(&to->bound, t->bound);
    changed |= degree_join(&to->stale, t->stale);
    changed |= degree_join(&to->view, t->view);
    changed |= (!to->perhaps && t->perhaps) || (to->has_grad && !t->has_grad);
    to->perhaps |= t->perhaps;
    to->has_grad &= t->has_grad;
    changed |= to->is_ungraded && !t->is_ungraded;
    to->is_ungraded &= t->is_ungraded;
    changed |= join_clearing(to, t);
    changed |= to->is_inference && !t->is_inference;
    to->is_inference &= t->is_inference;
    changed |= to->history != t->history && to->history != HISTORY_OPEN;
    to->history = to->history == t->history ? to->history : HISTORY_OPEN;
    int before = tensor_kin(to);
    if (tensor_storage(to) != tensor_storage(t) && tensor_storage(to) != to->id) {
        to->kin = before;
        to->storage = to->id;
        changed = true;
    }
    if (before != tensor_kin(t)) { /* it need not be in the state itself */
        changed = true;
        state_join_kin(into, before, tensor_kin(t));
        to->kin = before < tensor_kin(t) ? before : tensor_kin(t);
    }
    return changed;
}

static bool is_storage(const struct state *s, int id)
{
    for (int i = 0; i < s->tensors.count; i++)
        if (tensor_storage(state_tensor_raw(s, i)) == id)
            return true;
    return false;
}

/* Older tensors share a name but not a storage: from the second one on nothing is sure. */
void state_memory_age(struct state *s, int id, int older)
{
    bool several = is_storage(s, older);
    for (int i = 0; i < s->tensors.count; i++) {
        struct tensor *t = NULL;
        const struct tensor *now = state_tensor_raw(s, i);
        if (now->id == id || (tensor_kin(now) != id && now->storage != id && now->history != id))
            continue;
        t = state_tensor_write(s, i);
        if (t->history == id)
            t->history = several ? HISTORY_OPEN : older;
        if (tensor_kin(t) == id)
            t->kin = older;
        if (t->storage == id) {
            t->kin = tensor_kin(t);
            t->storage = several ? t->id : older;
        }
    }
}
