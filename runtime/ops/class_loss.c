/* Losses against classes: negative log likelihood, and the cross entropy, whose target is either
 * the classes or, where it has input's shape, their probabilities. */
#include "runtime/autograd/formulas.h"
#include "runtime/compute/axes.h"
#include "runtime/compute/loss.h"

#include "runtime/amp/amp.h"

static int class_dim(const mc_tensor *input)
{
    return input->ndim > 1 ? 1 : 0;
}

/* ---- negative log likelihood -------------------------------------------------------------- */

/* input (classes) or (n, classes, …), target () or (n, …). */
static bool shapes_fit(struct op *op, const mc_tensor *input, const mc_tensor *target)
{
    char a[96], b[96];
    int at = class_dim(input);
    bool fit = input->ndim > 0 && target->ndim == input->ndim - 1;
    for (int i = 0; fit && i < target->ndim; i++)
        fit = target->shape[i] == input->shape[i < at ? i : i + 1];
    if (!fit)
        return op_fail(op, MC_ERROR_SHAPE, "%s: input of %s does not fit classes of %s", op->name,
                       shape_describe(input->ndim, input->shape, a, sizeof a),
                       shape_describe(target->ndim, target->shape, b, sizeof b));
    return true;
}

/* What PyTorch checks before the device: the first dimension, and all of the others if they are
 * folded. */
static bool batches_fit(struct op *op, const mc_tensor *input, const mc_tensor *target)
{
    bool folds = input->ndim == 3 || input->ndim > 4;
    if (!folds &&
        (input->ndim == 1 || (input->ndim && target->ndim && input->shape[0] == target->shape[0])))
        return true;
    return shapes_fit(op, input, target);
}

static bool weights_fit(struct op *op, const mc_tensor *input, const mc_tensor *weight)
{
    int at = class_dim(input);
    if (weight && (weight->ndim != 1 || weight->shape[0] != input->shape[at]))
        return op_fail(op, MC_ERROR_SHAPE, "%s needs one weight for each of %lld classes", op->name,
                       (long long)input->shape[at]);
    return true;
}

static bool dtypes_fit(struct op *op, const mc_tensor *input, const mc_tensor *target,
                       const mc_tensor *weight)
{
    unsigned classes = input->ndim > 2 ? BIT(MC_I64) : BIT(MC_I64) | BIT(MC_U8);
    if (!op_takes(op, input->dtype, SET_FLOAT))
        return false;
    if (!(classes & BIT(target->dtype)))
        return op_fail(op, MC_ERROR_DTYPE, "%s needs classes of i64, target is %s", op->name,
                       dtype_name(target->dtype));
    if (weight && weight->dtype != input->dtype)
        return op_fail(op, MC_ERROR_DTYPE,
                       "%s needs weights of input's dtype: they are %s, it is %s", op->name,
                       dtype_name(weight->dtype), dtype_name(input->dtype));
    return true;
}

static bool classes_fit(struct op *op, mc_tensor *input, mc_tensor *target, mc_tensor *weight)
{
    return batches_fit(op, input, target) && OP_SAME_DEVICE(op, input, target, weight) &&
           shapes_fit(op, input, target) && weights_fit(op, input, weight) &&
           dtypes_fit(op, input, target, weight);
}

/* A view or copy of x as (n, classes, d) or (n, d): middle is classes, or -1 for none. */
static mc_tensor *folded(struct op *op, mc_tensor *x, int batch, int64_t middle)
{
    if (!x)
        return NULL;
    mc_shape s = {.ndim = middle < 0 ? 2 : 3, .dims = {batch && x->ndim ? x->shape[0] : 1, middle}};
    int first = batch + (middle < 0 ? 0 : 1);
    s.dims[s.ndim - 1] = 1;
    for (int i = first; i < x->ndim; i++)
        if (__builtin_mul_overflow(s.dims[s.ndim - 1], x->shape[i], &s.dims[s.ndim - 1]))
            return op_fail(op, MC_ERROR_SHAPE, "the dimensions are too large");
    return op_reshape(op, x, s);
}

/* input is of a dtype that is computed in. The losses, and the weight of each position. */
static bool pick(struct op *op, mc_tensor *input, mc_tensor *target, const mc_class_loss_options *o,
                 mc_tensor **loss, mc_tensor **scale)
{
    int batch = class_dim(input);
    int64_t bad = 0, classes = input->shape[batch];
    mc_tensor *x = folded(op, input, batch, classes);
    mc_tensor *t = folded(op, op_cast(op, target, MC_I64), batch, -1);
    mc_tensor *w = o->weight ? op_cast(op, o->weight, input->dtype) : NULL;
    if (!x || !t || (o->weight && !w))
        return false;
    *loss = op_new_like(op, t, input->dtype);
    *scale = op_new_like(op, t, input->dtype);
    if (!*loss || !*scale)
        return false;
    struct view weight = w ? view_of(w) : (struct view){0};
    struct nll nll = {
        view_of(*loss),     view_of(*scale),
        view_of(x),         view_of(t),
        w ? &weight : NULL, o->ignore_index.kind == MC_ARG_INT ? o->ignore_index.as.i : -100};
    if (tensor_backend(x)->kernels->reduce->nll(&nll, &bad))
        return true;
    return op_fail(op, MC_ERROR_INDEX, "class %lld of %lld", (long long)bad, (long long)classes);
}

