/* Gradients of binary elementwise ops: one row per op, with its formula and what must be saved for
 * the gradients of x and y. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

#include <math.h>

bool op_takes_out(struct op *op, const mc_tensor *out)
{
    if (!out || !op->tracks)
        return op->ok;
    return op_fail(op, MC_ERROR_GRAD,
                   "%s cannot be recorded with out, and an operand requires grad", op->name);
}

enum { SAVED_X, SAVED_Y, SAVED_RESULT };

struct binary_params {
    double alpha;
    mc_arg x, y; /* numbers; MC_ARG_NONE: a tensor */
};

/* The operand, tensor or number. */
static mc_arg operand(struct back *b, int which)
{
    const struct binary_params *p = back_params(b);
    mc_arg number = which == SAVED_X ? p->x : p->y;
    return number.kind != MC_ARG_NONE ? number : mc_arg_tensor(back_saved(b, which));
}

static double number_of(mc_arg a)
{
    return a.kind == MC_ARG_FLOAT ? a.as.f : (double)a.as.i;
}

/* x op y, for a tensor and a tensor or number; NULL after an error. */
static mc_tensor *with(struct back *b, enum binary op, mc_tensor *x, mc_arg y)
{
    if (!x || (y.kind == MC_ARG_TENSOR && !y.as.tensor))
        return NULL;
    return op_binary(b->op, op, mc_arg_tensor(x), y);
}

static mc_tensor *neg(struct back *b, mc_tensor *x)
{
    return op_unary(b->op, UNARY_neg, x);
}

/* grad where the condition does not hold, 0 where it does. */
static mc_tensor *zero_where(struct back *b, mc_tensor *condition, mc_tensor *grad)
{
    condition = grad ? op_to_device(b->op, condition, tensor_device(grad)) : NULL;
    return condition ? op_masked_fill(b->op, grad, condition, mc_arg_int(0)) : NULL;
}

/* ---- add, mul, div ------------------------------------------------------------------------- */

static void add_back(struct back *b)
{
    const struct binary_params *p = back_params(b);
    if (back_wants(b, 0))
        back_give(b, 0, b->grad);
    if (!back_wants(b, 1))
        return;
    mc_tensor *dy = p->alpha == 1    ? b->grad
                    : p->alpha == -1 ? neg(b, b->grad)
                                     : op_tf(b->op, BINARY_mul, b->grad, p->alpha);
    back_give(b, 1, dy);
}

static void mul_back(struct back *b)
{
    if (back_wants(b, 0))
        back_give(b, 0, with(b, BINARY_mul, b->grad, operand(b, SAVED_Y)));
    if (back_wants(b, 1))
        back_give(b, 1, with(b, BINARY_mul, b->grad, operand(b, SAVED_X)));
}

/* -grad * (x / y / y) */
static mc_tensor *div_back_y(struct back *b)
{
    mc_arg x = operand(b, SAVED_X), y = operand(b, SAVED_Y);
    if (!y.as.tensor || (x.kind == MC_ARG_TENSOR && !x.as.tensor))
        return NULL;
    mc_tensor *ratio = with(b, BINARY_div, op_binary(b->op, BINARY_div, x, y), y);
    return op_tt(b->op, BINARY_mul, neg(b, b->grad), ratio);
}

static void div_back(struct back *b)
{
    if (back_wants(b, 0))
        back_give(b, 0, with(b, BINARY_div, b->grad, operand(b, SAVED_Y)));
    if (back_wants(b, 1))
        back_give(b, 1, div_back_y(b));
}

/* ---- pow ----------------------------------------------------------------------------------- */

/* grad * (y * x^(y-1)), 0 where y is 0. */
static mc_tensor *pow_back_x(struct back *b)
{
    mc_tensor *x = back_saved(b, SAVED_X);
    mc_arg y = operand(b, SAVED_Y);
    if (!x)
        return NULL;
    if (y.kind != MC_ARG_TENSOR) {
        double e = number_of(y);
        if (e == 0)
            return op_fill(b->op, op_new_like(b->op, x, x->dtype), mc_arg_int(0));
        mc_tensor *slope = op_tf(b->op, BINARY_pow, x, e - 1);
        return op_tt(b->op, BINARY_mul, b->grad, op_tf(b->op, BINARY_mul, slope, e));
    }
    mc_tensor *less = op_tf(b->op, BINARY_sub, y.as.tensor, 1);
    mc_tensor *slope = op_tt(b->op, BINARY_mul, y.as.tensor, op_tt(b->op, BINARY_pow, x, less));
    return zero_where(b, op_tf(b->op, BINARY_eq, y.as.tensor, 0),
                      op_tt(b->op, BINARY_mul, b->grad, slope));
}

