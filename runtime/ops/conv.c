/* Convolution: conv1d and conv2d. In come x (samples, channels, …) or one sample of it, weight (out
 * channels, channels / groups, window…) and perhaps a bias; out goes a tensor of x's dtype.
 *
 * What the window covers is unfolded into columns, and a product of matrices does the rest. */
#include "runtime/compute/conv.h"

#include "runtime/amp/amp.h"
#include "runtime/autograd/formulas.h"

/* ---- options and shapes ------------------------------------------------------------------- */

/* One number stands for every dimension. */
static int64_t option_at(const mc_dims *given, int axis, int64_t fallback)
{
    return given->count == 0 ? fallback : given->dims[given->count == 1 ? 0 : axis];
}

static bool option_fits(struct op *op, const char *name, const mc_dims *given, int spatial)
{
    if (dims_made(given) && (given->count <= 1 || given->count == spatial))
        return true;
    return op_fail(op, MC_ERROR_ARGUMENT, "%s takes mc_dims of one number, or of one per dimension",
                   name);
}

static bool options_fit(struct op *op, const mc_conv_options *o, struct conv *c)
{
    c->groups = o->groups ? o->groups : 1;
    if (!option_fits(op, "stride", &o->stride, c->spatial) ||
        !option_fits(op, "padding", &o->padding, c->spatial) ||
        !option_fits(op, "dilation", &o->dilation, c->spatial))
        return false;
    for (int i = 0; i < 2; i++) {
        int axis = i - (2 - c->spatial);
        c->w.stride[i] = axis < 0 ? 1 : option_at(&o->stride, axis, 1);
        c->w.padding[i] = axis < 0 ? 0 : option_at(&o->padding, axis, 0);
        c->w.dilation[i] = axis < 0 ? 1 : option_at(&o->dilation, axis, 1);
        if (c->w.stride[i] < 1 || c->w.padding[i] < 0 || c->w.dilation[i] < 1 || c->groups < 0)
            return op_fail(op, MC_ERROR_ARGUMENT,
                           "%s: stride %lld, padding %lld, dilation %lld, groups %lld", op->name,
                           (long long)c->w.stride[i], (long long)c->w.padding[i],
                           (long long)c->w.dilation[i], (long long)c->groups);
    }
    return true;
}

static bool dims_fit(struct op *op, const struct conv *c, const mc_tensor *x,
                     const mc_tensor *weight, const mc_tensor *bias)
{
    int ndim = c->spatial + 2;
    if (x->ndim != ndim && x->ndim != ndim - 1)
        return op_fail(op, MC_ERROR_SHAPE,
                       "%s needs x with %d dimensions, or %d for one sample: %d", op->name, ndim,
                       ndim - 1, x->ndim);
    if (weight->ndim != ndim)
        return op_fail(op, MC_ERROR_SHAPE, "%s needs weight with %d dimensions: %d", op->name, ndim,
                       weight->ndim);
    if (bias && (bias->ndim != 1 || bias->shape[0] != weight->shape[0]))
        return op_fail(op, MC_ERROR_SHAPE, "%s: weight makes %lld channels, bias is for %lld",
                       op->name, (long long)weight->shape[0], (long long)bias->numel);
    return true;
}

static bool channels_fit(struct op *op, const struct conv *c, int64_t channels,
                         const mc_tensor *weight)
{
    int64_t taken;
    if (weight->shape[0] % c->groups || weight->shape[0] < c->groups)
        return op_fail(op, MC_ERROR_SHAPE, "%s: %lld out channels cannot be %lld equal groups",
                       op->name, (long long)weight->shape[0], (long long)c->groups);
    if (__builtin_mul_overflow(weight->shape[1], c->groups, &taken) || taken != channels)
        return op_fail(op, MC_ERROR_SHAPE,
                       "%s: weight takes %lld channels in %lld groups, x has %lld", op->name,
                       (long long)weight->shape[1], (long long)c->groups, (long long)channels);
    return true;
}