/* For checked operands, input widened. The mean is weighted, and excludes ignored positions. */
static mc_tensor *likelihood(struct op *op, mc_tensor *input, mc_tensor *target,
                             const mc_class_loss_options *o, mc_dtype dtype, mc_tensor **places)
{
    mc_tensor *loss, *scale;
    if (!input || !pick(op, input, target, o, &loss, &scale))
        return NULL;
    *places = scale;
    if (o->reduction == MC_NO_REDUCTION)
        return op_cast(op, op_reshape(op, loss, tensor_shape(target)), dtype);
    loss = loss_reduce(op, loss, MC_SUM);
    if (o->reduction == MC_MEAN)
        loss = op_tt(op, BINARY_div, loss, loss_reduce(op, scale, MC_SUM));
    return loss ? op_cast(op, loss, dtype) : NULL;
}

static mc_tensor *nll_loss(struct op *op, mc_tensor *input, mc_tensor *target,
                           const mc_class_loss_options *o)
{
    if (!op_not_for(op, o->weight, "weight") || !classes_fit(op, input, target, o->weight))
        return NULL;
    mc_tensor *scale, *loss = likelihood(op, loss_widen(op, input, input->dtype), target, o,
                                         input->dtype, &scale);
    if (op->tracks && loss)
        grad_classes(op, loss, input, target, o, NULL, scale);
    return loss;
}

/* ---- cross entropy ------------------------------------------------------------------------ */

/* The softmax before it has checks of its own. */
static bool has_classes(struct op *op, const mc_tensor *input)
{
    return (input->ndim > 0 ||
            op_fail(op, MC_ERROR_SHAPE, "%s needs a dimension of classes", op->name)) &&
           op_takes(op, input->dtype, SET_FLOAT);
}

static mc_tensor *against_classes(struct op *op, mc_tensor *input, mc_tensor *target,
                                  const mc_class_loss_options *o)
{
    if (!op_not_for(op, o->weight, "weight") || !has_classes(op, input) ||
        !classes_fit(op, input, target, o->weight))
        return NULL;
    mc_tensor *log = op_softmax(op, loss_widen(op, input, input->dtype), class_dim(input), true);
    mc_tensor *scale, *loss = likelihood(op, log, target, o, input->dtype, &scale);
    if (op->tracks && loss)
        grad_classes(op, loss, input, target, o, log, scale);
    return loss;
}

/* The weights, aligned with the class dimension. */
static mc_tensor *class_weights(struct op *op, mc_tensor *weight, const mc_tensor *input,
                                mc_dtype dtype)
{
    mc_shape s = {.ndim = input->ndim};
    if (weight->ndim != 1 || weight->shape[0] != input->shape[class_dim(input)])
        return op_fail(op, MC_ERROR_SHAPE, "%s needs one weight for each of %lld classes", op->name,
                       (long long)input->shape[class_dim(input)]);
    for (int i = 0; i < s.ndim; i++)
        s.dims[i] = i == class_dim(input) ? weight->shape[0] : 1;
    return op_reshape(op, loss_widen(op, weight, dtype), s);
}

static bool probabilities_fit(struct op *op, mc_tensor *input, mc_tensor *target, mc_tensor *weight,
                              mc_dtype *dtype)
{
    if (!dtype_is_float(target->dtype))
        return op_fail(op, MC_ERROR_DTYPE,
                       "%s: a target of input's shape holds probabilities, and this is %s",
                       op->name, dtype_name(target->dtype));
    if (!has_classes(op, input))
        return false;
    *dtype = promote(input->dtype, target->dtype);
    if (weight)
        *dtype = promote(*dtype, weight->dtype);
    if (*dtype == MC_DTYPE_DEFAULT)
        return op_fail(op, MC_ERROR_DTYPE, "%s does not take %s with %s", op->name,
                       dtype_name(input->dtype), dtype_name(target->dtype));
    return OP_SAME_DEVICE(op, input, target, weight);
}

/* The mean is over positions, not over elements. */
static mc_tensor *against_probabilities(struct op *op, mc_tensor *input, mc_tensor *target,
                                        const mc_class_loss_options *o)
{
    mc_dtype dtype = MC_DTYPE_DEFAULT;
    int dim = class_dim(input);
    if (!probabilities_fit(op, input, target, o->weight, &dtype))
        return NULL;
    mc_tensor *log = op_softmax(op, loss_widen(op, input, dtype), dim, true);
    mc_tensor *loss = op_tt(op, BINARY_mul, log, loss_widen(op, target, dtype));
    if (loss && o->weight)
        loss = op_tt(op, BINARY_mul, loss, class_weights(op, o->weight, input, dtype));
    loss = op_sum(op, loss, mc_dims(dim), false, MC_DTYPE_DEFAULT);
    loss = loss ? loss_reduce(op, op_unary(op, UNARY_neg, loss), o->reduction) : NULL;
    loss = loss ? op_cast(op, loss, dtype) : NULL;
    if (op->tracks && loss)
        grad_probabilities(op, loss, input, target, o, log);
    return loss;
}

static mc_tensor *cross_entropy(struct op *op, mc_tensor *input, mc_tensor *target,
                                const mc_class_loss_options *o)
{
    return (tensor_same_shape(input, target) ? against_probabilities : against_classes)(op, input,
                                                                                        target, o);
}

/* ---- the public side ---------------------------------------------------------------------- */

#define CLASS_LOSS(name)                                                                           \
    mc_tensor *mc_op_##name(mc_place at, mc_tensor *input, mc_tensor *target,                      \
                            mc_class_loss_options o)                                               \
    {                                                                                              \
        OP_BEGIN(op, #name, at, input, target);                                                    \
        bool ready = op_optional(&op, o.weight) && loss_reduction_valid(&op, o.reduction);         \
        OP_AUTOCAST(&op, name, &input, &target, &o.weight);                                        \
        return op_end(&op, ready && op.ok ? name(&op, input, target, &o) : NULL);                  \
    }

CLASS_LOSS(nll_loss)
CLASS_LOSS(cross_entropy)
