/* Public functions for gradients: requiring them, backward, reading them, and turning recording
 * off. */
#include "runtime/autograd/engine.h"
#include "runtime/autograd/formula.h"
#include "runtime/core/thread.h"
#include "runtime/core/hooks.h"

/* ---- who requires grad --------------------------------------------------------------------- */

static bool alive(const mc_tensor *x)
{
    return x && x->magic == TENSOR_ALIVE;
}

bool mc_requires_grad(const mc_tensor *x)
{
    return alive(x) && tensor_requires_grad(x);
}

bool mc_is_leaf(const mc_tensor *x)
{
    return alive(x) && view_is_leaf(x);
}

mc_tensor *mc_op_requires_grad_(mc_place at, mc_tensor *x, bool on)
{
    OP_BEGIN(op, "requires_grad_", at, x);
    if (op.ok && on && !dtype_is_float(x->dtype))
        op_fail(&op, MC_ERROR_GRAD, "%s cannot require a gradient: only floating dtypes can",
                dtype_name(x->dtype));
    else if (op.ok && !on && !mc_is_leaf(x))
        op_fail(&op, MC_ERROR_LEAF,
                "%s computed this: only leaves can stop requiring grad; mc_detach gives one",
                x->fn ? x->fn->name : "an op");
    if (op.ok) {
        x->requires_grad = on || x->fn;
        if (x->sink)
            x->sink->closed = !x->requires_grad;
        shared_set_requires_grad(&op, x);
    }
    return op_end(&op, x);
}

/* ---- backward ------------------------------------------------------------------------------ */

/* In x's shape, dtype and device; one reference for the caller. */
static mc_tensor *first_gradient(struct op *op, mc_tensor *x, mc_tensor *given)
{
    char have[200], want[200];
    mc_tensor *g = given;
    if (!given && x->numel != 1)
        return op_fail(op, MC_ERROR_GRAD,
                       "x has %lld elements: without a given gradient it must have one",
                       (long long)x->numel);
    if (given && !tensor_same_shape(x, given))
        return op_fail(op, MC_ERROR_SHAPE, "the gradient %s is not of x's shape %s",
                       shape_describe(given->ndim, given->shape, have, sizeof have),
                       shape_describe(x->ndim, x->shape, want, sizeof want));
    if (given && !OP_SAME_DEVICE(op, x, given))
        return NULL;
    if (!given)
        g = op_fill(op, op_new_like(op, x, x->dtype), mc_arg_int(1));
    g = op_cast(op, g, x->dtype);
    return g ? tensor_alias(g) : NULL;
}

static void backward(struct op *op, mc_tensor *x, mc_backward_options o)
{
    struct edge root;
    if (!tensor_requires_grad(x)) {
        op_fail(op, MC_ERROR_GRAD, "x does not require grad: nothing it was computed from does");
        return;
    }
    if (!edge_to(op, x, &root))
        return;
    mc_tensor *gradient = first_gradient(op, x, o.gradient);
    if (gradient)
        engine_run(op, root, gradient, o.retain_graph);
    node_unref(root.node);
}

bool mc_op_backward(mc_place at, mc_tensor *x, mc_backward_options o)
{
    OP_BEGIN(op, "backward", at, x);
    op_optional(&op, o.gradient);
    if (op.ok)
        backward(&op, x, o);
    bool done = op.ok;
    op_finish(&op);
    return done;
}

/* ---- what it left -------------------------------------------------------------------------- */

mc_tensor *mc_grad(const mc_tensor *x)
{
    return alive(x) && x->sink ? x->sink->gradient : NULL;
}

static void drop_gradient(mc_tensor *x)
{
    if (!x->sink || !x->sink->gradient)
        return;
    x->sink->gradient->magic = TENSOR_DEAD;
    tensor_unref(x->sink->gradient);
    x->sink->gradient = NULL;
}

