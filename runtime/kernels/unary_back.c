/* Gradients of unary ops on the CPU: from the gradient of the result and the saved operand or
 * result, that of the operand. Operand 1 is the gradient, operand 2 the saved tensor. Small floats
 * are converted to runs of f32 and rounded once. */
#include "runtime/kernels/elementwise_cpu.h"
#include "runtime/kernels/loop.h"
#include "runtime/kernels/smooth.h"
#include "runtime/kernels/unary.h"

#include <math.h>

#define R        float
#define M(fn)    fn##f
#define S(fn)    smooth_##fn
#define NORMAL   smooth_normal
#define NAME(op) op##_f32
#include "runtime/kernels/unary_back_real.inc"
#undef R
#undef M
#undef S
#undef NORMAL
#undef NAME

#define R        double
#define M(fn)    fn
#define S(fn)    fn
#define NORMAL   exact_normal
#define NAME(op) op##_f64
#include "runtime/kernels/unary_back_real.inc"
#undef R
#undef M
#undef S
#undef NORMAL
#undef NAME

static const inner_fn back_f32[UNARY_COUNT] = {
#define UNARY_BACK(name, ...) [UNARY_##name] = name##_back_f32,
#include "runtime/kernels/unary_back.def"
#undef UNARY_BACK
};

static const inner_fn back_f64[UNARY_COUNT] = {
#define UNARY_BACK(name, ...) [UNARY_##name] = name##_back_f64,
#include "runtime/kernels/unary_back.def"
#undef UNARY_BACK
};

struct small {
    inner_fn f32;
    mc_dtype dtype;
    const double *p;
};

static void inner_small(char *const *data, const int64_t *stride, int64_t n, const void *ctx)
{
    const struct small *s = ctx;
    const int64_t size = sizeof(float), run_stride[3] = {size, size, size};
    float grad[RUN], saved[RUN], out[RUN];
    for (int64_t i = 0; i < n; i += RUN) {
        int64_t m = n - i < RUN ? n - i : RUN;
        run_gather(grad, data[1] + i * stride[1], stride[1], s->dtype, m);
        run_gather(saved, data[2] + i * stride[2], stride[2], s->dtype, m);
        s->f32((char *[]){(char *)out, (char *)grad, (char *)saved}, run_stride, m, s->p);
        run_scatter(data[0] + i * stride[0], stride[0], out, s->dtype, m);
    }
}

void cpu_unary_back(enum unary op, mc_dtype dtype, const struct loop *loop, double p0, double p1)
{
    const double p[2] = {p0, p1};
    bool by_tanh = op == UNARY_gelu && p0 != 0;
    inner_fn f32 = by_tanh ? gelu_tanh_back_f32 : back_f32[op];
    inner_fn f64 = by_tanh ? gelu_tanh_back_f64 : back_f64[op];
    struct small s = {f32, dtype, p};
    if (dtype == MC_F32)
        loop_run(loop, f32, p);
    else if (dtype == MC_F64)
        loop_run(loop, f64, p);
    else
        loop_run(loop, inner_small, &s);
}
