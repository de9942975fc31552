/* Backward: the walk through the tape, from the loss to the leaves. It fails at ops whose saved
 * tensors were changed or freed, or that have no backward. */
#include "analyzer/flow/autograd/autograd.h"

#include <string.h>

enum { MAX_WALK = 4096 };

struct walk {
    const struct pack_call *call;
    uint8_t known[MAX_WALK]; /* enum tri of each node: whether backward fails there or before; 0:
                                not visited */
    uint8_t met[MAX_WALK];   /* enum tri: whether it is visited; 0: not */
    uint8_t leads[MAX_WALK]; /* enum tri: whether it leads to the current leaf; 0: not known yet */
};

static enum tri freed_state(const struct tape_node *n)
{
    return tri_and((enum tri)n->saves, (enum tri)n->freed);
}

static enum tri own_state(const struct tape_node *n)
{
    return tri_or(tri_or((enum tri)n->fails, (enum tri)n->broken), freed_state(n));
}

/* The index of a node in the state; MAX_WALK: none, or too far back. */
static int place_of(const struct walk *w, int id)
{
    const struct tape_node *n = id > 0 ? state_node_seen(w->call->s, id) : NULL;
    int at = n ? state_node_from(w->call->s, id) : MAX_WALK;
    return at < MAX_WALK ? at : MAX_WALK;
}

static enum tri walk_node(struct walk *w, int id)
{
    int at = place_of(w, id);
    if (at == MAX_WALK)
        return TRI_NO;
    if (w->known[at])
        return (enum tri)w->known[at];
    const struct tape_node *n = state_node_raw(w->call->s, at);
    enum tri own = own_state(n), inputs = TRI_NO;
    bool all = n->input_count > 0;
    w->known[at] = (uint8_t)own;
    for (int i = 0; i < n->input_count; i++) {
        enum tri one = walk_node(w, n->inputs[i]);
        all &= one == TRI_YES;
        inputs = tri_or(inputs, one);
    }
    if (n->either && inputs == TRI_YES && !all)
        inputs = TRI_MAYBE;
    w->known[at] = (uint8_t)tri_or(own, inputs);
    return (enum tri)w->known[at];
}

/* Whether every way from there leads to the node, or to the leaf of that name, which is negative.
 * What is noted on the way is about that one. */
static bool goes_through(struct walk *w, int id, int node)
{
    int at = place_of(w, id);
    if (id == node || at == MAX_WALK)
        return id == node;
    if (w->leads[at])
        return w->leads[at] == TRI_YES;
    const struct tape_node *n = state_node_raw(w->call->s, at);
    bool any = false, all = n->input_count > 0;
    w->leads[at] = TRI_NO;
    for (int i = 0; i < n->input_count; i++) {
        bool one = goes_through(w, n->inputs[i], node);
        any |= one;
        all &= one;
    }
    w->leads[at] = (n->either ? all : any) ? TRI_YES : TRI_NO;
    return w->leads[at] == TRI_YES;
}

enum { FEW_INPUTS = 4 };

/* Whether backward goes through that input, whichever of them the op had: an op that may return its
 * operand as it is leads to the operand in any case. */
static bool is_met_anyway(struct walk *w, const struct tape_node *n, int input)
{
    if (!n->either || n->input_count == 1)
        return true;
    for (int i = 0; i < n->input_count; i++) {
        memset(w->leads, 0, sizeof w->leads);
        if (n->input_count > FEW_INPUTS || !goes_through(w, n->inputs[i], input))
            return false;
    }
    return true;
}

/* Marks every node on the way; where an op may have had one of several inputs, these only
 * perhaps. */
static void meet(struct walk *w, int id, enum tri sure)
{
    int at = place_of(w, id);
    if (id < 0)
        gradient_note(w->call->f, w->call->s, -id);
    if (at == MAX_WALK || w->met[at] == TRI_YES || w->met[at] == (uint8_t)sure)
        return;
    const struct tape_node *n = state_node_raw(w->call->s, at);
    w->met[at] = (uint8_t)sure;
    for (int i = 0; i < n->input_count; i++)
        meet(w, n->inputs[i], is_met_anyway(w, n, n->inputs[i]) ? sure : TRI_MAYBE);
}

/* Leaves that it surely reaches have a gradient then. */
static void leave_gradients(struct walk *w, const struct value *v)
{
    for (int i = 0; i < w->call->s->tensors.count; i++) {
        const struct tensor *leaf = state_tensor_raw(w->call->s, i);
        bool may = !leaf->several && leaf->fact.leaf & TRI_YES && leaf->fact.grad & TRI_YES;
        leaf = may ? state_tensor_at(w->call->s, i) : leaf;
        bool wants = may && leaf->fact.leaf == TRI_YES && leaf->fact.grad == TRI_YES;
        if (wants)
            memset(w->leads, 0, sizeof w->leads);
        for (int k = 0; wants && k < v->count; k++) {
            const struct tensor *t = state_tensor(w->call->s, v->as.tensor[k]);
            wants = t && goes_through(w, t->node ? t->node : -t->id, -leaf->id);
        }
        if (wants && !leaf->has_grad)
            state_tensor_own_at(w->call->s, i)->has_grad = true;
    }
}

