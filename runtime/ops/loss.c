/* Losses between two tensors that are compared element by element, and the cosine similarity.
 * Losses against classes are in class_loss.c.
 *
 * Which errors a loss knows, and which of them comes first, differs from loss to loss, as it does
 * in PyTorch, and so does what is rounded: losses that PyTorch composes of elementwise ops are
 * rounded to their dtypes after each of them, those with a kernel of their own once for each
 * element. */
#include "runtime/autograd/formulas.h"
#include "runtime/compute/loss.h"

#include "runtime/compute/axes.h"

#include "runtime/amp/amp.h"

/* ---- what losses share -------------------------------------------------------------------- */

/* Input and target of one shape, and the dtype of the result. */
struct pair {
    mc_tensor *input, *target;
    mc_dtype dtype;
};

static bool pair_expand(struct op *op, struct pair *p)
{
    mc_shape shape;
    if (!op_broadcast(op, p->input, p->target, &shape))
        return false;
    p->input = op_expand(op, p->input, shape);
    p->target = op_expand(op, p->target, shape);
    return p->input && p->target;
}

static bool pair_same_shape(struct op *op, const struct pair *p)
{
    char a[96], b[96];
    if (tensor_same_shape(p->input, p->target))
        return true;
    return op_fail(op, MC_ERROR_SHAPE, "%s needs one shape: input is %s, target %s", op->name,
                   shape_describe(p->input->ndim, p->input->shape, a, sizeof a),
                   shape_describe(p->target->ndim, p->target->shape, b, sizeof b));
}

static bool pair_takes(struct op *op, struct pair *p, unsigned set)
{
    p->dtype = promote(p->input->dtype, p->target->dtype);
    if (p->dtype && set & BIT(p->dtype))
        return true;
    return op_fail(op, MC_ERROR_DTYPE, "%s does not take %s with %s", op->name,
                   dtype_name(p->input->dtype), dtype_name(p->target->dtype));
}

/* The common dtype, which must exist before devices are checked, and must be floating. Two 0-dim
 * operands skip the former check. */
static bool pair_promote(struct op *op, struct pair *p, bool zero_dims_pass)
{
    bool passes = zero_dims_pass && p->input->ndim == 0;
    return pair_takes(op, p, SET_ALL) && (passes || OP_SAME_DEVICE(op, p->input, p->target)) &&
           pair_takes(op, p, SET_FLOAT) && OP_SAME_DEVICE(op, p->input, p->target);
}

/* Both in the dtype computed in; the last step before computing. */
static bool pair_widen(struct op *op, struct pair *p, mc_dtype dtype)
{
    p->input = loss_widen(op, p->input, dtype);
    p->target = loss_widen(op, p->target, dtype);
    return p->input && p->target;
}

static mc_tensor *less_than_one(struct op *op, mc_tensor *x)
{
    return x ? op_binary(op, BINARY_sub, mc_arg_float(1), mc_arg_tensor(x)) : NULL;
}

/* ---- weights ------------------------------------------------------------------------------ */

static bool no_weight(struct op *op, const mc_tensor *weight)
{
    return !weight || op_fail(op, MC_ERROR_ARGUMENT, "%s has no weight option", op->name);
}

static bool weight_fits(struct op *op, mc_tensor *loss, mc_tensor *weight, const mc_tensor *input)
{
    if (!weight)
        return true;
    if (!tensor_same_shape(weight, input))
        return op_fail(op, MC_ERROR_SHAPE, "%s needs a weight for each element of input", op->name);
    if (!OP_SAME_DEVICE(op, loss, weight))
        return false;
    if (promote(loss->dtype, weight->dtype))
        return true;
    return op_fail(op, MC_ERROR_DTYPE, "%s of %s does not take weights of %s", op->name,
                   dtype_name(loss->dtype), dtype_name(weight->dtype));
}

/* From the loss of each element to the result. The weighted mean of squares and distances divides
 * by the sum of weights, Huber's by the count. */
static mc_tensor *settle(struct op *op, mc_tensor *loss, mc_loss_options o, bool by_weight)
{
    bool divides = o.weight && by_weight && o.reduction == MC_MEAN;
    if (loss && o.weight)
        loss = op_tt(op, BINARY_mul, loss, o.weight);
    loss = loss ? loss_reduce(op, loss, divides ? MC_SUM : o.reduction) : NULL;
    return divides && loss ? op_tt(op, BINARY_div, loss, loss_reduce(op, o.weight, MC_SUM)) : loss;
}

/* ---- squares and distances ---------------------------------------------------------------- */

