/* The CPU's kernels, family by family. */
#include "runtime/core/core.h"
#include "runtime/kernels/kernels.h"

const struct kernels cpu_kernels = {
    .elementwise = &cpu_elementwise,
    .reduce = &cpu_reduce,
    .matmul = &cpu_matmul,
    .index = &cpu_index,
    .layer = &cpu_layer,
    .linalg = &cpu_linalg,
    .random = &cpu_random,
    .optim = &cpu_optim,
};
