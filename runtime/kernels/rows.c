/* Row kernels of the CPU: normalisation, moments, per-channel affine maps, means of bags. In come
 * rows of any floating dtype but f8, out go rows of the output's; the arithmetic, in rows.inc, is
 * in f32 or f64, so that f16 and bf16 are rounded once. */
#include "runtime/kernels/layer_cpu.h"

#include <math.h>

#include "runtime/kernels/elementwise.h"

enum { PIECE = 1024, LANES = 16 };

struct norm_job {
    const struct view *out, *in;
    const struct norm *norm;
};

struct moments_job {
    const struct view *mean, *var, *in;
};

struct affine_job {
    const struct view *out, *in, *mean, *scale, *shift;
};

struct bag_job {
    const struct view *out, *table, *indices;
};

static void convert(mc_dtype to, char *dest, mc_dtype from, const char *source, int64_t n)
{
    struct loop loop = {.count = 2, .ndim = 1, .numel = n};
    loop.shape[0] = n;
    loop.data[0] = dest;
    loop.data[1] = (char *)source;
    loop.stride[0][0] = (int64_t)dtype_size(to);
    loop.stride[1][0] = (int64_t)dtype_size(from);
    cpu_elementwise.cast(to, from, &loop, false);
}

/* How much of a row of so many elements the piece at this place has. */
static int64_t piece_at(int64_t at, int64_t length)
{
    return length - at < PIECE ? length - at : PIECE;
}

/* Where a run of length elements that starts at i ends, within n. */
static int64_t run_end(int64_t i, int64_t n, int64_t length)
{
    return length < n - i ? i + length : n;
}

#define REAL       float
#define REAL_DTYPE MC_F32
#define REAL_SQRT  sqrtf
#define NAME(x)    x##_f32
#include "runtime/kernels/rows.inc"

#define REAL       double
#define REAL_DTYPE MC_F64
#define REAL_SQRT  sqrt
#define NAME(x)    x##_f64
#include "runtime/kernels/rows.inc"

void norm_cpu(mc_dtype compute, const struct view *out, const struct view *in, const struct norm *n)
{
    struct norm_job job = {out, in, n};
    parallel_for(n->rows, layer_grain(n->length), compute == MC_F64 ? norm_rows_f64 : norm_rows_f32,
                 &job);
}

void moments_cpu(mc_dtype compute, const struct view *mean, const struct view *var,
                 const struct view *in)
{
    struct moments_job job = {mean, var, in};
    parallel_for(in->shape[0], layer_grain(in->shape[1]),
                 compute == MC_F64 ? moments_rows_f64 : moments_rows_f32, &job);
}

void affine_cpu(mc_dtype compute, const struct view *out, const struct view *in,
                const struct view *mean, const struct view *scale, const struct view *shift)
{
    struct affine_job job = {out, in, mean, scale, shift};
    parallel_for(in->numel / PIECE + (in->numel % PIECE != 0), layer_grain(PIECE),
                 compute == MC_F64 ? affine_pieces_f64 : affine_pieces_f32, &job);
}

void bag_mean_cpu(mc_dtype compute, const struct view *out, const struct view *table,
                  const struct view *indices)
{
    struct bag_job job = {out, table, indices};
    parallel_for(indices->shape[0], layer_grain(table->shape[1] * (indices->shape[1] + 1)),
                 compute == MC_F64 ? bags_f64 : bags_f32, &job);
}
