/* Gradients of elementwise ops with options, masks or a third operand: clamp, where, lerp,
 * addcmul, prelu, masked_fill, and of ops that overwrite a tensor. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

static double number_of(mc_arg a, double otherwise)
{
    return a.kind == MC_ARG_NONE ? otherwise : a.kind == MC_ARG_FLOAT ? a.as.f : (double)a.as.i;
}

/* grad where the condition holds, 0 elsewhere. */
static mc_tensor *where_true(struct back *b, mc_tensor *condition, mc_tensor *grad)
{
    return condition && grad ? op_where(b->op, condition, mc_arg_tensor(grad), mc_arg_float(0))
                             : NULL;
}

static mc_tensor *where_false(struct back *b, mc_tensor *condition, mc_tensor *grad)
{
    return condition && grad ? op_where(b->op, condition, mc_arg_float(0), mc_arg_tensor(grad))
                             : NULL;
}

/* ---- clamp --------------------------------------------------------------------------------- */

struct clamp_params {
    mc_arg min, max; /* MC_ARG_NONE: none; a tensor was saved, and only its kind is here */
};

static mc_arg bound(struct back *b, mc_arg given, int slot)
{
    return given.kind == MC_ARG_TENSOR ? mc_arg_tensor(back_saved(b, slot)) : given;
}

static mc_tensor *compare(struct back *b, enum binary how, mc_arg x, mc_arg y)
{
    return b->op->ok && x.kind != MC_ARG_NONE && y.kind != MC_ARG_NONE ? op_binary(b->op, how, x, y)
                                                                       : NULL;
}

/* Where both hold, or the one that there is. */
static mc_tensor *both(struct back *b, enum binary how, mc_tensor *x, mc_tensor *y)
{
    return x && y ? op_tt(b->op, how, x, y) : x ? x : y;
}

/* Two numbers make no tensor. */
static mc_tensor *bounds_compared(struct back *b, enum binary how, mc_arg min, mc_arg max)
{
    return tensor_of(min) || tensor_of(max) ? compare(b, how, min, max) : NULL;
}

static void clamp_back(struct back *b)
{
    const struct clamp_params *p = back_params(b);
    mc_arg x = mc_arg_tensor(back_saved(b, 0));
    mc_arg min = bound(b, p->min, 1), max = bound(b, p->max, 2);
    if (!b->op->ok)
        return;
    if (back_wants(b, 0))
        back_give(b, 0,
                  where_true(b,
                             both(b, BINARY_logical_and, compare(b, BINARY_ge, x, min),
                                  compare(b, BINARY_le, x, max)),
                             b->grad));
    /* A minimum above the maximum is not detected. */
    if (back_wants(b, 1))
        back_give(b, 1,
                  where_true(b,
                             both(b, BINARY_logical_and, compare(b, BINARY_lt, x, min),
                                  bounds_compared(b, BINARY_lt, min, max)),
                             b->grad));
    if (back_wants(b, 2))
        back_give(b, 2,
                  where_true(b,
                             both(b, BINARY_logical_or, compare(b, BINARY_gt, x, max),
                                  bounds_compared(b, BINARY_lt, max, min)),
                             b->grad));
}

void grad_clamp(struct op *op, mc_tensor *into, mc_tensor *result, mc_tensor *x, mc_arg min,
                mc_arg max)
{
    struct node *n = RECORD(op, clamp_back, into, sizeof(struct clamp_params), into ? into : x,
                            tensor_of(min), tensor_of(max));
    if (!n)
        return;
    *(struct clamp_params *)n->params = (struct clamp_params){min, max};
    node_save(op, n, 0, x);
    node_save(op, n, 1, tensor_of(min));
    node_save(op, n, 2, tensor_of(max));
    recorded(op, n, result);
}

/* ---- where, masked_fill -------------------------------------------------------------------- */

static void where_back(struct back *b)
{
    mc_tensor *condition = back_saved(b, 0);
    if (back_wants(b, 0))
        back_give(b, 0, where_true(b, condition, b->grad));
    if (back_wants(b, 1))
        back_give(b, 1, where_false(b, condition, b->grad));
}

