/* Gradients of linear algebra. Matrices are the last two dimensions; all formulas are for real
 * ones. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

static mc_tensor *transposed(struct op *op, mc_tensor *x)
{
    return op_transpose(op, x, -2, -1);
}

static mc_tensor *sum_of(struct op *op, mc_tensor *a, mc_tensor *b)
{
    return op_tt(op, BINARY_add, a, b);
}

static mc_tensor *product(struct op *op, mc_tensor *a, mc_tensor *b)
{
    return op_matmul(op, a, b);
}

/* ---- inverse ------------------------------------------------------------------------------- */

/* -yᵀ·grad·yᵀ */
static void inverse_back(struct back *b)
{
    mc_tensor *turned = transposed(b->op, back_saved(b, 0));
    mc_tensor *dx = product(b->op, turned, product(b->op, b->grad, turned));
    back_give(b, 0, op_unary(b->op, UNARY_neg, dx));
}

void grad_inverse(struct op *op, mc_tensor *result, mc_tensor *x)
{
    struct node *n = RECORD(op, inverse_back, NULL, 0, x);
    node_save_result(op, n, 0, result);
    recorded(op, n, result);
}

/* ---- cholesky ------------------------------------------------------------------------------ */

/* The lower triangle of x with half its diagonal. */
static mc_tensor *lower_half(struct op *op, mc_tensor *x)
{
    mc_tensor *lower = op_triangle(op, x, 0, false), *below = op_triangle(op, x, -1, false);
    return op_tf(op, BINARY_mul, sum_of(op, lower, below), 0.5);
}

/* With l = y and φ the lower half of lᵀ·grad: the symmetric part of l⁻ᵀ·φ·l⁻¹. */
static void cholesky_back(struct back *b)
{
    struct op *op = b->op;
    mc_tensor *l = back_saved(b, 0), *inverse = op_inverse(op, l);
    mc_tensor *phi = lower_half(op, product(op, transposed(op, l), b->grad));
    mc_tensor *dx = product(op, transposed(op, inverse), product(op, phi, inverse));
    back_give(b, 0, op_tf(op, BINARY_mul, sum_of(op, dx, transposed(op, dx)), 0.5));
}

void grad_cholesky(struct op *op, mc_tensor *result, mc_tensor *x)
{
    struct node *n = RECORD(op, cholesky_back, NULL, 0, x);
    node_save_result(op, n, 0, result);
    recorded(op, n, result);
}

/* ---- svd ----------------------------------------------------------------------------------- */

enum { SVD_S, SVD_U, SVD_VH };

/* (xᵀ·grad - gradᵀ·x) / (s_j² - s_i²), 0 on the diagonal. */
static mc_tensor *turn(struct op *op, mc_tensor *x, mc_tensor *grad, mc_tensor *s)
{
    mc_tensor *cross = product(op, transposed(op, x), grad);
    mc_tensor *skew = op_tt(op, BINARY_sub, cross, transposed(op, cross));
    mc_tensor *square = op_tt(op, BINARY_mul, s, s);
    mc_tensor *gap =
        op_tt(op, BINARY_sub, op_unsqueeze(op, square, -2), op_unsqueeze(op, square, -1));
    if (!gap)
        return NULL;
    int64_t k = gap->shape[gap->ndim - 1];
    mc_tensor *all =
        op_fill(op, op_new(op, mc_shape(k, k), MC_BOOL, tensor_device(gap)), mc_arg_bool(true));
    mc_tensor *diagonal = op_triangle(op, op_triangle(op, all, 0, false), 0, true);
    gap = op_masked_fill(op, gap, diagonal, mc_arg_int(1));
    return op_tt(op, BINARY_div, skew, gap);
}

/* The part of x outside of the space spanned by the columns of basis: x - basis·basisᵀ·x. */
static mc_tensor *outside(struct op *op, mc_tensor *basis, mc_tensor *x)
{
    return op_tt(op, BINARY_sub, x, product(op, basis, product(op, transposed(op, basis), x)));
}

/* The first k columns. */
static mc_tensor *columns(struct op *op, mc_tensor *x, int64_t k)
{
    return x && x->shape[x->ndim - 1] > k ? op_narrow(op, x, -1, 0, k) : x;
}

/* sum may be NULL: nothing yet. */
static mc_tensor *add_part(struct op *op, mc_tensor *sum, mc_tensor *part)
{
    return !sum ? part : sum_of(op, sum, part);
}

/* u·(rotation of u + rotation of v + diag(grad of s))·vᵀ, and the parts of the gradients of u and
 * v outside of what they span. */
static void svd_back(struct back *b)
{
    struct op *op = b->op;
    mc_tensor *s = back_saved(b, SVD_S), *u = back_saved(b, SVD_U);
    mc_tensor *v = transposed(op, back_saved(b, SVD_VH)), *middle = NULL, *dx = NULL;
    if (!s || !u || !v)
        return;
    int64_t k = s->shape[s->ndim - 1];
    u = columns(op, u, k);
    v = columns(op, v, k);
    mc_tensor *across = op_unsqueeze(op, s, -2), *down = op_unsqueeze(op, s, -1);
    mc_tensor *gu = columns(op, b->grads[SVD_U], k);
    mc_tensor *gv = b->grads[SVD_VH] ? columns(op, transposed(op, b->grads[SVD_VH]), k) : NULL;
    if (gu)
        middle = op_tt(op, BINARY_mul, turn(op, u, gu, s), across);
    if (gv)
        middle = add_part(op, middle, op_tt(op, BINARY_mul, down, turn(op, v, gv, s)));
    mc_tensor *left = middle ? product(op, u, middle) : NULL;
    if (b->grads[SVD_S])
        left = add_part(op, left, op_tt(op, BINARY_mul, u, op_unsqueeze(op, b->grads[SVD_S], -2)));
    if (gu && u->shape[u->ndim - 2] > k)
        left = add_part(op, left, op_tt(op, BINARY_div, outside(op, u, gu), across));
    if (left)
        dx = product(op, left, transposed(op, v));
    if (gv && v->shape[v->ndim - 2] > k) {
        mc_tensor *rest = op_tt(op, BINARY_div, outside(op, v, gv), across);
        dx = add_part(op, dx, product(op, u, transposed(op, rest)));
    }
    back_give(b, 0, dx);
}

void grad_svd(struct op *op, mc_tensor *x, mc_tensor *s, mc_tensor *u, mc_tensor *vh)
{
    struct node *n = record_several(op, svd_back, 3, x);
    node_save_result(op, n, SVD_S, s);
    node_save_result(op, n, SVD_U, u);
    node_save_result(op, n, SVD_VH, vh);
    recorded_several(op, n, 3, (mc_tensor *const[]){s, u, vh});
}
