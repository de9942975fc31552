/* Recording: which tensors require grad, which calls are recorded on the tape, what they save
 * for backward, and which tensors an in-place change affects. A change of what an op saved
 * breaks that op; backward reports it. */
#include "analyzer/flow/autograd/autograd.h"

/* ---- what requires grad ---------------------------------------------------------------------- */

/* Whether an operand requires grad in grad mode. */
static enum tri may_be_recorded(const struct pack_call *call)
{
    return tri_and(grad_mode(call->f, call->s), operands_grad(call));
}

/* Whether the call is recorded. */
static enum tri is_recorded(const struct pack_call *call)
{
    return call->fn->differentiable ? may_be_recorded(call) : TRI_NO;
}

/* Whether it would be recorded if code that is not here makes an operand require grad. */
static bool is_open(const struct pack_call *call)
{
    bool open = false;
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++)
        open |= !gets_no_gradient(call, i) && call->choices[i].is_tensor &&
                call->choices[i].fact.grad_open;
    return open && call->fn->differentiable && !(call->fn->effects & EFFECT_STEPS) &&
           grad_mode(call->f, call->s) & TRI_YES;
}

static enum tri result_grad(enum tri recorded, dtype_set dtypes)
{
    if (!(dtypes & DTYPES_GRADED))
        return TRI_NO;
    return dtypes & ~DTYPES_GRADED && recorded == TRI_YES ? TRI_MAYBE : recorded;
}

/* ---- recording ------------------------------------------------------------------------------- */

typedef LIST(int) int_list;

static void add_input(const struct pack_call *call, int_list *to, int node)
{
    for (int i = 0; i < to->count; i++)
        if (to->items[i] == node)
            return;
    LIST_ADD(call->f->kept, to, node);
}

static void add_operand(const struct pack_call *call, int_list *to, const struct choice *c)
{
    for (int k = 0; k < c->value.count && c->value.kind == VALUE_TENSOR; k++) {
        const struct tensor *t = state_tensor(call->s, c->value.as.tensor[k]);
        if (t && t->fact.grad & TRI_YES)
            add_input(call, to, t->node ? t->node : -t->id);
    }
}

/* Whether backward reaches all of the inputs, in every run. */
static bool inputs_are_sure(const struct pack_call *call)
{
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        const struct choice *c = &call->choices[i];
        bool asked = !gets_no_gradient(call, i) && choice_grad(c) & TRI_YES;
        if (asked && (c->fact.grad != TRI_YES || !is_one_tensor(call, &c->value)))
            return false;
    }
    return true;
}

/* Of those that exist at the same time. */
static int nth_node(const struct pack_call *call, enum key_kind kind, int nth)
{
    struct key key = key_of(kind, call->fr->context, (uint64_t)call->inst);
    key.more = (uint64_t)nth;
    return tensor_name(call->f->heap, key);
}

/* A call may record so many nodes that exist at the same time before one stands for several. */
enum { MAX_NODES_HERE = 64 };

static int unused_node(const struct pack_call *call)
{
    for (int nth = 0; nth < MAX_NODES_HERE; nth++) {
        int id = nth_node(call, KEY_TAPE_NODE, nth);
        if (!state_has_node(call->s, id))
            return id;
    }
    return 0;
}

/* The name of the node for this call. Where merged states are, an earlier one that is still
 * reachable keeps its name or, where iterations are joined, gets that of all earlier ones. */
static int node_here(const struct pack_call *call)
{
    struct flow *f = call->f;
    int id = nth_node(call, KEY_TAPE_NODE, f->round);
    if (!state_has_node(call->s, id))
        return id;
    state_prune_nodes(call->s);
    if (!f->merges || !state_has_node(call->s, id))
        return id;
    int other = f->joins_iterations ? 0 : unused_node(call);
    if (!other)
        state_node_age(f->scratch, call->s, id, nth_node(call, KEY_OLDER_TAPE_NODE, f->round));
    return other ? other : id;
}

/* A node of an earlier iteration that is still reachable becomes part of it. */
static void join_before(const struct pack_call *call, struct tape_node *n, int_list *inputs)
{
    const struct tape_node *before = state_node_seen(call->s, n->id);
    if (!before)
        return;
    for (int i = 0; i < before->input_count; i++)
        add_input(call, inputs, before->inputs[i]);
    n->either = true;
    n->saves |= before->saves;
    n->freed |= before->freed; /* by whichever call */
    n->broken |= before->broken;
    n->fails |= before->fails;
    n->changed = before->changed;
}

