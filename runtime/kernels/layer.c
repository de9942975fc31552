/* Kernels that use indices: look-ups, one-hot rows, the range of indices. In come checked views,
 * out go copied rows. Also the table of all layer kernels of the CPU. */
#include "runtime/kernels/layer.h"

#include <string.h>

#include "runtime/kernels/layer_cpu.h"

/* ---- look-up ------------------------------------------------------------------------------ */

struct lookup_job {
    const struct view *table, *indices;
    char *out;
    size_t row_bytes;
    int64_t row_step; /* bytes from one row of table to the next */
};

static void lookup_rows(int64_t begin, int64_t end, void *ctx)
{
    const struct lookup_job *j = ctx;
    for (int64_t i = begin; i < end; i++)
        memcpy(j->out + (size_t)i * j->row_bytes,
               j->table->data + index_at(j->indices, i) * j->row_step, j->row_bytes);
}

static void lookup_cpu(const struct view *out, const struct view *table, const struct view *indices)
{
    size_t size = dtype_size(table->dtype);
    struct lookup_job job = {.table = table,
                             .indices = indices,
                             .out = out->data,
                             .row_bytes = (size_t)table->shape[1] * size,
                             .row_step = table->stride[0] * (int64_t)size};
    parallel_for(indices->numel, layer_grain(table->shape[1]), lookup_rows, &job);
}

/* ---- one-hot and range -------------------------------------------------------------------- */

static void one_hot_cpu(const struct view *out, const struct view *indices)
{
    int64_t classes = out->shape[1];
    int64_t *to = (int64_t *)out->data;
    memset(to, 0, (size_t)out->numel * sizeof *to);
    for (int64_t i = 0; i < indices->numel; i++)
        to[i * classes + index_at(indices, i)] = 1;
}

static void index_range_cpu(const struct view *indices, int64_t *low, int64_t *high)
{
    *low = *high = index_at(indices, 0);
    for (int64_t i = 1; i < indices->numel; i++) {
        int64_t v = index_at(indices, i);
        *low = v < *low ? v : *low;
        *high = v > *high ? v : *high;
    }
}

const struct layer_kernels cpu_layer = {
    .unfold = unfold_cpu,
    .fold = fold_cpu,
    .pool = pool_cpu,
    .pool_back = pool_back_cpu,
    .adaptive_avg_pool = adaptive_avg_pool_cpu,
    .nearest = nearest_cpu,
    .nearest_back = nearest_back_cpu,
    .norm = norm_cpu,
    .norm_back = norm_back_cpu,
    .moments = moments_cpu,
    .affine = affine_cpu,
    .bag_mean = bag_mean_cpu,
    .lookup = lookup_cpu,
    .one_hot = one_hot_cpu,
    .index_range = index_range_cpu,
};
