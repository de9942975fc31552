/* Binary ops on reals, in PyTorch's formulas for cuda. Included by the files that make the kernels
 * of a dtype. */
#ifndef RUNTIME_CUDA_BINARY_FLOAT_CUH
#define RUNTIME_CUDA_BINARY_FLOAT_CUH

#include "runtime/backends/cuda/binary.cuh"

/* The sign of y, as in Python. */
template <class R> DEVICE R remainder_of(R x, R y)
{
    R m = fmod(x, y);
    return m != 0 && (y < 0) != (m < 0) ? m + y : m;
}

/* As in Python: consistent with the remainder, and exact where the quotient is near an integer.
 * over(v) is v / y. */
template <class R, class Over> DEVICE R floor_divide_of(R x, R y, Over over)
{
    R m = fmod(x, y), quotient = over(x - m);
    if (m != 0 && (y < 0) != (m < 0))
        quotient -= 1;
    if (quotient == 0)
        return copysign((R)0, over(x));
    R whole = floor(quotient);
    return quotient - whole > (R)0.5 ? whole + 1 : whole;
}

template <class R> DEVICE R floor_divide_of(R x, R y)
{
    return y == 0 ? x / y : floor_divide_of(x, y, [=](R v) { return v / y; });
}

template <class R> DEVICE R maximum_of(R x, R y)
{
    return x != x ? x : y != y ? y : fmax(x, y);
}

template <class R> DEVICE R minimum_of(R x, R y)
{
    return x != x ? x : y != y ? y : fmin(x, y);
}

/* gt and ge are lt and le of exchanged operands. */
/* clang-format off */
BINARY_OP(add,          T,    QUICK,  x + y)
BINARY_OP(sub,          T,    QUICK,  x - y)
BINARY_OP(mul,          T,    QUICK,  x * y)
BINARY_OP(div,          T,    QUICK,  x / y)
BINARY_OP(pow,          T,    SLOWLY, pow(x, y))
BINARY_OP(floor_divide, T,    SLOWLY, floor_divide_of(x, y))
BINARY_OP(fmod,         T,    SLOWLY, fmod(x, y))
BINARY_OP(remainder,    T,    SLOWLY, remainder_of(x, y))
BINARY_OP(atan2,        T,    SLOWLY, atan2(x, y))
BINARY_OP(maximum,      T,    QUICK,  maximum_of(x, y))
BINARY_OP(minimum,      T,    QUICK,  minimum_of(x, y))
BINARY_OP(eq,           flag, QUICK,  x == y)
BINARY_OP(ne,           flag, QUICK,  x != y)
BINARY_OP(lt,           flag, QUICK,  x < y)
BINARY_OP(le,           flag, QUICK,  x <= y)
BINARY_OP(logical_and,  flag, QUICK,  x != 0 && y != 0)
BINARY_OP(logical_or,   flag, QUICK,  x != 0 || y != 0)
BINARY_OP(logical_xor,  flag, QUICK,  (x != 0) != (y != 0))
/* clang-format on */

template <class T> void binary_float(enum binary op, const struct loop *loop)
{
#define RUN(name)                                                                                  \
    if (op == BINARY_##name)                                                                       \
        return run_binary<T>(loop, name##_op<T>{});
    RUN(add)
    RUN(sub)
    RUN(mul)
    RUN(div)
    RUN(pow)
    RUN(floor_divide)
    RUN(fmod)
    RUN(remainder)
    RUN(atan2)
    RUN(maximum)
    RUN(minimum)
    RUN(eq)
    RUN(ne)
    RUN(lt)
    RUN(le)
    RUN(logical_and)
    RUN(logical_or)
    RUN(logical_xor)
#undef RUN
    cuda_ok(cudaErrorInvalidValue, "a binary kernel was asked for that floats have not");
}

/* ---- with a number --------------------------------------------------------------------------- */

#define NUMBER_OP(name, SLOW, EXPR)                                                                \
    template <class T> struct name##_number {                                                      \
        using R = math_of<T>;                                                                      \
        R y, inverse;                                                                              \
        SLOW DEVICE T operator()(T a) const                                                        \
        {                                                                                          \
            const R x = read(a);                                                                   \
            return store<T>(EXPR);                                                                 \
        }                                                                                          \
    };
NUMBER_OP(add, QUICK, x + y)
NUMBER_OP(mul, QUICK, x *y)
NUMBER_OP(maximum, QUICK, maximum_of(x, y))
NUMBER_OP(minimum, QUICK, minimum_of(x, y))
NUMBER_OP(floor_divide, SLOWLY, floor_divide_of(x, y, [by = inverse](R v) { return v * by; }))

template <class T> void binary_number(enum binary op, const struct loop *loop, math_of<T> number)
{
    const math_of<T> inverse = 1 / number;
#define RUN(name, y)                                                                               \
    if (op == BINARY_##name)                                                                       \
        return run_loop<T, T>(loop, name##_number<T>{y, inverse});
    RUN(floor_divide, number)
    if constexpr (is_small_float<T>) {
        RUN(add, number)
        RUN(mul, number)
        RUN(maximum, number)
        RUN(minimum, number)
    }
#undef RUN
    cuda_ok(cudaErrorInvalidValue, "a binary kernel was asked for that takes no number");
}

/* PyTorch computes these powers in the dtype itself, the quotient in f64. */
template <class T, int EXPONENT> struct power_op {
    using R = math_of<T>;
    DEVICE T operator()(T a) const
    {
        const R x = read(a), square = read(store<T>(x * x));
        return store<T>(EXPONENT == 3 ? square * x : (R)(1.0 / square));
    }
};

template <class T> void power_float(int exponent, const struct loop *loop)
{
    if (exponent == 3)
        run_loop<T, T>(loop, power_op<T, 3>{});
    else
        run_loop<T, T>(loop, power_op<T, -2>{});
}

#endif