static bool gradient_fits(struct op *op, mc_tensor *x, mc_tensor *grad)
{
    char have[200], want[200];
    if (!OP_SAME_DTYPE(op, x, grad) || !OP_SAME_DEVICE(op, x, grad))
        return false;
    if (tensor_same_shape(x, grad))
        return true;
    return op_fail(op, MC_ERROR_SHAPE, "a gradient of shape %s for a tensor of shape %s",
                   shape_describe(grad->ndim, grad->shape, have, sizeof have),
                   shape_describe(x->ndim, x->shape, want, sizeof want));
}

bool mc_op_set_grad(mc_place at, mc_tensor *x, mc_tensor *grad)
{
    OP_BEGIN(op, "set_grad", at, x);
    op_optional(&op, grad);
    mc_tensor *alias = NULL;
    if (op.ok && grad == x)
        op_fail(&op, MC_ERROR_ARGUMENT, "x cannot be its own gradient");
    if (op.ok && grad && gradient_fits(&op, x, grad) && sink_of(&op, x)) {
        alias = tensor_alias(grad);
        if (!alias)
            op_fail(&op, MC_ERROR_MEMORY, "no memory for another tensor");
    }
    if (op.ok)
        drop_gradient(x);
    if (alias) {
        alias->role = ROLE_GRADIENT;
        x->sink->gradient = alias;
    }
    bool done = op.ok;
    op_finish(&op);
    return done;
}

void mc_op_zero_grad(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "zero_grad", at, x);
    if (op.ok)
        drop_gradient(x);
    op_finish(&op);
}

/* A node keeps one such sink, for the one output that nearly all nodes have. */
bool mc_op_retain_grad(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "retain_grad", at, x);
    struct edge to = {0};
    if (op.ok && !tensor_requires_grad(x))
        op_fail(&op, MC_ERROR_GRAD, "x does not require grad: it will have none to retain");
    if (op.ok && edge_to(&op, x, &to) && x->fn && !to.node->kept && sink_of(&op, x)) {
        node_ref(x->sink);
        to.node->kept = x->sink;
        to.node->kept_output = to.output;
    }
    node_unref(to.node);
    bool done = op.ok;
    op_finish(&op);
    return done;
}

/* ---- without a history --------------------------------------------------------------------- */

mc_tensor *mc_op_detach(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "detach", at, x);
    op_constant(&op);
    mc_tensor *y = op.ok ? op_view_of(&op, x, x->ndim, x->shape, x->stride, x->offset) : NULL;
    if (y)
        view_apart(y);
    return op_end(&op, y);
}

mc_tensor *mc_op_detach_(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "detach_", at, x);
    if (op.ok && x->view != VIEW_NONE)
        op_fail(&op, MC_ERROR_GRAD, "a view cannot be detached in place; mc_detach gives a leaf");
    if (op.ok) {
        node_unref(x->fn);
        x->fn = NULL;
        x->requires_grad = false;
        if (x->sink)
            x->sink->closed = true;
        shared_forget(x);
    }
    return op_end(&op, x);
}

/* ---- when nothing is recorded -------------------------------------------------------------- */

static mc_grad_mode switch_mode(bool no_grad)
{
    struct thread *t = thread_self();
    mc_grad_mode before = {t->no_grad};
    t->no_grad = no_grad;
    return before;
}

mc_grad_mode mc_no_grad_begin(void)
{
    mc_grad_mode before = switch_mode(true);
    trace_mark("no_grad_begin");
    return before;
}

mc_grad_mode mc_enable_grad_begin(void)
{
    mc_grad_mode before = switch_mode(false);
    trace_mark("enable_grad_begin");
    return before;
}

void mc_grad_mode_end(mc_grad_mode mode)
{
    switch_mode(mode.before != 0);
    trace_mark("grad_mode_end");
}

bool mc_is_grad_enabled(void)
{
    return !thread_self()->no_grad;
}