/* Whether backward fails with some dtypes only, and a dynamic program does not say which: whoever
 * wrote the file that a tensor is read from does. */
static bool is_left_open(const struct pack_call *call, const struct outcomes *outcomes)
{
    for (int i = 0; call->bound && outcomes->goes_back && i < MAX_OPERANDS; i++)
        if (call->choices[i].used && call->choices[i].is_tensor && call->choices[i].unknown)
            return true;
    return false;
}

/* A node for this call. */
static struct tape_node *new_node(const struct pack_call *call, const struct outcomes *outcomes)
{
    int_list inputs = {0};
    int id = node_here(call);
    bool writes = false;
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        writes |= changes_in_place(call, i);
        if (!gets_no_gradient(call, i))
            add_operand(call, &inputs, &call->choices[i]);
    }
    bool fails = outcomes->backward != ERROR_NONE && !is_left_open(call, outcomes);
    struct tape_node n = {.id = id,
                          .how = call_step(call),
                          .either = inputs.count > 1 && !inputs_are_sure(call),
                          .writes = writes,
                          .saves = (uint8_t)saves_anything(call),
                          .freed = TRI_NO,
                          .broken = TRI_NO,
                          .fails = !fails                ? TRI_NO
                                   : outcomes->goes_back ? TRI_MAYBE
                                                         : TRI_YES,
                          .kind = outcomes->backward,
                          .reason = outcomes->backward_reason};
    join_before(call, &n, &inputs);
    for (int i = 0; i < inputs.count; i++) /* itself, in the previous iteration */
        if (inputs.items[i] == id)
            inputs.items[i] = inputs.items[--inputs.count];
    n.inputs = inputs.items;
    n.input_count = inputs.count;
    return state_node_put(call->f->scratch, call->s, n);
}

/* ---- results --------------------------------------------------------------------------------- */

/* The operand that the result may be, or be a view of. */
static const struct value *shared_operand(const struct pack_call *call)
{
    const struct value *of =
        call->fn->alias_of >= 0 ? &call->choices[call->fn->alias_of].value : NULL;
    return call->fn->alias != ALIAS_FRESH && of && of->kind == VALUE_TENSOR ? of : NULL;
}

static void mark_result(const struct pack_call *call, int id, int node, enum tri recorded)
{
    struct tensor *t = state_tensor_own(call->s, id);
    if (!t)
        return;
    enum tri grad = result_grad(recorded, t->fact.dtypes);
    t->fact.grad = (uint8_t)grad;
    t->fact.grad_open = grad != TRI_YES && t->fact.dtypes & DTYPES_GRADED && is_open(call);
    t->fact.leaf = grad == TRI_YES ? TRI_NO : grad == TRI_NO ? TRI_YES : TRI_MAYBE;
    t->node = grad == TRI_NO ? 0 : node;
    t->is_inference = inference_mode(call->f, call->s) == TRI_YES;
}

/* It may be the operand itself, unchanged. */
static void mark_same(const struct pack_call *call, struct tensor *t, const struct tensor *of)
{
    t->fact.grad |= of->fact.grad;
    t->fact.grad_open |= of->fact.grad_open;
    t->fact.leaf |= of->fact.leaf;
    t->detached = of->detached;
    t->is_inference &= of->is_inference && !of->class;
    tensor_join_tape(call->f->scratch, call->s, t, of);
    degree_join(&t->view, of->view ? of->view : TRI_NO);
    degree_join(&t->bound, of->bound ? of->bound : TRI_NO);
    degree_join(&t->stale, of->stale ? of->stale : TRI_NO);
}

/* A view requires grad if its base does, recorded or not; one made in no-grad mode has no
 * history of its own. */
static void mark_view(const struct pack_call *call, struct tensor *t, const struct tensor *of,
                      bool sure)
{
    enum tri mode = grad_mode(call->f, call->s);
    enum tri bound = tri_or(tri_not(mode), of->bound ? (enum tri)of->bound : TRI_NO);
    t->detached = !call->fn->differentiable;
    t->is_inference = of->is_inference && sure && !of->class; /* whatever the mode is now */
    t->view = sure ? TRI_YES : TRI_MAYBE;
    t->bound = (uint8_t)(sure ? bound : bound | TRI_NO);
    t->savers = of->savers;
    if (t->detached || mode == TRI_YES || !(t->fact.dtypes & DTYPES_GRADED))
        return;
    t->fact.grad = (uint8_t)(sure && mode == TRI_NO ? of->fact.grad : t->fact.grad | of->fact.grad);
    t->fact.grad_open |= of->fact.grad_open;
}

