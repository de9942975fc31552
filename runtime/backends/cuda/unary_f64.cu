/* Unary kernels of f64, and their gradients. */
#include "runtime/backends/cuda/unary_back_float.cuh"
#include "runtime/backends/cuda/unary_float.cuh"

template void unary_float<double>(enum unary, const struct loop *, double, double);
template void unary_back_float<double>(enum unary, const struct loop *, double, double);
