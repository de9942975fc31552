/* Binary ops: which kernel. A number as the second operand has PyTorch's rules of its own on cuda:
 * division multiplies by the inverse, some powers are other ops, and whether a half rounds the
 * number first depends on the op. */
#include "runtime/backends/cuda/binary.cuh"

#include "runtime/backends/cuda/cast.cuh"

template <class T> T number_as(const struct loop *loop)
{
    T number;
    memcpy(&number, &loop->number[2], sizeof number);
    return number;
}

static struct loop with_number(const struct loop *loop, const void *number, size_t size)
{
    struct loop l = *loop;
    l.number[2] = 0;
    memcpy(&l.number[2], number, size);
    return l;
}

static struct loop exchanged(const struct loop *loop)
{
    struct loop l = *loop;
    l.data[1] = loop->data[2];
    l.data[2] = loop->data[1];
    l.number[1] = loop->number[2];
    l.number[2] = loop->number[1];
    memcpy(l.stride[1], loop->stride[2], sizeof l.stride[1]);
    memcpy(l.stride[2], loop->stride[1], sizeof l.stride[2]);
    return l;
}

/* ---- the second operand is a number ---------------------------------------------------------- */

/* x to the power of some numbers is another op. */
static bool is_unary_power(double exponent, enum unary *op)
{
    static const struct {
        double exponent;
        enum unary op;
    } powers[] = {
        {2, UNARY_square}, {0.5, UNARY_sqrt}, {-0.5, UNARY_rsqrt}, {-1, UNARY_reciprocal}};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
        if (powers[i].exponent == exponent) {
            *op = powers[i].op;
            return true;
        }
    return false;
}

template <class T> void power(mc_dtype dtype, const struct loop *loop, T rounded)
{
    const double exponent = read(rounded);
    enum unary op;
    if (is_unary_power(exponent, &op))
        return cuda_unary(op, dtype, loop, 0, 0);
    if (exponent == 3 || exponent == -2)
        return power_float<T>((int)exponent, loop);
    struct loop l = with_number(loop, &rounded, sizeof rounded);
    binary_float<T>(BINARY_pow, &l);
}

/* The sum and product with a number that is not rounded; dtypes that hold it whole have the kernels
 * of two operands. */
template <class T> void precise(enum binary op, const struct loop *loop, math_of<T> number)
{
    if constexpr (is_small_float<T>) {
        binary_number<T>(op, loop, number);
    } else {
        struct loop l = with_number(loop, &number, sizeof number);
        binary_float<T>(op, &l);
    }
}

static bool swaps(enum binary op)
{
    return op == BINARY_gt || op == BINARY_ge;
}

static enum binary swapped(enum binary op)
{
    return op == BINARY_gt ? BINARY_lt : BINARY_le;
}

template <class T>
void float_and_number(enum binary op, mc_dtype dtype, const struct loop *loop, math_of<T> number)
{
    const T rounded = store<T>(number);
    if (op == BINARY_div || (op == BINARY_floor_divide && number == 0))
        return precise<T>(BINARY_mul, loop, 1 / number);
    if (op == BINARY_floor_divide)
        return binary_number<T>(op, loop, number);
    if (op == BINARY_sub)
        return precise<T>(BINARY_add, loop, -number);
    if (op == BINARY_add || op == BINARY_mul || op == BINARY_maximum || op == BINARY_minimum)
        return precise<T>(op, loop, number);
    if (op == BINARY_pow)
        return power<T>(dtype, loop, rounded);
    struct loop l = with_number(loop, &rounded, sizeof rounded);
    if (swaps(op))
        l = exchanged(&l);
    binary_float<T>(swaps(op) ? swapped(op) : op, &l);
}

/* ---- by dtype -------------------------------------------------------------------------------- */

template <class T>
void any_float(enum binary op, mc_dtype dtype, const struct loop *loop, bool b_float)
{
    if (!loop->data[2])
        return float_and_number<T>(op, dtype, loop,
                                   b_float ? (math_of<T>)number_as<float>(loop)
                                           : read(number_as<T>(loop)));
    struct loop swap = exchanged(loop);
    binary_float<T>(swaps(op) ? swapped(op) : op, swaps(op) ? &swap : loop);
}

static void any_int(enum binary op, mc_dtype dtype, const struct loop *loop)
{
    bool done = false;
    with_size(dtype, [&](auto t) { done = binary_bits<decltype(t)>(op, loop); });
    if (done)
        return;
    struct loop swap = exchanged(loop);
    with_dtype<DTYPES_INT>(dtype, [&](auto t) {
        binary_int<decltype(t)>(swaps(op) ? swapped(op) : op, swaps(op) ? &swap : loop);
    });
}

/* Elements are 0 or 1: plus is or, times is and, and they are ordered like u8. */
static void any_bool(enum binary op, const struct loop *loop)
{
    bool either = op == BINARY_add || op == BINARY_maximum;
    bool both = op == BINARY_mul || op == BINARY_minimum;
    any_int(either ? BINARY_bitwise_or : both ? BINARY_bitwise_and : op, MC_U8, loop);
}

template <class T, bool SAME> struct comparing {
    DEVICE flag operator()(T a, T b) const
    {
        return flag{(uint8_t)((read(a) == read(b)) == SAME)};
    }
};

static void any_f8(enum binary op, mc_dtype dtype, const struct loop *loop)
{
    with_dtype<DTYPES_F8>(dtype, [&](auto t) {
        using T = decltype(t);
        if (op == BINARY_eq)
            run_loop<flag, T, T>(loop, comparing<T, true>{});
        else if (op == BINARY_ne)
            run_loop<flag, T, T>(loop, comparing<T, false>{});
        else
            cuda_ok(cudaErrorInvalidValue, "there is no such binary kernel for f8");
    });
}

/* Division by zero is no error on cuda. */
bool cuda_binary(enum binary op, mc_dtype dtype, const struct loop *loop, bool b_float)
{
    const unsigned is = 1u << dtype;
    if (is & DTYPES_FLOAT)
        with_dtype<DTYPES_FLOAT>(dtype,
                                 [&](auto t) { any_float<decltype(t)>(op, dtype, loop, b_float); });
    else if (is & DTYPES_F8)
        any_f8(op, dtype, loop);
    else if (dtype == MC_BOOL)
        any_bool(op, loop);
    else
        any_int(op, dtype, loop);
    return true;
}
