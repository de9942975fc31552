/* Optimizer kernels of the CPU. Each step passes once over a parameter, its gradient and its state,
 * in runs that fit the first-level cache; f16 and bf16 go through runs of f32. */
#include "runtime/kernels/optim.h"

#include <float.h>
#include <math.h>

#include "runtime/kernels/elementwise_cpu.h"

/* Elements that are worth another thread. */
enum { GRAIN = 16384 };

struct job {
    const struct optim_arrays *arrays;
    const void *numbers; /* a struct sgd_step or adam_step */
    void (*step_f32)(float *param, const float *grad, float *const *state, int64_t n,
                     const void *numbers);
    void (*step_f64)(double *param, const double *grad, double *const *state, int64_t n,
                     const void *numbers);
};

/* n elements from at on, of dtype real: the array itself, or the buffer filled from it. */
static void *lend(char *array, mc_dtype dtype, mc_dtype real, int64_t at, int64_t n, void *buffer)
{
    char *from = array ? array + (size_t)at * dtype_size(dtype) : NULL;
    if (!array || dtype == real)
        return from;
    block_to_f32(buffer, from, dtype, n);
    return buffer;
}

/* Puts back what was lent and has changed. */
static void give_back(char *array, mc_dtype dtype, mc_dtype real, int64_t at, int64_t n,
                      const void *lent)
{
    if (array && dtype != real)
        block_from_f32(array + (size_t)at * dtype_size(dtype), lent, dtype, n);
}

#define R       float
#define R_DTYPE MC_F32
#define R_MAX   FLT_MAX
#define M(fn)   fn##f
#define NAME(x) x##_f32
#include "runtime/kernels/optim.inc"
#undef R
#undef R_DTYPE
#undef R_MAX
#undef M
#undef NAME

#define R       double
#define R_DTYPE MC_F64
#define R_MAX   DBL_MAX
#define M(fn)   fn
#define NAME(x) x##_f64
#include "runtime/kernels/optim.inc"
#undef R
#undef R_DTYPE
#undef R_MAX
#undef M
#undef NAME

static void run_job(struct job *job)
{
    const struct optim_arrays *a = job->arrays;
    parallel_for(a->numel, GRAIN, a->dtype == MC_F64 ? run_f64 : run_f32, job);
}

static void cpu_sgd(const struct optim_arrays *a, const struct sgd_step *s)
{
    run_job(&(struct job){a, s, sgd_f32, sgd_f64});
}

static void cpu_adam(const struct optim_arrays *a, const struct adam_step *s)
{
    run_job(&(struct job){a, s, adam_f32, adam_f64});
}

/* ---- gradients of a scaled loss ------------------------------------------------------------ */

struct unscaling {
    char *x;
    mc_dtype dtype;
    double factor;
    atomic_bool finite;
};

static bool unscale_small(char *x, mc_dtype dtype, int64_t n, float factor)
{
    float run[RUN];
    bool finite = true;
    for (int64_t at = 0; at < n; at += RUN) {
        int64_t m = n - at < RUN ? n - at : RUN;
        char *here = x + (size_t)at * dtype_size(dtype);
        block_to_f32(run, here, dtype, m);
        finite &= unscale_f32(run, m, factor);
        block_from_f32(here, run, dtype, m);
    }
    return finite;
}

static void unscale_range(int64_t begin, int64_t end, void *ctx)
{
    struct unscaling *u = ctx;
    char *x = u->x + (size_t)begin * dtype_size(u->dtype);
    int64_t n = end - begin;
    bool finite = u->dtype == MC_F64   ? unscale_f64((double *)x, n, u->factor)
                  : u->dtype == MC_F32 ? unscale_f32((float *)x, n, (float)u->factor)
                                       : unscale_small(x, u->dtype, n, (float)u->factor);
    if (!finite)
        atomic_store_explicit(&u->finite, false, memory_order_relaxed);
}

static bool cpu_unscale(char *x, mc_dtype dtype, int64_t numel, double factor)
{
    struct unscaling u = {x, dtype, factor, true};
    parallel_for(numel, GRAIN, unscale_range, &u);
    return u.finite;
}

const struct optim_kernels cpu_optim = {
    .sgd = cpu_sgd,
    .adam = cpu_adam,
    .unscale = cpu_unscale,
};