static void share_with(const struct pack_call *call, int id, const struct value *of, bool view,
                       bool surely_view)
{
    bool sure = surely_view && is_one_tensor(call, of);
    for (int k = 0; k < of->count; k++) {
        const struct tensor *base = state_tensor(call->s, of->as.tensor[k]);
        struct tensor *t = state_tensor_own(call->s, id);
        if (!t || !base || base->id == id)
            continue;
        if (view)
            mark_view(call, t, base, sure);
        else
            mark_same(call, t, base);
        if (view && is_one_tensor(call, of)) {
            t->storage = tensor_storage(base);
            t->history = t->detached ? t->id : base->history;
            t->perhaps = !sure || base->perhaps;
        }
        int kin = tensor_kin(state_tensor(call->s, id));
        state_join_kin(call->s, kin, tensor_kin(state_tensor(call->s, of->as.tensor[k])));
    }
}

static bool names(const struct value *v, int id)
{
    for (int k = 0; v && k < v->count; k++)
        if (v->as.tensor[k] == id)
            return true;
    return false;
}

/* What the call made, except an operand that it may return unchanged. */
static void mark_made(const struct pack_call *call, const struct outcomes *outcomes, int node,
                      enum tri recorded, const struct value *result)
{
    const struct value *of = shared_operand(call);
    bool view = call->fn->alias == ALIAS_VIEW || call->fn->alias == ALIAS_MAYBE_VIEW;
    for (int k = 0; k < result->count; k++) {
        int id = result->as.tensor[k];
        if (outcomes->same && names(of, id))
            continue;
        mark_result(call, id, node, recorded);
        if (of && (view || outcomes->same))
            share_with(call, id, of, view, outcomes->aliases == 1u << ALIAS_VIEW);
    }
}

/* What it wrote to out-parameters. Several views that one op makes are bound to it: no recorded
 * op may write to one. */
static void mark_outs(const struct pack_call *call, int node, enum tri recorded)
{
    const struct value *of = shared_operand(call);
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        const struct pack_param *p = call_param(call->fn, i);
        if (!p->out || p->kind != OPERAND_TENSOR)
            continue;
        int id = call_out_tensor(call, p->result);
        mark_result(call, id, node, recorded);
        if (!of || !p->many || !state_tensor(call->s, id))
            continue;
        share_with(call, id, of, true, call->fn->alias == ALIAS_VIEW);
        state_tensor_own(call->s, id)->bound = TRI_YES;
    }
}

/* ---- changes in place ------------------------------------------------------------------------ */

static void break_savers(const struct pack_call *call, struct tensor *t, bool sure)
{
    for (const struct saver *x = t->savers; x; x = x->next)
        tape_break(call, x->node, sure && x->sure);
    if (sure)
        t->savers = NULL;
}

/* u shares the memory of t, which a recorded op has written to. */
static void change_history(const struct pack_call *call, struct tensor *u, const struct tensor *t,
                           int node, enum tri recorded, bool sure)
{
    enum tri grad = result_grad(recorded, u->fact.dtypes);
    enum tri shares = tensor_shares_history(t, u);
    bool self = u->id == t->id, strong = sure && shares == TRI_YES && grad == TRI_YES;
    if (shares == TRI_NO)
        return;
    u->fact.grad_open |= u->fact.dtypes & DTYPES_GRADED && is_open(call);
    u->fact.grad_open &= !strong;
    if (grad == TRI_NO)
        return;
    bool unasked = !self && !u->node && u->view & TRI_YES; /* so far it counts as a leaf */
    u->fact.grad = strong ? TRI_YES : u->fact.grad | TRI_YES;
    u->fact.leaf = strong && !unasked ? TRI_NO : u->fact.leaf | TRI_NO;
    if (strong || !u->node)
        u->node = node;
    else
        tensor_join_tape(call->f->scratch, call->s, u, &(struct tensor){.node = node});
}

/* All tensors that share its memory are changed. An optimizer changes only those with a
 * gradient. */
