/* Masks: masked_select, masked_fill, nonzero, and scattering back into the places of a mask. */
#include "runtime/compute/indexing.h"

/* ---- where a mask is set ------------------------------------------------------------------ */

/* The number of set elements of a contiguous bool mask, in all and before each of its blocks; the
 * latter is NULL after op_fail. */
static mc_tensor *mask_offsets(struct op *op, mc_tensor *mask, int64_t *count)
{
    mc_shape shape = {.ndim = 1, .dims = {mask_blocks(mask->numel) + 1}};
    mc_tensor *offsets = op_new(op, shape, MC_I64, tensor_device(mask));
    if (!offsets)
        return NULL;
    struct view vo = view_of(offsets), vm = view_of(mask);
    index_kernels_of(mask)->mask_offsets(&vo, &vm);
    tensor_backend(offsets)->download(count, offsets->storage,
                                      (size_t)(offsets->numel - 1) * sizeof *count, sizeof *count);
    return offsets;
}

mc_tensor *op_mask_positions(struct op *op, mc_tensor *mask)
{
    int64_t count = 0;
    mask = op_contiguous(op, mask);
    mc_tensor *offsets = mask ? mask_offsets(op, mask, &count) : NULL;
    mc_shape shape = {.ndim = 1, .dims = {count}};
    mc_tensor *out = offsets ? op_new(op, shape, MC_I64, tensor_device(mask)) : NULL;
    if (!out)
        return NULL;
    struct view vp = view_of(out), vm = view_of(mask), vo = view_of(offsets);
    index_kernels_of(mask)->mask_positions(&vp, &vm, &vo);
    return out;
}

/* ---- masked_select ------------------------------------------------------------------------ */

mc_tensor *op_masked_select(struct op *op, mc_tensor *x, mc_tensor *mask)
{
    mc_shape both;
    int64_t count = 0;
    if (!x || !mask || !op_broadcast(op, x, mask, &both))
        return NULL;
    x = op_contiguous(op, op_expand(op, x, both));
    mask = op_contiguous(op, op_expand(op, mask, both));
    mc_tensor *offsets = x && mask ? mask_offsets(op, mask, &count) : NULL;
    mc_shape shape = {.ndim = 1, .dims = {count}};
    mc_tensor *out = offsets ? op_new(op, shape, x->dtype, tensor_device(x)) : NULL;
    if (!out)
        return NULL;
    struct view vs = view_of(out), vx = view_of(x), vm = view_of(mask), vo = view_of(offsets);
    index_kernels_of(x)->mask_select(&vs, &vx, &vm, &vo);
    return out;
}

mc_tensor *op_masked_scatter(struct op *op, mc_tensor *x, mc_tensor *mask, mc_tensor *source)
{
    if (!x || !mask || !op_takes(op, x->dtype, SET_ALL & ~SET_F8))
        return NULL;
    mc_tensor *places = op_mask_positions(op, mask);
    mc_tensor *flat = places ? op_reshape(op, x, mc_shape(x->numel)) : NULL;
    if (!flat || !source)
        return NULL;
    struct view along = index_along(places, tensor_shape(source), 0);
    index_put(flat, 0, &along, source);
    return x;
}

bool op_mask_is_bool(struct op *op, const mc_tensor *mask)
{
    if (mask->dtype != MC_BOOL)
        return op_fail(op, MC_ERROR_DTYPE, "the mask must be bool, it is %s",
                       dtype_name(mask->dtype));
    return true;
}

/* ---- nonzero ------------------------------------------------------------------------------ */

mc_tensor *op_nonzero(struct op *op, mc_tensor *x)
{
    if (!x || !op_takes(op, x->dtype, SET_ALL & ~SET_F8))
        return NULL;
    mc_tensor *mask = x;
    if (x->dtype != MC_BOOL)
        mask = op_binary(op, BINARY_ne, mc_arg_tensor(x), mc_arg_int(0));
    mc_tensor *positions = mask ? op_mask_positions(op, mask) : NULL;
    if (!positions)
        return NULL;
    mc_shape shape = {.ndim = 2, .dims = {positions->numel, x->ndim}};
    mc_tensor *out = op_new(op, shape, MC_I64, tensor_device(x));
    if (!out)
        return NULL;
    struct view vo = view_of(out), vp = view_of(positions);
    index_kernels_of(x)->unravel(&vo, &vp, x->ndim, x->shape);
    return out;
}

/* ---- masked_fill -------------------------------------------------------------------------- */

static bool reaches(struct op *op, const mc_tensor *x, mc_arg value)
{
    const mc_tensor *t = value.kind == MC_ARG_TENSOR ? value.as.tensor : NULL;
    if (!t || t->ndim || is_cuda(x) || !is_cuda(t))
        return true;
    return op_fail(op, MC_ERROR_DEVICE, "x is on %s, the value on %s",
                   mc_device_name(tensor_device(x)), mc_device_name(tensor_device(t)));
}

/* A tensor is used as a number; x's device must be able to read it. */
static bool fill_number(struct op *op, const mc_tensor *x, mc_arg *value)
{
    if (value->kind == MC_ARG_NONE)
        return op_fail(op, MC_ERROR_ARGUMENT, "there is no value to fill with");
    if (value->kind != MC_ARG_TENSOR)
        return true;
    const mc_tensor *t = value->as.tensor;
    if (t->ndim != 0)
        return op_fail(op, MC_ERROR_SHAPE, "the value must be 0-dim, it has %d dimensions",
                       t->ndim);
    if (!reaches(op, x, *value))
        return false;
    *value = op_item(op, value->as.tensor);
    return value->kind != MC_ARG_NONE;
}

static bool fill_fits(struct op *op, mc_tensor *x, mc_tensor *mask, mc_arg *value)
{
    return fill_number(op, x, value) && OP_SAME_DEVICE(op, x, mask) && op_mask_is_bool(op, mask) &&
           op_takes(op, x->dtype, SET_ALL & ~SET_F8) && op_number_fits(op, *value, x->dtype);
}

/* out = mask ? value : x; out may be x. */
static mc_tensor *fill_into(struct op *op, mc_tensor *out, mc_tensor *x, mc_tensor *mask,
                            mc_arg value)
{
    mc_tensor *number = op_new(op, (mc_shape){0}, x->dtype, tensor_device(x));
    if (!number || !op_fill(op, number, value))
        return NULL;
    struct loop loop;
    loop_over(&loop, 4, (const mc_tensor *const[]){out, mask, number, x});
    tensor_backend(x)->kernels->elementwise->where(x->dtype, &loop);
    return out;
}

mc_tensor *op_masked_fill(struct op *op, mc_tensor *x, mc_tensor *mask, mc_arg value)
{
    mc_shape shape;
    if (!x || !mask || !op_broadcast(op, x, mask, &shape) || !fill_fits(op, x, mask, &value))
        return NULL;
    mc_tensor *out = op_new(op, shape, x->dtype, tensor_device(x));
    return out ? fill_into(op, out, x, mask, value) : NULL;
}

mc_tensor *op_masked_fill_(struct op *op, mc_tensor *x, mc_tensor *mask, mc_arg value)
{
    bool fits = x && mask && reaches(op, x, value) && OP_SAME_DEVICE(op, x, mask) &&
                op_mask_is_bool(op, mask);
    mc_tensor *spread = fits ? op_expand(op, mask, tensor_shape(x)) : NULL;
    if (!spread || !fill_fits(op, x, mask, &value) || !(spread = op_apart(op, x, spread)) ||
        !op_writes(op, x))
        return NULL;
    return fill_into(op, x, x, spread, value);
}
