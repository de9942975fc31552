/* The families of kernels that the module brings, each defined in the .cu file of its name. */
#ifndef RUNTIME_CUDA_FAMILIES_H
#define RUNTIME_CUDA_FAMILIES_H

#ifdef __cplusplus
extern "C" {
#endif

#include "runtime/kernels/kernels.h"

extern const struct elementwise_kernels cuda_elementwise __attribute__((weak));
extern const struct reduce_kernels cuda_reduce __attribute__((weak));
extern const struct matmul_kernels cuda_matmul __attribute__((weak));
extern const struct index_kernels cuda_index __attribute__((weak));
extern const struct layer_kernels cuda_layer __attribute__((weak));
extern const struct linalg_kernels cuda_linalg __attribute__((weak));
extern const struct random_kernels cuda_random __attribute__((weak));
extern const struct optim_kernels cuda_optim __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
