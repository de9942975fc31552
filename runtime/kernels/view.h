/* A tensor as a kernel sees it: an address and a geometry. */
#ifndef RUNTIME_VIEW_H
#define RUNTIME_VIEW_H

#include "runtime/core/core.h"

struct view {
    char *data;
    mc_dtype dtype;
    int ndim;
    int64_t numel;
    int64_t shape[MC_MAX_DIMS];
    int64_t stride[MC_MAX_DIMS]; /* in elements */
};

static inline struct view view_of(const mc_tensor *t)
{
    struct view v = {
        .data = tensor_bytes(t), .dtype = t->dtype, .ndim = t->ndim, .numel = t->numel};
    for (int i = 0; i < t->ndim; i++) {
        v.shape[i] = t->shape[i];
        v.stride[i] = t->stride[i];
    }
    return v;
}

#endif
