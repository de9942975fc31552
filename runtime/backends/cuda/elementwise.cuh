/* The kernels of struct elementwise_kernels, one file each. */
#ifndef RUNTIME_CUDA_ELEMENTWISE_CUH
#define RUNTIME_CUDA_ELEMENTWISE_CUH

#include "runtime/backends/cuda/loop.cuh"

void cuda_cast(mc_dtype to, mc_dtype from, const struct loop *loop, bool cuda);
void cuda_unary(enum unary op, mc_dtype dtype, const struct loop *loop, double p0, double p1)
    __attribute__((weak));
void cuda_unary_back(enum unary op, mc_dtype dtype, const struct loop *loop, double p0, double p1)
    __attribute__((weak));
bool cuda_binary(enum binary op, mc_dtype dtype, const struct loop *loop, bool b_float)
    __attribute__((weak));

#endif
