/* Public elementwise ops of one or two operands. Each is a row below; what it computes is in
 * compute/elementwise.c, its gradient in autograd/unary.c or autograd/arithmetic.c. */
#include "runtime/compute/compute.h"

#include "runtime/amp/amp.h"
#include "runtime/autograd/formulas.h"

/* ---- recording ----------------------------------------------------------------------------- */

/* into: x itself, written over, or NULL. */
static mc_tensor *run_recorded(struct op *op, enum binary b, mc_arg x, mc_arg y, mc_tensor *into)
{
    mc_tensor *old = NULL;
    if (into && binary_needs_old(b, into, y))
        old = op_clone(op, into);
    mc_tensor *result = op->ok ? op_binary_into(op, b, x, y, into) : NULL;
    if (result)
        grad_binary(op, b, into, result, x, y, b == BINARY_sub ? -1 : 1, old);
    return op_end(op, result);
}

static mc_tensor *end_unary(struct op *op, enum unary u, mc_tensor *y, mc_tensor *x)
{
    if (op->tracks && y)
        grad_unary(op, u, NULL, y, x, 0, 0);
    return op_end(op, y);
}

/* Logical ops leave a history as it is. */
static mc_tensor *public_unary_(struct op *op, enum unary u, mc_tensor *x)
{
    if (!op->tracks || u == UNARY_logical_not || !op_may_write(op, x)) {
        op_constant(op);
        return op_end(op, op->ok ? op_unary_(op, u, x) : NULL);
    }
    mc_tensor *old = unary_needs_old(u) ? op_clone(op, x) : x;
    mc_tensor *y = op->ok ? op_unary_(op, u, x) : NULL;
    if (y)
        grad_unary(op, u, x, y, old, 0, 0);
    return op_end(op, y);
}

static mc_tensor *public_binary(struct op *op, enum binary b, mc_arg x, mc_arg y, mc_tensor *out)
{
    if (op->tracks && op_takes_out(op, out))
        return run_recorded(op, b, x, y, NULL);
    return op_end(op, op->ok ? op_binary_into(op, b, x, y, out) : NULL);
}

static mc_tensor *public_binary_(struct op *op, enum binary b, mc_tensor *x, mc_arg y)
{
    bool logical = b >= BINARY_logical_and && b <= BINARY_logical_xor;
    if (op->tracks && !logical && op_may_write(op, x))
        return run_recorded(op, b, mc_arg_tensor(x), y, x);
    op_constant(op);
    return op_end(op, op->ok ? op_binary_into(op, b, mc_arg_tensor(x), y, x) : NULL);
}

/* ---- the public side: the plain ones ------------------------------------------------------- */