/* grad * (result * log x), 0 where x is 0 and y is not negative. */
static mc_tensor *pow_back_y(struct back *b)
{
    mc_tensor *y = back_saved(b, SAVED_Y), *result = back_saved(b, SAVED_RESULT);
    mc_arg x = operand(b, SAVED_X);
    mc_tensor *positive = op_tf(b->op, BINARY_ge, y, 0), *slope;
    if (x.kind != MC_ARG_TENSOR) {
        slope = op_tf(b->op, BINARY_mul, result, log(number_of(x)));
        mc_tensor *dy = op_tt(b->op, BINARY_mul, b->grad, slope);
        return number_of(x) == 0 ? zero_where(b, positive, dy) : dy;
    }
    mc_tensor *zero = op_tf(b->op, BINARY_eq, x.as.tensor, 0);
    slope = op_tt(b->op, BINARY_mul, result, op_unary(b->op, UNARY_log, x.as.tensor));
    return zero_where(b, op_tt(b->op, BINARY_logical_and, zero, positive),
                      op_tt(b->op, BINARY_mul, b->grad, slope));
}

static void pow_back(struct back *b)
{
    if (back_wants(b, 0))
        back_give(b, 0, pow_back_x(b));
    if (back_wants(b, 1))
        back_give(b, 1, pow_back_y(b));
}

/* ---- atan2, maximum, minimum ---------------------------------------------------------------- */

static void atan2_back(struct back *b)
{
    mc_arg x = operand(b, SAVED_X), y = operand(b, SAVED_Y);
    mc_tensor *either = x.kind == MC_ARG_TENSOR ? x.as.tensor : y.as.tensor;
    if (!either || (y.kind == MC_ARG_TENSOR && !y.as.tensor))
        return;
    mc_tensor *xx = op_binary(b->op, BINARY_mul, x, x), *yy;
    yy = y.kind == MC_ARG_TENSOR ? op_binary(b->op, BINARY_mul, y, y)
                                 : op_tf(b->op, BINARY_add, op_tf(b->op, BINARY_mul, xx, 0),
                                         number_of(y) * number_of(y));
    mc_tensor *square = op_tt(b->op, BINARY_add, xx, yy);
    mc_tensor *scaled = zero_where(b, op_tf(b->op, BINARY_eq, square, 0),
                                   op_tt(b->op, BINARY_div, b->grad, square));
    if (back_wants(b, 0))
        back_give(b, 0, with(b, BINARY_mul, scaled, y));
    if (back_wants(b, 1))
        back_give(b, 1, with(b, BINARY_mul, neg(b, scaled), x));
}

/* grad where the operand is the extreme, half of it where both are. */
static mc_tensor *extreme_back(struct back *b, enum binary loses, mc_arg x, mc_arg y)
{
    mc_tensor *same = op_binary(b->op, BINARY_eq, x, y), *lost = op_binary(b->op, loses, x, y);
    mc_tensor *half = op_tf(b->op, BINARY_mul, b->grad, 0.5);
    if (!same || !lost || !half)
        return NULL;
    mc_tensor *shared = op_where(b->op, same, mc_arg_tensor(half), mc_arg_tensor(b->grad));
    return zero_where(b, lost, shared);
}

static void choose_back(struct back *b, enum binary x_loses, enum binary y_loses)
{
    mc_arg x = operand(b, SAVED_X), y = operand(b, SAVED_Y);
    if (!b->op->ok)
        return;
    if (back_wants(b, 0))
        back_give(b, 0, extreme_back(b, x_loses, x, y));
    if (back_wants(b, 1))
        back_give(b, 1, extreme_back(b, y_loses, x, y));
}

static void maximum_back(struct back *b)
{
    choose_back(b, BINARY_lt, BINARY_gt);
}

