/* Unary kernels of f32, and their gradients. */
#include "runtime/backends/cuda/unary_back_float.cuh"
#include "runtime/backends/cuda/unary_float.cuh"

template void unary_float<float>(enum unary, const struct loop *, double, double);
template void unary_back_float<float>(enum unary, const struct loop *, double, double);
