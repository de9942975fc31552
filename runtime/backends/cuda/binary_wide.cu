/* Binary kernels of f32 and f64. */
#include "runtime/backends/cuda/binary_float.cuh"

template void binary_float<float>(enum binary, const struct loop *);
template void binary_float<double>(enum binary, const struct loop *);
template void binary_number<float>(enum binary, const struct loop *, math_of<float>);
template void binary_number<double>(enum binary, const struct loop *, math_of<double>);
template void power_float<float>(int, const struct loop *);
template void power_float<double>(int, const struct loop *);