static mc_tensor *mse_loss(struct op *op, mc_tensor *input, mc_tensor *target, mc_loss_options o)
{
    struct pair p = {.input = input, .target = target};
    if (!pair_expand(op, &p) || !pair_promote(op, &p, false))
        return NULL;
    mc_tensor *d =
        op_tt(op, BINARY_sub, op_convert(op, p.input, p.dtype), op_convert(op, p.target, p.dtype));
    if (!d || !weight_fits(op, d, o.weight, input))
        return NULL;
    return settle(op, op_tt(op, BINARY_mul, d, d), o, true);
}

/* Integers have distances too, but no mean. Two 0-dim operands stay so, and may be on different
 * devices. */
static mc_tensor *l1_loss(struct op *op, mc_tensor *input, mc_tensor *target, mc_loss_options o)
{
    struct pair p = {.input = input, .target = target};
    if (!pair_expand(op, &p))
        return NULL;
    mc_tensor *d = op_tt(op, BINARY_sub, p.input, p.target);
    if (!d || !weight_fits(op, d, o.weight, input))
        return NULL;
    return settle(op, op_unary(op, UNARY_abs, d), o, true);
}

/* ---- Huber -------------------------------------------------------------------------------- */

static bool delta_fits(struct op *op, double *delta)
{
    if (*delta == 0)
        *delta = 1;
    if (*delta > 0)
        return true;
    return op_fail(op, MC_ERROR_ARGUMENT, "delta is %g: it must be positive", *delta);
}

/* d²/2 up to delta, then linear; smooth l1 is that divided by delta. */
static mc_tensor *bent(struct op *op, const struct pair *p, double delta, bool smooth)
{
    mc_tensor *d = op_tt(op, BINARY_sub, p->input, p->target);
    mc_tensor *size = d ? op_unary(op, UNARY_abs, d) : NULL;
    mc_tensor *near = op_tt(op, BINARY_mul, op_tf(op, BINARY_mul, size, 0.5), size);
    mc_tensor *far = op_tf(op, BINARY_sub, size, 0.5 * delta);
    mc_tensor *is_near = op_tf(op, BINARY_lt, size, delta);
    if (smooth && delta != 1)
        near = op_tf(op, BINARY_div, near, delta);
    else if (!smooth && delta != 1)
        far = op_tf(op, BINARY_mul, far, delta);
    return near && far && is_near ? op_where(op, is_near, mc_arg_tensor(near), mc_arg_tensor(far))
                                  : NULL;
}

/* PyTorch's kernels round halves after each step on cuda; on the CPU each does so for one dtype,
 * and computes the other in f32. */
static mc_tensor *bent_rounded(struct op *op, struct pair *p, double delta, bool smooth)
{
    bool by_step = is_cuda(p->input) || p->dtype == (smooth ? MC_F16 : MC_BF16);
    mc_dtype in = by_step ? p->dtype : loss_computed_in(p->dtype);
    p->input = op_cast(op, op_convert(op, p->input, p->dtype), in);
    p->target = op_cast(op, op_convert(op, p->target, p->dtype), in);
    return p->input && p->target ? op_cast(op, bent(op, p, delta, smooth), p->dtype) : NULL;
}

static mc_tensor *smooth_l1_loss(struct op *op, mc_tensor *input, mc_tensor *target,
                                 mc_loss_options o)
{
    struct pair p = {.input = input, .target = target};
    if (!no_weight(op, o.weight) || !delta_fits(op, &o.delta) || !pair_expand(op, &p) ||
        !pair_promote(op, &p, true))
        return NULL;
    return settle(op, bent_rounded(op, &p, o.delta, true), o, false);
}

/* PyTorch writes the Huber loss into a tensor of input's dtype: what cannot be cast to that is
 * rejected before the dtype is checked. */
static bool huber_dtypes(struct op *op, struct pair *p)
{
    mc_dtype common = promote(p->input->dtype, p->target->dtype);
    if (common && !can_cast(common, p->input->dtype))
        return op_fail(op, MC_ERROR_CAST, "%s makes %s, which cannot be written as input's %s",
                       op->name, dtype_name(common), dtype_name(p->input->dtype));
    return pair_takes(op, p, SET_FLOAT);
}

static mc_tensor *huber_loss(struct op *op, mc_tensor *input, mc_tensor *target, mc_loss_options o)
{
    struct pair p = {.input = input, .target = target};
    if (!delta_fits(op, &o.delta) || !pair_expand(op, &p) || !OP_SAME_DEVICE(op, input, target) ||
        !huber_dtypes(op, &p))
        return NULL;
    if (is_cuda(input)) /* computes in the dtype that it writes */
        p.dtype = input->dtype;
    mc_tensor *loss = op_cast(op, bent_rounded(op, &p, o.delta, false), input->dtype);
    return loss && weight_fits(op, loss, o.weight, input) ? settle(op, loss, o, false) : NULL;
}

