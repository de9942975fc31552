/* Gradients of reductions. The gradient of the result is spread over the reduced elements: evenly,
 * or to those that determined it. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

#include <math.h>

#include "runtime/compute/axes.h"

enum { SAVED_X, SAVED_RESULT };

struct reduce_params {
    mc_shape shape; /* of x */
    mc_shape kept;  /* of the result, as if with keepdim */
    mc_dims dims;
    double
        p; /* norm: the exponent; var and std: what is subtracted from the count; mean: the count */
};

static const struct reduce_params *params_of(const struct back *b)
{
    return back_params(b);
}

/* A tensor of the result's shape, as if with keepdim. */
static mc_tensor *kept(struct back *b, mc_tensor *t)
{
    return t ? op_reshape(b->op, t, params_of(b)->kept) : NULL;
}

static mc_tensor *spread(struct back *b, mc_tensor *grad)
{
    return op_expand(b->op, kept(b, grad), params_of(b)->shape);
}

/* The sum over what was reduced, of any dtype. */
static mc_tensor *sum_again(struct back *b, mc_tensor *x, mc_dtype dtype)
{
    return op_sum(b->op, x, params_of(b)->dims, true, dtype);
}

/* How many elements were reduced to one. */
static double reduced_count(const struct back *b)
{
    const struct reduce_params *p = params_of(b);
    double n = 1;
    for (int i = 0; i < p->shape.ndim; i++)
        n *= p->kept.dims[i] == 1 ? (double)p->shape.dims[i] : 1;
    return n;
}

/* ---- sum, mean ----------------------------------------------------------------------------- */

static void sum_back(struct back *b)
{
    back_give(b, 0, spread(b, b->grad));
}

static void mean_back(struct back *b)
{
    back_give(b, 0, spread(b, op_tf(b->op, BINARY_div, b->grad, reduced_count(b))));
}

/* ---- prod ---------------------------------------------------------------------------------- */

static bool any_true(struct back *b, mc_tensor *flags)
{
    struct axes all;
    bool answer = false;
    if (!flags || !axes_of(b->op, flags, (mc_dims){0}, false, &all))
        return false;
    mc_tensor *any = op_reduce(b->op, REDUCE_ANY, flags, &all, MC_BOOL, 0);
    return any &&
           tensor_backend(any)->download(&answer, any->storage, (size_t)any->offset,
                                         sizeof answer) &&
           answer;
}

/* The product of the others is result / x, if there is no zero. With one zero, its gradient is the
 * product of the others, whose gradients are 0; with two zeros, all are 0. */
static mc_tensor *prod_with_zeros(struct back *b, mc_tensor *x, mc_tensor *zeros, mc_tensor *ratio)
{
    struct axes axes;
    mc_tensor *count = sum_again(b, zeros, MC_I64);
    mc_tensor *others = op_masked_fill(b->op, x, zeros, mc_arg_int(1));
    if (!count || !others || !axes_of(b->op, x, params_of(b)->dims, true, &axes))
        return NULL;
    others = op_reduce(b->op, REDUCE_PROD, others, &axes, x->dtype, 0);
    mc_tensor *single = op_tt(b->op, BINARY_logical_and, zeros, op_tf(b->op, BINARY_eq, count, 1));
    mc_tensor *none = op_tf(b->op, BINARY_eq, count, 0);
    if (!others || !single || !none)
        return NULL;
    mc_tensor *slope = op_where(b->op, none, mc_arg_tensor(ratio), mc_arg_float(0));
    return slope ? op_where(b->op, single, mc_arg_tensor(others), mc_arg_tensor(slope)) : NULL;
}

static void prod_back(struct back *b)
{
    mc_tensor *x = back_saved(b, SAVED_X), *result = kept(b, back_saved(b, SAVED_RESULT));
    if (!x || !result)
        return;
    x = op_cast(b->op, x, result->dtype);
    mc_tensor *zeros = op_tf(b->op, BINARY_eq, x, 0);
    mc_tensor *slope = op_tt(b->op, BINARY_div, result, x);
    if (any_true(b, zeros))
        slope = prod_with_zeros(b, x, zeros, slope);
    back_give(b, 0, op_tt(b->op, BINARY_mul, kept(b, b->grad), slope));
}

/* ---- extremes ------------------------------------------------------------------------------ */

/* The elements that are the extreme share the gradient. */
static mc_tensor *shared(struct back *b, mc_tensor *mask)
{
    mc_tensor *count = sum_again(b, mask, MC_I64);
    mc_tensor *share = op_tt(b->op, BINARY_div, kept(b, b->grad), count);
    return mask && share ? op_where(b->op, mask, mc_arg_tensor(share), mc_arg_float(0)) : NULL;
}

