/* Ramps and sorted look-ups on the CPU: numbers at even distances, and where a value belongs among
 * sorted ones. Every element is computed from its own position, so threads do not change the
 * result. */
#include "runtime/core/core.h"
#include "runtime/kernels/index.h"

#include <math.h>

enum { RAMP_GRAIN = 32768, SEARCH_GRAIN = 2048 };

struct ramp_job {
    void *out;
    int64_t n;
    double start, step, end, base;
    uint64_t int_start, int_step;
};

/* ---- start + i · step --------------------------------------------------------------------- */

static void ramp_f32(int64_t begin, int64_t end, void *ctx)
{
    const struct ramp_job *j = ctx;
    float *out = j->out;
    for (int64_t i = begin; i < end; i++)
        out[i] = (float)(j->start + (double)i * j->step);
}

static void ramp_f64(int64_t begin, int64_t end, void *ctx)
{
    const struct ramp_job *j = ctx;
    double *out = j->out;
    for (int64_t i = begin; i < end; i++)
        out[i] = j->start + (double)i * j->step;
}

static void ramp_i64(int64_t begin, int64_t end, void *ctx)
{
    const struct ramp_job *j = ctx;
    uint64_t *out = j->out;
    for (int64_t i = begin; i < end; i++)
        out[i] = j->int_start + (uint64_t)i * j->int_step;
}

void cpu_ramp(const struct view *out, mc_arg start, mc_arg step)
{
    struct ramp_job j = {.out = out->data};
    if (out->dtype == MC_I64) {
        j.int_start = (uint64_t)start.as.i;
        j.int_step = (uint64_t)step.as.i;
        parallel_for(out->numel, RAMP_GRAIN, ramp_i64, &j);
        return;
    }
    j.start = start.as.f;
    j.step = step.as.f;
    parallel_for(out->numel, RAMP_GRAIN, out->dtype == MC_F32 ? ramp_f32 : ramp_f64, &j);
}

/* ---- linspace, logspace ------------------------------------------------------------------- */

/* Counted from the nearer end, so that both ends are met exactly. */
static double linspace_at(const struct ramp_job *j, int64_t i)
{
    double v =
        i < j->n / 2 ? j->start + (double)i * j->step : j->end - (double)(j->n - 1 - i) * j->step;
    return j->base > 0 ? pow(j->base, v) : v;
}

static void linspace_f32(int64_t begin, int64_t end, void *ctx)
{
    const struct ramp_job *j = ctx;
    float *out = j->out;
    for (int64_t i = begin; i < end; i++)
        out[i] = (float)linspace_at(j, i);
}

static void linspace_f64(int64_t begin, int64_t end, void *ctx)
{
    const struct ramp_job *j = ctx;
    double *out = j->out;
    for (int64_t i = begin; i < end; i++)
        out[i] = linspace_at(j, i);
}

void cpu_linspace(const struct view *out, double start, double end, double base)
{
    int64_t n = out->numel;
    struct ramp_job j = {.out = out->data, .n = n, .start = start, .end = end, .base = base};
    if (n > 1)
        j.step = (end - start) / (double)(n - 1);
    else
        j.end = start; /* a single element is the start */
    parallel_for(n, RAMP_GRAIN, out->dtype == MC_F32 ? linspace_f32 : linspace_f64, &j);
}

/* ---- sorted look-ups ---------------------------------------------------------------------- */

struct search_job {
    int64_t *out;
    const void *sorted, *values;
    int64_t length;  /* of a row of sorted */
    int64_t per_row; /* values to a row of sorted */
    bool right;
};

/* The conditions are negated so that a NaN is above everything. */
#define SEARCH(T)                                                                                  \
    static int64_t find_##T(const T *sorted, int64_t n, T value, bool right)                       \
    {                                                                                              \
        int64_t low = 0, high = n;                                                                 \
        while (low < high) {                                                                       \
            int64_t middle = low + (high - low) / 2;                                               \
            if (right ? !(sorted[middle] > value) : !(sorted[middle] >= value))                    \
                low = middle + 1;                                                                  \
            else                                                                                   \
                high = middle;                                                                     \
        }                                                                                          \
        return low;                                                                                \
    }                                                                                              \
    static void search_##T(int64_t begin, int64_t end, void *ctx)                                  \
    {                                                                                              \
        const struct search_job *j = ctx;                                                          \
        const T *values = j->values;                                                               \
        for (int64_t i = begin; i < end; i++) {                                                    \
            const T *row = (const T *)j->sorted + i / j->per_row * j->length;                      \
            j->out[i] = find_##T(row, j->length, values[i], j->right);                             \
        }                                                                                          \
    }

SEARCH(uint8_t)
SEARCH(int8_t)
SEARCH(int16_t)
SEARCH(int32_t)
SEARCH(int64_t)
SEARCH(float)
SEARCH(double)

void cpu_searchsorted(const struct view *out, const struct view *sorted, const struct view *values,
                      bool right)
{
    static void (*const by_dtype[MC_DTYPE_COUNT])(int64_t, int64_t, void *) = {
        [MC_U8] = search_uint8_t,  [MC_I8] = search_int8_t,   [MC_I16] = search_int16_t,
        [MC_I32] = search_int32_t, [MC_I64] = search_int64_t, [MC_F32] = search_float,
        [MC_F64] = search_double};
    struct search_job j = {.out = (int64_t *)out->data,
                           .sorted = sorted->data,
                           .values = values->data,
                           .length = sorted->shape[sorted->ndim - 1],
                           .right = right};
    j.per_row = sorted->ndim == 1 ? values->numel : values->shape[values->ndim - 1];
    parallel_for(values->numel, SEARCH_GRAIN, by_dtype[values->dtype], &j);
}
