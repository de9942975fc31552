/* Matrix products, the way back. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

/* A vector on the left is a row, on the right a column: with those, every product is one of
 * matrices. */
static void matmul_back(struct back *b)
{
    mc_tensor *g = b->grad;
    const int *ndim = back_params(b);
    mc_tensor *x = back_saved(b, 0), *y = back_saved(b, 1);
    if (ndim[0] == 1)
        g = op_unsqueeze(b->op, g, ndim[1] == 1 ? -1 : -2);
    if (ndim[1] == 1)
        g = op_unsqueeze(b->op, g, -1);
    if (x && ndim[0] == 1)
        x = op_unsqueeze(b->op, x, 0);
    if (y && ndim[1] == 1)
        y = op_unsqueeze(b->op, y, 1);
    mc_tensor *dx = NULL, *dy = NULL;
    if (back_wants(b, 0))
        dx = op_matmul(b->op, g, op_transpose(b->op, y, -2, -1));
    if (back_wants(b, 1))
        dy = op_matmul(b->op, op_transpose(b->op, x, -2, -1), g);
    if (dx && ndim[0] == 1)
        dx = op_squeeze(b->op, dx, -2);
    if (dy && ndim[1] == 1)
        dy = op_squeeze(b->op, dy, -1);
    back_give(b, 0, dx);
    back_give(b, 1, dy);
}

void grad_matmul(struct op *op, mc_tensor *result, mc_tensor *a, mc_tensor *b)
{
    struct node *n = RECORD(op, matmul_back, NULL, 2 * sizeof(int), a, b);
    if (!n)
        return;
    ((int *)n->params)[0] = a->ndim;
    ((int *)n->params)[1] = b->ndim;
    if (node_wants(n, 1))
        node_save(op, n, 0, a);
    if (node_wants(n, 0))
        node_save(op, n, 1, b);
    recorded(op, n, result);
}
