/* Gradients of windows that slide over planes, on the CPU: columns are folded into planes,
 * pooled gradients are spread over what was pooled. Every plane is one piece of work, so that no
 * two threads add to one element. f32 and f64. */
#include "runtime/kernels/layer_cpu.h"

struct job {
    const struct view *to, *from, *in;
    const struct window *w;
    const float *step;
    enum pooling kind;
};

#define REAL    float
#define NAME(x) x##_f32
#include "runtime/kernels/window_back.inc"

#define REAL    double
#define NAME(x) x##_f64
#include "runtime/kernels/window_back.inc"

void fold_cpu(const struct view *out, const struct view *in, const struct window *w)
{
    struct job j = {.to = out, .from = in, .w = w};
    int64_t work = in->shape[2] * in->shape[3] * w->size[0] * w->size[1];
    parallel_for(out->shape[0] * out->shape[1], layer_grain(work),
                 out->dtype == MC_F64 ? fold_planes_f64 : fold_planes_f32, &j);
}

void pool_back_cpu(enum pooling kind, const struct view *din, const struct view *dout,
                   const struct view *in, const struct window *w)
{
    struct job j = {.to = din, .from = dout, .in = in, .w = w, .kind = kind};
    parallel_for(din->shape[0], layer_grain(din->shape[1] * din->shape[2]),
                 din->dtype == MC_F64 ? pool_planes_f64 : pool_planes_f32, &j);
}

void nearest_back_cpu(const struct view *din, const struct view *dout, const float step[2])
{
    struct job j = {.to = din, .from = dout, .step = step};
    parallel_for(din->shape[0], layer_grain(dout->shape[1] * dout->shape[2]),
                 din->dtype == MC_F64 ? nearest_planes_f64 : nearest_planes_f32, &j);
}
