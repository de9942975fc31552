/* x[index] and x[index] = values: an index of positions along dimension 0, or a mask over the
 * leading dimensions. Checked in PyTorch's order: whether x has as many dimensions, the index's
 * device and dtype, its shape, then the values' shape, dtype and device. */
#include "runtime/compute/indexing.h"

#define MASK_DTYPES (BIT(MC_BOOL) | BIT(MC_U8))

/* ---- the index ---------------------------------------------------------------------------- */

static bool is_mask(const mc_tensor *index)
{
    return BIT(index->dtype) & MASK_DTYPES;
}

static bool mask_fits(struct op *op, const mc_tensor *x, const mc_tensor *mask)
{
    bool fits = mask->ndim <= x->ndim;
    for (int d = 0; fits && d < mask->ndim; d++)
        fits = mask->shape[d] == x->shape[d];
    char a[200], b[200];
    if (!fits)
        return op_fail(op, MC_ERROR_SHAPE, "a mask of shape %s does not fit x of shape %s",
                       shape_describe(mask->ndim, mask->shape, a, sizeof a),
                       shape_describe(x->ndim, x->shape, b, sizeof b));
    return true;
}

static bool has_places(struct op *op, const mc_tensor *x, int taken)
{
    return taken <= x->ndim ||
           op_fail(op, MC_ERROR_SHAPE, "an index of %d dimensions is too many for x, which has %d",
                   taken, x->ndim);
}

/* For reading, PyTorch accepts host indices into a cuda tensor, but not the reverse. */
static bool index_reaches(struct op *op, const mc_tensor *x, const mc_tensor *index)
{
    if (tensor_device(index) != tensor_device(x) && tensor_device(index) != MC_CPU)
        return op_fail(op, MC_ERROR_DEVICE, "x is on %s, the index on %s",
                       mc_device_name(tensor_device(x)), mc_device_name(tensor_device(index)));
    return true;
}

/* The index on x's device, a mask being bool; NULL after op_fail. */
static mc_tensor *usable_index(struct op *op, mc_tensor *x, mc_tensor *index)
{
    if (!has_places(op, x, is_mask(index) ? index->ndim : 1) ||
        !index_dtype(op, index, INDEX_DTYPES | MASK_DTYPES, "i64, i32, bool or u8"))
        return NULL;
    if (is_mask(index) && !mask_fits(op, x, index))
        return NULL;
    index = op_to_device(op, index, tensor_device(x));
    return index && is_mask(index) ? op_cast(op, index, MC_BOOL) : index;
}

/* ---- shapes ------------------------------------------------------------------------------- */

static void *too_many_dims(struct op *op)
{
    return op_fail(op, MC_ERROR_SHAPE, "the result would have more than %d dimensions",
                   MC_MAX_DIMS);
}

/* x with its first `count` dimensions, which the mask has too, merged into one. */
static mc_tensor *merge_leading(struct op *op, mc_tensor *x, const mc_tensor *mask)
{
    mc_shape shape = {.ndim = 1, .dims = {mask->numel}};
    if (mask->ndim == 0 && x->ndim == MC_MAX_DIMS)
        return too_many_dims(op);
    for (int d = mask->ndim; d < x->ndim; d++)
        shape.dims[shape.ndim++] = x->shape[d];
    return mask->ndim == 1 ? x : op_reshape(op, x, shape);
}

/* index's dimensions followed by x's from the second on. */
static bool indexed_shape(struct op *op, const mc_tensor *x, const mc_tensor *index,
                          mc_shape *shape)
{
    *shape = tensor_shape(index);
    if (index->ndim + x->ndim - 1 > MC_MAX_DIMS)
        return too_many_dims(op);
    for (int d = 1; d < x->ndim; d++)
        shape->dims[shape->ndim++] = x->shape[d];
    return true;
}

/* ---- x[index] ----------------------------------------------------------------------------- */

static mc_tensor *index_mask(struct op *op, mc_tensor *x, mc_tensor *mask)
{
    if (mask->ndim == x->ndim && x->ndim > 0)
        return op_masked_select(op, x, mask);
    return index_take(op, merge_leading(op, x, mask), 0, op_mask_positions(op, mask));
}

static mc_tensor *index_positions(struct op *op, mc_tensor *x, mc_tensor *index)
{
    mc_shape shape;
    if (!indexed_shape(op, x, index, &shape))
        return NULL;
    mc_tensor *out = index_take(op, x, 0, index_checked(op, index, x->shape[0], true));
    return out ? op_reshape(op, out, shape) : NULL;
}

mc_tensor *op_index(struct op *op, mc_tensor *x, mc_tensor *index)
{
    bool fits = has_places(op, x, is_mask(index) ? index->ndim : 1) && index_reaches(op, x, index);
    index = fits ? usable_index(op, x, index) : NULL;
    if (!index)
        return NULL;
    return is_mask(index) ? index_mask(op, x, index) : index_positions(op, x, index);
}

/* ---- x[index] = values -------------------------------------------------------------------- */

