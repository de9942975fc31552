/* What gradients forbid: in-place writes to a leaf that requires grad, to a view of one, or to a
 * view made in no-grad mode; recording an op with .out; an optimizer of tensors that are not
 * leaves; tensors made in inference mode that are changed outside of it, or saved for backward. */
#include "analyzer/flow/autograd/autograd.h"

/* Whether it is written to while ops are recorded. */
static enum tri is_written(const struct pack_call *call, int i)
{
    bool written = changes_in_place(call, i) && call->fn->differentiable &&
                   !(call->fn->effects & EFFECT_STEPS) &&
                   call->choices[i].value.kind == VALUE_TENSOR;
    return written ? grad_mode(call->f, call->s) : TRI_NO;
}

static enum tri changes_leaf(const struct pack_call *call, int i)
{
    const struct choice *c = &call->choices[i];
    enum tri there = c->value.null & TRI_YES ? TRI_MAYBE : TRI_YES;
    return tri_and(tri_and(is_written(call, i), there),
                   tri_and(choice_grad(c), (enum tri)c->fact.leaf));
}

/* Whether it can be a view of that one: of the tensor whose memory it is, or of one that shares the
 * memory and was detached from its history. */
static bool may_be_base(const struct pack_call *call, const struct tensor *u,
                        const struct tensor *t)
{
    return u->detached ? tape_leaf(call->s, t) == u->id : tensor_storage(u) == u->id;
}

/* Whether it is a view of a leaf that requires grad. */
static enum tri is_view_of_leaf(const struct pack_call *call, const struct tensor *t)
{
    enum tri found = TRI_NO;
    for (int i = 0; i < call->s->tensors.count; i++) {
        const struct tensor *u = state_tensor_raw(call->s, i);
        bool is_view = !u->cases && !u->detached && tensor_storage(u) != u->id;
        if (u->id == t->id || t->detached || is_view || !(u->fact.grad & TRI_YES) ||
            !(u->fact.leaf & TRI_YES))
            continue;
        u = state_tensor_at(call->s, i);
        if (!may_be_base(call, u, t))
            continue;
        enum tri leaf = tri_and((enum tri)u->fact.grad, (enum tri)u->fact.leaf);
        found = tri_or(found, tri_and(leaf, tensor_shares(t, u)));
    }
    return found;
}

static enum tri changes_view_of_leaf(const struct pack_call *call, int i)
{
    const struct value *v = &call->choices[i].value;
    enum tri written = is_written(call, i), found = TRI_NO;
    for (int k = 0; written != TRI_NO && k < v->count; k++) {
        const struct tensor *t = state_tensor(call->s, v->as.tensor[k]);
        if (t && t->fact.grad & TRI_YES)
            found = tri_or(found, is_view_of_leaf(call, t));
    }
    if (found == TRI_YES && !(is_one_tensor(call, v) && call->choices[i].fact.grad == TRI_YES))
        found = TRI_MAYBE;
    return tri_and(written, found);
}

/* Views made in no-grad mode: whether it is one, and with `stale`, whether its base was written
 * to since. */
static enum tri is_bound(const struct pack_call *call, const struct choice *c, bool stale)
{
    enum tri all = TRI_NO;
    if (!c->is_tensor || c->value.kind != VALUE_TENSOR)
        return TRI_NO;
    for (int k = 0; k < c->value.count; k++) {
        const struct tensor *t = state_tensor(call->s, c->value.as.tensor[k]);
        enum tri one = t && t->bound ? (enum tri)t->bound : TRI_NO;
        if (stale)
            one = tri_and(one, t && t->stale ? (enum tri)t->stale : TRI_NO);
        all = k ? (enum tri)(all | one) : one;
    }
    return all == TRI_YES && !is_one_tensor(call, &c->value) ? TRI_MAYBE : all;
}

static enum tri changes_bound(const struct pack_call *call, int i)
{
    enum tri written = is_written(call, i);
    return written == TRI_NO ? TRI_NO
                             : tri_and(tri_and(written, operands_grad(call)),
                                       is_bound(call, &call->choices[i], false));
}

/* A stale view has no history to continue. */
static enum tri uses_stale(const struct pack_call *call)
{
    bool asks = call->fn->differentiable || call->fn->holds >= 0;
    enum tri mode = asks ? grad_mode(call->f, call->s) : TRI_NO, found = TRI_NO;
    for (int i = 0; mode != TRI_NO && i < MAX_OPERANDS && call->choices[i].used; i++)
        found = tri_or(found, tri_and(choice_grad(&call->choices[i]),
                                      is_bound(call, &call->choices[i], true)));
    return tri_and(mode, found);
}

