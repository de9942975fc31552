/* Binary elementwise ops, the way back. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

bool op_takes_out(struct op *op, const mc_tensor *out)
{
    if (!out || !op->tracks)
        return op->ok;
    return op_fail(op, MC_ERROR_GRAD,
                   "%s cannot be recorded with out, and an operand requires grad", op->name);
}

/* What is saved: x and y, the result, and numbers where x or y are numbers. */
enum { SAVED_X, SAVED_Y, SAVED_RESULT };

struct binary_params {
    double alpha;
    mc_arg x, y; /* numbers, or MC_ARG_NONE */
};

/* The operand, tensor or number. */
static mc_arg operand(struct back *b, int which)
{
    const struct binary_params *p = back_params(b);
    mc_arg number = which == SAVED_X ? p->x : p->y;
    return number.kind != MC_ARG_NONE ? number : mc_arg_tensor(back_saved(b, which));
}

/* a·b of a tensor and a tensor or number, NULL after an error. */
static mc_tensor *with(struct op *op, enum binary which, mc_tensor *a, mc_arg b)
{
    if (!a || (b.kind == MC_ARG_TENSOR && !b.as.tensor))
        return NULL;
    return op_binary(op, which, mc_arg_tensor(a), b);
}

static void add_back(struct back *b)
{
    const struct binary_params *p = back_params(b);
    if (back_wants(b, 0))
        back_give(b, 0, b->grad);
    if (back_wants(b, 1))
        back_give(b, 1, p->alpha == 1 ? b->grad : op_tf(b->op, BINARY_mul, b->grad, p->alpha));
}

static void mul_back(struct back *b)
{
    if (back_wants(b, 0))
        back_give(b, 0, with(b->op, BINARY_mul, b->grad, operand(b, SAVED_Y)));
    if (back_wants(b, 1))
        back_give(b, 1, with(b->op, BINARY_mul, b->grad, operand(b, SAVED_X)));
}

/* What the gradients of x and of y need. */
enum { NEEDS_X = 1 << SAVED_X, NEEDS_Y = 1 << SAVED_Y, NEEDS_RESULT = 1 << SAVED_RESULT };

static const struct {
    backward_fn back;
    unsigned for_x, for_y;
} formulas[BINARY_COUNT] = {
    [BINARY_add] = {add_back, 0, 0},
    [BINARY_sub] = {add_back, 0, 0},
    [BINARY_mul] = {mul_back, NEEDS_Y, NEEDS_X},
};

static mc_tensor *tensor_of(mc_arg a)
{
    return a.kind == MC_ARG_TENSOR ? a.as.tensor : NULL;
}

bool binary_needs_old(enum binary b, const mc_tensor *x, mc_arg y)
{
    const mc_tensor *other = tensor_of(y);
    return (tensor_requires_grad(x) && (formulas[b].for_x & NEEDS_X)) ||
           (other && tensor_requires_grad(other) && (formulas[b].for_y & NEEDS_X));
}

void grad_binary(struct op *op, enum binary which, mc_tensor *into, mc_tensor *result, mc_arg x,
                 mc_arg y, double alpha, mc_tensor *old)
{
    mc_tensor *tx = tensor_of(x), *ty = tensor_of(y);
    if (!result || !formulas[which].back || !dtype_is_float(result->dtype))
        return;
    struct node *n = RECORD(op, formulas[which].back, into, sizeof(struct binary_params), tx, ty);
    if (!n)
        return;
    struct binary_params *p = n->params;
    p->alpha = alpha;
    if (!tx)
        p->x = x;
    if (!ty)
        p->y = y;
    unsigned needs = (node_wants(n, 0) ? formulas[which].for_x : 0) |
                     (node_wants(n, 1) ? formulas[which].for_y : 0);
    if (needs & NEEDS_X)
        node_save(op, n, SAVED_X, old ? old : tx);
    if (needs & NEEDS_Y)
        node_save(op, n, SAVED_Y, ty);
    if (needs & NEEDS_RESULT)
        node_save_result(op, n, SAVED_RESULT, result);
    recorded(op, n, result);
}
