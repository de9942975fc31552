/* Gradients of losses against classes: each position's gradient goes to its class, and through the
 * softmax if there was one. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

#include "runtime/compute/loss.h"

enum { SAVED_LOG, SAVED_TARGET, SAVED_SCALE, SAVED_INPUT, SAVED_WEIGHT };

struct class_params {
    mc_reduction reduction;
    int64_t ignore;
    int dim;        /* of the classes */
    mc_shape shape; /* of input */
};

static const struct class_params *params_of(const struct back *b)
{
    return back_params(b);
}

/* The gradient of each position, in the shape of scale, (n, d). */
static mc_tensor *place_grads(struct back *b, mc_tensor *scale)
{
    mc_tensor *grad = op_cast(b->op, b->grad, scale->dtype);
    switch (params_of(b)->reduction) {
    case MC_MEAN:
        return op_tt(b->op, BINARY_div, grad, loss_reduce(b->op, scale, MC_SUM));
    case MC_SUM:
        return grad;
    case MC_NO_REDUCTION:
        break;
    }
    return op_reshape(b->op, grad, tensor_shape(scale));
}

/* -scale · grad at the class of each position, 0 elsewhere; scale is 0 where a position is
 * ignored, so any class will do there. */
static mc_tensor *to_classes(struct back *b, mc_tensor *target, mc_tensor *scale)
{
    const struct class_params *p = params_of(b);
    int64_t classes = p->shape.dims[p->dim], n = scale->shape[0], d = scale->shape[1];
    mc_tensor *whole = op_new(b->op, mc_shape(n, classes, d), scale->dtype, tensor_device(scale));
    mc_tensor *index = op_cast(b->op, op_reshape(b->op, target, mc_shape(n, 1, d)), MC_I64);
    mc_tensor *ignored =
        index ? op_binary(b->op, BINARY_eq, mc_arg_tensor(index), mc_arg_int(p->ignore)) : NULL;
    if (!ignored || !op_fill(b->op, whole, mc_arg_int(0)))
        return NULL;
    index = op_masked_fill(b->op, index, ignored, mc_arg_int(0));
    mc_tensor *value =
        op_unary(b->op, UNARY_neg, op_tt(b->op, BINARY_mul, scale, place_grads(b, scale)));
    value = op_unsqueeze(b->op, value, 1);
    if (value && value->numel && !op_scatter_add(b->op, whole, 1, index, value))
        return NULL;
    return op_reshape(b->op, whole, p->shape);
}

/* ---- nll_loss, cross_entropy against classes ------------------------------------------------- */

static void classes_back(struct back *b)
{
    mc_tensor *target = back_saved(b, SAVED_TARGET), *scale = back_saved(b, SAVED_SCALE);
    mc_tensor *log = back_saved(b, SAVED_LOG);
    if (!b->op->ok)
        return;
    mc_tensor *dx = to_classes(b, target, scale);
    back_give(b, 0, log ? op_softmax_back(b->op, dx, log, params_of(b)->dim, true) : dx);
}

void grad_classes(struct op *op, mc_tensor *result, mc_tensor *input, mc_tensor *target,
                  const mc_class_loss_options *o, mc_tensor *log, mc_tensor *scale)
{
    struct node *n = RECORD(op, classes_back, NULL, sizeof(struct class_params), input);
    if (!n)
        return;
    *(struct class_params *)n->params = (struct class_params){
        o->reduction, o->ignore_index.kind == MC_ARG_INT ? o->ignore_index.as.i : -100,
        input->ndim > 1 ? 1 : 0, tensor_shape(input)};
    node_save(op, n, SAVED_LOG, log);
    node_save(op, n, SAVED_TARGET, target);
    node_save(op, n, SAVED_SCALE, scale);
    node_save(op, n, SAVED_INPUT, log ? NULL : input);
    node_save(op, n, SAVED_WEIGHT, o->weight);
    recorded(op, n, result);
}

/* ---- cross_entropy against probabilities ----------------------------------------------------- */

/* The gradient of each position, broadcast along the classes. */
static mc_tensor *row_grads(struct back *b, mc_tensor *log)
{
    const struct class_params *p = params_of(b);
    mc_tensor *grad = op_cast(b->op, b->grad, log->dtype);
    double places =
        (double)log->numel / (double)(p->shape.dims[p->dim] ? p->shape.dims[p->dim] : 1);
    if (p->reduction == MC_MEAN)
        return op_tf(b->op, BINARY_div, grad, places);
    return p->reduction == MC_SUM ? grad : op_unsqueeze(b->op, grad, p->dim);
}

/* The weights aligned with the classes. */
static mc_tensor *class_weights(struct back *b, mc_tensor *weight, mc_dtype dtype)
{
    const struct class_params *p = params_of(b);
    mc_shape s = {.ndim = p->shape.ndim};
    for (int i = 0; i < s.ndim; i++)
        s.dims[i] = i == p->dim ? p->shape.dims[i] : 1;
    return weight ? op_reshape(b->op, loss_widen(b->op, weight, dtype), s) : NULL;
}

/* loss = -Σ log p · target · weight: each factor gets the product of the others. */
static void probabilities_back(struct back *b)
{
    const struct class_params *p = params_of(b);
    struct op *op = b->op;
    mc_tensor *log = back_saved(b, SAVED_LOG), *target = back_saved(b, SAVED_TARGET);
    mc_tensor *weight = back_saved(b, SAVED_WEIGHT);
    if (!op->ok)
        return;
    mc_tensor *w = class_weights(b, weight, log->dtype), *t = op_cast(op, target, log->dtype);
    mc_tensor *grad = op_unary(op, UNARY_neg, row_grads(b, log));
    mc_tensor *weighted = w ? op_tt(op, BINARY_mul, grad, w) : grad;
    if (back_wants(b, 0)) {
        mc_tensor *dlog = op_expand(op, op_tt(op, BINARY_mul, t, weighted), p->shape);
        back_give(b, 0, op_softmax_back(op, dlog, log, p->dim, true));
    }
    if (back_wants(b, 1))
        back_give(b, 1, op_tt(op, BINARY_mul, log, weighted));
    if (back_wants(b, 2)) {
        mc_tensor *dw = op_tt(op, BINARY_mul, op_tt(op, BINARY_mul, log, t), grad);
        mc_shape s = w ? tensor_shape(w) : (mc_shape){0};
        dw = op_sum_to(op, dw, &s);
        back_give(b, 2, dw ? op_reshape(op, dw, mc_shape(p->shape.dims[p->dim])) : NULL);
    }
}

void grad_probabilities(struct op *op, mc_tensor *result, mc_tensor *input, mc_tensor *target,
                        const mc_class_loss_options *o, mc_tensor *log)
{
    struct node *n =
        RECORD(op, probabilities_back, NULL, sizeof(struct class_params), input, target, o->weight);
    if (!n)
        return;
    *(struct class_params *)n->params = (struct class_params){
        .reduction = o->reduction, .dim = input->ndim > 1 ? 1 : 0, .shape = tensor_shape(input)};
    node_save(op, n, SAVED_LOG, log);
    node_save(op, n, SAVED_TARGET, target);
    node_save(op, n, SAVED_WEIGHT, o->weight);
    recorded(op, n, result);
}