/* Positions of the window along one dimension; false after an error. */
static bool positions(struct op *op, struct conv *c, int axis, int64_t size)
{
    const struct window *w = &c->w;
    int64_t reach, padded;
    if (w->size[axis] <= 0)
        return op_fail(op, MC_ERROR_SHAPE, "%s: the window is empty", op->name);
    if (__builtin_mul_overflow(w->size[axis] - 1, w->dilation[axis], &reach) ||
        __builtin_mul_overflow(w->padding[axis], 2, &padded) ||
        __builtin_add_overflow(padded, size, &padded) || reach >= padded)
        return op_fail(op, MC_ERROR_SHAPE,
                       "%s: a window of %lld (dilation %lld) does not fit into %lld (padding %lld)",
                       op->name, (long long)w->size[axis], (long long)w->dilation[axis],
                       (long long)size, (long long)w->padding[axis]);
    c->out[axis] = (padded - reach - 1) / w->stride[axis] + 1;
    return true;
}

/* ---- dtypes and devices ------------------------------------------------------------------- */

/* PyTorch's libraries for cuda, and for f16 and bf16 on the CPU, compare device and dtype together
 * and report a difference in either as one of dtype. Its own loops check the devices first. */
static bool param_fits(struct op *op, const mc_tensor *x, const mc_tensor *param, const char *name)
{
    bool same_device = tensor_device(x) == tensor_device(param);
    bool as_type = (is_cuda(x) || dtype_is_half(x->dtype)) &&
                   (is_cuda(x) != is_cuda(param) || x->dtype != param->dtype);
    if (same_device && x->dtype == param->dtype)
        return true;
    return op_fail(op, same_device || as_type ? MC_ERROR_DTYPE : MC_ERROR_DEVICE,
                   "%s needs one type: x is %s on %s, %s is %s on %s", op->name,
                   dtype_name(x->dtype), mc_device_name(tensor_device(x)), name,
                   dtype_name(param->dtype), mc_device_name(tensor_device(param)));
}

/* The bias's dtype is checked before everything else. */
static bool bias_fits(struct op *op, const mc_tensor *x, const mc_tensor *bias)
{
    return !bias || bias->dtype == x->dtype ||
           op_fail(op, MC_ERROR_DTYPE, "%s needs one dtype: x is %s, bias is %s", op->name,
                   dtype_name(x->dtype), dtype_name(bias->dtype));
}

static bool types_fit(struct op *op, const mc_tensor *x, const mc_tensor *weight,
                      const mc_tensor *bias)
{
    return param_fits(op, x, weight, "weight") && (!bias || param_fits(op, x, bias, "bias")) &&
           op_takes(op, x->dtype, is_cuda(x) ? SET_FLOAT : SET_FLOAT | SET_INT);
}

/* ---- the product -------------------------------------------------------------------------- */

/* Everything that one product of a batch of samples needs. */
struct product {
    const struct conv *c;
    const mc_tensor *x, *weight, *out;
    const mc_tensor *columns; /* a buffer for count samples; NULL: x is its own columns */
    int64_t count;
    bool add;             /* out holds the bias already */
    int64_t depth, width; /* of the columns of a group */
};

/* The weights are the same for each sample. */
static struct view weights(const struct product *p, int64_t count)
{
    int64_t rows = p->weight->shape[0] / p->c->groups;
    struct view v = conv_samples(p->weight, 0, 1, mc_shape(p->c->groups, rows, p->depth));
    v.shape[0] = count;
    v.stride[0] = 0;
    v.numel *= count;
    return v;
}

static bool multiply(const struct product *p, int64_t first, int64_t count)
{
    const struct kernels *k = tensor_backend(p->x)->kernels;
    const int64_t *in = p->x->shape, groups = p->c->groups;
    bool real = dtype_is_float(p->x->dtype);
    mc_arg one = real ? mc_arg_float(1) : mc_arg_int(1),
           none = real ? mc_arg_float(0) : mc_arg_int(0);
    mc_shape columns = mc_shape(groups, p->depth, p->width);
    struct view a = weights(p, count);
    struct view b =
        conv_samples(p->columns ? p->columns : p->x, p->columns ? 0 : first, count, columns);
    struct view c = conv_samples(p->out, first, count,
                                 mc_shape(groups, p->weight->shape[0] / groups, p->width));
    if (p->columns) {
        struct view from = conv_samples(p->x, first, count, mc_shape(in[1], in[2], in[3]));
        struct view to = conv_samples(p->columns, 0, count,
                                      mc_shape(groups * p->depth, p->c->out[0], p->c->out[1]));
        k->layer->unfold(&to, &from, &p->c->w);
    }
    return k->matmul->gemm(&a, &b, &c, one, p->add ? one : none);
}