/* values, broadcast to the shape. A 0-dim value is moved from another device, as in PyTorch. */
static mc_tensor *values_for(struct op *op, mc_tensor *x, mc_tensor *values, mc_shape shape)
{
    mc_tensor *spread = op_expand(op, values, shape);
    if (!spread)
        return NULL;
    if (values->dtype != x->dtype)
        return op_fail(op, MC_ERROR_DTYPE, "values must be of x's dtype: x is %s, values are %s",
                       dtype_name(x->dtype), dtype_name(values->dtype));
    if (values->ndim == 0)
        return op_expand(op, op_to_device(op, values, tensor_device(x)), shape);
    return OP_SAME_DEVICE(op, x, values) && index_apart(op, x, values) ? spread : NULL;
}

/* rows, which is x or x with leading dimensions merged, at places (one dimension, checked) =
 * values. values were broadcast to what is written, with or without those dimensions. */
static mc_tensor *put_rows(struct op *op, mc_tensor *x, mc_tensor *rows, mc_tensor *places,
                           mc_tensor *values)
{
    if (!rows || !places || !values)
        return NULL;
    mc_shape shape = tensor_shape(rows);
    shape.dims[0] = places->numel;
    mc_tensor *source = index_apart(op, x, op_reshape(op, values, shape));
    if (!source || !op_writes(op, x))
        return NULL;
    struct view along = index_along(places, shape, 0);
    index_put(rows, 0, &along, source);
    if (rows->storage != x->storage) /* no view of x was possible */
        return op_copy(op, x, op_reshape(op, rows, tensor_shape(x)));
    return x;
}

/* One number for all positions: PyTorch fills, and so converts it to x's dtype. */
static mc_tensor *fill_mask(struct op *op, mc_tensor *x, mc_tensor *mask, mc_tensor *value)
{
    mc_shape shape = tensor_shape(mask);
    while (shape.ndim < x->ndim)
        shape.dims[shape.ndim++] = 1;
    return op_masked_fill_(op, x, op_reshape(op, mask, shape), op_item(op, value));
}

static mc_tensor *put_mask(struct op *op, mc_tensor *x, mc_tensor *mask, mc_tensor *values)
{
    if (values->numel == 1 && tensor_device(values) == MC_CPU)
        return fill_mask(op, x, mask, values);
    mc_tensor *places = op_mask_positions(op, mask), *rows = merge_leading(op, x, mask);
    if (!places || !rows)
        return NULL;
    mc_shape shape = tensor_shape(rows);
    shape.dims[0] = places->numel;
    return put_rows(op, x, rows, places, values_for(op, x, values, shape));
}

static mc_tensor *put_positions(struct op *op, mc_tensor *x, mc_tensor *index, mc_tensor *values)
{
    mc_shape shape;
    if (!indexed_shape(op, x, index, &shape) || !(values = values_for(op, x, values, shape)))
        return NULL;
    index = index_checked(op, index_apart(op, x, index), x->shape[0], true);
    return put_rows(op, x, x, index, values);
}

mc_tensor *op_index_put(struct op *op, mc_tensor *x, mc_tensor *index, mc_tensor *values)
{
    bool fills = values->ndim == 0 && tensor_device(values) == MC_CPU; /* as recorded */
    bool bytes = index->dtype == MC_U8 && tensor_device(index) == tensor_device(x);
    index = has_places(op, x, 1) ? usable_index(op, x, index) : NULL;
    if (!index)
        return NULL;
    if (fills && bytes) /* this is masked_fill_, which does not take f8 */
        return op_fail(op, MC_ERROR_DTYPE, "%s of one number needs a mask of bool, it is u8",
                       op->name);
    return is_mask(index) ? put_mask(op, x, index, values) : put_positions(op, x, index, values);
}

/* ---- gradients ---------------------------------------------------------------------------- */

mc_tensor *op_index_back(struct op *op, mc_tensor *grad, mc_shape shape, mc_tensor *index)
{
    mc_dtype dtype = grad->dtype;
    if (dtype_is_f8(dtype)) /* which cannot be added */
        grad = op_cast(op, grad, MC_F32);
    mc_tensor *x =
        grad ? op_fill(op, op_new(op, shape, grad->dtype, tensor_device(grad)), mc_arg_int(0))
             : NULL;
    index = x && index ? usable_index(op, x, index) : NULL;
    if (!index)
        return NULL;
    mc_tensor *rows = is_mask(index) ? merge_leading(op, x, index) : x;
    mc_tensor *places = is_mask(index) ? op_mask_positions(op, index)
                                       : index_checked(op, index, shape.dims[0], true);
    if (!rows || !places)
        return NULL;
    mc_shape along = tensor_shape(rows);
    along.dims[0] = places->numel;
    mc_tensor *source = op_reshape(op, grad, along);
    struct view at = index_along(places, along, 0);
    return source && index_put_add(op, rows, 0, &at, source) ? op_cast(op, x, dtype) : NULL;
}

mc_tensor *op_index_clear(struct op *op, mc_tensor *x, mc_tensor *index)
{
    mc_shape shape;
    index = x && index ? usable_index(op, x, index) : NULL;
    if (!index)
        return NULL;
    if (is_mask(index)) {
        shape = tensor_shape(index);
        while (shape.ndim < x->ndim)
            shape.dims[shape.ndim++] = 1;
        return op_masked_fill_(op, x, op_reshape(op, index, shape), mc_arg_int(0));
    }
    mc_tensor *zero =
        op_fill(op, op_new(op, (mc_shape){0}, x->dtype, tensor_device(x)), mc_arg_int(0));
    return zero ? put_positions(op, x, index, zero) : NULL;
}