static void amax_back(struct back *b)
{
    mc_tensor *result = kept(b, back_saved(b, SAVED_RESULT));
    mc_tensor *mask = op_tt(b->op, BINARY_eq, back_saved(b, SAVED_X), result);
    mc_tensor *count = sum_again(b, mask, MC_I64);
    /* As in PyTorch: NaN equals nothing, so no element has a share. */
    mc_tensor *share = op_tt(b->op, BINARY_div, kept(b, b->grad), count);
    back_give(b, 0, op_tt(b->op, BINARY_mul, share, mask));
}

/* Over all elements. If the result is NaN, all NaN share it. */
static void max_back(struct back *b)
{
    mc_tensor *x = back_saved(b, SAVED_X), *result = kept(b, back_saved(b, SAVED_RESULT));
    mc_tensor *same = op_tt(b->op, BINARY_eq, x, result);
    if (!same)
        return;
    mc_tensor *nan = op_tt(b->op, BINARY_logical_and, op_unary(b->op, UNARY_isnan, x),
                           op_unary(b->op, UNARY_isnan, result));
    back_give(b, 0, shared(b, op_tt(b->op, BINARY_logical_or, same, nan)));
}

/* ---- var, std ------------------------------------------------------------------------------ */

static mc_tensor *var_grad(struct back *b, mc_tensor *grad)
{
    mc_tensor *x = back_saved(b, SAVED_X);
    mc_tensor *mean = x ? op_mean(b->op, x, params_of(b)->dims, true, MC_DTYPE_DEFAULT) : NULL;
    double factor = 2 / (reduced_count(b) - params_of(b)->p);
    mc_tensor *scaled = op_tf(b->op, BINARY_mul, kept(b, grad), factor);
    return op_tt(b->op, BINARY_mul, scaled, op_tt(b->op, BINARY_sub, x, mean));
}

static void var_back(struct back *b)
{
    back_give(b, 0, var_grad(b, b->grad));
}

static void std_back(struct back *b)
{
    mc_tensor *result = back_saved(b, SAVED_RESULT);
    mc_tensor *grad = op_tt(b->op, BINARY_div, b->grad, op_tf(b->op, BINARY_mul, result, 2));
    mc_tensor *flat = result ? op_tf(b->op, BINARY_eq, result, 0) : NULL;
    back_give(b, 0,
              flat && grad ? var_grad(b, op_masked_fill(b->op, grad, flat, mc_arg_int(0))) : NULL);
}

/* ---- norm ---------------------------------------------------------------------------------- */

/* t, 0 where the flag is set. */
static mc_tensor *without(struct back *b, mc_tensor *t, mc_tensor *flag)
{
    return t && flag ? op_masked_fill(b->op, t, flag, mc_arg_int(0)) : NULL;
}

static mc_tensor *is_zero(struct back *b, mc_tensor *t)
{
    return op_tf(b->op, BINARY_eq, t, 0);
}

static mc_tensor *norm_by_extreme(struct back *b, mc_tensor *x, mc_tensor *norm)
{
    mc_tensor *size = op_unary(b->op, UNARY_abs, x);
    mc_tensor *same = op_tt(b->op, BINARY_eq, size, norm);
    mc_tensor *nan = size ? op_tt(b->op, BINARY_logical_and, op_unary(b->op, UNARY_isnan, size),
                                  op_unary(b->op, UNARY_isnan, norm))
                          : NULL;
    mc_tensor *mask = op_tt(b->op, BINARY_logical_or, same, nan);
    return op_tt(b->op, BINARY_mul, op_unary(b->op, UNARY_sign, x), shared(b, mask));
}

/* sign(x) |x|^(p-1) grad / norm^(p-1), with 0 to a negative power handled. */
static mc_tensor *norm_by_power(struct back *b, mc_tensor *x, mc_tensor *norm, double p)
{
    mc_tensor *grad = kept(b, b->grad), *size = op_unary(b->op, UNARY_abs, x);
    mc_tensor *sign = op_unary(b->op, UNARY_sign, x), *steep, *scale;
    if (p < 2) {
        steep = op_tt(b->op, BINARY_mul, sign, op_tf(b->op, BINARY_pow, size, p - 1));
        if (p < 1)
            steep = without(b, steep, is_zero(b, x));
    } else {
        steep = op_tt(b->op, BINARY_mul, x, op_tf(b->op, BINARY_pow, size, p - 2));
    }
    if (p < 1)
        return op_tt(b->op, BINARY_mul, op_tt(b->op, BINARY_mul, steep, grad),
                     op_tf(b->op, BINARY_pow, norm, 1 - p));
    scale = op_tt(b->op, BINARY_div, grad, op_tf(b->op, BINARY_pow, norm, p - 1));
    return op_tt(b->op, BINARY_mul, steep, without(b, scale, is_zero(b, norm)));
}

