/* Positions split into coordinates, and rows read in elements as wide as they allow. */
#ifndef RUNTIME_CUDA_SPLIT_CUH
#define RUNTIME_CUDA_SPLIT_CUH

#include "runtime/backends/cuda/loop.cuh"

/* Quotients and remainders by a size that is not 0, of positions below `most`. */
struct splitter {
    int64_t size;
    bool wide; /* needs 64 bits, which divide several times slower */
    divisor by;
    splitter() = default;
    splitter(int64_t s, int64_t most) : size(s), wide(most > INT32_MAX || s > INT32_MAX), by(1)
    {
        if (!wide)
            by = divisor((uint32_t)s);
    }
    BOTH int64_t divide(int64_t i) const
    {
        return wide ? i / size : (int64_t)by.divide((uint32_t)i);
    }
    BOTH int64_t divide(int64_t i, int64_t *rest) const
    {
        int64_t quotient = divide(i);
        *rest = i - quotient * size;
        return quotient;
    }
};

/* Bits that are only moved, 16 bytes of them. */
struct alignas(16) bits128 {
    uint64_t at[2];
};

/* f is given an element of that many bytes. */
template <class F> void with_bytes(size_t size, F f)
{
    if (size == 1)
        f(uint8_t{});
    else if (size == 2)
        f(uint16_t{});
    else if (size == 4)
        f(uint32_t{});
    else if (size == 8)
        f(uint64_t{});
    else
        f(bits128{});
}

/* The widest element, of 16 bytes at most, that all the numbers are multiples of; the first is the
 * bytes of a row, the others are addresses and distances. At least size, which they are multiples
 * of. */
template <class... N> size_t widest_element(size_t size, N... numbers)
{
    size_t all = (... | (size_t)numbers);
    while (size < 16 && all % (2 * size) == 0)
        size *= 2;
    return size;
}

template <class T> bool is_aligned(const void *address, int count)
{
    return (uintptr_t)address % (sizeof(T) * (size_t)count) == 0;
}

template <class T> T *data_of(const struct view *v)
{
    return v ? reinterpret_cast<T *>(v->data) : nullptr;
}

static inline size_t size_of(mc_dtype dtype)
{
    size_t size = 0;
    with_dtype<DTYPES_ALL>(dtype, [&](auto t) { size = sizeof t; });
    return size;
}

#endif
