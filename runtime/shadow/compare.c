/* Results compared with their shadow: quickly for every result, and in detail for those that have
 * to be reported. */
#include "runtime/shadow/compare.h"

#include <math.h>
#include <string.h>

#include "runtime/kernels/elementwise.h"
#include "runtime/shadow/ledger.h"

enum { LANES = 8, BLOCK = 1 << 15, BLOCKS = 64 };

/* ---- rows ---------------------------------------------------------------------------------- */

static bool is_flat(const struct view *v)
{
    int64_t expected = 1;
    for (int i = v->ndim - 1; i >= 0; i--) {
        if (v->shape[i] != 1 && v->stride[i] != expected)
            return false;
        expected *= v->shape[i];
    }
    return true;
}

static void flat_rows(const struct view *real, const struct view *wide, row_fn f, void *ctx)
{
    char buffer[ROW * 8];
    size_t size = dtype_size(real->dtype);
    for (int64_t i = 0; i < real->numel; i += ROW) {
        int64_t n = real->numel - i < ROW ? real->numel - i : ROW;
        widen(NULL, real->data + (size_t)i * size, real->dtype, n, buffer);
        f(buffer, wide->data + i * 8, n, i, ctx);
    }
}

/* Where the i-th element is, in elements from the first. */
static int64_t offset_of(const struct view *v, int64_t i)
{
    int64_t at = 0;
    for (int d = v->ndim - 1; d >= 0; d--) {
        at += i % v->shape[d] * v->stride[d];
        i /= v->shape[d];
    }
    return at;
}

static void strided_rows(const struct view *real, const struct view *wide, row_fn f, void *ctx)
{
    char raw[ROW * 8], buffer[ROW * 8], values[ROW * 8];
    size_t size = dtype_size(real->dtype);
    for (int64_t i = 0; i < real->numel; i += ROW) {
        int64_t n = real->numel - i < ROW ? real->numel - i : ROW;
        for (int64_t j = 0; j < n; j++) {
            memcpy(raw + (size_t)j * size, real->data + offset_of(real, i + j) * (int64_t)size,
                   size);
            memcpy(values + j * 8, wide->data + offset_of(wide, i + j) * 8, 8);
        }
        widen(NULL, raw, real->dtype, n, buffer);
        f(buffer, values, n, i, ctx);
        for (int64_t j = 0; j < n; j++)
            memcpy(wide->data + offset_of(wide, i + j) * 8, values + j * 8, 8);
    }
}

void rows(const struct view *real, const struct view *wide, row_fn f, void *ctx)
{
    if (is_flat(real) && is_flat(wide))
        flat_rows(real, wide, f, ctx);
    else
        strided_rows(real, wide, f, ctx);
}

/* ---- quickly ------------------------------------------------------------------------------- */

/* Lanes, so that the compiler need not reorder a maximum to vectorise it. bad becomes NaN with the
 * first difference that is not finite. */
struct lanes {
    double error[LANES], scale[LANES], bad[LANES];
};

static void lanes_end(const struct lanes *l, struct difference *d)
{
    for (int k = 0; k < LANES; k++) {
        d->error = l->error[k] > d->error ? l->error[k] : d->error;
        d->scale = l->scale[k] > d->scale ? l->scale[k] : d->scale;
        d->unequal |= l->bad[k] != 0;
    }
}

#define COMPARE_ROW(name, type)                                                                    \
    static void name(const void *real, void *wide, int64_t n, int64_t first, void *ctx)            \
    {                                                                                              \
        const type *r = real;                                                                      \
        const double *w = wide;                                                                    \
        struct lanes l = {0};                                                                      \
        int64_t whole = n / LANES * LANES;                                                         \
        (void)first;                                                                               \
        for (int64_t i = 0; i < whole; i += LANES)                                                 \
            for (int k = 0; k < LANES; k++) {                                                      \
                double d = fabs((double)r[i + k] - w[i + k]), s = fabs(w[i + k]);                  \
                l.error[k] = d > l.error[k] ? d : l.error[k];                                      \
                l.scale[k] = s > l.scale[k] ? s : l.scale[k];                                      \
                l.bad[k] += d - d;                                                                 \
            }                                                                                      \
        for (int64_t i = whole; i < n; i++) {                                                      \
            double d = fabs((double)r[i] - w[i]), s = fabs(w[i]);                                  \
            l.error[0] = d > l.error[0] ? d : l.error[0];                                          \
            l.scale[0] = s > l.scale[0] ? s : l.scale[0];                                          \
            l.bad[0] += d - d;                                                                     \
        }                                                                                          \
        lanes_end(&l, ctx);                                                                        \
    }
COMPARE_ROW(compare_f64, double)
COMPARE_ROW(compare_f32, float)

