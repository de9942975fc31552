/* Gradients of losses between two tensors. The gradient of one element is its derivative, times the
 * result's gradient, times its weight, divided by what the reduction divides by.
 *
 * PyTorch saves intermediate results where it computes step by step: l1_loss and the weighted
 * losses save the difference of their operands, so that these may be changed; the others save the
 * operands.
 */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

#include "runtime/compute/loss.h"

enum { SAVED_INPUT, SAVED_TARGET, SAVED_WEIGHT, SAVED_DIFFERENCE };
enum { INPUT, TARGET, WEIGHT };

struct loss_params {
    enum grad_loss loss;
    mc_reduction reduction;
    double delta;
    mc_dtype dtype; /* that the loss was computed for */
    int64_t count;  /* of elements that were compared */
};

static const struct loss_params *params_of(const struct back *b)
{
    return back_params(b);
}

static mc_tensor *widen(struct back *b, mc_tensor *x)
{
    return x ? loss_widen(b->op, x, params_of(b)->dtype) : NULL;
}

/* ---- slopes -------------------------------------------------------------------------------- */

/* The derivative of the loss by the difference d. */
static mc_tensor *slope_of(struct back *b, mc_tensor *d)
{
    double delta = params_of(b)->delta;
    switch (params_of(b)->loss) {
    case GRAD_MSE:
        return op_tf(b->op, BINARY_mul, d, 2);
    case GRAD_L1:
        return op_unary(b->op, UNARY_sign, d);
    case GRAD_HUBER:
    case GRAD_SMOOTH_L1:
        d = op_tf(b->op, BINARY_minimum, op_tf(b->op, BINARY_maximum, d, -delta), delta);
        return params_of(b)->loss == GRAD_HUBER || delta == 1 ? d
                                                              : op_tf(b->op, BINARY_div, d, delta);
    case GRAD_KL_DIV:
    case GRAD_BCE:
    case GRAD_BCE_LOGITS:
        break;
    }
    BUG("loss %d is no function of a difference", params_of(b)->loss);
}

/* The loss itself, which weights are multiplied with. */
static mc_tensor *height_of(struct back *b, mc_tensor *d)
{
    double delta = params_of(b)->delta;
    mc_tensor *size = op_unary(b->op, UNARY_abs, d);
    if (params_of(b)->loss == GRAD_MSE)
        return op_tt(b->op, BINARY_mul, d, d);
    if (params_of(b)->loss == GRAD_L1)
        return size;
    mc_tensor *near = op_tf(b->op, BINARY_minimum, size, delta);
    return op_tt(b->op, BINARY_mul, near,
                 op_tt(b->op, BINARY_sub, size, op_tf(b->op, BINARY_mul, near, 0.5)));
}

/* ---- losses of a difference ------------------------------------------------------------------ */

/* In backward, PyTorch's kernels for these two take one dtype only. */
static bool one_dtype(struct back *b, const mc_tensor *input, const mc_tensor *target)
{
    enum grad_loss loss = params_of(b)->loss;
    if ((loss != GRAD_MSE && loss != GRAD_HUBER) || input->dtype == target->dtype)
        return true;
    return op_fail(b->op, MC_ERROR_DTYPE,
                   "%s needs one dtype in backward: input is %s, target is %s", b->op->name,
                   dtype_name(input->dtype), dtype_name(target->dtype));
}

static mc_tensor *difference(struct back *b)
{
    mc_tensor *d = back_saved(b, SAVED_DIFFERENCE);
    if (d || !b->op->ok)
        return d;
    mc_tensor *input = back_saved(b, SAVED_INPUT), *target = back_saved(b, SAVED_TARGET);
    if (!input || !target || !one_dtype(b, input, target))
        return NULL;
    return op_tt(b->op, BINARY_sub, widen(b, input), widen(b, target));
}

/* Whether a mean divides by the sum of the weights; Huber's divides by the count. */
static bool by_weight(const struct back *b)
{
    return params_of(b)->reduction == MC_MEAN && params_of(b)->loss != GRAD_HUBER;
}

/* The share of the result's gradient that each element gets, before its own weight. */
static mc_tensor *share_of(struct back *b, mc_tensor *weight)
{
    mc_tensor *grad = op_cast(b->op, b->grad, loss_computed_in(params_of(b)->dtype));
    if (params_of(b)->reduction != MC_MEAN)
        return grad;
    if (weight && by_weight(b))
        return op_tt(b->op, BINARY_div, grad, loss_reduce(b->op, weight, MC_SUM));
    return op_tf(b->op, BINARY_div, grad, (double)params_of(b)->count);
}

/* Of the weighted mean Σ w l / Σ w the derivative by w is (l - mean) / Σ w. */
static mc_tensor *weight_grad(struct back *b, mc_tensor *d, mc_tensor *weight, mc_tensor *share)
{
    mc_tensor *height = height_of(b, d);
    if (height && by_weight(b)) {
        mc_tensor *sum = loss_reduce(b->op, op_tt(b->op, BINARY_mul, height, weight), MC_SUM);
        mc_tensor *mean = op_tt(b->op, BINARY_div, sum, loss_reduce(b->op, weight, MC_SUM));
        height = op_tt(b->op, BINARY_sub, height, mean);
    }
    return op_tt(b->op, BINARY_mul, height, share);
}