static void norm_back(struct back *b)
{
    double p = params_of(b)->p;
    mc_tensor *x = back_saved(b, SAVED_X), *norm = kept(b, back_saved(b, SAVED_RESULT));
    if (!x || !norm)
        return;
    if (p == 1)
        back_give(b, 0, op_tt(b->op, BINARY_mul, op_unary(b->op, UNARY_sign, x), kept(b, b->grad)));
    else if (p == 2)
        back_give(b, 0,
                  op_tt(b->op, BINARY_mul, kept(b, b->grad),
                        without(b, op_tt(b->op, BINARY_div, x, norm), is_zero(b, norm))));
    else if (isinf(p))
        back_give(b, 0, norm_by_extreme(b, x, norm));
    else
        back_give(b, 0, norm_by_power(b, x, norm, p));
}

/* ---- logsumexp ----------------------------------------------------------------------------- */

static void logsumexp_back(struct back *b)
{
    mc_tensor *below =
        op_tt(b->op, BINARY_sub, back_saved(b, SAVED_X), kept(b, back_saved(b, SAVED_RESULT)));
    back_give(b, 0, op_tt(b->op, BINARY_mul, kept(b, b->grad), op_unary(b->op, UNARY_exp, below)));
}

/* ---- along one dimension, where the places are known ----------------------------------------- */

struct place_params {
    mc_shape shape;
    int dim;
};

/* The gradient goes to the positions of the values. */
static void places_back(struct back *b)
{
    const struct place_params *p = back_params(b);
    mc_tensor *index = back_saved(b, 0), *grad = b->grad;
    mc_tensor *zeros =
        op_fill(b->op, op_new(b->op, p->shape, grad->dtype, tensor_device(grad)), mc_arg_int(0));
    if (!index || !zeros)
        return;
    if (index->ndim < p->shape.ndim) {
        index = op_unsqueeze(b->op, index, p->dim);
        grad = op_unsqueeze(b->op, grad, p->dim);
    }
    back_give(b, 0, op_scatter_add(b->op, zeros, p->dim, index, grad));
}

void grad_places(struct op *op, mc_tensor *result, mc_tensor *x, int64_t dim, mc_tensor *index)
{
    struct node *n = RECORD(op, places_back, NULL, sizeof(struct place_params), x);
    if (!n)
        return;
    dim = x->ndim == 0 ? 0 : dim < 0 ? dim + x->ndim : dim;
    *(struct place_params *)n->params = (struct place_params){tensor_shape(x), (int)dim};
    node_save_result(op, n, 0, index);
    recorded(op, n, result);
}

/* ---- the table ----------------------------------------------------------------------------- */

enum { X = 1 << SAVED_X, RESULT = 1 << SAVED_RESULT };

/* clang-format off */
static const struct {
    backward_fn back;
    unsigned needs;
} formulas[] = {
    [GRAD_SUM]       = {sum_back,       0},
    [GRAD_MEAN]      = {mean_back,      0},
    [GRAD_PROD]      = {prod_back,      X | RESULT},
    [GRAD_AMAX]      = {amax_back,      X | RESULT},
    [GRAD_MAX]       = {max_back,       X | RESULT},
    [GRAD_VAR]       = {var_back,       X},
    [GRAD_STD]       = {std_back,       X | RESULT},
    [GRAD_NORM]      = {norm_back,      X | RESULT},
    [GRAD_LOGSUMEXP] = {logsumexp_back, X | RESULT},
};
/* clang-format on */

static mc_shape kept_shape(const mc_tensor *x, const mc_dims *dims)
{
    mc_shape s = tensor_shape(x);
    for (int i = 0; i < s.ndim && !dims->count; i++)
        s.dims[i] = 1;
    for (int i = 0; i < dims->count && s.ndim; i++)
        s.dims[dims->dims[i] < 0 ? dims->dims[i] + s.ndim : dims->dims[i]] = 1;
    return s;
}

void grad_reduce(struct op *op, enum grad_reduce which, mc_tensor *result, mc_tensor *x,
                 mc_dims dims, double p)
{
    if (!dtype_is_float(result->dtype))
        return;
    struct node *n = RECORD(op, formulas[which].back, NULL, sizeof(struct reduce_params), x);
    if (!n)
        return;
    *(struct reduce_params *)n->params =
        (struct reduce_params){tensor_shape(x), kept_shape(x, &dims), dims, p};
    if (formulas[which].needs & X)
        node_save(op, n, SAVED_X, x);
    if (formulas[which].needs & RESULT)
        node_save_result(op, n, SAVED_RESULT, result);
    recorded(op, n, result);
}