void grad_where(struct op *op, mc_tensor *result, mc_tensor *condition, mc_arg x, mc_arg y)
{
    struct node *n = RECORD(op, where_back, NULL, 0, tensor_of(x), tensor_of(y));
    node_save(op, n, 0, condition);
    recorded(op, n, result);
}

static void masked_fill_back(struct back *b)
{
    mc_tensor *mask = back_saved(b, 0);
    if (back_wants(b, 0))
        back_give(b, 0, where_false(b, mask, b->grad));
    if (back_wants(b, 1))
        back_give(b, 1, where_true(b, mask, b->grad));
}

void grad_masked_fill(struct op *op, mc_tensor *into, mc_tensor *result, mc_tensor *x,
                      mc_tensor *mask, mc_arg value)
{
    struct node *n = RECORD(op, masked_fill_back, into, 0, x, tensor_of(value));
    node_save(op, n, 0, mask);
    recorded(op, n, result);
}

/* ---- lerp ---------------------------------------------------------------------------------- */

static mc_arg lerp_weight(struct back *b)
{
    const mc_arg *number = back_params(b);
    return number->kind == MC_ARG_TENSOR ? mc_arg_tensor(back_saved(b, 2)) : *number;
}

static void lerp_back(struct back *b)
{
    mc_tensor *distance = NULL, *rest = NULL;
    mc_arg weight = {0};
    if (back_wants(b, 0) || back_wants(b, 1))
        weight = lerp_weight(b);
    if (!b->op->ok)
        return;
    if (back_wants(b, 0))
        rest = tensor_of(weight) ? op_binary(b->op, BINARY_sub, mc_arg_float(1), weight) : NULL;
    if (back_wants(b, 0))
        back_give(b, 0,
                  rest ? op_tt(b->op, BINARY_mul, b->grad, rest)
                       : op_tf(b->op, BINARY_mul, b->grad, 1 - number_of(weight, 0)));
    if (back_wants(b, 1))
        back_give(b, 1, op_binary(b->op, BINARY_mul, mc_arg_tensor(b->grad), weight));
    if (back_wants(b, 2)) {
        distance = op_tt(b->op, BINARY_sub, back_saved(b, 1), back_saved(b, 0));
        back_give(b, 2, op_tt(b->op, BINARY_mul, b->grad, distance));
    }
}

void grad_lerp(struct op *op, mc_tensor *into, mc_tensor *result, mc_tensor *start, mc_tensor *end,
               mc_arg weight, mc_tensor *old)
{
    struct node *n = RECORD(op, lerp_back, into, sizeof weight, start, end, tensor_of(weight));
    if (!n)
        return;
    *(mc_arg *)n->params = weight;
    if (node_wants(n, 2)) {
        node_save(op, n, 0, old ? old : start);
        node_save(op, n, 1, end);
    }
    node_save(op, n, 2, tensor_of(weight));
    recorded(op, n, result);
}

/* ---- addcmul, addcdiv ---------------------------------------------------------------------- */

struct addc_params {
    bool divides;
    double value;
};

/* grad times value, which differs from 1 only if it was given. */
static mc_tensor *scaled(struct back *b)
{
    const struct addc_params *p = back_params(b);
    return p->value == 1 ? b->grad : op_tf(b->op, BINARY_mul, b->grad, p->value);
}

static void addc_back(struct back *b)
{
    const struct addc_params *p = back_params(b);
    enum binary how = p->divides ? BINARY_div : BINARY_mul;
    if (back_wants(b, 0))
        back_give(b, 0, b->grad);
    if (back_wants(b, 1) && p->divides && !dtype_is_float(back_saved(b, 1)->dtype)) {
        op_fail(b->op, MC_ERROR_CAST, "%s has no gradient for a division by %s", b->op->name,
                dtype_name(back_saved(b, 1)->dtype));
        return;
    }
    if (back_wants(b, 1))
        back_give(b, 1, op_tt(b->op, how, scaled(b), back_saved(b, 1)));
    if (!back_wants(b, 2))
        return;
    mc_tensor *dt = op_tt(b->op, BINARY_mul, scaled(b), back_saved(b, 0));
    if (p->divides) {
        mc_tensor *t = back_saved(b, 1);
        dt = op_unary(b->op, UNARY_neg,
                      op_tt(b->op, BINARY_div, dt, op_tt(b->op, BINARY_mul, t, t)));
    }
    back_give(b, 2, dt);
}

