/* The elements of a tensor, visited in order: hashed, counted, compared. Chunks of a row are
 * converted to one type first, as there are too many dtypes for a loop each. */
#include "runtime/trace/elements.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backends/backends.h"
#include "runtime/kernels/convert.h"
#include "runtime/kernels/kernels.h"

enum { CHUNK = 256 };

/* ---- traversal ----------------------------------------------------------------------------- */

/* The elements of a tensor in memory that the host can read. */
struct walk {
    const mc_tensor *t;
    const char *base; /* of the element whose indices are all 0 */
    char *copy;       /* NULL: it is the tensor's own memory */
    int64_t numel, done;
    int ndim;
    int64_t shape[MC_MAX_DIMS], stride[MC_MAX_DIMS], at[MC_MAX_DIMS];
};

/* Memory of other devices is copied as a whole, since strides may be negative. */
static bool walk_begin(struct walk *w, const mc_tensor *t)
{
    const struct storage *s = t->storage;
    *w = (struct walk){.t = t, .numel = t->numel, .ndim = t->ndim};
    for (int i = 0; i < t->ndim; i++) {
        w->shape[i] = t->shape[i];
        w->stride[i] = t->stride[i];
    }
    if (s->backend->kernels == &cpu_kernels) {
        w->base = tensor_bytes(t);
        return true;
    }
    w->copy = malloc(s->nbytes ? s->nbytes : 1);
    if (!w->copy || !s->backend->download(w->copy, s, 0, s->nbytes)) {
        free(w->copy);
        w->copy = NULL;
        return false;
    }
    w->base = w->copy + (size_t)t->offset * dtype_size(t->dtype);
    return true;
}

static void walk_end(struct walk *w)
{
    free(w->copy);
}

/* One long row instead of many short ones, where the layout allows it. */
static void walk_straight(struct walk *w)
{
    if (!tensor_is_contiguous(w->t))
        return;
    w->ndim = 1;
    w->shape[0] = w->numel;
    w->stride[0] = 1;
}

/* Visits each address once where elements share it (an expanded tensor); returns how many do. */
static int64_t walk_once(struct walk *w)
{
    int64_t each = 1;
    for (int i = 0; i < w->ndim && w->numel > 0; i++)
        if (w->stride[i] == 0) {
            each *= w->shape[i];
            w->shape[i] = 1;
        }
    w->numel /= each;
    return each;
}

/* The next elements of one row, at most CHUNK; 0: there are no more. */
static int walk_next(struct walk *w, const char **from, int64_t *step)
{
    int64_t size = (int64_t)dtype_size(w->t->dtype), place = 0;
    int last = w->ndim - 1;
    if (w->done == w->numel)
        return 0;
    for (int i = 0; i < w->ndim; i++)
        place += w->at[i] * w->stride[i];
    *from = w->base + place * size;
    *step = last >= 0 ? w->stride[last] * size : 0;
    int64_t left = last >= 0 ? w->shape[last] - w->at[last] : 1;
    int n = (int)(left < CHUNK ? left : CHUNK);
    w->done += n;
    if (last >= 0)
        w->at[last] += n;
    for (int i = last; i > 0 && w->at[i] == w->shape[i]; i--) {
        w->at[i] = 0;
        w->at[i - 1]++;
    }
    return n;
}

/* ---- hashing ------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t bits)
{
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

uint64_t elements_hash(const mc_tensor *t)
{
    struct walk w;
    const char *from;
    int64_t step;
    uint64_t hash = 0xcbf29ce484222325u;
    size_t size = dtype_size(t->dtype);
    if (!walk_begin(&w, t))
        return 0;
    walk_straight(&w);
    for (int n; (n = walk_next(&w, &from, &step)) > 0;)
        for (int i = 0; i < n; i++, from += step) {
            uint64_t bits = 0;
            memcpy(&bits, from, size);
            hash = mix(hash, bits);
        }
    walk_end(&w);
    return hash;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* clang-format off */
#define INTEGERS(X)                                                                                \
    X(MC_BOOL, uint8_t, v != 0)  X(MC_U8, uint8_t, v)   X(MC_I8, int8_t, v)                        \
    X(MC_I16, int16_t, v)        X(MC_I32, int32_t, v)  X(MC_I64, int64_t, v)
#define FLOATS(X)                                                                                  \
    X(MC_F16, uint16_t, f16_to_f32(v))         X(MC_BF16, uint16_t, bf16_to_f32(v))                \
    X(MC_F32, float, v)                        X(MC_F64, double, v)                                \
    X(MC_F8_E4M3, uint8_t, f8_e4m3_to_f32(v))  X(MC_F8_E5M2, uint8_t, f8_e5m2_to_f32(v))
/* clang-format on */

#define READ_AS(to_type, dtype, type, value)                                                       \
    static void dtype##_as_##to_type(to_type *to, const char *from, int64_t step, int n)           \
    {                                                                                              \
        for (int i = 0; i < n; i++, from += step) {                                                \
            type v;                                                                                \
            memcpy(&v, from, sizeof v);                                                            \
            to[i] = (to_type)(value);                                                              \
        }                                                                                          \
    }
#define READ_DOUBLE(dtype, type, value) READ_AS(double, dtype, type, value)
#define READ_I64(dtype, type, value)    READ_AS(int64_t, dtype, type, value)
INTEGERS(READ_DOUBLE)
FLOATS(READ_DOUBLE)
INTEGERS(READ_I64)

