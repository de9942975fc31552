/* Binary kernels of integers that ask for the sign. Division by zero gives all ones: there is no
 * error on cuda. */
#include "runtime/backends/cuda/binary.cuh"

/* Other files have functors of these names. */
namespace of_int
{
template <class T> constexpr bool is_signed = (T)-1 < (T)0;

/* The quotient's one overflow, least / -1, wraps to the least. */
template <class T> DEVICE T fmod_of(T x, T y)
{
    if (y == 0)
        return (T)-1;
    return is_signed<T> && y == (T)-1 ? (T)0 : (T)(x % y);
}

template <class T> DEVICE T remainder_of(T x, T y)
{
    T m = fmod_of(x, y);
    return y != 0 && m != 0 && negative(y) != negative(m) ? (T)(m + y) : m;
}

template <class T> DEVICE T floor_divide_of(T x, T y)
{
    if (y == 0)
        return (T)-1;
    if (is_signed<T> && y == (T)-1)
        return (T)(0 - (uint64_t)x);
    T q = (T)(x / y);
    return (T)(q * y) != x && negative(x) != negative(y) ? (T)(q - 1) : q;
}

template <class T> DEVICE T pow_of(T base, T exponent)
{
    uint64_t result = 1, factor = (uint64_t)base;
    if (negative(exponent))
        return base == 1 ? (T)1 : base == (T)-1 ? (T)(exponent % 2 ? -1 : 1) : (T)0;
    for (uint64_t e = (uint64_t)exponent; e; e >>= 1, factor *= factor)
        if (e & 1)
            result *= factor;
    return (T)result;
}

template <class T> DEVICE T right_of(T x, T by)
{
    bool whole = negative(by) || (uint64_t)by >= sizeof(T) * 8;
    return whole ? (T)(negative(x) ? -1 : 0) : (T)(x >> by);
}

/* clang-format off */
BINARY_OP(floor_divide,        T,    SLOWLY, floor_divide_of(x, y))
BINARY_OP(fmod,                T,    SLOWLY, fmod_of(x, y))
BINARY_OP(remainder,           T,    SLOWLY, remainder_of(x, y))
BINARY_OP(pow,                 T,    SLOWLY, pow_of(x, y))
BINARY_OP(maximum,             T,    QUICK,  x > y ? x : y)
BINARY_OP(minimum,             T,    QUICK,  x < y ? x : y)
BINARY_OP(bitwise_right_shift, T,    QUICK,  right_of(x, y))
BINARY_OP(lt,                  flag, QUICK,  x < y)
BINARY_OP(le,                  flag, QUICK,  x <= y)
/* clang-format on */
} // namespace of_int

template <class T> void binary_int(enum binary op, const struct loop *loop)
{
#define RUN(name)                                                                                  \
    if (op == BINARY_##name)                                                                       \
        return run_binary<T>(loop, of_int::name##_op<T>{});
    RUN(floor_divide)
    RUN(fmod)
    RUN(remainder)
    RUN(pow)
    RUN(maximum)
    RUN(minimum)
    RUN(bitwise_right_shift)
    RUN(lt)
    RUN(le)
#undef RUN
    cuda_ok(cudaErrorInvalidValue, "there is no such binary kernel for integers");
}

template void binary_int<uint8_t>(enum binary, const struct loop *);
template void binary_int<int8_t>(enum binary, const struct loop *);
template void binary_int<int16_t>(enum binary, const struct loop *);
template void binary_int<int32_t>(enum binary, const struct loop *);
template void binary_int<int64_t>(enum binary, const struct loop *);