static void difference_back(struct back *b)
{
    mc_tensor *d = difference(b), *weight = widen(b, back_saved(b, SAVED_WEIGHT));
    if (!d || !b->op->ok)
        return;
    mc_tensor *share = share_of(b, weight);
    if (back_wants(b, WEIGHT))
        back_give(b, WEIGHT, weight_grad(b, d, weight, share));
    if (!back_wants(b, INPUT) && !back_wants(b, TARGET))
        return;
    mc_tensor *dx = op_tt(b->op, BINARY_mul, slope_of(b, d), share);
    if (weight)
        dx = op_tt(b->op, BINARY_mul, dx, weight);
    if (back_wants(b, INPUT))
        back_give(b, INPUT, dx);
    if (back_wants(b, TARGET))
        back_give(b, TARGET, op_unary(b->op, UNARY_neg, dx));
}

/* ---- Kullback-Leibler ---------------------------------------------------------------------- */

/* target (log target - input) */
static void kl_div_back(struct back *b)
{
    mc_tensor *t = widen(b, back_saved(b, SAVED_TARGET));
    mc_tensor *input = widen(b, back_saved(b, SAVED_INPUT));
    if (!t || !b->op->ok)
        return;
    mc_tensor *share = share_of(b, NULL);
    if (back_wants(b, INPUT))
        back_give(b, INPUT, op_tt(b->op, BINARY_mul, op_unary(b->op, UNARY_neg, t), share));
    if (!back_wants(b, TARGET))
        return;
    /* t log t as PyTorch derives it: its two factors one after the other. */
    mc_tensor *zero = op_tf(b->op, BINARY_eq, t, 0);
    mc_tensor *log =
        zero ? op_masked_fill(b->op, op_unary(b->op, UNARY_log, t), zero, mc_arg_int(0)) : NULL;
    mc_tensor *slope = op_tt(b->op, BINARY_add, log, op_tt(b->op, BINARY_div, t, t));
    back_give(b, TARGET, op_tt(b->op, BINARY_mul, op_tt(b->op, BINARY_sub, slope, input), share));
}

/* ---- binary cross entropy ------------------------------------------------------------------ */

static mc_tensor *less_than_one(struct back *b, mc_tensor *x)
{
    return x ? op_binary(b->op, BINARY_sub, mc_arg_float(1), mc_arg_tensor(x)) : NULL;
}

/* (x - t) / (x (1 - x)), where PyTorch bounds the denominator by 1e-12 from below. */
static mc_tensor *bce_slope(struct back *b, mc_tensor *x, mc_tensor *t)
{
    mc_tensor *below = op_tt(b->op, BINARY_mul, less_than_one(b, x), x);
    return op_tt(b->op, BINARY_div, op_tt(b->op, BINARY_sub, x, t),
                 op_tf(b->op, BINARY_maximum, below, 1e-12));
}

static mc_tensor *bce_slope_target(struct back *b, mc_tensor *x)
{
    return op_tt(b->op, BINARY_sub, op_unary(b->op, UNARY_log, less_than_one(b, x)),
                 op_unary(b->op, UNARY_log, x));
}

static void bce_back(struct back *b)
{
    bool logits = params_of(b)->loss == GRAD_BCE_LOGITS;
    mc_tensor *x = widen(b, back_saved(b, SAVED_INPUT));
    mc_tensor *t = widen(b, back_saved(b, SAVED_TARGET));
    mc_tensor *weight = widen(b, back_saved(b, SAVED_WEIGHT));
    /* 0-dim operands on two devices make a loss, but in PyTorch no gradient. */
    if (!x || !t || !b->op->ok || !OP_SAME_DEVICE(b->op, x, t))
        return;
    mc_tensor *share = share_of(b, NULL);
    if (weight)
        share = op_tt(b->op, BINARY_mul, share, weight);
    if (back_wants(b, INPUT)) {
        mc_tensor *slope = logits ? op_tt(b->op, BINARY_sub, op_unary(b->op, UNARY_sigmoid, x), t)
                                  : bce_slope(b, x, t);
        back_give(b, INPUT, op_tt(b->op, BINARY_mul, slope, share));
    }
    if (back_wants(b, TARGET)) {
        mc_tensor *slope = logits ? op_unary(b->op, UNARY_neg, x) : bce_slope_target(b, x);
        back_give(b, TARGET, op_tt(b->op, BINARY_mul, slope, share));
    }
}

/* ---- recording ----------------------------------------------------------------------------- */

static bool keeps_difference(enum grad_loss loss, const mc_tensor *weight)
{
    return loss == GRAD_L1 || (weight && (loss == GRAD_MSE || loss == GRAD_HUBER));
}

