/* Softmax, its logarithm, and the logarithm of a sum of exponentials, along one dimension: the
 * greatest value is found, then the sum of exponentials of what lies below it, then the result.
 *
 * As in reduce.c a tile is either some rows or neighbouring columns. Rows that fit one strip are
 * read once; the exponentials of longer ones are kept in the output where its dtype is the one
 * computed in, else computed twice. */
#include <math.h>
#include <string.h>

#include "runtime/kernels/convert.h"
#include "runtime/kernels/fold.h"
#include "runtime/kernels/grid.h"
#include "runtime/kernels/reduce_cpu.h"
#include "runtime/kernels/strip.h"

enum { GRAIN = 8192, WIDTH = CASCADE_WIDTH };

struct job {
    enum softmax kind;
    struct view in, out;
    struct axis kept, inner; /* the last kept one, and the dimension */
    struct grid grid;
    bool columns;
    int64_t width, parts;
};

/* e^x for x <= 0 or NaN, within 1 ulp: x = k ln 2 + r with |r| <= ln 2 / 2, and e^r by its series.
 * No branches and no calls, so that loops over it vectorise. */
static inline float exp_down_f32(float x)
{
    x = x < -104.0f ? -104.0f : x;                  /* e^-104 rounds to 0 */
    float shifted = x * 0x1.715476p+0f + 0x1.8p23f; /* k in the low bits */
    float k = shifted - 0x1.8p23f;
    float r = (x - k * 0x1.62e4p-1f) - k * 0x1.7f7d1cp-20f;
    float r2 = r * r;
    float e = 0x1.555556p-5f + r * 0x1.111112p-7f; /* in pairs: a shorter chain than one by one */
    e = (0.5f + r * 0x1.555556p-3f) + r2 * (e + r2 * (0x1.6c16c2p-10f + r * 0x1.a01a02p-13f));
    e = 1.0f + (r + r2 * e);
    /* 2^k in two factors, for results below the normal ones. */
    uint32_t power = f32_bits(shifted) - f32_bits(0x1.8p23f),
             half = (uint32_t)((int32_t)power >> 1);
    return e * f32_from_bits((half + 127) << 23) * f32_from_bits((power - half + 127) << 23);
}

static inline double exp_down_f64(double x)
{
    return exp(x);
}

#define REAL       float
#define REAL_DTYPE MC_F32
#define REAL_LOG   logf
#define NAME(x)    x##_f32
#include "runtime/kernels/softmax.inc"

#define REAL       double
#define REAL_DTYPE MC_F64
#define REAL_LOG   log
#define NAME(x)    x##_f64
#include "runtime/kernels/softmax.inc"

/* One column, or a position in one, for each result. */
static void plan(struct job *j)
{
    int64_t size = (int64_t)dtype_size(j->in.dtype);
    j->kept = j->grid.kept[j->grid.kept_count - 1];
    j->inner = j->grid.inner[0];
    j->columns = j->kept.in == size && j->inner.in != size && j->kept.size >= 16;
    j->width = j->columns ? WIDTH : 1 + STRIP / (j->inner.size + 1);
    j->parts = (j->kept.size + j->width - 1) / j->width;
}

static void run_tiles(int64_t begin, int64_t end, void *ctx)
{
    const struct job *j = ctx;
    for (int64_t t = begin; t < end; t++) {
        const char *in = j->in.data;
        char *out = j->out.data;
        int64_t first = t % j->parts * j->width, left = j->kept.size - first;
        axes_seek(j->grid.kept, j->grid.kept_count - 1, t / j->parts, &in, &out);
        in += first * j->kept.in;
        out += first * j->kept.out;
        if (j->in.dtype == MC_F64)
            tile_f64(j, in, out, left < j->width ? left : j->width);
        else
            tile_f32(j, in, out, left < j->width ? left : j->width);
    }
}

void cpu_softmax(enum softmax kind, struct view out, struct view in, int dim)
{
    struct job j = {.kind = kind, .in = in, .out = out};
    if (out.numel == 0)
        return;
    j.grid = grid_of(out, in, 1u << dim, false);
    plan(&j);
    int64_t tiles = axes_count(j.grid.kept, j.grid.kept_count - 1) * j.parts;
    parallel_for(tiles, GRAIN / (in.numel / tiles + 1) + 1, run_tiles, &j);
}
