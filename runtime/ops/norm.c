/* Normalising layers: layer_norm, rms_norm, group_norm, batch_norm. In come the tensor and its
 * parameters, out goes a tensor of the same shape and dtype. f16 and bf16 are computed in f32.
 *
 * Parameters are of x's dtype; on the CPU those of an f16 or bf16 tensor may all be f32. The weight
 * of rms_norm and, on cuda, the statistics of batch_norm are freer. */
#include "runtime/autograd/formulas.h"
#include "runtime/compute/compute.h"

#include <float.h>

#include "runtime/amp/amp.h"
#include "runtime/core/hooks.h"

static mc_dtype compute_dtype(mc_dtype d)
{
    return d == MC_F64 ? MC_F64 : MC_F32;
}

/* Whether f16 and bf16 may be combined with f32 parameters, if all are f32. */
enum { STRICT, HALF_WITH_F32 };

/* False after a dtype error. NULL parameters were left out. */
static bool params_fit(struct op *op, const mc_tensor *x, int rule, int count,
                       mc_tensor *const *params)
{
    bool f32_fits = rule == HALF_WITH_F32 && dtype_is_half(x->dtype);
    mc_dtype dtype = x->dtype;
    if (!op_takes(op, x->dtype, SET_FLOAT))
        return false;
    for (int i = 0; i < count; i++)
        if (params[i] && params[i]->dtype != x->dtype && f32_fits)
            dtype = MC_F32;
    for (int i = 0; i < count; i++)
        if (params[i] && params[i]->dtype != dtype)
            return op_fail(op, MC_ERROR_DTYPE,
                           "%s of %s needs parameters that are all %s%s; one is %s", op->name,
                           dtype_name(x->dtype), dtype_name(x->dtype),
                           f32_fits ? ", or all f32" : "", dtype_name(params[i]->dtype));
    return true;
}
#define PARAMS_FIT(op, x, rule, ...)                                                               \
    params_fit(op, x, rule,                                                                        \
               (int)(sizeof((mc_tensor *const[]){__VA_ARGS__}) / sizeof(mc_tensor *)),             \
               (mc_tensor *const[]){__VA_ARGS__})

static int row_rule(const mc_tensor *x)
{
    return is_cuda(x) ? STRICT : HALF_WITH_F32;
}

/* A parameter as kernels need it; NULL stays NULL. */
static mc_tensor *prepared(struct op *op, mc_tensor *param, mc_dtype compute)
{
    return param ? op_contiguous(op, op_cast(op, param, compute)) : NULL;
}

/* ---- rows: layer_norm, rms_norm, group_norm ------------------------------------------------ */

/* n has all but weight and bias. */
static mc_tensor *norm_rows(struct op *op, mc_dtype compute, mc_tensor *x, mc_tensor *weight,
                            mc_tensor *bias, struct norm n)
{
    mc_tensor *out = op_new_like(op, x, x->dtype);
    if (op->tracks && out)
        grad_norm_rows(op, out, compute, x, weight, bias, &n, n.inner == 1 && n.period == 1);
    const struct layer_kernels *kernels = tensor_backend(x)->kernels->layer;
    bool own = kernels->norm_takes_own && (!weight || weight->dtype == x->dtype) &&
               (!bias || bias->dtype == x->dtype);
    mc_dtype params = own ? x->dtype : compute;
    x = op_contiguous(op, x);
    mc_tensor *w = prepared(op, weight, params), *b = prepared(op, bias, params);
    if (!op->ok || out->numel == 0)
        return out;
    struct view w_view, b_view, out_view = view_of(out), x_view = view_of(x);
    n.weight = w ? (w_view = view_of(w), &w_view) : NULL;
    n.bias = b ? (b_view = view_of(b), &b_view) : NULL;
    kernels->norm(compute, &out_view, &x_view, &n);
    return out;
}

/* The parameter's dimensions are the last ones of x. */
static bool param_spans(struct op *op, const mc_tensor *x, const mc_tensor *param)
{
    char a[128], b[128];
    int d = param->ndim, lead = x->ndim - d;
    bool fits = d > 0 && lead >= 0;
    for (int i = 0; fits && i < d; i++)
        fits = param->shape[i] == x->shape[lead + i];
    if (!fits)
        op_fail(op, MC_ERROR_SHAPE, "parameters of shape %s do not end the shape %s of x",
                shape_describe(d, param->shape, a, sizeof a),
                shape_describe(x->ndim, x->shape, b, sizeof b));
    return fits;
}

