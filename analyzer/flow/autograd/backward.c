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
    uint8_t leads[MAX_WALK]; /* enum tri: whether it leads to the current node; 0: not known yet */
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

/* Whether every way from there leads to the node. What is noted on the way is about that one. */
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
    if (id < 0) {
        gradient_note(w->call->f, w->call->s, -id);
        gradient_added(w->call->s, -id, DIAGRAM_YES);
    }
    if (at == MAX_WALK || w->met[at] == TRI_YES || w->met[at] == (uint8_t)sure)
        return;
    const struct tape_node *n = state_node_raw(w->call->s, at);
    w->met[at] = (uint8_t)sure;
    for (int i = 0; i < n->input_count; i++)
        meet(w, n->inputs[i], is_met_anyway(w, n, n->inputs[i]) ? sure : TRI_MAYBE);
}

/* Leaves, and which of them every way from a node leads to, by bits. */
struct leaves {
    struct walk *w;
    LIST(int) all; /* their places among the tensors, in the order of names */
    int words;
    uint64_t *sets;   /* of each node */
    bool *is_visited; /* the set is known, or will be */
    uint64_t *none, *one;
};

static int leaf_index(const struct leaves *l, int id)
{
    const struct tensor_slot *tensors = l->w->call->s->tensors.items;
    int low = 0, high = l->all.count;
    while (low < high) {
        int mid = (low + high) / 2;
        if (tensors[l->all.items[mid]].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low < l->all.count && tensors[l->all.items[low]].id == id ? low : -1;
}

/* Valid until the next one is asked for. */
static const uint64_t *leaves_from(struct leaves *l, int id)
{
    int at = place_of(l->w, id), leaf = id < 0 ? leaf_index(l, -id) : -1;
    if (at == MAX_WALK) {
        memset(l->one, 0, sizeof *l->one * (size_t)l->words);
        if (leaf >= 0)
            l->one[leaf / 64] = (uint64_t)1 << leaf % 64;
        return leaf >= 0 ? l->one : l->none;
    }
    uint64_t *own = &l->sets[(size_t)at * (size_t)l->words];
    if (l->is_visited[at])
        return own;
    l->is_visited[at] = true;
    const struct tape_node *n = state_node_raw(l->w->call->s, at);
    uint64_t *sum = arena_array(l->w->call->f->scratch, uint64_t, l->words);
    for (int i = 0; i < n->input_count; i++) {
        const uint64_t *from = leaves_from(l, n->inputs[i]);
        for (int k = 0; k < l->words; k++)
            sum[k] = n->either && i ? sum[k] & from[k] : sum[k] | from[k];
    }
    memcpy(own, sum, sizeof *own * (size_t)l->words);
    return own;
}

/* Those that may have a gradient and require one. */
static void find_leaves(struct leaves *l)
{
    struct state *s = l->w->call->s;
    for (int i = 0; i < s->tensors.count; i++) {
        const struct tensor *leaf = state_tensor_raw(s, i);
        bool may = !leaf->several && leaf->fact.leaf & TRI_YES && leaf->fact.grad & TRI_YES;
        leaf = may ? state_tensor_at(s, i) : leaf;
        if (may && leaf->fact.leaf == TRI_YES && leaf->fact.grad == TRI_YES)
            LIST_ADD(l->w->call->f->scratch, &l->all, i);
    }
}

/* Leaves that it surely reaches have a gradient then. */
static void leave_gradients(struct walk *w, const struct value *v)
{
    struct arena *a = w->call->f->scratch;
    struct state *s = w->call->s;
    struct leaves l = {.w = w};
    find_leaves(&l);
    l.words = (l.all.count + 63) / 64;
    l.sets = arena_array(a, uint64_t, s->nodes.count *l.words);
    l.is_visited = arena_array(a, bool, s->nodes.count);
    l.none = arena_array(a, uint64_t, l.words);
    l.one = arena_array(a, uint64_t, l.words);
    uint64_t *reached = arena_array(a, uint64_t, l.words);
    memset(reached, 0xff, sizeof *reached * (size_t)l.words);
    for (int k = 0; k < v->count; k++) {
        const struct tensor *t = state_tensor(s, v->as.tensor[k]);
        const uint64_t *from = t ? leaves_from(&l, t->node ? t->node : -t->id) : l.none;
        for (int i = 0; i < l.words; i++)
            reached[i] &= from[i];
    }
    for (int i = 0; i < l.all.count; i++)
        if (reached[i / 64] >> i % 64 & 1 && !state_tensor_at(s, l.all.items[i])->has_grad)
            state_tensor_own_at(s, l.all.items[i])->has_grad = true;
}

/* Unless the call says that the graph is retained. */
static enum tri gives_away(const struct pack_call *call)
{
    int retains = pack_param_with(call->fn, ROLE_RETAIN_GRAPH);
    return retains < 0 ? TRI_YES : tri_not(choice_flag(&call->choices[retains]));
}

/* Whether only this very call has freed it, which every run makes that gets here: in a loop that
 * does not record the op again, and fails in its second round. */
static bool is_freed_here(const struct walk *w, const struct tape_node *n, int at)
{
    const struct pack_call *call = w->call;
    return n->freed_in == call->fr->code->fn && n->freed_at == call->inst && call->f->rounds > 0 &&
           w->met[at] == TRI_YES && gives_away(call) == TRI_YES;
}

/* What may fail at the node, in the order in which it is checked. */
static void report_node(const struct walk *w, int at, bool works)
{
    const struct pack_call *call = w->call;
    const struct tape_node *n = state_node_raw(call->s, at);
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
            if (i == 0 && is_freed_here(w, n, at))
                r->blurred = r->joined = state_is_blurred(call->s);
            if (call->f->sampling || call->f->joined) /* the tape is not that of one path */
                r->blurred = r->joined = true;
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
        report_node(w, at, works);
        if (own_state(n) == TRI_YES && w->met[at] == TRI_YES)
            return;
    }
}

/* Backward never gets past a node whose saved tensors are surely gone, so what is before it is not
 * kept for its sake: the tape of a step ends with its backward, and not where its last tensor is
 * forgotten. */
static void free_node(const struct pack_call *call, struct tape_node *n, enum tri freed)
{
    bool is_here = freed == TRI_YES && n->freed == TRI_NO;
    n->freed_in = is_here ? call->fr->code->fn : NULL;
    n->freed_at = is_here ? call->inst : 0;
    n->freed = (uint8_t)freed;
    if (freed_state(n) == TRI_YES) {
        n->inputs = NULL;
        n->input_count = 0;
        n->either = false;
        call->s->is_tape_cut = true;
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
            free_node(w->call, state_node_write(s, i), freed);
        else if (freed != before)
            LIST_ADD(w->call->f->scratch, &rest, ((struct node_freed){n->id, freed}));
    }
    state_prune_nodes(s);
    for (int i = 0; i < rest.count; i++)
        if (state_has_node(s, rest.items[i].id))
            free_node(w->call, state_node_write(s, state_node_from(s, rest.items[i].id)),
                      rest.items[i].freed);
}

/* ---- a tape whose nodes are one of several --------------------------------------------------- */

/* Backward surely gets past it. */
static bool is_passed(const struct tape_node *n)
{
    return own_state(n) == TRI_NO;
}

/* Backward has surely reached it. */
static bool get_gradient(struct tensor *t, void *what)
{
    (void)what;
    bool gets = !t->has_grad && !t->several && t->fact.leaf == TRI_YES && t->fact.grad == TRI_YES;
    t->has_grad |= gets;
    return gets;
}

struct freeing {
    const struct pack_call *call;
    enum tri gives;
    bool is_sure; /* only nodes that surely saved something, or only the others */
};

static bool free_visited(struct tape_node *n, void *what)
{
    const struct freeing *f = what;
    enum tri freed = tri_or((enum tri)n->freed, f->gives);
    bool is_sure = tri_and((enum tri)n->saves, freed) == TRI_YES;
    if (freed == (enum tri)n->freed || is_sure != f->is_sure)
        return false;
    free_node(f->call, n, freed);
    return true;
}

static void free_swept(const struct pack_call *call, const struct sweep *all, bool is_sure)
{
    enum tri gives = gives_away(call);
    struct freeing sure = {call, gives, is_sure},
                   perhaps = {call, tri_and(gives, TRI_MAYBE), is_sure};
    for (int i = 0; i < all->nodes.count; i++) {
        const struct swept *n = &all->nodes.items[i];
        state_node_change(call->s, n->id, n->sure, free_visited, &sure);
        if (n->sure != n->where)
            state_node_change(call->s, n->id, n->where, free_visited, &perhaps);
    }
}

static bool tape_is_guarded(const struct state *s)
{
    for (int i = 0; s->guarded && i < s->nodes.count; i++)
        if (state_node_raw(s, i)->cases)
            return true;
    return false;
}

/* Where nothing can fail, one walk is enough for all that the nodes can be. False: it is not. */
static bool sweep_back(const struct pack_call *call, const struct value *loss)
{
    struct state *s = call->s;
    struct sweep all = {0};
    const struct tensor *t = loss->count == 1 ? state_tensor(s, loss->as.tensor[0]) : NULL;
    if (!t || t->cases || t->node <= 0 || !tape_is_guarded(s) ||
        !tape_sweep(call->f->scratch, s, t->node, is_passed, &all))
        return false;
    for (int i = 0; i < all.leaves.count; i++) {
        const struct swept *leaf = &all.leaves.items[i];
        gradient_note_where(call->f, s, leaf->id, leaf->where);
        gradient_added(s, leaf->id, leaf->where);
        state_tensor_change(s, leaf->id, leaf->sure, get_gradient, NULL);
    }
    free_swept(call, &all, true);
    state_prune_nodes(s);
    free_swept(call, &all, false);
    return true;
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
    enum tri state = TRI_NO;
    bool known = x->is_tensor && x->value.kind == VALUE_TENSOR;
    call->f->own.graded_unknown |= !known || x->unknown || x->fact.grad_open;
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
    if (sweep_back(call, &x->value))
        return true;
    struct walk *w = arena_one(call->f->scratch, struct walk);
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
