/* The kernels of struct layer_kernels, by file. */
#ifndef RUNTIME_CUDA_LAYER_CUH
#define RUNTIME_CUDA_LAYER_CUH

#include "runtime/kernels/layer.h"

/* window.cu */
void cuda_unfold(const struct view *out, const struct view *in, const struct window *w);
void cuda_fold(const struct view *out, const struct view *in, const struct window *w);
void cuda_pool(enum pooling kind, const struct view *out, const struct view *in,
               const struct window *w);
void cuda_adaptive_avg_pool(const struct view *out, const struct view *in);
void cuda_pool_back(enum pooling kind, const struct view *din, const struct view *dout,
                    const struct view *in, const struct window *w);
void cuda_nearest(const struct view *out, const struct view *in, const float step[2]);
void cuda_nearest_back(const struct view *din, const struct view *dout, const float step[2]);
/* norm.cu */
void cuda_norm(mc_dtype compute, const struct view *out, const struct view *in,
               const struct norm *n);
void cuda_moments(mc_dtype compute, const struct view *mean, const struct view *var,
                  const struct view *in);
void cuda_affine(mc_dtype compute, const struct view *out, const struct view *in,
                 const struct view *mean, const struct view *scale, const struct view *shift);
/* norm_back.cu */
void cuda_norm_back(const struct norm_back *job);
/* lookup.cu */
void cuda_bag_mean(mc_dtype compute, const struct view *out, const struct view *table,
                   const struct view *indices);
void cuda_lookup(const struct view *out, const struct view *table, const struct view *indices);
void cuda_one_hot(const struct view *out, const struct view *indices);
void cuda_index_range(const struct view *indices, int64_t *low, int64_t *high);

#endif
