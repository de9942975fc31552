/* What both directions of a convolution need: samples and columns of a window that slides over
 * images. The convolution itself is in ops/conv.c, its gradient in autograd/conv.c. */
#include "runtime/compute/conv.h"

/* Columns are unfolded for as many samples at once as fit into this many bytes. */
#define COLUMN_BYTES ((size_t)8 << 20)

/* ---- the product -------------------------------------------------------------------------- */

/* A window of one element that covers every position: x is its own columns. */
bool conv_covers_once(const struct window *w)
{
    bool once = true;
    for (int i = 0; i < 2; i++)
        once = once && w->size[i] == 1 && w->stride[i] == 1 && w->padding[i] == 0;
    return once;
}

/* Samples first … first + count of a contiguous tensor, the rest of its shape as given. */
struct view conv_samples(const mc_tensor *t, int64_t first, int64_t count, mc_shape rest)
{
    struct view v = {.dtype = t->dtype, .ndim = rest.ndim + 1, .numel = count};
    int64_t stride = 1;
    for (int i = rest.ndim - 1; i >= 0; i--) {
        v.shape[i + 1] = rest.dims[i];
        v.stride[i + 1] = stride;
        stride *= rest.dims[i];
    }
    v.shape[0] = count;
    v.stride[0] = stride;
    v.numel *= stride;
    v.data = tensor_bytes(t) + (size_t)(first * stride) * dtype_size(t->dtype);
    return v;
}

/* Columns for one sample, or for as many as share the buffer. */
mc_tensor *conv_columns(struct op *op, const struct conv *c, const mc_tensor *x, int64_t depth,
                        int64_t *count)
{
    mc_shape one = mc_shape(1, c->groups * depth, c->out[0] * c->out[1]);
    int64_t all = x->shape[0], numel;
    *count = all;
    if (shape_numel(one.ndim, one.dims, &numel) && numel > 0)
        *count = (int64_t)(COLUMN_BYTES / dtype_size(x->dtype)) / numel;
    *count = *count < 1 ? 1 : *count < all ? *count : all;
    one.dims[0] = *count;
    return op_new(op, one, x->dtype, tensor_device(x));
}

/* ---- the ops ------------------------------------------------------------------------------ */

/* Two spatial dimensions and samples, whatever was given. */
mc_tensor *conv_images(struct op *op, const struct conv *c, mc_tensor *t)
{
    mc_tensor *batch = t->ndim == c->spatial + 2 ? t : op_unsqueeze(op, t, 0);
    return op_contiguous(op, c->spatial == 2 ? batch : op_unsqueeze(op, batch, 2));
}
