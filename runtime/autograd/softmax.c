/* Gradients of softmax and of running sums and products. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

#include "runtime/compute/axes.h"

struct along_params {
    int64_t dim;
    bool log;
};

/* ---- softmax ------------------------------------------------------------------------------- */

mc_tensor *op_softmax_back(struct op *op, mc_tensor *grad, mc_tensor *y, int64_t dim, bool log)
{
    y = op_contiguous(op, y);
    mc_tensor *out = y ? op_new_like(op, y, y->dtype) : NULL;
    grad = op_contiguous(op, out ? op_cast(op, grad, y->dtype) : NULL);
    if (!grad || !op_dim(op, &dim, y->ndim))
        return NULL;
    struct view vo = view_of(out), vg = view_of(grad), vy = view_of(y);
    tensor_backend(y)->kernels->reduce->softmax_back(log ? LOG_SOFTMAX : SOFTMAX, &vo, &vg, &vy,
                                                     (int)dim);
    return out;
}

static void softmax_back(struct back *b)
{
    const struct along_params *p = back_params(b);
    back_give(b, 0, op_softmax_back(b->op, b->grad, back_saved(b, 0), p->dim, p->log));
}

void grad_softmax(struct op *op, mc_tensor *result, mc_tensor *x, int64_t dim, bool log)
{
    struct node *n = RECORD(op, softmax_back, NULL, sizeof(struct along_params), x);
    if (!n)
        return;
    *(struct along_params *)n->params = (struct along_params){dim, log};
    node_save_result(op, n, 0, result);
    recorded(op, n, result);
}

/* ---- running sums and products --------------------------------------------------------------- */

/* Each element plus the sum of those after it. */
static mc_tensor *sum_from_here(struct back *b, mc_tensor *x, int64_t dim)
{
    mc_tensor *turned = op_flip(b->op, x, dim);
    return op_flip(b->op, op_scan(b->op, REDUCE_SUM, turned, dim), dim);
}

static void cumsum_back(struct back *b)
{
    const struct along_params *p = back_params(b);
    back_give(b, 0, sum_from_here(b, b->grad, p->dim));
}

/* Σ over j >= i of grad_j · (the product of all up to j) / x_i. For the first zero of a row it is
 * the products without it, and after that zero. */
static void cumprod_back(struct back *b)
{
    const struct along_params *p = back_params(b);
    mc_tensor *x = back_saved(b, 0), *result = back_saved(b, 1);
    if (!x || !result)
        return;
    mc_tensor *plain = op_tt(
        b->op, BINARY_div, sum_from_here(b, op_tt(b->op, BINARY_mul, result, b->grad), p->dim), x);
    mc_tensor *zero = op_tf(b->op, BINARY_eq, x, 0);
    mc_tensor *zeros = zero ? op_scan(b->op, REDUCE_SUM, zero, p->dim) : NULL;
    mc_tensor *first = op_tt(b->op, BINARY_logical_and, zero, op_tf(b->op, BINARY_eq, zeros, 1));
    if (!first || !plain)
        return;
    mc_tensor *others = op_masked_fill(b->op, x, first, mc_arg_int(1));
    mc_tensor *products = others ? op_scan(b->op, REDUCE_PROD, others, p->dim) : NULL;
    mc_tensor *without = sum_from_here(b, op_tt(b->op, BINARY_mul, products, b->grad), p->dim);
    mc_tensor *before = op_tf(b->op, BINARY_eq, zeros, 0);
    if (!without || !before)
        return;
    mc_tensor *dx = op_where(b->op, before, mc_arg_tensor(plain), mc_arg_float(0));
    back_give(b, 0, dx ? op_where(b->op, first, mc_arg_tensor(without), mc_arg_tensor(dx)) : NULL);
}

void grad_scan(struct op *op, enum reduce r, mc_tensor *result, mc_tensor *x, int64_t dim)
{
    bool prod = r == REDUCE_PROD;
    struct node *n =
        RECORD(op, prod ? cumprod_back : cumsum_back, NULL, sizeof(struct along_params), x);
    if (!n)
        return;
    *(struct along_params *)n->params = (struct along_params){.dim = dim};
    node_save(op, n, 0, prod ? x : NULL);
    node_save_result(op, n, 1, prod ? result : NULL);
    recorded(op, n, result);
}
