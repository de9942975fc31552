/* Public elementwise ops of one or two operands, most of them made from their rows in
 * kernels/unary.def and kernels/binary.def. */
#include "runtime/compute/compute.h"

#include "runtime/amp/amp.h"
#include "runtime/autograd/formulas.h"

/* ---- recording ----------------------------------------------------------------------------- */

/* into: x itself, overwritten, or NULL. */
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

/* Logical ops leave the history unchanged. */
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

/* ---- from the tables ----------------------------------------------------------------------- */

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
#define UNARY_PLAIN(name) UNARY_OP_WITH(name, (void)0)
#define UNARY_CAST(name)  UNARY_OP_WITH(name, OP_AUTOCAST(&op, name, &x))
#define UNARY_OWN(name)
#define UNARY_NO(name)
#define UNARY_YES(name)                                                                            \
    mc_tensor *mc_op_##name##_(mc_place at, mc_tensor *x)                                          \
    {                                                                                              \
        OP_BEGIN(op, #name "_", at, x);                                                            \
        return public_unary_(&op, UNARY_##name, x);                                                \
    }
#define BINARY_PLAIN(name)                                                                         \
    mc_tensor *mc_op_##name(mc_place at, mc_tensor *a, mc_arg b)                                   \
    {                                                                                              \
        OP_BEGIN(op, #name, at, a);                                                                \
        op_arg(&op, b);                                                                            \
        return public_binary(&op, BINARY_##name, mc_arg_tensor(a), b, NULL);                       \
    }
#define BINARY_OWN(name)
#define BINARY_NO(name)
#define BINARY_YES(name)                                                                           \
    mc_tensor *mc_op_##name##_(mc_place at, mc_tensor *a, mc_arg b)                                \
    {                                                                                              \
        OP_BEGIN(op, #name "_", at, a);                                                            \
        op_arg(&op, b);                                                                            \
        return public_binary_(&op, BINARY_##name, a, b);                                           \
    }
#define BINARY_OUT(name)                                                                           \
    mc_tensor *mc_op_##name(mc_place at, mc_tensor *a, mc_arg b, mc_out_options o)                 \
    {                                                                                              \
        OP_BEGIN(op, #name, at, a);                                                                \
        op_arg(&op, b);                                                                            \
        op_optional(&op, o.out);                                                                   \
        return public_binary(&op, BINARY_##name, mc_arg_tensor(a), b, o.out);                      \
    }

#define UNARY(name, cpu, cuda, result, function, in_place)                                         \
    UNARY_##function(name) UNARY_##in_place(name)
#include "runtime/kernels/unary.def"
#undef UNARY
#define BINARY(name, takes, result, function, in_place)                                            \
    BINARY_##function(name) BINARY_##in_place(name)
#include "runtime/kernels/binary.def"
#undef BINARY

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

/* The gradient goes to b itself, not to its product with alpha. */
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
