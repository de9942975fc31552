/* The elementwise family: filling and selecting, and the table of its kernels. */
#include "runtime/backends/cuda/elementwise.cuh"

#include "runtime/backends/cuda/cast.cuh"
#include "runtime/backends/cuda/families.h"

template <class T> struct copying {
    BOTH T operator()(T x) const
    {
        return x;
    }
};

static void cuda_fill(mc_dtype dtype, const struct loop *loop, mc_arg value)
{
    struct loop with_number = *loop;
    with_number.count = 2;
    with_number.data[1] = NULL;
    with_number.number[1] = 0;
    with_dtype<DTYPES_ALL>(dtype, [&](auto t) {
        using T = decltype(t);
        T number = value.kind == MC_ARG_FLOAT ? convert<T>(value.as.f) : convert<T>(value.as.i);
        memcpy(&with_number.number[1], &number, sizeof number);
    });
    with_size(dtype, [&](auto t) {
        using T = decltype(t);
        run_loop<T, T>(&with_number, copying<T>{});
    });
}

template <class T> struct choosing {
    BOTH T operator()(flag condition, T a, T b) const
    {
        return read(condition) ? a : b;
    }
};

static void cuda_where(mc_dtype dtype, const struct loop *loop)
{
    with_size(dtype, [&](auto t) {
        using T = decltype(t);
        run_loop<T, flag, T, T>(loop, choosing<T>{});
    });
}

extern const struct elementwise_kernels cuda_elementwise = {
    .cast = cuda_cast,
    .fill = cuda_fill,
    .unary = cuda_unary,
    .unary_back = cuda_unary_back,
    .binary = cuda_binary,
    .where = cuda_where,
};
