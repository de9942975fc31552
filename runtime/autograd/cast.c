/* Gradients of casts, moves and copies: the inverse cast or move. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

static void to_back(struct back *b)
{
    const struct edge *e = &b->node->inputs[0];
    const struct like *x = &e->node->outputs[e->output];
    back_give(b, 0, op_to_device(b->op, op_cast(b->op, b->grad, x->dtype), x->device));
}

void grad_to(struct op *op, mc_tensor *result, mc_tensor *x)
{
    if (result != x && dtype_is_float(result->dtype))
        recorded(op, RECORD(op, to_back, NULL, 0, x), result);
}
