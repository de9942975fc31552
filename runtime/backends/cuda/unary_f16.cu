/* Unary kernels of f16, and their gradients. */
#include "runtime/backends/cuda/unary_back_float.cuh"
#include "runtime/backends/cuda/unary_float.cuh"

template void unary_float<f16>(enum unary, const struct loop *, double, double);
template void unary_back_float<f16>(enum unary, const struct loop *, double, double);
