/* Binary kernels of integers and bool that do the same to signed and unsigned elements. */
#include "runtime/backends/cuda/binary.cuh"

/* Other files have functors of these names. */
namespace of_bits
{
template <class T> DEVICE T left_of(T x, T by)
{
    return by >= sizeof(T) * 8 ? (T)0 : (T)((uint64_t)x << by);
}

/* clang-format off */
BINARY_OP(add,                T,    QUICK, (T)(x + y))
BINARY_OP(sub,                T,    QUICK, (T)(x - y))
BINARY_OP(mul,                T,    QUICK, (T)((uint64_t)x * y))
BINARY_OP(bitwise_and,        T,    QUICK, (T)(x & y))
BINARY_OP(bitwise_or,         T,    QUICK, (T)(x | y))
BINARY_OP(bitwise_xor,        T,    QUICK, (T)(x ^ y))
BINARY_OP(bitwise_left_shift, T,    QUICK, left_of(x, y))
BINARY_OP(eq,                 flag, QUICK, x == y)
BINARY_OP(ne,                 flag, QUICK, x != y)
BINARY_OP(logical_and,        flag, QUICK, x != 0 && y != 0)
BINARY_OP(logical_or,         flag, QUICK, x != 0 || y != 0)
BINARY_OP(logical_xor,        flag, QUICK, (x != 0) != (y != 0))
/* clang-format on */
} // namespace of_bits

template <class T> bool binary_bits(enum binary op, const struct loop *loop)
{
#define RUN(name)                                                                                  \
    if (op == BINARY_##name) {                                                                     \
        run_binary<T>(loop, of_bits::name##_op<T>{});                                              \
        return true;                                                                               \
    }
    RUN(add)
    RUN(sub)
    RUN(mul)
    RUN(bitwise_and)
    RUN(bitwise_or)
    RUN(bitwise_xor)
    RUN(bitwise_left_shift)
    RUN(eq)
    RUN(ne)
    RUN(logical_and)
    RUN(logical_or)
    RUN(logical_xor)
#undef RUN
    return false;
}

template bool binary_bits<uint8_t>(enum binary, const struct loop *);
template bool binary_bits<uint16_t>(enum binary, const struct loop *);
template bool binary_bits<uint32_t>(enum binary, const struct loop *);
template bool binary_bits<uint64_t>(enum binary, const struct loop *);
