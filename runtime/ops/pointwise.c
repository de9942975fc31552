/* Public elementwise ops with options or a third operand: activations, clamp, fill, where, lerp,
 * addcmul; and comparisons with a single bool as their result. */
#include "runtime/autograd/formulas.h"
#include "runtime/compute/compute.h"

#include <math.h>

#include "runtime/amp/amp.h"

/* ---- activations with parameters ----------------------------------------------------------- */

/* For x and two parameters. */
static mc_tensor *activate(struct op *op, enum unary u, mc_tensor *x, double p0, double p1)
{
    mc_tensor *y = op->ok ? op_unary_with(op, u, x, p0, p1) : NULL;
    if (op->tracks && y)
        grad_unary(op, u, NULL, y, x, p0, p1);
    return op_end(op, y);
}

#define PARAM_OP(name, options, CAST, p0, p1)                                                      \
    mc_tensor *mc_op_##name(mc_place at, mc_tensor *x, options o)                                  \
    {                                                                                              \
        OP_BEGIN(op, #name, at, x);                                                                \
        CAST;                                                                                      \
        return activate(&op, UNARY_##name, x, p0, p1);                                             \
    }                                                                                              \
    mc_tensor *(mc_##name)(mc_tensor * x)                                                          \
    {                                                                                              \
        return mc_op_##name((mc_place){0}, x, (options){0});                                       \
    }

/* An option left out is 0, which stands for PyTorch's default. */
static double or_default(double given, double otherwise)
{
    return given != 0 ? given : otherwise;
}

PARAM_OP(gelu, mc_gelu_options, (void)0, o.tanh, 0)
PARAM_OP(elu, mc_elu_options, (void)0, or_default(o.alpha, 1), 0)
PARAM_OP(softplus, mc_softplus_options, OP_AUTOCAST(&op, softplus, &x), or_default(o.beta, 1),
         or_default(o.threshold, 20))

mc_tensor *mc_op_leaky_relu(mc_place at, mc_tensor *x, double slope)
{
    OP_BEGIN(op, "leaky_relu", at, x);
    return activate(&op, UNARY_leaky_relu, x, slope, 0);
}

mc_tensor *mc_op_logit(mc_place at, mc_tensor *x, mc_logit_options o)
{
    OP_BEGIN(op, "logit", at, x);
    return activate(&op, UNARY_logit, x, o.eps, 0);
}

static double number_or(mc_arg a, double otherwise)
{
    return a.kind == MC_ARG_FLOAT ? a.as.f : a.kind == MC_ARG_NONE ? otherwise : (double)a.as.i;
}

static mc_tensor *hardtanh(struct op *op, mc_tensor *x, mc_arg min, mc_arg max)
{
    if (min.kind == MC_ARG_TENSOR || max.kind == MC_ARG_TENSOR)
        return op_fail(op, MC_ERROR_ARGUMENT, "hardtanh's bounds are numbers");
    double low = number_or(min, -1), high = number_or(max, 1);
    /* Unsigned dtypes do not take a negative bound. */
    unsigned takes = (low < 0 ? SET_INT & ~BIT(MC_U8) : SET_INT) | SET_FLOAT;
    mc_tensor *y = op_unary_taking(op, UNARY_hardtanh, x, takes, low, high);
    if (op->tracks && y)
        grad_unary(op, UNARY_hardtanh, NULL, y, x, low, high);
    return y;
}

mc_tensor *mc_op_hardtanh(mc_place at, mc_tensor *x, mc_hardtanh_options o)
{
    OP_BEGIN(op, "hardtanh", at, x);
    return op_end(&op, op.ok ? hardtanh(&op, x, o.min, o.max) : NULL);
}

/* ---- clamp -------------------------------------------------------------------------------- */

static bool absent(mc_arg a)
{
    return a.kind == MC_ARG_NONE || (a.kind == MC_ARG_TENSOR && !a.as.tensor);
}

/* Whether the result of broadcasting can be written into one of the operands. */
static bool shape_stays(struct op *op, const mc_tensor *into, int count, mc_tensor *const *others)
{
    char a[200], b[200];
    for (int i = 0; i < count; i++) {
        mc_shape shape;
        if (!others[i])
            continue;
        if (!op_broadcast(op, into, others[i], &shape))
            return false;
        bool same = shape.ndim == into->ndim;
        for (int k = 0; same && k < shape.ndim; k++)
            same = shape.dims[k] == into->shape[k];
        if (!same)
            return op_fail(op, MC_ERROR_SHAPE,
                           "the result has the shape %s, the tensor written to %s",
                           shape_describe(shape.ndim, shape.dims, a, sizeof a),
                           shape_describe(into->ndim, into->shape, b, sizeof b));
    }
    return true;
}

static bool castable(struct op *op, mc_dtype result, mc_dtype into)
{
    return can_cast(result, into) ||
           op_fail(op, MC_ERROR_CAST, "the result is %s, which cannot be written into %s",
                   dtype_name(result), dtype_name(into));
}

/* Of all operands at once. */
static mc_dtype clamp_dtype(mc_tensor *x, mc_arg min, mc_arg max)
{
    mc_arg all[3] = {mc_arg_tensor(x)};
    int count = 1;
    if (!absent(min))
        all[count++] = min;
    if (!absent(max))
        all[count++] = max;
    return result_type_of(count, all);
}

/* With one bound that is a tensor, clamp is maximum or minimum, which bools have, too. */
static bool one_tensor(mc_arg min, mc_arg max)
{
    return absent(min) != absent(max) && (tensor_of(min) || tensor_of(max));
}

/* On cuda, halves are compared as f32. */
static bool bound_fits(struct op *op, const mc_tensor *x, mc_dtype d, mc_arg bound)
{
    bool number = !absent(bound) && bound.kind != MC_ARG_TENSOR;
    return !number || op_number_fits(op, bound, is_cuda(x) && dtype_is_half(d) ? MC_F32 : d);
}

static mc_tensor *clamp(struct op *op, mc_tensor *x, mc_arg min, mc_arg max, bool in_place)
{
    mc_tensor *y = x;
    if (absent(min) && absent(max))
        return op_fail(op, MC_ERROR_ARGUMENT, "clamp needs a bound");
    if (!OP_SAME_DEVICE(op, x, tensor_of(min), tensor_of(max)))
        return NULL;
    mc_dtype d = clamp_dtype(x, min, max);
    if (in_place && !shape_stays(op, x, 2, (mc_tensor *const[]){tensor_of(min), tensor_of(max)}))
        return NULL;
    if (d == MC_DTYPE_DEFAULT)
        return op_fail(op, MC_ERROR_DTYPE, "clamp: these dtypes have no common one");
    if ((in_place && !castable(op, d, x->dtype)) ||
        !op_takes(op, d, SET_INT | SET_FLOAT | (one_tensor(min, max) ? SET_BOOL : 0)) ||
        !bound_fits(op, x, d, min) || !bound_fits(op, x, d, max))
        return NULL;
    y = op_convert(op, x, d);
    if (y && !absent(min))
        y = op_binary(op, BINARY_maximum, mc_arg_tensor(y), min);
    if (y && !absent(max))
        y = op_binary(op, BINARY_minimum, mc_arg_tensor(y), max);
    y = op_cast(op, y, d);
    return in_place && y && op_writes(op, x) ? op_copy(op, x, y) : y;
}

static mc_tensor *clamp_op(mc_place at, const char *name, mc_tensor *x, mc_arg min, mc_arg max,
                           bool in_place)
{
    OP_BEGIN(op, name, at, x);
    if (!absent(min))
        op_arg(&op, min);
    if (!absent(max))
        op_arg(&op, max);
    min = absent(min) ? (mc_arg){0} : min;
    max = absent(max) ? (mc_arg){0} : max;
    if (in_place)
        op_may_write(&op, x);
    mc_tensor *old = op.ok && in_place && op.tracks ? op_clone(&op, x) : x;
    mc_tensor *y = op.ok ? clamp(&op, x, min, max, in_place) : NULL;
    if (op.tracks && y && dtype_is_float(y->dtype))
        grad_clamp(&op, in_place ? x : NULL, y, old, min, max);
    return op_end(&op, y);
}

mc_tensor *mc_op_clamp(mc_place at, mc_tensor *x, mc_arg min, mc_arg max)
{
    return clamp_op(at, "clamp", x, min, max, false);
}

mc_tensor *mc_op_clamp_(mc_place at, mc_tensor *x, mc_arg min, mc_arg max)
{
    return clamp_op(at, "clamp_", x, min, max, true);
}

/* ---- fill --------------------------------------------------------------------------------- */

static mc_tensor *fill(struct op *op, mc_tensor *x, mc_arg value)
{
    mc_tensor *t = value.kind == MC_ARG_TENSOR ? value.as.tensor : NULL;
    if (t && t->ndim)
        return op_fail(op, MC_ERROR_SHAPE, "fill_ takes a number or a 0-dim tensor");
    if (!t && !op_number_fits(op, value, x->dtype))
        return NULL;
    op_wrote(op, x); /* one value for all, so elements may share memory */
    return t ? op_copy(op, x, t) : op_fill(op, x, value);
}

mc_tensor *mc_op_fill_(mc_place at, mc_tensor *x, mc_arg value)
{
    OP_BEGIN(op, "fill_", at, x);
    op_arg(&op, value);
    if (op.ok && value.kind == MC_ARG_NONE)
        op_fail(&op, MC_ERROR_ARGUMENT, "fill_ needs a value");
    mc_tensor *y = op_may_write(&op, x) ? fill(&op, x, value) : NULL;
    if (op.tracks && y && dtype_is_float(x->dtype))
        grad_copy(&op, x, value);
    return op_end(&op, y);
}

mc_tensor *mc_op_zero_(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "zero_", at, x);
    bool fine = op_may_write(&op, x);
    if (fine)
        op_wrote(&op, x);
    mc_tensor *y = fine ? op_fill(&op, x, mc_arg_int(0)) : NULL;
    if (op.tracks && y)
        grad_zero(&op, x, y, x);
    return op_end(&op, y);
}

/* ---- three operands ------------------------------------------------------------------------ */

mc_tensor *mc_op_where(mc_place at, mc_tensor *condition, mc_arg a, mc_arg b)
{
    OP_BEGIN(op, "where", at, condition);
    if (op_arg(&op, a))
        op_arg(&op, b);
    mc_tensor *y = op.ok ? op_where(&op, condition, a, b) : NULL;
    if (op.tracks && y)
        grad_where(&op, y, condition, a, b);
    return op_end(&op, y);
}

/* Half is computed in f32 and rounded once. */
static mc_dtype opmath(mc_dtype d)
{
    return dtype_is_half(d) ? MC_F32 : d;
}

/* On the device of the others, or a 0-dim CPU tensor. */
static bool joins(struct op *op, const mc_tensor *t, const mc_tensor *other)
{
    if (tensor_device(t) == tensor_device(other) || (t->ndim == 0 && !is_cuda(t)))
        return true;
    return op_fail(op, MC_ERROR_DEVICE, "%s needs one device: an operand is on %s, another on %s",
                   op->name, mc_device_name(tensor_device(other)),
                   mc_device_name(tensor_device(t)));
}

/* A 0-dim weight may have another dtype, and be on the CPU. */
static mc_dtype lerp_dtype(mc_tensor *start, mc_tensor *end, mc_arg weight)
{
    mc_arg all[] = {mc_arg_tensor(start), mc_arg_tensor(end), weight};
    return tensor_of(weight) ? result_type_of(3, all) : start->dtype;
}

static bool lerp_checks(struct op *op, mc_tensor *start, mc_tensor *end, mc_arg weight, mc_dtype d,
                        bool in_place)
{
    mc_tensor *w = tensor_of(weight), *with_dims = w && w->ndim ? w : NULL;
    if (!OP_SAME_DTYPE(op, start, end, with_dims) ||
        (in_place && !shape_stays(op, start, 2, (mc_tensor *const[]){end, w})))
        return false;
    if (d == MC_DTYPE_DEFAULT)
        return op_fail(op, MC_ERROR_DTYPE, "%s: these dtypes have no common one", op->name);
    if (in_place && !castable(op, d, start->dtype))
        return false;
    const mc_tensor *first = is_cuda(start)    ? start
                             : is_cuda(end)    ? end
                             : w && is_cuda(w) ? w
                                               : start;
    if (in_place && tensor_device(start) != tensor_device(first))
        return OP_SAME_DEVICE(op, start, end, w);
    return joins(op, start, first) && joins(op, end, first) && (!w || joins(op, w, first)) &&
           op_takes(op, d, SET_FLOAT) && (w || OP_SAME_DEVICE(op, start, end));
}

/* From the nearer end, so that weights 0 and 1 are exact. */
static mc_tensor *lerp(struct op *op, mc_tensor *start, mc_tensor *end, mc_arg weight,
                       bool in_place)
{
    mc_dtype d = lerp_dtype(start, end, weight), wide = opmath(d);
    if (!lerp_checks(op, start, end, weight, d, in_place))
        return NULL;
    mc_tensor *a = op_cast(op, start, wide), *b = op_cast(op, end, wide);
    mc_tensor *distance = op_tt(op, BINARY_sub, b, a);
    if (!distance)
        return NULL;
    if (weight.kind == MC_ARG_TENSOR)
        weight.as.tensor =
            op_to_device(op, op_cast(op, weight.as.tensor, wide), tensor_device(start));
    mc_tensor *low =
        op_tt(op, BINARY_add, a, op_binary(op, BINARY_mul, mc_arg_tensor(distance), weight));
    mc_tensor *rest =
        weight.kind == MC_ARG_TENSOR ? op_binary(op, BINARY_sub, mc_arg_float(1), weight) : NULL;
    mc_tensor *high;
    double w = number_or(weight, 0);
    if (weight.kind != MC_ARG_TENSOR && fabs(w) < 0.5)
        return op_cast(op, low, d);
    if (weight.kind != MC_ARG_TENSOR)
        return op_cast(op, op_tt(op, BINARY_sub, b, op_tf(op, BINARY_mul, distance, 1 - w)), d);
    high = op_tt(op, BINARY_sub, b, op_tt(op, BINARY_mul, distance, rest));
    mc_tensor *near = op_tf(op, BINARY_lt, op_unary(op, UNARY_abs, weight.as.tensor), 0.5);
    return low && high && near
               ? op_cast(op, op_where(op, near, mc_arg_tensor(low), mc_arg_tensor(high)), d)
               : NULL;
}

static mc_tensor *lerp_op(mc_place at, const char *name, mc_tensor *start, mc_tensor *end,
                          mc_arg weight, bool in_place)
{
    OP_BEGIN(op, name, at, start, end);
    op_arg(&op, weight);
    if (in_place)
        op_may_write(&op, start);
    mc_tensor *old = op.ok && in_place && op.tracks ? op_clone(&op, start) : start;
    mc_tensor *y = op.ok ? lerp(&op, start, end, weight, in_place) : NULL;
    if (in_place && y && op_writes(&op, start))
        y = op_copy(&op, start, y);
    if (op.tracks && y)
        grad_lerp(&op, in_place ? start : NULL, y, start, end, weight, old);
    return op_end(&op, y);
}

mc_tensor *mc_op_lerp(mc_place at, mc_tensor *start, mc_tensor *end, mc_arg weight)
{
    return lerp_op(at, "lerp", start, end, weight, false);
}

mc_tensor *mc_op_lerp_(mc_place at, mc_tensor *start, mc_tensor *end, mc_arg weight)
{
    return lerp_op(at, "lerp_", start, end, weight, true);
}

static mc_device first_cuda(int count, mc_tensor *const *tensors)
{
    mc_device device = MC_CPU;
    for (int i = 0; i < count && device == MC_CPU; i++)
        device = tensor_device(tensors[i]);
    return device;
}

/* In PyTorch's order. The last of three factors may be a 0-dim tensor on the CPU. */
static bool addc_fits(struct op *op, enum binary b, mc_tensor *x, mc_tensor *s, mc_tensor *t,
                      mc_dtype d, mc_tensor *into)
{
    mc_tensor *all[] = {x, s, t};
    if (b == BINARY_div && !dtype_is_float(s->dtype) && !dtype_is_float(t->dtype))
        return op_fail(op, MC_ERROR_DTYPE, "%s does not divide %s by %s", op->name,
                       dtype_name(s->dtype), dtype_name(t->dtype));
    if (into && !shape_stays(op, into, 2, all + 1))
        return false;
    if (d == MC_DTYPE_DEFAULT)
        return op_fail(op, MC_ERROR_DTYPE, "%s: these dtypes have no common one", op->name);
    if (into && tensor_device(x) != first_cuda(3, all))
        return OP_SAME_DEVICE(op, x, s, t);
    if (into && !castable(op, d, into->dtype))
        return false;
    if (!(b == BINARY_div ? OP_SAME_DEVICE(op, x, s, t)
                          : OP_SAME_DEVICE(op, x, s) && joins(op, t, x)))
        return false;
    return op_takes(op, d, b == BINARY_div ? SET_FLOAT : SET_INT | SET_FLOAT);
}

/* x + value * (a ∘ b), with ∘ times or divided by. */
static mc_tensor *addc(struct op *op, enum binary b, mc_tensor *x, mc_tensor *s, mc_tensor *t,
                       mc_arg value, mc_tensor *into)
{
    mc_dtype d =
        result_type_of(3, (const mc_arg[]){mc_arg_tensor(x), mc_arg_tensor(s), mc_arg_tensor(t)});
    if (!addc_fits(op, b, x, s, t, d, into))
        return NULL;
    mc_dtype wide = opmath(d);
    mc_tensor *product = op_tt(op, b, op_convert(op, s, wide), op_convert(op, t, wide));
    if (product && value.kind != MC_ARG_NONE)
        product = op_binary(op, BINARY_mul, mc_arg_tensor(product), value);
    mc_tensor *y = op_cast(op, op_tt(op, BINARY_add, op_convert(op, x, wide), product), d);
    return into && y && op_writes(op, into) ? op_copy(op, into, y) : y;
}

#define ADDC_OP(name, b, into, CAST)                                                               \
    mc_tensor *mc_op_##name(mc_place at, mc_tensor *x, mc_tensor *s, mc_tensor *t,                 \
                            mc_addcmul_options o)                                                  \
    {                                                                                              \
        OP_BEGIN(op, #name, at, x, s, t);                                                          \
        CAST;                                                                                      \
        if (op.ok && o.value.kind == MC_ARG_TENSOR)                                                \
            op_fail(&op, MC_ERROR_ARGUMENT, "value must be a number");                             \
        if ((into) != NULL)                                                                        \
            op_may_write(&op, x);                                                                  \
        mc_tensor *y = op.ok ? addc(&op, b, x, s, t, o.value, into) : NULL;                        \
        if (op.tracks && y)                                                                        \
            grad_addc(&op, into, y, b, x, s, t, o.value);                                          \
        return op_end(&op, y);                                                                     \
    }
ADDC_OP(addcmul, BINARY_mul, NULL, OP_AUTOCAST(&op, addcmul, &x, &s, &t))
ADDC_OP(addcdiv, BINARY_div, NULL, OP_AUTOCAST(&op, addcdiv, &x, &s, &t))
ADDC_OP(addcmul_, BINARY_mul, x, (void)0)
ADDC_OP(addcdiv_, BINARY_div, x, (void)0)

/* weight: one element, or one per channel (dimension 1). */
static mc_tensor *prelu(struct op *op, mc_tensor *x, mc_tensor *weight)
{
    if (!OP_SAME_DTYPE(op, x, weight) || !OP_SAME_DEVICE(op, x, weight) ||
        !op_takes(op, x->dtype, SET_FLOAT))
        return NULL;
    int64_t channels = x->ndim > 1 ? x->shape[1] : 1;
    if (weight->numel != 1 && (weight->ndim != 1 || weight->numel != channels))
        return op_fail(op, MC_ERROR_SHAPE, "prelu's weight has %lld elements for %lld channels",
                       (long long)weight->numel, (long long)channels);
    mc_shape shape = {.ndim = weight->numel == 1 ? 0 : x->ndim};
    for (int i = 0; i < shape.ndim; i++)
        shape.dims[i] = i == 1 ? channels : 1;
    mc_dtype d = x->dtype, wide = opmath(d);
    mc_tensor *a = op_cast(op, x, wide), *w = op_cast(op, op_reshape(op, weight, shape), wide);
    mc_tensor *scaled = op_tt(op, BINARY_mul, a, w), *positive = op_tf(op, BINARY_gt, a, 0);
    return scaled && positive
               ? op_cast(op, op_where(op, positive, mc_arg_tensor(a), mc_arg_tensor(scaled)), d)
               : NULL;
}

mc_tensor *mc_op_prelu(mc_place at, mc_tensor *x, mc_tensor *weight)
{
    OP_BEGIN(op, "prelu", at, x, weight);
    OP_AUTOCAST(&op, prelu, &x, &weight);
    mc_tensor *y = op.ok ? prelu(&op, x, weight) : NULL;
    if (op.tracks && y)
        grad_prelu(&op, y, x, weight);
    return op_end(&op, y);
}

/* ---- alike? ------------------------------------------------------------------------------- */

/* |a - b| <= atol + rtol * |b|, or equal (infinities), or both NaN if requested. */
static mc_tensor *isclose(struct op *op, mc_tensor *a, mc_tensor *b, mc_close_options o)
{
    const mc_tensor *first = is_cuda(a) ? a : b;
    if (!OP_SAME_DTYPE(op, a, b) || !joins(op, a, first) || !joins(op, b, first) ||
        !op_takes(op, a->dtype, SET_BOOL | SET_INT | SET_FLOAT))
        return NULL;
    bool given = o.rtol != 0 || o.atol != 0;
    double rtol = given ? o.rtol : 1e-5, atol = given ? o.atol : 1e-8;
    mc_tensor *same = op_tt(op, BINARY_eq, a, b);
    mc_tensor *x = op_cast(op, a, MC_F64), *y = op_cast(op, b, MC_F64);
    mc_tensor *allowed =
        op_tf(op, BINARY_add, op_tf(op, BINARY_mul, op_unary(op, UNARY_abs, y), rtol), atol);
    mc_tensor *error = op_unary(op, UNARY_abs, op_tt(op, BINARY_sub, x, y));
    mc_tensor *near = op_tt(op, BINARY_logical_and, op_tt(op, BINARY_le, error, allowed),
                            op_unary(op, UNARY_isfinite, error));
    mc_tensor *close = op_tt(op, BINARY_logical_or, same, near);
    if (!o.equal_nan)
        return close;
    mc_tensor *nan =
        op_tt(op, BINARY_logical_and, op_unary(op, UNARY_isnan, x), op_unary(op, UNARY_isnan, y));
    return op_tt(op, BINARY_logical_or, close, nan);
}

/* Whether every element of a bool tensor is true. */
static bool all_true(struct op *op, mc_tensor *flags)
{
    mc_tensor *wrong = op_unary(op, UNARY_logical_not, flags);
    mc_tensor *count = wrong ? op_sum(op, wrong, (mc_dims){0}, false, MC_DTYPE_DEFAULT) : NULL;
    int64_t n = 1;
    return count &&
           tensor_backend(count)->download(&n, count->storage, (size_t)count->offset * sizeof n,
                                           sizeof n) &&
           n == 0;
}

mc_tensor *mc_op_isclose(mc_place at, mc_tensor *a, mc_tensor *b, mc_close_options o)
{
    OP_BEGIN(op, "isclose", at, a, b);
    return op_end(&op, op.ok ? isclose(&op, a, b, o) : NULL);
}

bool mc_op_allclose(mc_place at, mc_tensor *a, mc_tensor *b, mc_close_options o)
{
    OP_BEGIN(op, "allclose", at, a, b);
    mc_tensor *close = op.ok ? isclose(&op, a, b, o) : NULL;
    bool answer = close && all_true(&op, close);
    op_finish(&op);
    return answer;
}

static bool equal(struct op *op, mc_tensor *a, mc_tensor *b)
{
    if (!OP_SAME_DEVICE(op, a, b))
        return false;
    if (promote(a->dtype, b->dtype) == MC_DTYPE_DEFAULT)
        return op_fail(op, MC_ERROR_DTYPE, "equal: these dtypes have no common one");
    mc_tensor *same = tensor_same_shape(a, b) ? op_tt(op, BINARY_eq, a, b) : NULL;
    return same && all_true(op, same);
}

bool mc_op_equal(mc_place at, mc_tensor *a, mc_tensor *b)
{
    OP_BEGIN(op, "equal", at, a, b);
    bool answer = op.ok && equal(&op, a, b);
    op_finish(&op);
    return answer;
}
