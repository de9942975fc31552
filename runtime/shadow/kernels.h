/* The kernels with their shadow, family by family. */
#ifndef RUNTIME_SHADOW_KERNELS_H
#define RUNTIME_SHADOW_KERNELS_H

#include "runtime/kernels/kernels.h"

extern const struct elementwise_kernels shadow_elementwise;
extern const struct reduce_kernels shadow_reduce;
extern const struct matmul_kernels shadow_matmul;
extern const struct index_kernels shadow_index;
extern const struct layer_kernels shadow_layer;
extern const struct linalg_kernels shadow_linalg;
extern const struct random_kernels shadow_random;
extern const struct optim_kernels shadow_optim;

#endif