static void minimum_back(struct back *b)
{
    choose_back(b, BINARY_gt, BINARY_lt);
}

/* ---- remainders ---------------------------------------------------------------------------- */

/* x - y * round(x / y): the quotient is flat. */
static void rest_back(struct back *b, enum unary round)
{
    if (back_wants(b, 0))
        back_give(b, 0, b->grad);
    if (!back_wants(b, 1))
        return;
    mc_arg x = operand(b, SAVED_X), y = operand(b, SAVED_Y);
    if (!b->op->ok)
        return;
    mc_tensor *quotient = op_unary(b->op, round, op_binary(b->op, BINARY_div, x, y));
    back_give(b, 1, op_tt(b->op, BINARY_mul, neg(b, b->grad), quotient));
}

static void fmod_back(struct back *b)
{
    rest_back(b, UNARY_trunc);
}

static void remainder_back(struct back *b)
{
    rest_back(b, UNARY_floor);
}

/* ---- the table ----------------------------------------------------------------------------- */

/* What the gradients of x and of y need. */
enum {
    X = 1 << SAVED_X,
    Y = 1 << SAVED_Y,
    RESULT = 1 << SAVED_RESULT,
};

/* Bitwise ops have no floating operands. floor_divide has no gradient, as in PyTorch. Logical ops
 * in place leave the history unchanged. */
/* clang-format off */
static const struct {
    backward_fn back;
    unsigned for_x, for_y;
} formulas[BINARY_COUNT] = {
    [BINARY_add]       = {add_back,       0,     0},
    [BINARY_sub]       = {add_back,       0,     0},
    [BINARY_mul]       = {mul_back,       Y,     X},
    [BINARY_div]       = {div_back,       Y,     X | Y},
    [BINARY_pow]       = {pow_back,       X | Y, X | Y | RESULT},
    [BINARY_atan2]     = {atan2_back,     X | Y, X | Y},
    [BINARY_maximum]   = {maximum_back,   X | Y, X | Y},
    [BINARY_minimum]   = {minimum_back,   X | Y, X | Y},
    [BINARY_fmod]      = {fmod_back,      0,     X | Y},
    [BINARY_remainder] = {remainder_back, 0,     X | Y},
    [BINARY_eq]        = {zero_back,      0,     0},
    [BINARY_ne]        = {zero_back,      0,     0},
    [BINARY_lt]        = {zero_back,      0,     0},
    [BINARY_le]        = {zero_back,      0,     0},
    [BINARY_gt]        = {zero_back,      0,     0},
    [BINARY_ge]        = {zero_back,      0,     0},
};
/* clang-format on */

bool binary_needs_old(enum binary b, const mc_tensor *x, mc_arg y)
{
    const mc_tensor *other = tensor_of(y);
    return (tensor_requires_grad(x) && (formulas[b].for_x & X)) ||
           (other && tensor_requires_grad(other) && (formulas[b].for_y & X));
}

static void save_operands(struct op *op, struct node *n, enum binary which, mc_tensor *x,
                          mc_tensor *y, mc_tensor *result)
{
    unsigned needs = (node_wants(n, 0) ? formulas[which].for_x : 0) |
                     (node_wants(n, 1) ? formulas[which].for_y : 0);
    if (needs & X)
        node_save(op, n, SAVED_X, x);
    if (needs & Y)
        node_save(op, n, SAVED_Y, y);
    n->holds |= ((needs & X) && !x) || ((needs & Y) && !y);
    if (needs & RESULT)
        node_save_result(op, n, SAVED_RESULT, result);
}

void grad_binary(struct op *op, enum binary which, mc_tensor *into, mc_tensor *result, mc_arg x,
                 mc_arg y, double alpha, mc_tensor *old)
{
    mc_tensor *tx = tensor_of(x), *ty = tensor_of(y);
    if (!formulas[which].back || !dtype_is_float(result->dtype))
        return;
    struct node *n = RECORD(op, formulas[which].back, into, sizeof(struct binary_params), tx, ty);
    if (!n)
        return;
    *(struct binary_params *)n->params = (struct binary_params){
        .alpha = alpha, .x = tx ? (mc_arg){0} : x, .y = ty ? (mc_arg){0} : y};
    save_operands(op, n, which, old ? old : tx, ty, result);
    recorded(op, n, result);
}