/* The number of last dimensions over which x is normalised; 0 after an error. */
static int dims_normalised(struct op *op, const mc_tensor *x, const mc_tensor *weight,
                           const mc_tensor *bias)
{
    if (x->ndim == 0) {
        op_fail(op, MC_ERROR_SHAPE, "%s needs a tensor with dimensions", op->name);
        return 0;
    }
    if ((weight && !param_spans(op, x, weight)) || (bias && !param_spans(op, x, bias)))
        return 0;
    if (weight && bias && weight->ndim != bias->ndim) {
        op_fail(op, MC_ERROR_SHAPE, "weight has %d dimensions, bias %d", weight->ndim, bias->ndim);
        return 0;
    }
    return weight ? weight->ndim : bias ? bias->ndim : 1;
}

static struct norm last_dims(const mc_tensor *x, int dims)
{
    struct norm n = {.rows = 1, .length = 1, .period = 1, .inner = 1};
    for (int i = 0; i < x->ndim && x->numel; i++)
        *(i < x->ndim - dims ? &n.rows : &n.length) *= x->shape[i];
    return n;
}

static mc_tensor *layer_norm(struct op *op, mc_tensor *x, mc_tensor *weight, mc_tensor *bias,
                             double eps)
{
    if (!OP_SAME_DEVICE(op, x, weight, bias))
        return NULL;
    int dims = dims_normalised(op, x, weight, bias);
    if (!dims || !PARAMS_FIT(op, x, row_rule(x), weight, bias))
        return NULL;
    struct norm n = last_dims(x, dims);
    n.centre = true;
    n.eps = eps != 0 ? eps : 1e-5;
    return norm_rows(op, compute_dtype(x->dtype), x, weight, bias, n);
}

mc_tensor *mc_op_layer_norm(mc_place at, mc_tensor *x, mc_tensor *weight, mc_tensor *bias,
                            mc_norm_layer_options o)
{
    OP_BEGIN(op, "layer_norm", at, x);
    op_optional(&op, weight);
    op_optional(&op, bias);
    OP_AUTOCAST(&op, layer_norm, &x, &weight, &bias);
    return op_end(&op, op.ok ? layer_norm(&op, x, weight, bias, o.eps) : NULL);
}

/* PyTorch has a kernel for a weight of x's dtype, whose device is checked first; otherwise it
 * composes the op, so that x's dtype is checked first and the weight is promoted. */
static bool rms_norm_takes(struct op *op, mc_tensor *x, mc_tensor *weight)
{
    if (!weight || weight->dtype == x->dtype)
        return OP_SAME_DEVICE(op, x, weight) && op_takes(op, x->dtype, SET_FLOAT);
    if (!op_takes(op, x->dtype, SET_FLOAT))
        return false;
    if (promote(x->dtype, weight->dtype) == MC_DTYPE_DEFAULT)
        return op_fail(op, MC_ERROR_DTYPE, "rms_norm cannot promote x, %s, and weight, %s",
                       dtype_name(x->dtype), dtype_name(weight->dtype));
    return OP_SAME_DEVICE(op, x, weight);
}

static mc_tensor *rms_norm(struct op *op, mc_tensor *x, mc_tensor *weight, double eps)
{
    mc_dtype compute = compute_dtype(x->dtype);
    int dims = dims_normalised(op, x, weight, NULL);
    if (!dims || !rms_norm_takes(op, x, weight))
        return NULL;
    struct norm n = last_dims(x, dims);
    n.eps = eps != 0 ? eps : compute == MC_F64 ? DBL_EPSILON : (double)FLT_EPSILON;
    if (weight && weight->dtype == MC_F64)
        compute = MC_F64;
    return norm_rows(op, compute, x, weight, NULL, n);
}

mc_tensor *mc_op_rms_norm(mc_place at, mc_tensor *x, mc_tensor *weight, mc_norm_layer_options o)
{
    OP_BEGIN(op, "rms_norm", at, x);
    op_optional(&op, weight);
    return op_end(&op, op.ok ? rms_norm(&op, x, weight, o.eps) : NULL);
}

/* ---- channels: group_norm, batch_norm ------------------------------------------------------ */

/* x (n, channels, …) with one parameter per channel. */
static bool channels_fit(struct op *op, const mc_tensor *x, int count, mc_tensor *const *params)
{
    if (x->ndim < 2)
        return op_fail(op, MC_ERROR_SHAPE, "%s needs samples and channels; x has %d dimensions",
                       op->name, x->ndim);
    for (int i = 0; i < count; i++)
        if (params[i] && params[i]->numel != x->shape[1])
            return op_fail(op, MC_ERROR_SHAPE, "x has %lld channels, a parameter %lld elements",
                           (long long)x->shape[1], (long long)params[i]->numel);
    return true;
}
#define CHANNELS_FIT(op, x, ...)                                                                   \
    channels_fit(op, x, (int)(sizeof((mc_tensor *const[]){__VA_ARGS__}) / sizeof(mc_tensor *)),    \
                 (mc_tensor *const[]){__VA_ARGS__})