void grad_addc(struct op *op, mc_tensor *into, mc_tensor *result, enum binary how, mc_tensor *x,
               mc_tensor *s, mc_tensor *t, mc_arg value)
{
    bool divides = how == BINARY_div;
    struct node *n = RECORD(op, addc_back, into, sizeof(struct addc_params), x, s, t);
    if (!n)
        return;
    *(struct addc_params *)n->params = (struct addc_params){divides, number_of(value, 1)};
    if (node_wants(n, 2))
        node_save(op, n, 0, s);
    if (node_wants(n, 1) || divides) /* as PyTorch does, which has two formulas with t */
        node_save(op, n, 1, t);
    recorded(op, n, result);
}

/* ---- prelu --------------------------------------------------------------------------------- */

/* The weight's shape, aligned with the channels. */
static mc_shape channel_shape(const mc_tensor *x, const mc_tensor *weight)
{
    mc_shape shape = {.ndim = weight->numel == 1 ? 0 : x->ndim};
    for (int i = 0; i < shape.ndim; i++)
        shape.dims[i] = i == 1 ? weight->numel : 1;
    return shape;
}

static void prelu_back(struct back *b)
{
    mc_tensor *x = back_saved(b, 0), *weight = back_saved(b, 1);
    if (!x || !weight)
        return;
    mc_shape shape = channel_shape(x, weight), own = tensor_shape(weight);
    mc_tensor *w = op_reshape(b->op, weight, shape), *positive = op_tf(b->op, BINARY_gt, x, 0);
    mc_tensor *scaled = op_tt(b->op, BINARY_mul, b->grad, w);
    if (back_wants(b, 0) && positive && scaled)
        back_give(b, 0, op_where(b->op, positive, mc_arg_tensor(b->grad), mc_arg_tensor(scaled)));
    if (back_wants(b, 1)) {
        mc_tensor *dw = where_false(b, positive, op_tt(b->op, BINARY_mul, b->grad, x));
        back_give(b, 1, op_reshape(b->op, op_sum_to(b->op, dw, &shape), own));
    }
}

void grad_prelu(struct op *op, mc_tensor *result, mc_tensor *x, mc_tensor *weight)
{
    struct node *n = RECORD(op, prelu_back, NULL, 0, x, weight);
    node_save(op, n, 0, x);
    node_save(op, n, 1, weight);
    recorded(op, n, result);
}

/* ---- writing over -------------------------------------------------------------------------- */

/* x = from: the old x has no gradient. */
static void copy_back(struct back *b)
{
    const struct edge *e = &b->node->inputs[1];
    if (back_wants(b, 0))
        back_give(b, 0, op_fill(b->op, op_new_like(b->op, b->grad, b->grad->dtype), mc_arg_int(0)));
    if (!e->node)
        return;
    const struct like *from = &e->node->outputs[e->output];
    mc_tensor *grad = op_sum_to(b->op, b->grad, &from->shape);
    back_give(b, 1, op_to_device(b->op, op_cast(b->op, grad, from->dtype), from->device));
}

void grad_copy(struct op *op, mc_tensor *into, mc_arg from)
{
    recorded(op, RECORD(op, copy_back, into, 0, into, tensor_of(from)), into);
}

/* ---- dropout ------------------------------------------------------------------------------- */

struct dropout_params {
    double p;
    struct rng rng;
};

/* The same elements are dropped as in forward: the generator's state was saved. */
static void dropout_back(struct back *b)
{
    const struct dropout_params *p = back_params(b);
    back_give(b, 0, op_dropout(b->op, b->grad, p->p, p->rng));
}

void grad_dropout(struct op *op, mc_tensor *result, mc_tensor *x, double p, struct rng rng)
{
    struct node *n = RECORD(op, dropout_back, NULL, sizeof(struct dropout_params), x);
    if (n)
        *(struct dropout_params *)n->params = (struct dropout_params){p, rng};
    recorded(op, n, result);
}
