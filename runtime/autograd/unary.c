/* Gradients of unary elementwise ops. What each needs, and its derivative, are in
 * kernels/unary_back.def; here they are recorded and the kernel is called. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

enum needs { NONE, ZERO, X, Y };

static const enum needs needs[] = {
#define UNARY_BACK(name, needs, gradient) [UNARY_##name] = needs,
#include "runtime/kernels/unary_back.def"
#undef UNARY_BACK
};
_Static_assert(sizeof needs == UNARY_COUNT * sizeof *needs, "a unary op has no row");

struct unary_params {
    enum unary op;
    double p0, p1;
};

static void unary_back(struct back *b)
{
    const struct unary_params *p = back_params(b);
    mc_tensor *saved = back_saved(b, 0);
    if (!saved || !op_takes(b->op, saved->dtype, SET_FLOAT))
        return;
    mc_tensor *out = op_new_like(b->op, saved, saved->dtype);
    mc_tensor *grad = out ? op_cast(b->op, b->grad, out->dtype) : NULL;
    struct loop loop;
    if (!grad)
        return;
    loop_over(&loop, 3, (const mc_tensor *const[]){out, grad, saved});
    tensor_backend(out)->kernels->elementwise->unary_back(p->op, out->dtype, &loop, p->p0, p->p1);
    back_give(b, 0, out);
}

void zero_back(struct back *b)
{
    for (int i = 0; i < b->node->input_count; i++) {
        const struct edge *e = &b->node->inputs[i];
        if (!e->node)
            continue;
        const struct like *like = &e->node->outputs[e->output];
        mc_shape shape = b->node->patch ? tensor_shape(b->grad) : like->shape;
        mc_tensor *zero = op_new(b->op, shape, like->dtype, like->device);
        back_give(b, i, op_fill(b->op, zero, mc_arg_int(0)));
    }
}

static void same_back(struct back *b)
{
    back_give(b, 0, b->grad);
}

static void neg_back(struct back *b)
{
    back_give(b, 0, op_unary(b->op, UNARY_neg, b->grad));
}

bool unary_needs_old(enum unary u)
{
    return needs[u] == X;
}

void grad_zero(struct op *op, mc_tensor *into, mc_tensor *result, mc_tensor *x)
{
    recorded(op, RECORD(op, zero_back, into, 0, x), result);
}

void grad_unary(struct op *op, enum unary u, mc_tensor *into, mc_tensor *result, mc_tensor *x,
                double p0, double p1)
{
    if (!dtype_is_float(result->dtype))
        return;
    backward_fn back = needs[u] == ZERO   ? zero_back
                       : needs[u] != NONE ? unary_back
                       : u == UNARY_neg   ? neg_back
                                          : same_back;
    struct node *n = RECORD(op, back, into, sizeof(struct unary_params), into ? into : x);
    if (!n)
        return;
    *(struct unary_params *)n->params = (struct unary_params){u, p0, p1};
    if (needs[u] == X)
        node_save(op, n, 0, x);
    if (needs[u] == Y)
        node_save_result(op, n, 0, result);
    recorded(op, n, result);
}
