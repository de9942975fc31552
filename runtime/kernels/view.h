/* A tensor as kernels use it: an address and a geometry. The headers of the kernels include
 * nothing of core, so that CUDA files can include them. */
#ifndef RUNTIME_VIEW_H
#define RUNTIME_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "miscast/types.h"

struct view {
    char *data;
    mc_dtype dtype;
    int ndim;
    int64_t numel;
    int64_t shape[MC_MAX_DIMS];
    int64_t stride[MC_MAX_DIMS]; /* in elements */
};

#endif
