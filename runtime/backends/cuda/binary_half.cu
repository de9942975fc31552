/* Binary kernels of f16 and bf16. */
#include "runtime/backends/cuda/binary_float.cuh"

template void binary_float<f16>(enum binary, const struct loop *);
template void binary_float<bf16>(enum binary, const struct loop *);
template void binary_number<f16>(enum binary, const struct loop *, math_of<f16>);
template void binary_number<bf16>(enum binary, const struct loop *, math_of<bf16>);
template void power_float<f16>(int, const struct loop *);
template void power_float<bf16>(int, const struct loop *);
