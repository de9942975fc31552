/* Public indexing with tensors: index, index_put_, masked_select, masked_fill, nonzero. */
#include "runtime/compute/indexing.h"

#include "runtime/autograd/formulas.h"

/* ---- x[index] ----------------------------------------------------------------------------- */

mc_tensor *mc_op_index(mc_place at, mc_tensor *x, mc_tensor *index)
{
    OP_BEGIN(op, "index", at, x, index);
    mc_tensor *y = op.ok ? op_index(&op, x, index) : NULL;
    if (op.tracks && y)
        grad_index(&op, y, x, index);
    return op_end(&op, y);
}

/* ---- x[index] = values -------------------------------------------------------------------- */

mc_tensor *mc_op_index_put_(mc_place at, mc_tensor *x, mc_tensor *index, mc_tensor *values)
{
    OP_BEGIN(op, "index_put_", at, x, index, values);
    mc_tensor *y = op_may_write(&op, x) ? op_index_put(&op, x, index, values) : NULL;
    if (op.tracks && y)
        grad_index_put(&op, x, index, values);
    return op_end(&op, y);
}

/* ---- masked_select ------------------------------------------------------------------------ */

mc_tensor *mc_op_masked_select(mc_place at, mc_tensor *x, mc_tensor *mask)
{
    OP_BEGIN(op, "masked_select", at, x, mask);
    bool fit = op.ok && OP_SAME_DEVICE(&op, x, mask) && op_mask_is_bool(&op, mask);
    mc_tensor *y = fit ? op_masked_select(&op, x, mask) : NULL;
    if (op.tracks && y)
        grad_masked_select(&op, y, x, mask);
    return op_end(&op, y);
}

/* ---- nonzero ------------------------------------------------------------------------------ */

mc_tensor *mc_op_nonzero(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "nonzero", at, x);
    return op_end(&op, op.ok ? op_nonzero(&op, x) : NULL);
}

/* ---- masked_fill -------------------------------------------------------------------------- */

mc_tensor *mc_op_masked_fill(mc_place at, mc_tensor *x, mc_tensor *mask, mc_arg value)
{
    OP_BEGIN(op, "masked_fill", at, x, mask);
    op_arg(&op, value);
    mc_tensor *y = op.ok ? op_masked_fill(&op, x, mask, value) : NULL;
    if (op.tracks && y)
        grad_masked_fill(&op, NULL, y, x, mask, value);
    return op_end(&op, y);
}

mc_tensor *mc_op_masked_fill_(mc_place at, mc_tensor *x, mc_tensor *mask, mc_arg value)
{
    OP_BEGIN(op, "masked_fill_", at, x, mask);
    op_arg(&op, value);
    mc_tensor *y = op_may_write(&op, x) ? op_masked_fill_(&op, x, mask, value) : NULL;
    if (op.tracks && y)
        grad_masked_fill(&op, x, y, x, mask, value);
    return op_end(&op, y);
}
