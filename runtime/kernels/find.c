/* The position at which a value first occurs: the second half of argmax, argmin, and of max and
 * min along a dimension, after a reduction has computed the values. */
#include "runtime/core/core.h"
#include <string.h>

#include "runtime/kernels/grid.h"
#include "runtime/kernels/reduce_cpu.h"
#include "runtime/kernels/strip.h"

enum { GRAIN = 32768, WIDTH = 256, LOOK = 64 };

/* first_T: the first place of x in n values, n if there is none. Whole groups are scanned
 * without leaving the loop, so that it vectorises. */
#define FIRST(T, name, is_x)                                                                       \
    static int64_t name(const void *values, int64_t n, const void *wanted)                         \
    {                                                                                              \
        const T *v = values, x = *(const T *)wanted;                                               \
        int64_t i = 0;                                                                             \
        for (; i + LOOK <= n; i += LOOK) {                                                         \
            int hit = 0;                                                                           \
            for (int k = 0; k < LOOK; k++)                                                         \
                hit |= is_x(v[i + k], x);                                                          \
            if (hit)                                                                               \
                break;                                                                             \
        }                                                                                          \
        while (i < n && !is_x(v[i], x))                                                            \
            i++;                                                                                   \
        return i;                                                                                  \
    }

/* mark_T: places[i] = at where it is none yet and v[i] is x[i]. Returns how many were. Most groups
 * have none, and are scanned as above. */
#define MARK(T, name, is_x)                                                                        \
    static int64_t name(const void *values, int64_t n, const void *wanted, int64_t *places,        \
                        int64_t at)                                                                \
    {                                                                                              \
        const T *v = values, *x = wanted;                                                          \
        int64_t marked = 0;                                                                        \
        for (int64_t i = 0; i < n; i += LOOK) {                                                    \
            int hit = n - i < LOOK;                                                                \
            for (int k = 0; !(n - i < LOOK) && k < LOOK; k++)                                      \
                hit |= is_x(v[i + k], x[i + k]);                                                   \
            for (int64_t k = i; hit && k < i + LOOK && k < n; k++)                                 \
                if (places[k] < 0 && is_x(v[k], x[k])) {                                           \
                    places[k] = at;                                                                \
                    marked++;                                                                      \
                }                                                                                  \
        }                                                                                          \
        return marked;                                                                             \
    }

#define SAME(v, x)        ((v) == (x))
#define SAME_OR_NAN(v, x) (((v) == (x)) | (((v) != (v)) & ((x) != (x))))

FIRST(float, first_f32, SAME_OR_NAN)
FIRST(double, first_f64, SAME_OR_NAN)
FIRST(int64_t, first_i64, SAME)
MARK(float, mark_f32, SAME_OR_NAN)
MARK(double, mark_f64, SAME_OR_NAN)
MARK(int64_t, mark_i64, SAME)

struct search {
    struct view index, in, value;
    struct grid grid;
    mc_dtype computed;
    int64_t (*first)(const void *, int64_t, const void *);
    int64_t (*mark)(const void *, int64_t, const void *, int64_t *, int64_t);
    bool columns;
    int64_t width, parts, count;
};

/* The values searched for by the results that begin at out, stride bytes apart in index. */
static const void *wanted(const struct search *s, void *buffer, const char *out, int64_t stride,
                          int64_t n)
{
    int64_t size = (int64_t)dtype_size(s->value.dtype), word = (int64_t)sizeof(int64_t);
    const char *at = s->value.data + (out - s->index.data) / word * size;
    return strip_load(buffer, s->computed, at, s->value.dtype, stride / word * size, n);
}

static int64_t find_row(const struct search *s, const char *in, const void *x)
{
    const struct axis *inner = &s->grid.inner[s->grid.inner_count - 1];
    int64_t rows = axes_count(s->grid.inner, s->grid.inner_count - 1);
    double buffer[STRIP];
    for (int64_t row = 0; row < rows; row++) {
        const char *at = in;
        axes_seek(s->grid.inner, s->grid.inner_count - 1, row, &at, NULL);
        for (int64_t i = 0; i < inner->size; i += STRIP) {
            int64_t n = inner->size - i < STRIP ? inner->size - i : STRIP;
            const void *v =
                strip_load(buffer, s->computed, at + i * inner->in, s->in.dtype, inner->in, n);
            int64_t place = s->first(v, n, x);
            if (place < n)
                return row * inner->size + i + place;
        }
    }
    return 0; /* unreachable: the value was taken from the row */
}

static void find_columns(const struct search *s, const char *in, char *out, int64_t n)
{
    const struct axis *kept = &s->grid.kept[s->grid.kept_count - 1];
    double buffer[WIDTH], wanted_buffer[WIDTH];
    int64_t places[WIDTH], left = n;
    const void *x = wanted(s, wanted_buffer, out, kept->out, n);
    memset(places, -1, sizeof places);
    for (int64_t at = 0; at < s->count && left; at++) {
        const char *from = in;
        axes_seek(s->grid.inner, s->grid.inner_count, at, &from, NULL);
        left -= s->mark(strip_load(buffer, s->computed, from, s->in.dtype, kept->in, n), n, x,
                        places, at);
    }
    strip_store(out, MC_I64, kept->out, places, MC_I64, n);
}

static void find_tiles(int64_t begin, int64_t end, void *ctx)
{
    const struct search *s = ctx;
    int last = s->grid.kept_count - 1;
    const struct axis *kept = &s->grid.kept[last];
    for (int64_t t = begin; t < end; t++) {
        const char *in = s->in.data;
        char *out = s->index.data;
        int64_t first = t % s->parts * s->width;
        int64_t n = kept->size - first < s->width ? kept->size - first : s->width;
        axes_seek(s->grid.kept, last, t / s->parts, &in, &out);
        in += first * kept->in;
        out += first * kept->out;
        if (s->columns) {
            find_columns(s, in, out, n);
        } else {
            double x;
            int64_t place = find_row(s, in, wanted(s, &x, out, 0, 1));
            strip_store(out, MC_I64, 0, &place, MC_I64, 1);
        }
    }
}

void cpu_find(struct view index, struct view in, struct view value, unsigned over)
{
    struct search s = {
        .index = index, .in = in, .value = value, .first = first_i64, .mark = mark_i64};
    if (index.numel == 0)
        return;
    s.grid = grid_of(index, in, over, true);
    s.computed = MC_I64;
    if (in.dtype == MC_F64)
        s.computed = MC_F64, s.first = first_f64, s.mark = mark_f64;
    else if (dtype_is_float(in.dtype))
        s.computed = MC_F32, s.first = first_f32, s.mark = mark_f32;
    const struct axis *kept = &s.grid.kept[s.grid.kept_count - 1];
    s.columns = kept->in == (int64_t)dtype_size(in.dtype) && kept->size > 1;
    s.width = s.columns ? WIDTH : 1;
    s.parts = (kept->size + s.width - 1) / s.width;
    s.count = axes_count(s.grid.inner, s.grid.inner_count);
    int64_t tiles = axes_count(s.grid.kept, s.grid.kept_count - 1) * s.parts;
    parallel_for(tiles, GRAIN / (in.numel / tiles + 1) + 1, find_tiles, &s);
}
