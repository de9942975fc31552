/* Unary ops: which kernel, and those of bool, the integers and f8. */
#include "runtime/backends/cuda/cast.cuh"
#include "runtime/backends/cuda/unary.cuh"

/* Arithmetic is done unsigned, so that it wraps; x is the element, u its value in 64 bits. */
#define INT_OP(name, OUT, EXPR)                                                                    \
    template <class T> struct int_##name {                                                         \
        double p0, p1;                                                                             \
        DEVICE OUT operator()(T x) const                                                           \
        {                                                                                          \
            const uint64_t u = (uint64_t)x;                                                        \
            (void)u;                                                                               \
            return (OUT)(EXPR);                                                                    \
        }                                                                                          \
    };

/* clang-format off */
INT_OP(abs,         T,       negative(x) ? 0 - u : u)
INT_OP(bitwise_not, T,       ~u)
INT_OP(hardtanh,    T,       (double)x < p0 ? (T)p0 : (double)x > p1 ? (T)p1 : x)
INT_OP(logical_not, uint8_t, x == 0)
INT_OP(neg,         T,       0 - u)
INT_OP(relu,        T,       negative(x) ? 0 : x)
INT_OP(relu6,       T,       negative(x) ? 0 : x > 6 ? 6 : x)
INT_OP(sign,        T,       (x > 0) - negative(x))
INT_OP(square,      T,       u * u)
/* clang-format on */

static void copied(mc_dtype dtype, const struct loop *loop)
{
    cuda_cast(dtype, dtype, loop, true);
}

/* The same for all elements. */
static void constant(bool answer, const struct loop *loop)
{
    struct loop with_number = *loop;
    with_number.data[1] = NULL;
    with_number.number[1] = answer;
    copied(MC_BOOL, &with_number);
}

template <class T> void unary_int(enum unary op, const struct loop *loop, double p0, double p1)
{
#define INT(name, OUT)                                                                             \
    if (op == UNARY_##name)                                                                        \
        return run_loop<OUT, T>(loop, int_##name<T>{p0, p1});
    INT(abs, T)
    INT(bitwise_not, T)
    INT(hardtanh, T)
    INT(logical_not, uint8_t)
    INT(neg, T)
    INT(relu, T)
    INT(relu6, T)
    INT(sign, T)
    INT(square, T)
#undef INT
    cuda_ok(cudaErrorInvalidValue, "there is no such unary kernel for integers");
}

/* Ops that do not depend on the values, or only copy them. */
static bool trivial(enum unary op, mc_dtype dtype, const struct loop *loop)
{
    if (op == UNARY_isfinite)
        constant(true, loop);
    else if (op == UNARY_isinf || op == UNARY_isnan)
        constant(false, loop);
    else if (op == UNARY_positive || op == UNARY_ceil || op == UNARY_floor || op == UNARY_round ||
             op == UNARY_trunc || (dtype == MC_BOOL && (op == UNARY_abs || op == UNARY_sign)))
        copied(dtype, loop);
    else
        return false;
    return true;
}

template <class T> struct is_nan_op {
    DEVICE flag operator()(T x) const
    {
        return flag{(uint8_t)(read(x) != read(x))};
    }
};

static void unary_f8(enum unary op, mc_dtype dtype, const struct loop *loop)
{
    if (op == UNARY_positive)
        return copied(dtype, loop);
    with_dtype<DTYPES_F8>(dtype, [&](auto t) {
        using T = decltype(t);
        if (op == UNARY_isnan)
            run_loop<flag, T>(loop, is_nan_op<T>{});
        else
            cuda_ok(cudaErrorInvalidValue, "there is no such unary kernel for f8");
    });
}

void cuda_unary(enum unary op, mc_dtype dtype, const struct loop *loop, double p0, double p1)
{
    const unsigned is = 1u << dtype;
    if (is & DTYPES_FLOAT)
        return with_dtype<DTYPES_FLOAT>(
            dtype, [&](auto t) { unary_float<decltype(t)>(op, loop, p0, p1); });
    if (is & DTYPES_F8)
        return unary_f8(op, dtype, loop);
    if (trivial(op, dtype, loop))
        return;
    if (dtype == MC_BOOL) /* has no other op than not */
        return run_loop<uint8_t, uint8_t>(loop, int_logical_not<uint8_t>{});
    with_dtype<DTYPES_INT>(dtype, [&](auto t) { unary_int<decltype(t)>(op, loop, p0, p1); });
}

void cuda_unary_back(enum unary op, mc_dtype dtype, const struct loop *loop, double p0, double p1)
{
    with_dtype<DTYPES_FLOAT>(dtype,
                             [&](auto t) { unary_back_float<decltype(t)>(op, loop, p0, p1); });
}