/* ---- Kullback-Leibler --------------------------------------------------------------------- */

/* x log x, which is 0 at 0, of x's dtype. The CPU rounds halves after the logarithm, too. */
static mc_tensor *x_log_x(struct op *op, mc_tensor *given)
{
    mc_tensor *x = is_cuda(given) ? loss_widen(op, given, given->dtype) : given;
    mc_tensor *zero = op_tf(op, BINARY_eq, x, 0);
    mc_tensor *product = op_tt(op, BINARY_mul, x, op_unary(op, UNARY_log, x));
    product = zero && product ? op_where(op, zero, mc_arg_float(0), mc_arg_tensor(product)) : NULL;
    return op_cast(op, product, given->dtype);
}

/* Step by step, as PyTorch composes it: t log t in target's dtype, the rest in the operands'
 * common dtype, in which a 0-dim operand counts less. */
static mc_tensor *kl_div(struct op *op, mc_tensor *input, mc_tensor *target, mc_loss_options o)
{
    if (!no_weight(op, o.weight))
        return NULL;
    if (!dtype_is_float(input->dtype) || !dtype_is_float(target->dtype))
        return op_fail(op, MC_ERROR_DTYPE, "kl_div needs floating dtypes: input is %s, target %s",
                       dtype_name(input->dtype), dtype_name(target->dtype));
    mc_tensor *cross = op_tt(op, BINARY_mul, target, input);
    if (!cross || !op_takes(op, target->dtype, SET_FLOAT))
        return NULL;
    mc_tensor *loss = cross ? op_tt(op, BINARY_sub, x_log_x(op, target), cross) : NULL;
    return loss ? loss_reduce(op, loss, o.reduction) : NULL;
}

/* ---- binary cross entropy ----------------------------------------------------------------- */

/* A weight is multiplied into the loss in place: any dtype that can be cast to the loss's, any
 * shape that broadcasts to it. */
static mc_tensor *weigh_in_place(struct op *op, mc_tensor *loss, mc_tensor *weight)
{
    return loss && weight ? op_binary_(op, BINARY_mul, loss, mc_arg_tensor(weight)) : loss;
}

static bool between_0_and_1(struct op *op, mc_tensor *x)
{
    mc_tensor *in =
        op_tt(op, BINARY_logical_and, op_tf(op, BINARY_ge, x, 0), op_tf(op, BINARY_le, x, 1));
    struct axes all;
    bool fine = false;
    if (!in || !axes_of(op, in, (mc_dims){0}, false, &all))
        return false;
    mc_tensor *answer = op_reduce(op, REDUCE_ALL, in, &all, MC_BOOL, 0);
    if (!answer)
        return false;
    if (!tensor_backend(answer)->download(&fine, answer->storage, (size_t)answer->offset,
                                          sizeof fine))
        return op_fail(op, MC_ERROR_MEMORY, "cannot read a value back");
    return fine || op_fail(op, MC_ERROR_VALUE,
                           "%s needs probabilities: input has values outside 0 … 1", op->name);
}

/* PyTorch bounds logarithms by -100 from below. */
static mc_tensor *bounded(struct op *op, mc_tensor *log)
{
    return op_tf(op, BINARY_maximum, log, -100);
}

static mc_tensor *entropy(struct op *op, mc_tensor *x, mc_tensor *t)
{
    mc_tensor *minus = op_unary(op, UNARY_neg, x);
    mc_tensor *yes = bounded(op, op_unary(op, UNARY_log, x));
    mc_tensor *no = minus ? bounded(op, op_unary(op, UNARY_log1p, minus)) : NULL;
    mc_tensor *both = op_tt(op, BINARY_add, op_tt(op, BINARY_mul, t, yes),
                            op_tt(op, BINARY_mul, less_than_one(op, t), no));
    return both ? op_unary(op, UNARY_neg, both) : NULL;
}

static mc_tensor *binary_cross_entropy(struct op *op, mc_tensor *input, mc_tensor *target,
                                       mc_loss_options o)
{
    struct pair p = {input, target, input->dtype};
    if (!pair_same_shape(op, &p) || !OP_SAME_DTYPE(op, input, target) ||
        !OP_SAME_DEVICE(op, input, target) || !op_takes(op, input->dtype, SET_FLOAT) ||
        !between_0_and_1(op, input))
        return NULL;
    mc_tensor *loss = entropy(op, input, target);
    loss = weigh_in_place(op, loss, o.weight);
    return loss ? loss_reduce(op, loss, o.reduction) : NULL;
}