static bool groups_fit(struct op *op, const mc_tensor *x, int64_t groups)
{
    if (groups <= 0)
        return op_fail(op, MC_ERROR_ARGUMENT, "group_norm into %lld groups", (long long)groups);
    if (x->shape[1] % groups)
        return op_fail(op, MC_ERROR_SHAPE, "%lld channels cannot be %lld equal groups",
                       (long long)x->shape[1], (long long)groups);
    if (x->numel == groups)
        return op_fail(op, MC_ERROR_SHAPE, "group_norm needs more than one value per group");
    return true;
}

static mc_tensor *group_norm(struct op *op, mc_tensor *x, int64_t groups, mc_tensor *weight,
                             mc_tensor *bias, double eps)
{
    if (!CHANNELS_FIT(op, x, weight, bias) || !groups_fit(op, x, groups) ||
        !OP_SAME_DEVICE(op, x, weight, bias) || !PARAMS_FIT(op, x, row_rule(x), weight, bias))
        return NULL;
    struct norm n = {.rows = 1, .length = 1, .period = groups, .inner = 1, .centre = true};
    if (x->numel) {
        n.rows = x->shape[0] * groups;
        n.length = x->numel / n.rows;
        n.inner = n.length / (x->shape[1] / groups);
    }
    n.eps = eps != 0 ? eps : 1e-5;
    return norm_rows(op, compute_dtype(x->dtype), x, weight, bias, n);
}

mc_tensor *mc_op_group_norm(mc_place at, mc_tensor *x, int64_t groups, mc_tensor *weight,
                            mc_tensor *bias, mc_norm_layer_options o)
{
    OP_BEGIN(op, "group_norm", at, x);
    op_optional(&op, weight);
    op_optional(&op, bias);
    OP_AUTOCAST(&op, group_norm, &x, &weight, &bias);
    return op_end(&op, op.ok ? group_norm(&op, x, groups, weight, bias, o.eps) : NULL);
}

/* ---- batch_norm ---------------------------------------------------------------------------- */

/* On cuda statistics may be of any floating dtype. */
static bool stats_fit(struct op *op, mc_tensor *x, mc_tensor *mean, mc_tensor *var,
                      const mc_batch_norm_options *o)
{
    if (!is_cuda(x))
        return PARAMS_FIT(op, x, HALF_WITH_F32, mean, var, o->weight, o->bias);
    return PARAMS_FIT(op, x, HALF_WITH_F32, o->weight, o->bias) &&
           (!mean || op_takes(op, mean->dtype, SET_FLOAT)) &&
           (!var || op_takes(op, var->dtype, SET_FLOAT));
}

/* Mean and biased variance of each channel of x. */
static bool batch_moments(struct op *op, mc_tensor *x, mc_dtype compute, mc_tensor **mean,
                          mc_tensor **var)
{
    int64_t channels = x->shape[1];
    mc_tensor *rows =
        op_reshape(op, op_transpose(op, x, 0, 1), mc_shape(channels, x->numel / channels));
    rows = op_contiguous(op, rows);
    *mean = op_new(op, mc_shape(channels), compute, tensor_device(x));
    *var = op_new(op, mc_shape(channels), compute, tensor_device(x));
    if (!op->ok)
        return false;
    struct view mean_view = view_of(*mean), var_view = view_of(*var), in = view_of(rows);
    tensor_backend(x)->kernels->layer->moments(compute, &mean_view, &var_view, &in);
    return true;
}

/* running = running * (1 - momentum) + factor * momentum * now */
static void update_running(struct op *op, mc_tensor *running, mc_tensor *now, double momentum,
                           double factor)
{
    if (!running)
        return;
    mc_tensor *old = op_reshape(op, op_cast(op, running, now->dtype), tensor_shape(now));
    mc_tensor *sum = op_tt(op, BINARY_add, op_tf(op, BINARY_mul, old, 1 - momentum),
                           op_tf(op, BINARY_mul, now, factor * momentum));
    sum = sum ? op_reshape(op, sum, tensor_shape(running)) : NULL;
    if (sum)
        op_copy(op, running, sum);
}

