/* Public ops of linear algebra: inverse, cholesky, svd. In comes a matrix of f32 or f64, or a
 * batch of them; out goes a new tensor of its dtype. If the data do not allow it, the error is of
 * kind value. */
#include "runtime/autograd/formulas.h"
#include "runtime/compute/compute.h"

#include "runtime/amp/amp.h"

mc_tensor *mc_op_inverse(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "inverse", at, x);
    OP_AUTOCAST(&op, inverse, &x);
    mc_tensor *y = op.ok ? op_inverse(&op, x) : NULL;
    if (op.tracks && y)
        grad_inverse(&op, y, x);
    return op_end(&op, y);
}

static mc_tensor *cholesky(struct op *op, mc_tensor *x)
{
    int64_t which = 0;
    mc_tensor *y = op_matrix_fits(op, x, true) ? op_clone(op, x) : NULL;
    if (!y)
        return NULL;
    struct view v = view_of(y);
    enum linalg_status status = tensor_backend(y)->kernels->linalg->cholesky(&v, &which);
    return op_solved(op, status, x, which, "is not positive definite") ? y : NULL;
}

mc_tensor *mc_op_cholesky(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "cholesky", at, x);
    OP_AUTOCAST(&op, cholesky, &x);
    mc_tensor *y = op.ok ? cholesky(&op, x) : NULL;
    if (op.tracks && y)
        grad_cholesky(&op, y, x);
    return op_end(&op, y);
}

/* x's shape with other last dimensions; cols -1: without the last. */
static mc_tensor *new_matrix(struct op *op, const mc_tensor *x, int64_t rows, int64_t cols)
{
    mc_shape shape = tensor_shape(x);
    shape.dims[x->ndim - 2] = rows;
    if (cols < 0)
        shape.ndim--;
    else
        shape.dims[x->ndim - 1] = cols;
    return op_new(op, shape, x->dtype, tensor_device(x));
}

static mc_tensor *svd(struct op *op, mc_tensor *x, mc_svd_options o)
{
    if (!op_matrix_fits(op, x, false))
        return NULL;
    int64_t m = x->shape[x->ndim - 2], n = x->shape[x->ndim - 1], r = m < n ? m : n, which = 0;
    bool vectors = o.u || o.vh || op->tracks; /* backward needs them */
    o.reduced = o.reduced || (!o.u && !o.vh);
    mc_tensor *work = op_clone(op, x), *s = new_matrix(op, x, r, -1);
    mc_tensor *u = vectors ? new_matrix(op, x, m, o.reduced ? r : m) : NULL;
    mc_tensor *vh = vectors ? new_matrix(op, x, o.reduced ? r : n, n) : NULL;
    if (!work || !s || (vectors && (!u || !vh)))
        return NULL;
    struct view x_view = view_of(work), s_view = view_of(s), u_view, vh_view;
    if (vectors) {
        u_view = view_of(u);
        vh_view = view_of(vh);
    }
    enum linalg_status status = tensor_backend(x)->kernels->linalg->svd(
        &x_view, &s_view, vectors ? &u_view : NULL, vectors ? &vh_view : NULL, &which);
    if (!op_solved(op, status, x, which, "has no singular values that could be found"))
        return NULL;
    if (op->tracks)
        grad_svd(op, x, s, u, vh);
    if (o.u)
        op_also_returns(op, *o.u = u);
    if (o.vh)
        op_also_returns(op, *o.vh = vh);
    return s;
}

mc_tensor *mc_op_svd(mc_place at, mc_tensor *x, mc_svd_options o)
{
    OP_BEGIN(op, "svd", at, x);
    OP_AUTOCAST(&op, svd, &x);
    if (o.u)
        *o.u = NULL;
    if (o.vh)
        *o.vh = NULL;
    return op_end(&op, op.ok ? svd(&op, x, o) : NULL);
}