/* PyTorch computes 1 - target, and multiplies and subtracts in place: each step is rounded to
 * target's dtype, which an integer cannot take, and happens where target is. */
static mc_tensor *bce_with_logits(struct op *op, mc_tensor *input, mc_tensor *target,
                                  mc_loss_options o)
{
    struct pair p = {input, target, target->dtype};
    if (!pair_same_shape(op, &p))
        return NULL;
    mc_tensor *log = op_unary(op, UNARY_logsigmoid, input);
    mc_tensor *loss = log ? op_binary(op, BINARY_sub, mc_arg_int(1), mc_arg_tensor(target)) : NULL;
    loss = loss ? op_binary_(op, BINARY_mul, loss, mc_arg_tensor(input)) : NULL;
    loss = loss ? op_binary_(op, BINARY_sub, loss, mc_arg_tensor(log)) : NULL;
    loss = weigh_in_place(op, loss, o.weight);
    return loss ? loss_reduce(op, loss, o.reduction) : NULL;
}

/* ---- cosine similarity -------------------------------------------------------------------- */

/* x divided by its length along the axes, at least 1e-8. */
static mc_tensor *direction(struct op *op, mc_tensor *x, const struct axes *axes)
{
    mc_tensor *length = op_reduce(op, REDUCE_NORM, x, axes, x->dtype, 2);
    return op_tt(op, BINARY_div, x, op_tf(op, BINARY_maximum, length, 1e-8));
}

static mc_tensor *cosine_similarity(struct op *op, mc_tensor *a, mc_tensor *b, int64_t dim)
{
    mc_dtype common = promote(a->dtype, b->dtype);
    struct pair p = {a, b, common};
    struct axes axes;
    if (common == MC_DTYPE_DEFAULT || !(SET_FLOAT & BIT(common)))
        return op_fail(op, MC_ERROR_DTYPE, "cosine_similarity does not take %s with %s",
                       dtype_name(a->dtype), dtype_name(b->dtype));
    if (!pair_expand(op, &p) || !OP_SAME_DEVICE(op, a, b) || !op_dim(op, &dim, p.input->ndim) ||
        !axes_of(op, p.input, mc_dims(dim), true, &axes) || !pair_widen(op, &p, common))
        return NULL;
    mc_tensor *product =
        op_tt(op, BINARY_mul, direction(op, p.input, &axes), direction(op, p.target, &axes));
    mc_tensor *sum = op_sum(op, product, mc_dims(dim), false, MC_DTYPE_DEFAULT);
    return sum ? op_cast(op, sum, common) : NULL;
}

/* ---- the public side ---------------------------------------------------------------------- */

#define LOSS(name, body, which)                                                                    \
    mc_tensor *mc_op_##name(mc_place at, mc_tensor *input, mc_tensor *target, mc_loss_options o)   \
    {                                                                                              \
        OP_BEGIN(op, #name, at, input, target);                                                    \
        bool ready = op_optional(&op, o.weight) && loss_reduction_valid(&op, o.reduction);         \
        OP_AUTOCAST(&op, name, &input, &target, &o.weight);                                        \
        if (which == GRAD_BCE || which == GRAD_BCE_LOGITS)                                         \
            op_not_for(&op, o.weight, "weight");                                                   \
        mc_tensor *loss = ready && op.ok ? body(&op, input, target, o) : NULL;                     \
        if (op.tracks && loss && dtype_is_float(loss->dtype))                                      \
            grad_loss(&op, which, loss, input, target, &o);                                        \
        return op_end(&op, loss);                                                                  \
    }

LOSS(mse_loss, mse_loss, GRAD_MSE)
LOSS(l1_loss, l1_loss, GRAD_L1)
LOSS(smooth_l1_loss, smooth_l1_loss, GRAD_SMOOTH_L1)
LOSS(huber_loss, huber_loss, GRAD_HUBER)
LOSS(kl_div, kl_div, GRAD_KL_DIV)
LOSS(binary_cross_entropy, binary_cross_entropy, GRAD_BCE)
LOSS(binary_cross_entropy_with_logits, bce_with_logits, GRAD_BCE_LOGITS)

mc_tensor *mc_op_cosine_similarity(mc_place at, mc_tensor *a, mc_tensor *b, int64_t dim)
{
    OP_BEGIN(op, "cosine_similarity", at, a, b);
    OP_AUTOCAST(&op, cosine_similarity, &a, &b);
    mc_tensor *y = op.ok ? cosine_similarity(&op, a, b, dim) : NULL;
    if (op.tracks && y)
        grad_cosine(&op, y, a, b, dim);
    return op_end(&op, y);
}
