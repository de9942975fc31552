/* The inverse, and the checks that ops of linear algebra share. Operands are matrices of f32 or
 * f64, or batches of them. */
#include "runtime/compute/compute.h"

bool op_matrix_fits(struct op *op, const mc_tensor *x, bool square)
{
    char shape[200];
    bool fits = x->ndim >= 2 && (!square || x->shape[x->ndim - 1] == x->shape[x->ndim - 2]);
    if (!fits)
        return op_fail(op, MC_ERROR_SHAPE, "%s needs a %smatrix or a batch of them, not %s",
                       op->name, square ? "square " : "",
                       shape_describe(x->ndim, x->shape, shape, sizeof shape));
    return op_takes(op, x->dtype, BIT(MC_F32) | BIT(MC_F64));
}

/* Raises what the kernel reported. A single matrix is not numbered. */
bool op_solved(struct op *op, enum linalg_status status, const mc_tensor *x, int64_t which,
               const char *why)
{
    switch (status) {
    case LINALG_OK:
        return true;
    case LINALG_NO_MEMORY:
        return op_fail(op, MC_ERROR_MEMORY, "%s: no memory to work in", op->name);
    case LINALG_FAILED:
        break;
    }
    if (x->ndim == 2)
        return op_fail(op, MC_ERROR_VALUE, "%s: the matrix %s", op->name, why);
    return op_fail(op, MC_ERROR_VALUE, "%s: matrix %lld of the batch %s", op->name,
                   (long long)which, why);
}

mc_tensor *op_inverse(struct op *op, mc_tensor *x)
{
    int64_t which = 0;
    mc_tensor *y = x && op_matrix_fits(op, x, true) ? op_clone(op, x) : NULL;
    if (!y)
        return NULL;
    struct view v = view_of(y);
    enum linalg_status status = tensor_backend(y)->kernels->linalg->inverse(&v, &which);
    return op_solved(op, status, x, which, "is singular") ? y : NULL;
}
