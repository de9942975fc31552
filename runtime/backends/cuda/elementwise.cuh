/* The kernels of struct elementwise_kernels, one file each. */
#ifndef RUNTIME_CUDA_ELEMENTWISE_CUH
#define RUNTIME_CUDA_ELEMENTWISE_CUH

#include "runtime/backends/cuda/loop.cuh"

#define DEVICE __device__ __forceinline__
/* Put into functors: see is_slow. */
#define QUICK
#define SLOWLY static constexpr bool slow = true;

/* Whether it is below 0, which no unsigned integer is. */
template <class T> DEVICE bool negative(T x)
{
    if constexpr ((T)-1 < (T)0)
        return x < 0;
    else
        return false;
}

void cuda_cast(mc_dtype to, mc_dtype from, const struct loop *loop, bool cuda);
void cuda_unary(enum unary op, mc_dtype dtype, const struct loop *loop, double p0, double p1);
void cuda_unary_back(enum unary op, mc_dtype dtype, const struct loop *loop, double p0, double p1);
bool cuda_binary(enum binary op, mc_dtype dtype, const struct loop *loop, bool b_float);

#endif
