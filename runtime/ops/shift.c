/* Public ops that move elements by position (triangles, flip, roll) or find positions by value
 * (searchsorted, bucketize). */
#include "runtime/autograd/formulas.h"
#include "runtime/ops/ops.h"
#include "runtime/compute/indexing.h"

/* ---- triangles ---------------------------------------------------------------------------- */

static mc_tensor *end_triangle(struct op *op, mc_tensor *y, mc_tensor *x, int64_t diagonal,
                               bool upper)
{
    if (op->tracks && y)
        grad_triangle(op, y, x, diagonal, upper);
    return op_end(op, y);
}

mc_tensor *mc_op_tril(mc_place at, mc_tensor *x, int64_t diagonal)
{
    OP_BEGIN(op, "tril", at, x);
    return end_triangle(&op, op.ok ? op_triangle(&op, x, diagonal, false) : NULL, x, diagonal,
                        false);
}

mc_tensor *mc_op_triu(mc_place at, mc_tensor *x, int64_t diagonal)
{
    OP_BEGIN(op, "triu", at, x);
    return end_triangle(&op, op.ok ? op_triangle(&op, x, diagonal, true) : NULL, x, diagonal, true);
}

/* ---- flip, roll --------------------------------------------------------------------------- */

mc_tensor *mc_op_flip(mc_place at, mc_tensor *x, int64_t dim)
{
    OP_BEGIN(op, "flip", at, x);
    mc_tensor *y = op.ok ? op_flip(&op, x, dim) : NULL;
    if (op.tracks && y)
        grad_flip(&op, y, x, dim);
    return op_end(&op, y);
}

mc_tensor *mc_op_roll(mc_place at, mc_tensor *x, int64_t shift, int64_t dim)
{
    OP_BEGIN(op, "roll", at, x);
    mc_tensor *y = op.ok ? op_roll(&op, x, shift, dim) : NULL;
    if (op.tracks && y)
        grad_roll(&op, y, x, shift, dim);
    return op_end(&op, y);
}

/* ---- searchsorted, bucketize -------------------------------------------------------------- */

/* One sorted row for all values, or one for each of their rows. */
static bool search_shapes(struct op *op, const mc_tensor *sorted, const mc_tensor *values)
{
    bool fit = sorted->ndim == 1 || (sorted->ndim > 1 && sorted->ndim == values->ndim);
    for (int d = 0; fit && sorted->ndim > 1 && d + 1 < sorted->ndim; d++)
        fit = sorted->shape[d] == values->shape[d];
    char a[200], b[200];
    if (!fit)
        return op_fail(op, MC_ERROR_SHAPE, "values of shape %s do not fit sorted ones of shape %s",
                       shape_describe(values->ndim, values->shape, a, sizeof a),
                       shape_describe(sorted->ndim, sorted->shape, b, sizeof b));
    return true;
}

static mc_tensor *search(struct op *op, mc_tensor *sorted, mc_tensor *values, bool right)
{
    if (!OP_SAME_DEVICE(op, sorted, values) || !search_shapes(op, sorted, values))
        return NULL;
    mc_dtype common = result_type(mc_arg_tensor(sorted), mc_arg_tensor(values));
    if (common == MC_DTYPE_DEFAULT)
        return op_fail(op, MC_ERROR_DTYPE, "%s and %s have no common dtype",
                       dtype_name(sorted->dtype), dtype_name(values->dtype));
    if (!op_takes(op, common, SET_INT | SET_FLOAT))
        return NULL;
    mc_dtype work = dtype_is_half(common) ? MC_F32 : common; /* preserves the order */
    mc_tensor *out = op_new_like(op, values, MC_I64);
    sorted = op_contiguous(op, op_cast(op, op_convert(op, sorted, common), work));
    values = op_contiguous(op, op_cast(op, op_convert(op, values, common), work));
    if (!out || !sorted || !values)
        return NULL;
    struct view vo = view_of(out), vs = view_of(sorted), vv = view_of(values);
    index_kernels_of(out)->searchsorted(&vo, &vs, &vv, right);
    return out;
}

mc_tensor *mc_op_searchsorted(mc_place at, mc_tensor *sorted, mc_tensor *values,
                              mc_search_options options)
{
    OP_BEGIN(op, "searchsorted", at, sorted, values);
    return op_end(&op, op.ok ? search(&op, sorted, values, options.right) : NULL);
}

mc_tensor *mc_op_bucketize(mc_place at, mc_tensor *values, mc_tensor *boundaries,
                           mc_search_options options)
{
    OP_BEGIN(op, "bucketize", at, values, boundaries);
    if (op.ok && boundaries->ndim != 1)
        op_fail(&op, MC_ERROR_SHAPE, "boundaries must have one dimension, they have %d",
                boundaries->ndim);
    return op_end(&op, op.ok ? search(&op, boundaries, values, options.right) : NULL);
}
