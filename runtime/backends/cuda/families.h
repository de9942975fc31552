/* The families of kernels in the module, each defined in the .cu file of its name. */
#ifndef RUNTIME_CUDA_FAMILIES_H
#define RUNTIME_CUDA_FAMILIES_H

#ifdef __cplusplus
extern "C" {
#endif

#include "runtime/kernels/kernels.h"

extern const struct elementwise_kernels cuda_elementwise;
extern const struct reduce_kernels cuda_reduce;
extern const struct matmul_kernels cuda_matmul;
extern const struct index_kernels cuda_index;
extern const struct layer_kernels cuda_layer;
extern const struct linalg_kernels cuda_linalg;
extern const struct random_kernels cuda_random;
extern const struct optim_kernels cuda_optim;

#ifdef __cplusplus
}
#endif

#endif