static bool make_columns(struct op *op, struct product *p)
{
    p->count = p->x->shape[0];
    if (!conv_covers_once(&p->c->w))
        p->columns = conv_columns(op, p->c, p->x, p->depth, &p->count);
    return op->ok;
}

static bool run_products(struct op *op, struct product *p)
{
    int64_t all = p->x->shape[0];
    for (int64_t first = 0; first < all; first += p->count) {
        int64_t count = all - first < p->count ? all - first : p->count;
        if (!multiply(p, first, count))
            return op_fail(op, MC_ERROR_MEMORY, "no memory for the product");
    }
    return true;
}

/* x (samples, channels, height, width), weight alike; both contiguous and checked. */
static mc_tensor *convolve(struct op *op, const struct conv *c, mc_tensor *x, mc_tensor *weight,
                           mc_tensor *bias)
{
    mc_shape shape = mc_shape(x->shape[0], weight->shape[0], c->out[0], c->out[1]);
    mc_tensor *out = op_new(op, shape, x->dtype, tensor_device(x));
    if (!out || out->numel == 0)
        return out;
    if (bias)
        op_copy(op, out, op_reshape(op, bias, mc_shape(bias->shape[0], 1, 1)));
    else if (weight->numel == 0)
        op_fill(op, out, mc_arg_int(0)); /* no channels */
    struct product p = {.c = c, .x = x, .weight = weight, .out = out, .add = bias};
    p.depth = weight->numel / weight->shape[0];
    p.width = c->out[0] * c->out[1];
    if (!op->ok || p.depth == 0)
        return out;
    return make_columns(op, &p) && run_products(op, &p) ? out : NULL;
}

/* ---- the ops ------------------------------------------------------------------------------ */

static mc_tensor *conv(struct op *op, int spatial, mc_tensor *x, mc_tensor *weight, mc_tensor *bias,
                       const mc_conv_options *o)
{
    struct conv c = {.spatial = spatial, .w.size = {1, 1}};
    if (!bias_fits(op, x, bias) || !options_fit(op, o, &c) || !dims_fit(op, &c, x, weight, bias) ||
        !channels_fit(op, &c, x->shape[x->ndim - spatial - 1], weight))
        return NULL;
    for (int i = 2 - spatial; i < 2; i++)
        c.w.size[i] = weight->shape[2 + i - (2 - spatial)];
    c.out[0] = 1;
    for (int i = 2 - spatial; i < 2; i++)
        if (!positions(op, &c, i, x->shape[x->ndim - 2 + i]))
            return NULL;
    if (!types_fit(op, x, weight, bias))
        return NULL;
    mc_tensor *images = conv_images(op, &c, x), *windows = conv_images(op, &c, weight);
    mc_tensor *out = images && windows ? convolve(op, &c, images, windows, bias) : NULL;
    if (out && spatial == 1)
        out = op_squeeze(op, out, 2);
    out = out && x->ndim == spatial + 1 ? op_squeeze(op, out, 0) : out;
    if (op->tracks && out)
        grad_conv(op, out, &c, x, weight, bias);
    return out;
}

mc_tensor *mc_op_conv1d(mc_place at, mc_tensor *x, mc_tensor *weight, mc_tensor *bias,
                        mc_conv_options o)
{
    OP_BEGIN(op, "conv1d", at, x, weight);
    op_optional(&op, bias);
    OP_AUTOCAST(&op, conv1d, &x, &weight, &bias);
    return op_end(&op, op.ok ? conv(&op, 1, x, weight, bias, &o) : NULL);
}

mc_tensor *mc_op_conv2d(mc_place at, mc_tensor *x, mc_tensor *weight, mc_tensor *bias,
                        mc_conv_options o)
{
    OP_BEGIN(op, "conv2d", at, x, weight);
    op_optional(&op, bias);
    OP_AUTOCAST(&op, conv2d, &x, &weight, &bias);
    return op_end(&op, op.ok ? conv(&op, 2, x, weight, bias, &o) : NULL);
}