#define DOUBLE_ROW(dtype, type, value) [dtype] = dtype##_as_double,
static void (*const read_doubles[MC_DTYPE_COUNT])(double *, const char *, int64_t,
                                                  int) = {INTEGERS(DOUBLE_ROW) FLOATS(DOUBLE_ROW)};
#define I64_ROW(dtype, type, value) [dtype] = dtype##_as_int64_t,
static void (*const read_i64s[MC_DTYPE_COUNT])(int64_t *, const char *, int64_t,
                                               int) = {INTEGERS(I64_ROW)};

static int next_doubles(struct walk *w, double *to)
{
    const char *from;
    int64_t step;
    int n = walk_next(w, &from, &step);
    if (n > 0)
        read_doubles[w->t->dtype](to, from, step, n);
    return n;
}

static int next_i64s(struct walk *w, int64_t *to)
{
    const char *from;
    int64_t step;
    int n = walk_next(w, &from, &step);
    if (n > 0)
        read_i64s[w->t->dtype](to, from, step, n);
    return n;
}

struct survey elements_survey(const mc_tensor *t)
{
    struct walk w;
    double v[CHUNK];
    struct survey s = {.min = NAN, .max = NAN};
    if (!walk_begin(&w, t))
        return s;
    int64_t each = walk_once(&w);
    walk_straight(&w);
    for (int n; (n = next_doubles(&w, v)) > 0;)
        for (int i = 0; i < n; i++) {
            s.nan += isnan(v[i]) ? each : 0;
            s.inf += isinf(v[i]) ? each : 0;
            if (!isfinite(v[i]))
                continue;
            s.min = v[i] >= s.min ? s.min : v[i];
            s.max = v[i] <= s.max ? s.max : v[i];
        }
    walk_end(&w);
    return s;
}

/* ---- comparing ----------------------------------------------------------------------------- */

struct sum {
    struct difference d;
    int64_t count; /* of the elements in mean_abs, a sum until the end */
};

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void sum_up(struct sum *s, double gap, double of)
{
    s->d.max_abs = larger(gap, s->d.max_abs);
    s->d.max_rel = of > 0 ? larger(gap / of, s->d.max_rel) : s->d.max_rel;
    s->d.mean_abs += gap;
    s->count++;
}

static void set_worst(struct sum *s, double got, double wide)
{
    s->d.has_worst = true;
    s->d.worst_got = got;
    s->d.worst_wide = wide;
}

/* An element that is not finite is worse than any gap; of equal gaps, that of the smaller number is
 * worse. */
static void rate(struct sum *s, double got, double wide)
{
    bool found = s->d.has_worst && !isfinite(s->d.worst_got);
    double gap = fabs(got - wide), most = s->d.max_abs;
    if (!isfinite(wide) || found || got == wide)
        return;
    if (!isfinite(got) || gap > 1.001 * most ||
        (gap > 0.999 * most && fabs(wide) < fabs(s->d.worst_wide)))
        set_worst(s, got, wide);
}

static void compare_doubles(struct sum *s, double got, double wide, double rounded)
{
    rate(s, got, wide);
    s->d.differing += got != rounded && !(isnan(got) && isnan(rounded));
    if (isfinite(wide))
        s->d.max_abs_wide = larger(fabs(wide), s->d.max_abs_wide);
    if (isfinite(got) && isfinite(wide))
        sum_up(s, fabs(got - wide), fabs(wide));
}

/* A double cannot represent every i64. */
static void compare_i64s(struct sum *s, int64_t got, int64_t wide)
{
    uint64_t gap = got > wide ? (uint64_t)got - (uint64_t)wide : (uint64_t)wide - (uint64_t)got;
    s->d.differing += got != wide;
    rate(s, (double)got, (double)wide);
    s->d.max_abs_wide = larger(fabs((double)wide), s->d.max_abs_wide);
    sum_up(s, (double)gap, fabs((double)wide));
}

/* All have one shape, so their chunks have equal lengths. */
static void walk_doubles(struct sum *s, struct walk w[3])
{
    double v[3][CHUNK];
    for (int n; (n = next_doubles(&w[0], v[0])) > 0;) {
        next_doubles(&w[1], v[1]);
        next_doubles(&w[2], v[2]);
        for (int i = 0; i < n; i++)
            compare_doubles(s, v[0][i], v[1][i], v[2][i]);
    }
}

static void walk_i64s(struct sum *s, struct walk w[3])
{
    int64_t v[2][CHUNK];
    for (int n; (n = next_i64s(&w[0], v[0])) > 0;) {
        next_i64s(&w[1], v[1]);
        for (int i = 0; i < n; i++)
            compare_i64s(s, v[0][i], v[1][i]);
    }
}

struct difference elements_compare(const mc_tensor *got, const mc_tensor *wide,
                                   const mc_tensor *rounded)
{
    const mc_tensor *tensors[3] = {got, wide, rounded ? rounded : wide};
    struct walk w[3] = {0};
    struct sum s = {0};
    bool ready = true;
    for (int k = 0; k < 3; k++)
        ready = ready && walk_begin(&w[k], tensors[k]);
    if (ready && read_i64s[got->dtype] && read_i64s[wide->dtype])
        walk_i64s(&s, w);
    else if (ready)
        walk_doubles(&s, w);
    for (int k = 0; k < 3; k++)
        walk_end(&w[k]);
    s.d.mean_abs /= s.count ? (double)s.count : 1;
    return s.d;
}
