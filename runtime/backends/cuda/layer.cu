/* The layer family: the table of its kernels. */
#include "runtime/backends/cuda/layer.cuh"

#include "runtime/backends/cuda/families.h"

extern const struct layer_kernels cuda_layer = {
    .unfold = cuda_unfold,
    .fold = cuda_fold,
    .pool = cuda_pool,
    .adaptive_avg_pool = cuda_adaptive_avg_pool,
    .pool_back = cuda_pool_back,
    .nearest = cuda_nearest,
    .nearest_back = cuda_nearest_back,
    .norm = cuda_norm,
    .norm_takes_own = true,
    .norm_back = cuda_norm_back,
    .moments = cuda_moments,
    .affine = cuda_affine,
    .bag_mean = cuda_bag_mean,
    .lookup = cuda_lookup,
    .one_hot = cuda_one_hot,
    .index_range = cuda_index_range,
};
