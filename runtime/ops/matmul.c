/* Public matrix products: matmul, mm, bmm, mv, dot, outer, addmm, baddbmm, linear, einsum. */
#include "runtime/compute/compute.h"

#include "runtime/amp/amp.h"
#include "runtime/autograd/formulas.h"

/* ---- matmul, mm, bmm, mv, dot, outer ------------------------------------------------------- */

static mc_tensor *end_product(struct op *op, mc_tensor *c, mc_tensor *a, mc_tensor *b)
{
    if (op->tracks && c)
        grad_matmul(op, c, a, b);
    return op_end(op, c);
}

mc_tensor *mc_op_matmul(mc_place at, mc_tensor *a, mc_tensor *b, mc_out_options o)
{
    OP_BEGIN(op, "matmul", at, a, b);
    op_optional(&op, o.out);
    if (!o.out)
        OP_AUTOCAST(&op, matmul, &a, &b);
    return end_product(&op, op_takes_out(&op, o.out) ? op_matmul_into(&op, a, b, o.out) : NULL, a,
                       b);
}

mc_tensor *mc_op_mm(mc_place at, mc_tensor *a, mc_tensor *b, mc_out_options o)
{
    OP_BEGIN(op, "mm", at, a, b);
    op_optional(&op, o.out);
    if (!o.out)
        OP_AUTOCAST(&op, mm, &a, &b);
    bool fits = op_takes_out(&op, o.out);
    return end_product(&op, fits ? op_product(&op, a, 2, b, 2, o.out) : NULL, a, b);
}

mc_tensor *mc_op_bmm(mc_place at, mc_tensor *a, mc_tensor *b, mc_out_options o)
{
    OP_BEGIN(op, "bmm", at, a, b);
    op_optional(&op, o.out);
    if (!o.out)
        OP_AUTOCAST(&op, bmm, &a, &b);
    bool fits = op_takes_out(&op, o.out);
    return end_product(&op, fits ? op_product(&op, a, 3, b, 3, o.out) : NULL, a, b);
}

mc_tensor *mc_op_mv(mc_place at, mc_tensor *a, mc_tensor *x)
{
    OP_BEGIN(op, "mv", at, a, x);
    OP_AUTOCAST(&op, mv, &a, &x);
    if (op.ok && a->ndim == 0)
        op_fail(&op, MC_ERROR_SHAPE, "mv needs a matrix, not a tensor without dimensions");
    return end_product(&op, op.ok ? op_product(&op, a, 2, x, 1, NULL) : NULL, a, x);
}

mc_tensor *mc_op_dot(mc_place at, mc_tensor *a, mc_tensor *b)
{
    OP_BEGIN(op, "dot", at, a, b);
    OP_AUTOCAST(&op, dot, &a, &b);
    return end_product(&op, op.ok ? op_product(&op, a, 1, b, 1, NULL) : NULL, a, b);
}

/* Elementwise, so dtypes are promoted. */
static mc_tensor *outer(struct op *op, mc_tensor *a, mc_tensor *b)
{
    if (a->ndim != 1 || b->ndim != 1)
        return op_fail(op, MC_ERROR_SHAPE, "outer needs two vectors, not %d and %d dimensions",
                       a->ndim, b->ndim);
    return op_tt(op, BINARY_mul, op_unsqueeze(op, a, 1), b);
}

mc_tensor *mc_op_outer(mc_place at, mc_tensor *a, mc_tensor *b)
{
    OP_BEGIN(op, "outer", at, a, b);
    mc_tensor *c = op.ok ? outer(&op, a, b) : NULL;
    if (op.tracks && c)
        grad_outer(&op, c, a, b);
    return op_end(&op, c);
}

/* ---- addmm, baddbmm, linear ---------------------------------------------------------------- */

#define ADD_PRODUCT(name, ndim, in_place, CAST)                                                    \
    mc_tensor *mc_op_##name(mc_place at, mc_tensor *input, mc_tensor *a, mc_tensor *b,             \
                            mc_addmm_options o)                                                    \
    {                                                                                              \
        OP_BEGIN(op, #name, at, input, a, b);                                                      \
        CAST;                                                                                      \
        if (in_place)                                                                              \
            op_may_write(&op, input);                                                              \
        mc_tensor *c = op.ok ? op_add_product(&op, ndim, input, a, b, o, in_place) : NULL;         \
        if (op.tracks && c)                                                                        \
            grad_addmm(&op, in_place ? input : NULL, c, input, a, b, o);                           \
        return op_end(&op, c);                                                                     \
    }
ADD_PRODUCT(addmm, 2, false, OP_AUTOCAST(&op, addmm, &input, &a, &b))
ADD_PRODUCT(baddbmm, 3, false, OP_AUTOCAST(&op, baddbmm, &input, &a, &b))
ADD_PRODUCT(addmm_, 2, true, (void)0)
ADD_PRODUCT(baddbmm_, 3, true, (void)0)

mc_tensor *mc_op_linear(mc_place at, mc_tensor *x, mc_tensor *weight, mc_tensor *bias)
{
    OP_BEGIN(op, "linear", at, x, weight);
    op_optional(&op, bias);
    OP_AUTOCAST(&op, linear, &x, &weight, &bias);
    mc_tensor *y = op.ok ? op_linear(&op, x, weight, bias) : NULL;
    if (op.tracks && y)
        grad_linear(&op, y, x, weight, bias);
    return op_end(&op, y);
}

/* ---- einsum --------------------------------------------------------------------------------- */

/* On the CPU autocast applies only where the equation is a product of matrices. */
static void cast_operands(struct op *op, const char *equation, mc_tensor **a, mc_tensor **b)
{
    bool cuda = is_cuda(*a) || is_cuda(*b);
    if (cuda || op_einsum_contracts(op, equation, *a, *b))
        OP_AUTOCAST(op, einsum, a, b);
}

mc_tensor *mc_op_einsum2(mc_place at, const char *equation, mc_tensor *a, mc_tensor *b)
{
    OP_BEGIN(op, "einsum", at, a, b);
    if (op.autocast && op.ok)
        cast_operands(&op, equation, &a, &b);
    mc_tensor *y = op.ok ? op_einsum(&op, equation, a, b) : NULL;
    if (op.tracks && y)
        grad_einsum(&op, y, equation, a, b);
    return op_end(&op, y);
}
