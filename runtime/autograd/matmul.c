/* Gradients of matrix products: for c = a·b they are grad·bᵀ and aᵀ·grad. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

#include <stdlib.h>
#include <string.h>

enum { SAVED_A, SAVED_B };

static void save_factors(struct op *op, struct node *n, int first, mc_tensor *a, mc_tensor *b)
{
    if (node_wants(n, first + 1))
        node_save(op, n, SAVED_A, a);
    if (node_wants(n, first))
        node_save(op, n, SAVED_B, b);
}

static mc_tensor *transposed(struct op *op, mc_tensor *x)
{
    return op_transpose(op, x, -2, -1);
}

/* All dimensions but the last as one. */
static mc_tensor *as_rows(struct op *op, mc_tensor *x)
{
    if (!x || x->ndim == 2)
        return x;
    int64_t last = x->shape[x->ndim - 1];
    return op_reshape(op, x, mc_shape(last ? x->numel / last : 0, last));
}

/* aᵀ·grad. Where b was one matrix for all batches of a, these are more rows of one product. */
static mc_tensor *product_back_b(struct op *op, mc_tensor *a, mc_tensor *grad, int b_ndim)
{
    if (a && grad && b_ndim <= 2 && a->ndim > 2) {
        a = as_rows(op, a);
        grad = as_rows(op, grad);
    }
    return op_matmul(op, transposed(op, a), grad);
}

/* ---- matmul -------------------------------------------------------------------------------- */

struct matmul_params {
    int a_ndim, b_ndim;
};

/* A vector on the left is a row, on the right a column: with those, every product is one of
 * matrices. */
static void matmul_back(struct back *b)
{
    const struct matmul_params *p = back_params(b);
    struct op *op = b->op;
    bool row = p->a_ndim == 1, column = p->b_ndim == 1;
    mc_tensor *g = b->grad, *da = NULL, *db = NULL;
    if (column)
        g = op_unsqueeze(op, g, -1);
    if (row)
        g = op_unsqueeze(op, g, -2);
    if (back_wants(b, 0)) {
        mc_tensor *y = back_saved(b, SAVED_B);
        da = op_matmul(op, g, transposed(op, column ? op_unsqueeze(op, y, 1) : y));
        back_give(b, 0, row ? op_squeeze(op, da, -2) : da);
    }
    if (back_wants(b, 1)) {
        mc_tensor *x = back_saved(b, SAVED_A);
        db = product_back_b(op, row ? op_unsqueeze(op, x, 0) : x, g, p->b_ndim);
        back_give(b, 1, column ? op_squeeze(op, db, -1) : db);
    }
}

void grad_matmul(struct op *op, mc_tensor *result, mc_tensor *a, mc_tensor *b)
{
    struct node *n = RECORD(op, matmul_back, NULL, sizeof(struct matmul_params), a, b);
    if (!n)
        return;
    *(struct matmul_params *)n->params = (struct matmul_params){a->ndim, b->ndim};
    save_factors(op, n, 0, a, b);
    recorded(op, n, result);
}

/* ---- addmm, baddbmm ------------------------------------------------------------------------ */

struct addmm_params {
    double beta, alpha;
};

static mc_tensor *times(struct op *op, mc_tensor *x, double factor)
{
    return factor == 1 ? x : op_tf(op, BINARY_mul, x, factor);
}

static void addmm_back(struct back *b)
{
    const struct addmm_params *p = back_params(b);
    struct op *op = b->op;
    if (back_wants(b, 0))
        back_give(b, 0, times(op, b->grad, p->beta));
    if (back_wants(b, 1))
        back_give(
            b, 1,
            times(op, op_matmul(op, b->grad, transposed(op, back_saved(b, SAVED_B))), p->alpha));
    if (back_wants(b, 2))
        back_give(
            b, 2,
            times(op, op_matmul(op, transposed(op, back_saved(b, SAVED_A)), b->grad), p->alpha));
}

static double number_or_1(mc_arg a)
{
    return a.kind == MC_ARG_NONE ? 1 : a.kind == MC_ARG_FLOAT ? a.as.f : (double)a.as.i;
}

