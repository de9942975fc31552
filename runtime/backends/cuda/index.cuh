/* The kernels of struct index_kernels, by file. */
#ifndef RUNTIME_CUDA_INDEX_CUH
#define RUNTIME_CUDA_INDEX_CUH

#include "runtime/kernels/index.h"

/* mask.cu */
void cuda_mask_offsets(const struct view *offsets, const struct view *mask);
void cuda_mask_select(const struct view *out, const struct view *x, const struct view *mask,
                      const struct view *offsets);
void cuda_mask_positions(const struct view *out, const struct view *mask,
                         const struct view *offsets);
void cuda_unravel(const struct view *out, const struct view *positions, int ndim,
                  const int64_t *shape);
/* ramp.cu */
void cuda_triangle(const struct view *out, const struct view *x, int64_t diagonal, bool upper);
void cuda_ramp(const struct view *out, mc_arg start, mc_arg step);
void cuda_linspace(const struct view *out, double start, double end, double base);
void cuda_searchsorted(const struct view *out, const struct view *sorted, const struct view *values,
                       bool right);

#endif