/* What may fail at the node, in the order in which it is checked. */
static void report_node(const struct pack_call *call, const struct tape_node *n, bool works)
{
    const struct {
        enum tri when;
        enum error_kind kind;
        const char *reason;
    } all[] = {
        {freed_state(n), ERROR_GRAD,
         "{op} goes a second time through ops whose saved tensors were freed"},
        {(enum tri)n->broken, ERROR_VERSION,
         "{op} needs a tensor that was changed in place after it was saved"},
        {(enum tri)n->fails, n->kind, n->reason ? n->reason : ""},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!(all[i].when & TRI_YES))
            continue;
        struct flow_failure *r = autograd_fail(call, all[i].kind, all[i].reason, works);
        if (r) {
            r->recorded = n->how;
            r->changed = all[i].kind == ERROR_VERSION ? n->changed : NULL;
        }
        if (all[i].when == TRI_YES)
            return;
    }
}

/* Backward visits the latest op first, and never gets past a node that surely fails. */
static void report(const struct walk *w, bool works)
{
    int count = w->call->s->nodes.count < MAX_WALK ? w->call->s->nodes.count : MAX_WALK;
    for (int at = count - 1; at >= 0; at--) {
        const struct tape_node *n = state_node_raw(w->call->s, at);
        if (!w->met[at])
            continue;
        report_node(w->call, n, works);
        if (own_state(n) == TRI_YES && w->met[at] == TRI_YES)
            return;
    }
}

/* Unless the call says that the graph is retained. */
static enum tri gives_away(const struct pack_call *call)
{
    int retains = pack_param_with(call->fn, ROLE_RETAIN_GRAPH);
    return retains < 0 ? TRI_YES : tri_not(choice_flag(&call->choices[retains]));
}

/* Backward never gets past a node whose saved tensors are surely gone, so what is before it is not
 * kept for its sake: the tape of a step ends with its backward, and not where its last tensor is
 * forgotten. */
static void free_node(struct state *s, int at, enum tri freed)
{
    struct tape_node *n = state_node_write(s, at);
    n->freed = (uint8_t)freed;
    if (freed_state(n) == TRI_YES) {
        n->inputs = NULL;
        n->input_count = 0;
        n->either = false;
        s->is_tape_cut = true;
    }
}

static void give_away(struct walk *w)
{
    enum tri gives = gives_away(w->call);
    struct state *s = w->call->s;
    LIST(struct node_freed {
        int id;
        enum tri freed;
    })
    rest = {0};
    for (int i = 0; i < s->nodes.count && i < MAX_WALK; i++) {
        const struct tape_node *n = state_node_raw(s, i);
        enum tri before = (enum tri)n->freed, freed = before;
        if (w->met[i])
            freed = tri_or(before, tri_and(gives, (enum tri)w->met[i]));
        if (freed != before && tri_and((enum tri)n->saves, freed) == TRI_YES)
            free_node(s, i, freed);
        else if (freed != before)
            LIST_ADD(w->call->f->scratch, &rest, ((struct node_freed){n->id, freed}));
    }
    state_prune_nodes(s);
    for (int i = 0; i < rest.count; i++)
        if (state_has_node(s, rest.items[i].id))
            free_node(s, state_node_from(s, rest.items[i].id), rest.items[i].freed);
}

static bool has_gradient(const struct pack_call *call)
{
    for (int i = 1; i < call->fn->param_count; i++)
        if (call->fn->params[i].kind == OPERAND_TENSOR && call->choices[i].is_tensor)
            return true;
    return false;
}

bool tape_backward(const struct pack_call *call)
{
    const struct choice *x = &call->choices[0];
    struct walk *w = arena_one(call->f->scratch, struct walk);
    enum tri state = TRI_NO;
    bool known = x->is_tensor && x->value.kind == VALUE_TENSOR;
    call->f->own.graded_unknown |= !known || x->unknown || x->fact.grad_open;
    gradients_may_be(call->s);
    scaler_backward(call, &x->value);
    if (!known)
        return true;
    gradient_reached(call, &x->value);
    if (x->fact.grad == TRI_NO && x->fact.grad_open)
        return true;
    if (x->fact.grad & TRI_NO && !x->fact.grad_open)
        autograd_fail(call, ERROR_GRAD, "{op}: {x} does not require grad", x->fact.grad != TRI_NO);
    if (x->fact.grad == TRI_NO)
        return false;
    if (x->fact.shape && shape_elements(x->fact.shape) > 1 && !has_gradient(call)) {
        autograd_fail(call, ERROR_GRAD,
                      "{op}: {x} has more than one element, and no gradient is passed", false);
        return false;
    }
    w->call = call;
    if (call->s->nodes.count > MAX_WALK)
        limit_note(call->f, call->fr->code, call->inst, FLOW_LIMIT_TAPE);
    for (int k = 0; k < x->value.count; k++) {
        const struct tensor *t = state_tensor(call->s, x->value.as.tensor[k]);
        enum tri one = t ? walk_node(w, t->node) : TRI_NO;
        state = k == 0 ? one : (enum tri)(state | one);
        if (t)
            meet(w, t->node, x->value.count == 1 ? TRI_YES : TRI_MAYBE);
    }
    report(w, state != TRI_YES);
    leave_gradients(w, &x->value);
    give_away(w);
    return state != TRI_YES;
}