/* CAST: what autocast does first, if anything. */
#define UNARY_OP_WITH(name, CAST)                                                                  \
    mc_tensor *mc_op_##name(mc_place at, mc_tensor *x)                                             \
    {                                                                                              \
        OP_BEGIN(op, #name, at, x);                                                                \
        CAST;                                                                                      \
        return end_unary(&op, UNARY_##name, op.ok ? op_unary(&op, UNARY_##name, x) : NULL, x);     \
    }                                                                                              \
    mc_tensor *(mc_##name)(mc_tensor * x)                                                          \
    {                                                                                              \
        return mc_op_##name((mc_place){0}, x);                                                     \
    }
#define UNARY_OP(name)      UNARY_OP_WITH(name, (void)0)
#define UNARY_CAST_OP(name) UNARY_OP_WITH(name, OP_AUTOCAST(&op, name, &x))
#define UNARY_OP_(name)                                                                            \
    mc_tensor *mc_op_##name##_(mc_place at, mc_tensor *x)                                          \
    {                                                                                              \
        OP_BEGIN(op, #name "_", at, x);                                                            \
        return public_unary_(&op, UNARY_##name, x);                                                \
    }
#define BINARY_OP(name)                                                                            \
    mc_tensor *mc_op_##name(mc_place at, mc_tensor *a, mc_arg b)                                   \
    {                                                                                              \
        OP_BEGIN(op, #name, at, a);                                                                \
        op_arg(&op, b);                                                                            \
        return public_binary(&op, BINARY_##name, mc_arg_tensor(a), b, NULL);                       \
    }
#define BINARY_OP_(name)                                                                           \
    mc_tensor *mc_op_##name##_(mc_place at, mc_tensor *a, mc_arg b)                                \
    {                                                                                              \
        OP_BEGIN(op, #name "_", at, a);                                                            \
        op_arg(&op, b);                                                                            \
        return public_binary_(&op, BINARY_##name, a, b);                                           \
    }
#define BINARY_OUT_OP(name)                                                                        \
    mc_tensor *mc_op_##name(mc_place at, mc_tensor *a, mc_arg b, mc_out_options o)                 \
    {                                                                                              \
        OP_BEGIN(op, #name, at, a);                                                                \
        op_arg(&op, b);                                                                            \
        op_optional(&op, o.out);                                                                   \
        return public_binary(&op, BINARY_##name, mc_arg_tensor(a), b, o.out);                      \
    }

/* clang-format off */
UNARY_OP(abs) UNARY_OP(atan) UNARY_OP(bitwise_not) UNARY_OP(ceil) UNARY_OP(cos) UNARY_OP(erf)
UNARY_OP(erfc) UNARY_OP(exp2) UNARY_OP(floor) UNARY_OP(frac) UNARY_OP(hardswish) UNARY_OP(isfinite)
UNARY_OP(isinf) UNARY_OP(isnan) UNARY_OP(logical_not) UNARY_OP(logsigmoid) UNARY_OP(mish)
UNARY_OP(neg) UNARY_OP(relu) UNARY_OP(relu6) UNARY_OP(round) UNARY_OP(selu) UNARY_OP(sigmoid)
UNARY_OP(sign) UNARY_OP(silu) UNARY_OP(sin) UNARY_OP(sqrt) UNARY_OP(tanh) UNARY_OP(trunc)

UNARY_CAST_OP(acos) UNARY_CAST_OP(asin) UNARY_CAST_OP(cosh) UNARY_CAST_OP(exp) UNARY_CAST_OP(expm1)
UNARY_CAST_OP(log) UNARY_CAST_OP(log10) UNARY_CAST_OP(log1p) UNARY_CAST_OP(log2)
UNARY_CAST_OP(reciprocal) UNARY_CAST_OP(rsqrt) UNARY_CAST_OP(sinh) UNARY_CAST_OP(square)
UNARY_CAST_OP(tan)

UNARY_OP_(abs) UNARY_OP_(bitwise_not) UNARY_OP_(ceil) UNARY_OP_(cos) UNARY_OP_(erf) UNARY_OP_(exp)
UNARY_OP_(floor) UNARY_OP_(log) UNARY_OP_(logical_not) UNARY_OP_(neg) UNARY_OP_(reciprocal)
UNARY_OP_(relu) UNARY_OP_(round) UNARY_OP_(rsqrt) UNARY_OP_(sigmoid) UNARY_OP_(silu) UNARY_OP_(sin)
UNARY_OP_(sqrt) UNARY_OP_(square) UNARY_OP_(tanh) UNARY_OP_(trunc)

BINARY_OUT_OP(mul) BINARY_OUT_OP(div) BINARY_OUT_OP(maximum) BINARY_OUT_OP(minimum)

BINARY_OP(floor_divide) BINARY_OP(fmod) BINARY_OP(remainder) BINARY_OP(bitwise_and)
BINARY_OP(bitwise_or) BINARY_OP(bitwise_xor) BINARY_OP(bitwise_left_shift)
BINARY_OP(bitwise_right_shift) BINARY_OP(eq) BINARY_OP(ne) BINARY_OP(lt) BINARY_OP(le) BINARY_OP(gt)
BINARY_OP(ge) BINARY_OP(logical_and) BINARY_OP(logical_or) BINARY_OP(logical_xor)

BINARY_OP_(mul) BINARY_OP_(div) BINARY_OP_(pow) BINARY_OP_(floor_divide) BINARY_OP_(fmod)
BINARY_OP_(remainder) BINARY_OP_(atan2) BINARY_OP_(bitwise_and) BINARY_OP_(bitwise_or)
BINARY_OP_(bitwise_xor) BINARY_OP_(eq) BINARY_OP_(ne) BINARY_OP_(lt) BINARY_OP_(le) BINARY_OP_(gt)
BINARY_OP_(ge) BINARY_OP_(logical_and) BINARY_OP_(logical_or) BINARY_OP_(logical_xor)
    /* clang-format on */

    /* PyTorch returns the operand itself. */
    mc_tensor *mc_op_positive(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "positive", at, x);
    return op_end(&op, op.ok ? op_positive(&op, x) : NULL);
}

mc_tensor *(mc_positive)(mc_tensor *x)
{
    return mc_op_positive((mc_place){0}, x);
}

mc_tensor *mc_op_pow(mc_place at, mc_tensor *a, mc_arg b, mc_out_options o)
{
    OP_BEGIN(op, "pow", at, a);
    op_arg(&op, b);
    op_optional(&op, o.out);
    if (!o.out)
        OP_AUTOCAST(&op, pow, &a, AUTOCAST_ARG(b));
    return public_binary(&op, BINARY_pow, mc_arg_tensor(a), b, o.out);
}

mc_tensor *mc_op_atan2(mc_place at, mc_tensor *a, mc_arg b)
{
    OP_BEGIN(op, "atan2", at, a);
    op_arg(&op, b);
    OP_AUTOCAST(&op, atan2, &a, AUTOCAST_ARG(b));
    return public_binary(&op, BINARY_atan2, mc_arg_tensor(a), b, NULL);
}

mc_tensor *mc_op_rsub(mc_place at, mc_tensor *a, mc_arg b)
{
    OP_BEGIN(op, "rsub", at, a);
    op_arg(&op, b);
    return public_binary(&op, BINARY_sub, b, mc_arg_tensor(a), NULL);
}

/* The history is that of b itself, not of its product with alpha. */
static mc_tensor *add_recorded(struct op *op, enum binary which, mc_tensor *a, mc_arg b,
                               mc_arg alpha, mc_tensor *into)
{
    double times = alpha.kind == MC_ARG_NONE    ? 1
                   : alpha.kind == MC_ARG_FLOAT ? alpha.as.f
                                                : (double)alpha.as.i;
    mc_tensor *y = op_scaled_into(op, which, mc_arg_tensor(a), b, alpha, into);
    if (y)
        grad_binary(op, which, into, y, mc_arg_tensor(a), b, which == BINARY_sub ? -times : times,
                    NULL);
    return op_end(op, y);
}

static mc_tensor *add_or_sub(mc_place at, const char *name, enum binary which, mc_tensor *a,
                             mc_arg b, mc_add_options o, bool in_place)
{
    OP_BEGIN(op, name, at, a);
    op_arg(&op, b);
    op_optional(&op, o.out);
    if (op.ok && in_place && o.out)
        op_fail(&op, MC_ERROR_ARGUMENT, "an in-place op takes no out");
    mc_tensor *into = in_place ? a : o.out;
    if (op.tracks && (in_place ? op_may_write(&op, a) : op_takes_out(&op, o.out)))
        return add_recorded(&op, which, a, b, o.alpha, into);
    mc_tensor *y = op.ok ? op_scaled_into(&op, which, mc_arg_tensor(a), b, o.alpha, into) : NULL;
    return op_end(&op, y);
}

mc_tensor *mc_op_add(mc_place at, mc_tensor *a, mc_arg b, mc_add_options o)
{
    return add_or_sub(at, "add", BINARY_add, a, b, o, false);
}

mc_tensor *mc_op_sub(mc_place at, mc_tensor *a, mc_arg b, mc_add_options o)
{
    return add_or_sub(at, "sub", BINARY_sub, a, b, o, false);
}

mc_tensor *mc_op_add_(mc_place at, mc_tensor *a, mc_arg b, mc_add_options o)
{
    return add_or_sub(at, "add_", BINARY_add, a, b, o, true);
}

mc_tensor *mc_op_sub_(mc_place at, mc_tensor *a, mc_arg b, mc_add_options o)
{
    return add_or_sub(at, "sub_", BINARY_sub, a, b, o, true);
}