static mc_tensor *batch_affine(struct op *op, mc_tensor *x, mc_tensor *mean, mc_tensor *scale,
                               mc_tensor *shift)
{
    mc_tensor *out = op_new_like(op, x, x->dtype);
    x = op_contiguous(op, x);
    if (!op->ok)
        return NULL;
    struct view mean_view = view_of(mean), scale_view = view_of(scale), shift_view = view_of(shift);
    struct view in = view_of(x), to = view_of(out);
    in.ndim = to.ndim = 3;
    in.shape[2] = to.shape[2] = x->numel / x->shape[0] / x->shape[1];
    tensor_backend(x)->kernels->layer->affine(mean->dtype, &to, &in, &mean_view, &scale_view,
                                              &shift_view);
    return out;
}

/* A parameter with this many elements as kernels need it; filled with number if none was given. */
static mc_tensor *channel_param(struct op *op, mc_tensor *param, const mc_tensor *like,
                                double number)
{
    if (param)
        return op_contiguous(
            op, op_reshape(op, op_cast(op, param, like->dtype), mc_shape(like->numel)));
    mc_tensor *t = op_new_like(op, like, like->dtype);
    return t ? op_fill(op, t, mc_arg_float(number)) : NULL;
}

static mc_tensor *batch_norm_with(struct op *op, mc_tensor *x, mc_tensor *mean, mc_tensor *var,
                                  const mc_batch_norm_options *o)
{
    if (!mean || !var)
        return NULL;
    mc_tensor *scale =
        op_unary(op, UNARY_rsqrt, op_tf(op, BINARY_add, var, o->eps != 0 ? o->eps : 1e-5));
    scale = op_tt(op, BINARY_mul, scale, channel_param(op, o->weight, mean, 1));
    mc_tensor *shift = channel_param(op, o->bias, mean, 0);
    return op->ok ? batch_affine(op, x, mean, scale, shift) : NULL;
}

static mc_tensor *batch_norm_training(struct op *op, mc_tensor *x, mc_tensor *running_mean,
                                      mc_tensor *running_var, const mc_batch_norm_options *o)
{
    mc_tensor *mean, *var;
    double momentum = o->momentum != 0 ? o->momentum : 0.1;
    int64_t n = x->numel / x->shape[1];
    /* The version is not incremented, as in PyTorch: the gradient does not use them. */
    if ((running_mean && !op_can_write(op, running_mean)) ||
        (running_var && !op_can_write(op, running_var)))
        return NULL;
    if (running_mean)
        op_note_write(op, running_mean);
    if (running_var)
        op_note_write(op, running_var);
    if (!batch_moments(op, x, compute_dtype(x->dtype), &mean, &var))
        return NULL;
    mc_tensor *out = batch_norm_with(op, x, mean, var, o);
    if (out) {
        update_running(op, running_mean, mean, momentum, 1);
        update_running(op, running_var, var, momentum, (double)n / (double)(n - 1));
    }
    return out;
}

static mc_tensor *batch_norm(struct op *op, mc_tensor *x, mc_tensor *mean, mc_tensor *var,
                             const mc_batch_norm_options *o)
{
    if (!CHANNELS_FIT(op, x, mean, var, o->weight, o->bias))
        return NULL;
    if (o->training && x->numel && x->numel == x->shape[1])
        return op_fail(op, MC_ERROR_SHAPE,
                       "batch_norm in training needs more than one value per channel");
    if (!OP_SAME_DEVICE(op, x, mean, var, o->weight, o->bias) || !stats_fit(op, x, mean, var, o))
        return NULL;
    if (x->numel == 0)
        return op_new_like(op, x, x->dtype);
    if (o->training)
        return batch_norm_training(op, x, mean, var, o);
    mc_dtype compute = compute_dtype(x->dtype);
    mc_tensor *like = op_new(op, mc_shape(x->shape[1]), compute, tensor_device(x));
    return like ? batch_norm_with(op, x, channel_param(op, mean, like, 0),
                                  channel_param(op, var, like, 1), o)
                : NULL;
}

mc_tensor *mc_op_batch_norm(mc_place at, mc_tensor *x, mc_tensor *running_mean,
                            mc_tensor *running_var, mc_batch_norm_options o)
{
    struct op op;
    /* Running statistics may be left out in training only. */
    op_begin(&op, "batch_norm", at, (mc_tensor *const[]){x, running_mean, running_var},
             o.training ? 1 : 3, "x, running_mean, running_var");
    op_optional(&op, o.training ? running_mean : NULL);
    op_optional(&op, o.training ? running_var : NULL);
    op_optional(&op, o.weight);
    op_optional(&op, o.bias);
    bool fine = op_not_for(&op, running_mean, "running_mean") &&
                op_not_for(&op, running_var, "running_var");
    mc_tensor *y = fine ? batch_norm(&op, x, running_mean, running_var, &o) : NULL;
    if (op.tracks && y)
        grad_batch_norm(&op, y, x, running_mean, running_var, &o);
    return op_end(&op, y);
}