/* An op that writes its result to .out cannot be recorded; it would be if .out requires grad,
 * too. */
static enum tri writes_out(const struct pack_call *call)
{
    enum tri mode = grad_mode(call->f, call->s), given = TRI_NO, out = TRI_NO;
    for (int i = 0; i < call->fn->param_count; i++) {
        if (!is_out_operand(call, i))
            continue;
        out = tri_or(out, call->choices[i].value.null & TRI_YES ? TRI_MAYBE : TRI_YES);
        given = tri_or(given, choice_grad(&call->choices[i]));
    }
    if (out == TRI_NO || call->fn->effects & EFFECT_STEPS)
        return TRI_NO;
    return tri_and(tri_and(mode, out), tri_or(given, operands_grad(call)));
}

/* Whether an op made it; one from outside is assumed to be a leaf. */
static enum tri is_result(const struct pack_call *call, const struct choice *c)
{
    int found = 0;
    for (int k = 0; c->is_tensor && c->value.kind == VALUE_TENSOR && k < c->value.count; k++) {
        const struct tensor *t = state_tensor(call->s, c->value.as.tensor[k]);
        found |= t && !t->fact.grad_open ? tri_not((enum tri)t->fact.leaf) : TRI_NO;
    }
    return found ? (enum tri)found : TRI_NO;
}

/* Optimizers take leaves only. */
static enum tri holds_result(const struct pack_call *call)
{
    enum tri found = TRI_NO;
    for (int i = 0; call->fn->holds >= 0 && i < MAX_OPERANDS && call->choices[i].used; i++) {
        const struct choice *c = &call->choices[i];
        if (call_param(call->fn, i) == &call->fn->params[call->fn->holds])
            found = tri_or(found, is_result(call, c));
    }
    return found;
}

/* The result of an op cannot stop requiring grad. */
static enum tri stops_result(const struct pack_call *call)
{
    if (!(call->fn->effects & EFFECT_REQUIRE_GRAD))
        return TRI_NO;
    return tri_and(tri_not(choice_flag(&call->choices[1])), is_result(call, &call->choices[0]));
}

/* A view cannot be detached in place. */
static enum tri detaches_view(const struct pack_call *call)
{
    const struct value *v = &call->choices[0].value;
    enum tri found = TRI_NO;
    if (!(call->fn->effects & EFFECT_DETACH) || v->kind != VALUE_TENSOR)
        return TRI_NO;
    for (int k = 0; k < v->count; k++) {
        const struct tensor *t = state_tensor(call->s, v->as.tensor[k]);
        enum tri one = !t || !t->view || t->detached ? TRI_NO : (enum tri)t->view;
        found = k ? (enum tri)(found | one) : one;
    }
    return found;
}

/* retain_grad of a tensor that will have none. */
static enum tri retains_nothing(const struct pack_call *call)
{
    const struct choice *c = &call->choices[0];
    if (!(call->fn->effects & EFFECT_RETAINS) || !c->is_tensor || c->fact.grad_open)
        return TRI_NO;
    return tri_not(choice_grad(c));
}

/* A call without a derivative, of a tensor that requires grad. */
static enum tri differentiates_constant(const struct pack_call *call)
{
    enum tri mode = grad_mode(call->f, call->s), found = TRI_NO;
    for (int i = 0; mode != TRI_NO && i < MAX_OPERANDS && call->choices[i].used; i++)
        if (call_param(call->fn, i)->constant)
            found = tri_or(found, choice_grad(&call->choices[i]));
    return tri_and(mode, found);
}

/* Nobody calls what the analysis began with: what it computes requires grad. */
static bool is_whole_program(const struct frame *fr)
{
    while (fr->outer)
        fr = fr->outer;
    return fr->code->symbol.is_initialiser;
}

/* The elements are taken out of reach of autograd, which takes care that nobody expects a gradient.
 * Whether a function that nobody calls here is called in no-grad mode is not known. */
static enum tri leaves_with_grad(const struct pack_call *call)
{
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        const struct choice *c = &call->choices[i];
        if (call_param(call->fn, i)->detached && choice_grad(c) == TRI_YES &&
            (c->fact.leaf == TRI_YES || is_whole_program(call->fr)))
            return TRI_YES;
    }
    return TRI_NO;
}

/* The result should require grad, and has a dtype that cannot. */
static enum tri records_integers(const struct pack_call *call, const struct outcomes *ways)
{
    dtype_set dtypes = ways->result_count ? ways->results[0].dtypes : 0;
    if (!call->fn->floating_only || !(dtypes & ~DTYPES_GRADED))
        return TRI_NO;
    enum tri ints = dtypes & DTYPES_GRADED ? TRI_MAYBE : TRI_YES;
    return tri_and(ints, tri_and(grad_mode(call->f, call->s), operands_grad(call)));
}