void grad_addmm(struct op *op, mc_tensor *into, mc_tensor *result, mc_tensor *input, mc_tensor *a,
                mc_tensor *b, mc_addmm_options o)
{
    struct node *n = RECORD(op, addmm_back, into, sizeof(struct addmm_params), input, a, b);
    if (!n)
        return;
    *(struct addmm_params *)n->params =
        (struct addmm_params){number_or_1(o.beta), number_or_1(o.alpha)};
    save_factors(op, n, 1, a, b);
    recorded(op, n, result);
}

/* ---- linear -------------------------------------------------------------------------------- */

/* x·weightᵀ + bias; a weight of one dimension is one row, and that dimension is dropped. */
static void linear_back(struct back *b)
{
    const int *weight_ndim = back_params(b);
    struct op *op = b->op;
    mc_tensor *g = *weight_ndim == 1 ? op_unsqueeze(op, b->grad, -1) : b->grad;
    if (back_wants(b, 0)) {
        mc_tensor *w = back_saved(b, SAVED_B);
        back_give(b, 0, op_matmul(op, g, *weight_ndim == 1 ? op_unsqueeze(op, w, 0) : w));
    }
    if (back_wants(b, 1)) {
        mc_tensor *x = back_saved(b, SAVED_A);
        if (x && x->ndim == 1)
            x = op_unsqueeze(op, x, 0);
        mc_tensor *rows = g && g->ndim == 1 ? op_unsqueeze(op, g, 0) : as_rows(op, g);
        mc_tensor *dw = op_matmul(op, transposed(op, rows), as_rows(op, x));
        back_give(b, 1, *weight_ndim == 1 ? op_squeeze(op, dw, 0) : dw);
    }
    if (back_wants(b, 2))
        back_give(b, 2, b->grad);
}

void grad_linear(struct op *op, mc_tensor *result, mc_tensor *x, mc_tensor *weight, mc_tensor *bias)
{
    struct node *n = RECORD(op, linear_back, NULL, sizeof(int), x, weight, bias);
    if (!n)
        return;
    *(int *)n->params = weight->ndim;
    save_factors(op, n, 0, x, weight);
    recorded(op, n, result);
}

/* ---- outer --------------------------------------------------------------------------------- */

static void outer_back(struct back *b)
{
    struct op *op = b->op;
    mc_tensor *product;
    if (back_wants(b, 0)) {
        product = op_tt(op, BINARY_mul, b->grad, back_saved(b, SAVED_B));
        back_give(b, 0, op_sum(op, product, mc_dims(1), false, MC_DTYPE_DEFAULT));
    }
    if (back_wants(b, 1)) {
        product = op_tt(op, BINARY_mul, b->grad, op_unsqueeze(op, back_saved(b, SAVED_A), 1));
        back_give(b, 1, op_sum(op, product, mc_dims(0), false, MC_DTYPE_DEFAULT));
    }
}

void grad_outer(struct op *op, mc_tensor *result, mc_tensor *a, mc_tensor *b)
{
    struct node *n = RECORD(op, outer_back, NULL, 0, a, b);
    if (!n)
        return;
    save_factors(op, n, 0, a, b);
    recorded(op, n, result);
}

/* ---- einsum -------------------------------------------------------------------------------- */

struct einsum_params {
    mc_shape shape[2];
    char equation[];
};

static void einsum_back(struct back *b)
{
    const struct einsum_params *p = back_params(b);
    for (int i = 0; i < 2; i++)
        if (back_wants(b, i))
            back_give(b, i,
                      op_einsum_back(b->op, p->equation, i, b->grad,
                                     back_saved(b, i == 0 ? SAVED_B : SAVED_A), p->shape));
}

void grad_einsum(struct op *op, mc_tensor *result, const char *equation, mc_tensor *a, mc_tensor *b)
{
    size_t length = strlen(equation) + 1;
    struct node *n = RECORD(op, einsum_back, NULL, sizeof(struct einsum_params) + length, a, b);
    if (!n)
        return;
    struct einsum_params *p = n->params;
    p->shape[0] = tensor_shape(a);
    p->shape[1] = tensor_shape(b);
    memcpy(p->equation, equation, length);
    save_factors(op, n, 0, a, b);
    recorded(op, n, result);
}