static void change(const struct pack_call *call, const struct value *v, int node, enum tri recorded)
{
    bool steps = call->fn->effects & EFFECT_STEPS;
    bool known = v->count == 1 && !steps;
    if (steps && gradient_is_missing(call->s, v))
        return;
    for (int k = 0; k < v->count && v->kind == VALUE_TENSOR; k++) {
        const struct tensor *t = state_tensor(call->s, v->as.tensor[k]);
        for (int i = 0; t && i < call->s->tensors.count; i++) {
            enum tri shares = tensor_shares(t, state_tensor_raw(call->s, i));
            if (shares == TRI_NO)
                continue;
            struct tensor *u = state_tensor_own_at(call->s, i);
            bool sure = known && shares == TRI_YES;
            break_savers(call, u, sure);
            if (sure)
                u->stale = TRI_YES;
            else
                degree_join(&u->stale, TRI_YES);
            change_history(call, u, t, node, recorded, sure);
        }
    }
}

static void change_written(const struct pack_call *call, int node, enum tri recorded)
{
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++)
        if (call_param(call->fn, i)->written && call_param(call->fn, i)->kind == OPERAND_TENSOR)
            change(call, &call->choices[i].value, node, recorded);
}

/* ---- effects --------------------------------------------------------------------------------- */

/* The views of a leaf require grad as it does; setting it on a view may set it on its base. */
static void require_around(const struct pack_call *call, const struct tensor *t, enum tri on,
                           bool sure)
{
    for (int i = 0; i < call->s->tensors.count; i++) {
        const struct tensor *now = state_tensor_raw(call->s, i);
        enum tri shares =
            now->id == t->id || now->detached || t->detached ? TRI_NO : tensor_shares(t, now);
        bool computed = now->node && now->fact.leaf == TRI_NO && now->fact.grad == TRI_YES;
        if (shares == TRI_NO || !(now->fact.dtypes & DTYPES_GRADED) || computed)
            continue;
        struct tensor *u = state_tensor_own_at(call->s, i);
        bool all = sure && shares == TRI_YES && !t->view && !u->node;
        u->fact.grad = all ? (uint8_t)on : (uint8_t)(u->fact.grad | on);
    }
}

static bool is_unknown(const struct pack_call *call, const struct value *v)
{
    bool unknown = v->kind != VALUE_TENSOR;
    for (int k = 0; k < v->count && !unknown; k++) {
        const struct tensor *t = state_tensor(call->s, v->as.tensor[k]);
        unknown = !t || t->unknown;
    }
    return unknown;
}

/* A tensor loaded from unknown memory may be any of those that exist. */
static void open_all(const struct pack_call *call)
{
    for (int i = 0; i < call->s->tensors.count; i++) {
        struct fact *f = &state_tensor_own_at(call->s, i)->fact;
        f->grad_open |= f->grad != TRI_YES && f->leaf & TRI_YES && f->dtypes & DTYPES_GRADED;
    }
}

/* A leaf that requires a gradient no longer, or again. */
static void note_switched(const struct pack_call *call, const struct tensor *t, enum tri on)
{
    ir_value inst = call->inst;
    const struct frame *fr = frame_in_program(call->fr, &inst);
    bool is_known = !t->unknown && !t->fact.grad_open && t->fact.leaf == TRI_YES;
    if (is_known && on == TRI_NO && t->fact.grad == TRI_YES)
        map_put(call->f->own.frozen, (uint64_t)t->id, call->f);
    if (is_known && on == TRI_YES && t->fact.grad == TRI_NO &&
        map_get(call->f->own.frozen, (uint64_t)t->id))
        thawed_note(call->f, fr->code->fn, inst, t->id);
}

static void require(const struct pack_call *call, const struct value *v, enum tri on)
{
    bool one = is_one_tensor(call, v);
    if (call->f->own.forgot && on & TRI_YES && is_unknown(call, v))
        open_all(call);
    for (int k = 0; k < v->count && v->kind == VALUE_TENSOR; k++) {
        struct tensor *t = state_tensor_own(call->s, v->as.tensor[k]);
        if (!t || t->fact.leaf == TRI_NO)
            continue;
        bool sure = one && t->fact.leaf == TRI_YES;
        note_switched(call, t, on);
        bool said =
            sure ||
            (one && on == TRI_YES); /* results of ops that do not require it are not affected */
        t->fact.grad = said ? (uint8_t)on : (uint8_t)(t->fact.grad | on);
        t->fact.grad_open &= !said;
        t->fact.leaf |= TRI_YES;
        require_around(call, t, on, sure);
    }
}

