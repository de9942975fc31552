/* The kernels of struct reduce_kernels that have files of their own. */
#ifndef RUNTIME_CUDA_REDUCE_CUH
#define RUNTIME_CUDA_REDUCE_CUH

#include "runtime/backends/cuda/grid.cuh"

#include "runtime/backends/cuda/families.h"

void cuda_find(struct view index, struct view in, struct view value, unsigned over);
void cuda_softmax(enum softmax kind, struct view out, struct view in, int dim);
void cuda_softmax_back(enum softmax kind, const struct view *out, const struct view *grad,
                       const struct view *y, int dim);
void cuda_scan(enum reduce op, struct view out, struct view in, int dim);
bool cuda_sort(struct view values, struct view indices, struct view in, int dim, bool descending);
bool cuda_median(struct view values, struct view indices, struct view in, int dim);
bool cuda_nll(const struct nll *nll, int64_t *bad);

#endif