static backward_fn formula_of(enum grad_loss loss)
{
    switch (loss) {
    case GRAD_MSE:
    case GRAD_L1:
    case GRAD_SMOOTH_L1:
    case GRAD_HUBER:
        return difference_back;
    case GRAD_KL_DIV:
        return kl_div_back;
    case GRAD_BCE:
    case GRAD_BCE_LOGITS:
        return bce_back;
    }
    BUG("no loss %d", loss);
}

static mc_dtype computed_for(const mc_tensor *input, const mc_tensor *target,
                             const mc_tensor *weight)
{
    mc_dtype d = promote(input->dtype, target->dtype);
    return weight ? promote(d, weight->dtype) : d;
}

void grad_loss(struct op *op, enum grad_loss loss, mc_tensor *result, mc_tensor *input,
               mc_tensor *target, const mc_loss_options *o)
{
    struct node *n =
        RECORD(op, formula_of(loss), NULL, sizeof(struct loss_params), input, target, o->weight);
    mc_shape both;
    int64_t count = 0;
    if (!n || !op_broadcast(op, input, target, &both) || !shape_numel(both.ndim, both.dims, &count))
        return;
    mc_dtype dtype = computed_for(input, target, o->weight);
    *(struct loss_params *)n->params =
        (struct loss_params){loss, o->reduction, o->delta != 0 ? o->delta : 1, dtype, count};
    if (keeps_difference(loss, o->weight)) {
        node_save(
            op, n, SAVED_DIFFERENCE,
            op_tt(op, BINARY_sub, loss_widen(op, input, dtype), loss_widen(op, target, dtype)));
    } else {
        if (loss != GRAD_KL_DIV || node_wants(n, TARGET))
            node_save(op, n, SAVED_INPUT, input);
        node_save(op, n, SAVED_TARGET, target);
    }
    node_save(op, n, SAVED_WEIGHT, o->weight);
    recorded(op, n, result);
}

/* ---- cosine similarity --------------------------------------------------------------------- */

struct cosine_params {
    int64_t dim;
    mc_dtype dtype;
    bool whole[2]; /* the operand was saved as it is; otherwise divided by its length */
};

/* x's length along the dimension, at least 1e-8. */
static mc_tensor *length_of(struct op *op, mc_tensor *x, int64_t dim)
{
    mc_tensor *square =
        op_sum(op, op_tt(op, BINARY_mul, x, x), mc_dims(dim), true, MC_DTYPE_DEFAULT);
    return op_tf(op, BINARY_maximum, op_unary(op, UNARY_sqrt, square), 1e-8);
}

/* (ŷ - x̂ cos) / |x| */
static void cosine_back(struct back *b)
{
    const struct cosine_params *p = back_params(b);
    mc_tensor *length[2] = {0}, *hat[2] = {0};
    for (int i = 0; i < 2; i++) {
        mc_tensor *x = back_saved(b, i);
        x = x ? loss_widen(b->op, x, p->dtype) : NULL;
        length[i] = p->whole[i] ? length_of(b->op, x, p->dim) : NULL;
        hat[i] = p->whole[i] ? op_tt(b->op, BINARY_div, x, length[i]) : x;
    }
    mc_tensor *product = op_tt(b->op, BINARY_mul, hat[0], hat[1]);
    mc_tensor *cosine = op_sum(b->op, product, mc_dims(p->dim), true, MC_DTYPE_DEFAULT);
    mc_tensor *grad = op_unsqueeze(b->op, b->grad, p->dim);
    for (int i = 0; i < 2; i++) {
        if (!back_wants(b, i))
            continue;
        mc_tensor *along = op_tt(b->op, BINARY_mul, hat[i], cosine);
        mc_tensor *slope =
            op_tt(b->op, BINARY_div, op_tt(b->op, BINARY_sub, hat[!i], along), length[i]);
        back_give(b, i, op_tt(b->op, BINARY_mul, slope, grad));
    }
}

void grad_cosine(struct op *op, mc_tensor *result, mc_tensor *a, mc_tensor *b, int64_t dim)
{
    struct node *n = RECORD(op, cosine_back, NULL, sizeof(struct cosine_params), a, b);
    if (!n)
        return;
    struct cosine_params *p = n->params;
    int ndim = a->ndim > b->ndim ? a->ndim : b->ndim;
    *p = (struct cosine_params){.dim = dim < 0 ? dim + ndim : dim,
                                .dtype = promote(a->dtype, b->dtype)};
    for (int i = 0; i < 2; i++) {
        mc_tensor *x = i == 0 ? a : b;
        p->whole[i] = node_wants(n, i);
        if (!p->whole[i]) {
            x = loss_widen(op, x, p->dtype);
            x = op_tt(op, BINARY_div, x, length_of(op, x, p->dim - ndim));
        }
        node_save(op, n, i, x);
    }
    p->dim -= ndim; /* counted from the last, as operands with fewer dimensions need it */
    recorded(op, n, result);
}
