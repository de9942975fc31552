/* Reductions, the way back. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

#include "runtime/ops/axes.h"

struct reduce_params {
    mc_shape shape; /* of x */
    mc_dims dims;
    bool keepdim;
};

/* grad as if keepdim had been said: its dimensions of x, or 1 where they were reduced. */
static mc_tensor *with_dims(struct back *b, mc_tensor *grad)
{
    const struct reduce_params *p = back_params(b);
    mc_shape kept = p->shape;
    if (p->keepdim)
        return grad;
    for (int i = 0; i < kept.ndim; i++)
        if (!p->dims.count)
            kept.dims[i] = 1;
    for (int i = 0; i < p->dims.count; i++) {
        int64_t d = p->dims.dims[i];
        if (kept.ndim)
            kept.dims[d < 0 ? d + kept.ndim : d] = 1;
    }
    return op_reshape(b->op, grad, kept);
}

static void sum_back(struct back *b)
{
    const struct reduce_params *p = back_params(b);
    back_give(b, 0, op_expand(b->op, with_dims(b, b->grad), p->shape));
}

void grad_sum(struct op *op, mc_tensor *result, mc_tensor *x, mc_dims dims, bool keepdim)
{
    struct node *n = RECORD(op, sum_back, NULL, sizeof(struct reduce_params), x);
    if (!n)
        return;
    *(struct reduce_params *)n->params = (struct reduce_params){tensor_shape(x), dims, keepdim};
    recorded(op, n, result);
}