static void set_gradient(const struct pack_call *call, const struct value *v, bool is_set)
{
    for (int k = 0; k < v->count && v->kind == VALUE_TENSOR; k++) {
        struct tensor *t = state_tensor_own(call->s, v->as.tensor[k]);
        if (!t)
            continue;
        t->has_grad = is_set && is_one_tensor(call, v);
        t->is_ungraded &= !(call->fn->effects & EFFECT_SETS_GRAD);
    }
}

/* Of all tensors that an object holds, or of those passed to the call. */
static void clear_gradients(const struct pack_call *call)
{
    for (int i = 0; i < call->fn->param_count && i < MAX_PARAMS; i++) {
        const struct pack_param *p = &call->fn->params[i];
        held_list all = {0};
        if (call->choices[i].used && p->held)
            all = call_held_tensors(call, i);
        else if (call->choices[i].used && p->kind == OPERAND_TENSOR)
            LIST_ADD(call->f->scratch, &all, call->choices[i].value);
        for (int k = 0; k < all.count; k++) {
            set_gradient(call, &all.items[k], false);
            gradient_cleared(call, &all.items[k], true);
        }
    }
}

/* That of the first operand; by none, it is cleared. */
static void replace_gradient(const struct pack_call *call)
{
    const struct value *x = &call->choices[0].value, *now = &call->choices[1].value;
    bool is_set = call->choices[1].is_tensor && now->null == TRI_NO;
    if (now->null != TRI_YES)
        gradient_reached(call, x);
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++)
        set_gradient(call, &call->choices[i].value, is_set && i == 0);
    gradient_cleared(call, x, now->null == TRI_YES);
}

static void detach(const struct pack_call *call, const struct value *v)
{
    for (int k = 0; k < v->count && v->kind == VALUE_TENSOR; k++) {
        struct tensor *t = state_tensor_own(call->s, v->as.tensor[k]);
        if (!t)
            continue;
        t->fact.grad = is_one_tensor(call, v) ? TRI_NO : t->fact.grad | TRI_NO;
        t->fact.grad_open &= !is_one_tensor(call, v);
        t->fact.leaf = is_one_tensor(call, v) ? TRI_YES : t->fact.leaf | TRI_YES;
        t->node = is_one_tensor(call, v) ? 0 : t->node;
    }
}

bool tape_append(const struct pack_call *call, const struct outcomes *outcomes,
                 const struct value *result)
{
    if (call->fn->effects & EFFECT_BACKWARD)
        return tape_backward(call);
    if (call->fn->effects & EFFECT_REQUIRE_GRAD) {
        require(call, &call->choices[0].value, choice_flag(&call->choices[1]));
        return true;
    }
    if (call->fn->effects & EFFECT_SETS_GRAD)
        replace_gradient(call);
    if (call->fn->effects & (EFFECT_STEPS | EFFECT_GRADIENT))
        note_gradient_use(call);
    if (call->fn->effects & EFFECT_GRADIENT) /* the program may zero what it reads */
        gradient_cleared(call, &call->choices[0].value, false);
    if (call->fn->effects & EFFECT_STEPS)
        note_optimizer_step(call);
    if (call->fn->effects & EFFECT_ZERO_GRAD) {
        clear_gradients(call);
        return true;
    }
    if (call->fn->effects & EFFECT_DETACH) {
        detach(call, &call->choices[0].value);
        return true;
    }
    enum tri recorded = call->fn->effects & EFFECT_STEPS ? TRI_NO : is_recorded(call);
    int node = recorded == TRI_NO ? 0 : new_node(call, outcomes)->id;
    bool returned = result->kind == VALUE_TENSOR && call->fn->returns_tensor;
    bool made = returned && !(outcomes->same && !outcomes->other);
    change_written(call, node, recorded);
    if (made)
        mark_made(call, outcomes, node, recorded, result);
    mark_outs(call, node, recorded);
    if (recorded != TRI_NO)
        save_operands(call, node, recorded == TRI_YES, result);
    int flag = pack_param_with(call->fn, ROLE_REQUIRES_GRAD);
    if (made && flag >= 0)
        require(call, result, choice_flag(&call->choices[flag]));
    return true;
}