/* False: it always fails. */
static bool refuse(const struct pack_call *call, enum tri when, enum error_kind kind,
                   const char *reason)
{
    if (when & TRI_YES)
        autograd_fail(call, kind, reason, when != TRI_YES);
    return when != TRI_YES;
}

/* Whether it is one tensor, which was made in inference mode. */
static bool is_of_inference(const struct pack_call *call, int i)
{
    const struct value *v = &call->choices[i].value;
    const struct tensor *t =
        v->kind == VALUE_TENSOR && v->count == 1 ? state_tensor(call->s, v->as.tensor[0]) : NULL;
    return t && t->is_inference && !t->several && !t->unknown && v->null == TRI_NO;
}

static enum tri changes_inference(const struct pack_call *call, int i)
{
    bool is = changes_in_place(call, i) && is_of_inference(call, i);
    return is ? tri_not(inference_mode(call->f, call->s)) : TRI_NO;
}

/* The operand that backward would need; -1: none. */
static int saved_inference(const struct pack_call *call)
{
    enum tri recorded = tri_and(grad_mode(call->f, call->s), operands_grad(call));
    for (int i = 0; recorded == TRI_YES && i < call->fn->save_count; i++) {
        int what = call->fn->saves[i].what;
        if (what >= 0 && operand_is_saved(call, &call->fn->saves[i]) == TRI_YES &&
            is_of_inference(call, what))
            return what;
    }
    return -1;
}

static const char *about(const struct pack_call *call, int i, const char *format)
{
    return arena_printf(call->f->arena, format, call_param(call->fn, i)->name);
}

static bool may_change(const struct pack_call *call, int i)
{
    enum tri bound = changes_bound(call, i), leaf = changes_leaf(call, i);
    if (!refuse(call, bound, ERROR_GRAD,
                "{op} writes to a view made in no-grad mode, or by an op that returns several, and "
                "would be recorded"))
        return false;
    if (leaf & TRI_YES)
        return refuse(call, leaf, ERROR_LEAF,
                      about(call, i, "{op} changes {%s}, a leaf that requires grad"));
    enum tri view = changes_view_of_leaf(call, i);
    return !(view & TRI_YES) ||
           refuse(call, view, ERROR_LEAF,
                  about(call, i, "{op} changes {%s}, a view of a leaf that requires grad"));
}

static bool may_change_inference(const struct pack_call *call, int i)
{
    enum tri changes = changes_inference(call, i);
    return !(changes & TRI_YES) ||
           refuse(call, changes, ERROR_GRAD,
                  about(call, i,
                        "{op} changes {%s}, which was made in inference mode, outside of it"));
}

bool grad_checks_pass(const struct pack_call *call, const struct outcomes *ways)
{
    if (!refuse(call, uses_stale(call), ERROR_GRAD,
                "{op} reads a view made in no-grad mode, or by an op that returns several, whose "
                "base was "
                "written to since"))
        return false;
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++)
        if (!may_change(call, i) || !may_change_inference(call, i))
            return false;
    int saved = saved_inference(call);
    if (saved >= 0)
        return refuse(call, TRI_YES, ERROR_GRAD,
                      about(call, saved,
                            "{op} would save {%s} for backward, which was made in inference mode"));
    return refuse(call, differentiates_constant(call), ERROR_GRAD,
                  "{op} has no derivative, and an operand requires grad") &&
           refuse(call, leaves_with_grad(call), ERROR_GRAD,
                  "{op}: {x} requires grad; detach it first") &&
           refuse(call, retains_nothing(call), ERROR_GRAD,
                  "{op}: {x} does not require grad, and will have no gradient") &&
           refuse(call, records_integers(call, ways), ERROR_GRAD,
                  "{op} into a dtype that is not floating has no gradient, and an operand requires "
                  "one") &&
           refuse(call, writes_out(call), ERROR_GRAD,
                  "{op} with {option.out} cannot be recorded, and an operand requires grad") &&
           refuse(call, holds_result(call), ERROR_LEAF,
                  "{op} takes leaf tensors only, not results of ops") &&
           refuse(call, stops_result(call), ERROR_LEAF,
                  "{op}: {x} is the result of an op; only leaves can stop requiring grad") &&
           refuse(call, detaches_view(call), ERROR_GRAD,
                  "{op}: {x} is a view, and cannot be detached in place");
}
