/* What the files of the CPU's layer kernels share. See layer.h for what each function does. */
#ifndef RUNTIME_LAYER_CPU_H
#define RUNTIME_LAYER_CPU_H

#include "runtime/core/core.h"
#include "runtime/kernels/layer.h"

void unfold_cpu(const struct view *out, const struct view *in, const struct window *w);
void pool_cpu(enum pooling kind, const struct view *out, const struct view *in,
              const struct window *w);
void adaptive_avg_pool_cpu(const struct view *out, const struct view *in);
void nearest_cpu(const struct view *out, const struct view *in, const float step[2]);

void fold_cpu(const struct view *out, const struct view *in, const struct window *w);
void pool_back_cpu(enum pooling kind, const struct view *din, const struct view *dout,
                   const struct view *in, const struct window *w);
void nearest_back_cpu(const struct view *din, const struct view *dout, const float step[2]);

/* The part of one dimension of a plane that the window covers at a position of the output, and how
 * many elements count for an average. w NULL: adaptive. */
struct span {
    int64_t begin, end, count;
};
struct span window_span(const struct window *w, int axis, int64_t size, int64_t out, int64_t at);
/* The index of the nearest neighbour of a position of the output. */
int64_t nearest_at(int64_t at, int64_t size, int64_t out, float step);

void norm_cpu(mc_dtype compute, const struct view *out, const struct view *in,
              const struct norm *n);
void norm_back_cpu(const struct norm_back *job);
void moments_cpu(mc_dtype compute, const struct view *mean, const struct view *var,
                 const struct view *in);
void affine_cpu(mc_dtype compute, const struct view *out, const struct view *in,
                const struct view *mean, const struct view *scale, const struct view *shift);
void bag_mean_cpu(mc_dtype compute, const struct view *out, const struct view *table,
                  const struct view *indices);

/* Elements of work worth a thread of its own. */
#define LAYER_GRAIN 16384

/* How many items of so many elements make one piece of work. */
static inline int64_t layer_grain(int64_t elements)
{
    return elements >= LAYER_GRAIN ? 1 : LAYER_GRAIN / (elements > 0 ? elements : 1);
}

static inline int64_t index_at(const struct view *indices, int64_t i)
{
    return indices->dtype == MC_I32 ? ((const int32_t *)indices->data)[i]
                                    : ((const int64_t *)indices->data)[i];
}

#endif