static void compare_ints(const void *real, void *wide, int64_t n, int64_t first, void *ctx)
{
    const int64_t *r = real, *w = wide;
    struct difference *d = ctx;
    (void)first;
    for (int64_t i = 0; i < n; i++) {
        double e = fabs((double)r[i] - (double)w[i]), s = fabs((double)w[i]);
        d->unequal |= r[i] != w[i];
        d->error = e > d->error ? e : d->error;
        d->scale = s > d->scale ? s : d->scale;
    }
}

struct blocks {
    const struct view *real, *wide;
    int64_t size;
    struct difference parts[BLOCKS];
};

static void compare_blocks(int64_t begin, int64_t end, void *ctx)
{
    struct blocks *b = ctx;
    for (int64_t i = begin; i < end; i++) {
        int64_t first = i * b->size, left = b->real->numel - first;
        int64_t n = left < b->size ? left : b->size;
        compare_f32(b->real->data + first * 4, b->wide->data + first * 8, n, first, &b->parts[i]);
    }
}

static struct difference compare_flat_f32(const struct view *real, const struct view *wide)
{
    struct blocks b = {.real = real, .wide = wide, .size = BLOCK};
    struct difference d = {0};
    if ((real->numel - 1) / BLOCK >= BLOCKS)
        b.size = (real->numel + BLOCKS - 1) / BLOCKS;
    int64_t count = (real->numel + b.size - 1) / b.size;
    parallel_for(count, 1, compare_blocks, &b);
    for (int64_t i = 0; i < count; i++) {
        d.error = b.parts[i].error > d.error ? b.parts[i].error : d.error;
        d.scale = b.parts[i].scale > d.scale ? b.parts[i].scale : d.scale;
        d.unequal |= b.parts[i].unequal;
    }
    return d;
}

struct difference compare(const struct view *real, const struct view *wide)
{
    struct difference d = {0};
    if (real->numel && real->dtype == MC_F32 && is_flat(real) && is_flat(wide))
        return compare_flat_f32(real, wide);
    rows(real, wide, wide->dtype == MC_I64 ? compare_ints : compare_f64, &d);
    return d;
}

/* ---- in detail ----------------------------------------------------------------------------- */

static bool is_integer(double v)
{
    return fabs(v) <= 0x1p53 && v == nearbyint(v);
}

static void set_worst(struct difference *d, int64_t at, double real, double wide)
{
    d->worst = at;
    d->real = real;
    d->wide = wide;
}

/* A broken element is worse than any error; of several, the one that should be largest. */
static void explain_f64(const void *real, void *wide, int64_t n, int64_t first, void *ctx)
{
    const double *r = real;
    double *w = wide;
    struct difference *d = ctx;
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(w[i]) && isfinite(r[i]))
            w[i] = r[i];
        bool same = r[i] == w[i] || (isnan(r[i]) && isnan(w[i]));
        bool broken = !same && !isfinite(r[i]) && isfinite(w[i]);
        double e = same || broken ? 0 : fabs(r[i] - w[i]);
        if (broken && (!d->broken++ || fabs(w[i]) > fabs(d->wide)))
            set_worst(d, first + i, r[i], w[i]);
        if (isfinite(e) && e > d->error) {
            d->error = e;
            if (!d->broken)
                set_worst(d, first + i, r[i], w[i]);
        }
        if (isfinite(w[i]) && fabs(w[i]) > d->scale)
            d->scale = fabs(w[i]);
        d->differing += !same;
        d->zeros += r[i] == 0 && w[i] != 0;
        d->integral &= is_integer(w[i]);
        d->is_uniform &= first + i == 0 || w[i] == d->first;
        d->first = first + i == 0 ? w[i] : d->first;
        d->merged += i > 0 && r[i] == r[i - 1] && w[i] != w[i - 1];
    }
}

static void explain_ints(const void *real, void *wide, int64_t n, int64_t first, void *ctx)
{
    const int64_t *r = real, *w = wide;
    struct difference *d = ctx;
    for (int64_t i = 0; i < n; i++) {
        double e = fabs((double)r[i] - (double)w[i]);
        if (r[i] != w[i] && (d->worst < 0 || e > d->error)) {
            d->error = e;
            d->worst = first + i;
            d->real_int = r[i];
            d->wide_int = w[i];
        }
        if (fabs((double)w[i]) > d->scale)
            d->scale = fabs((double)w[i]);
        d->differing += r[i] != w[i];
    }
}

struct difference explain(const struct view *real, const struct view *wide)
{
    struct difference d = {.worst = -1, .integral = true, .is_uniform = true};
    bool ints = wide->dtype == MC_I64;
    rows(real, wide, ints ? explain_ints : explain_f64, &d);
    d.unequal = d.broken || (ints && d.differing);
    return d;
}
