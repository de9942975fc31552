/* Running sums and products along a dimension. Floats are accumulated in f64, so that a long scan
 * does not drift; integers wrap.
 *
 * As in reduce.c a tile is one row, or adjacent columns that are processed together. */
#include "runtime/core/core.h"
#include "runtime/kernels/grid.h"
#include "runtime/kernels/reduce_cpu.h"
#include "runtime/kernels/strip.h"

enum { GRAIN = 16384, WIDTH = 256 };

struct job {
    struct view in, out;
    struct grid grid;
    struct axis kept, inner; /* the last kept one, and the dimension */
    mc_dtype carried;        /* f64 or i64 */
    bool product, columns;
    int64_t width, parts;
};

/* carry runs through a row of n values; after each it is written to result. */
#define SCAN_ROW(T, name, step)                                                                    \
    static void name(T *restrict result, const T *restrict x, int64_t n, T *restrict carry)        \
    {                                                                                              \
        T a = *carry;                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            result[i] = a = step(a, x[i]);                                                         \
        *carry = a;                                                                                \
    }

/* Each column's carry accumulates one value. */
#define SCAN_COLUMNS(T, name, step)                                                                \
    static void name(const T *restrict x, int64_t n, T *restrict carry)                            \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            carry[i] = step(carry[i], x[i]);                                                       \
    }

#define ADD(a, b)      ((a) + (b))
#define MUL(a, b)      ((a) * (b))
#define ADD_WRAP(a, b) ((int64_t)((uint64_t)(a) + (uint64_t)(b)))
#define MUL_WRAP(a, b) ((int64_t)((uint64_t)(a) * (uint64_t)(b)))

SCAN_ROW(double, sum_row_f64, ADD)
SCAN_ROW(double, prod_row_f64, MUL)
SCAN_ROW(int64_t, sum_row_i64, ADD_WRAP)
SCAN_ROW(int64_t, prod_row_i64, MUL_WRAP)
SCAN_COLUMNS(double, sum_columns_f64, ADD)
SCAN_COLUMNS(double, prod_columns_f64, MUL)
SCAN_COLUMNS(int64_t, sum_columns_i64, ADD_WRAP)
SCAN_COLUMNS(int64_t, prod_columns_i64, MUL_WRAP)

union carry {
    double f[WIDTH];
    int64_t i[WIDTH];
};

static void carry_begin(const struct job *j, union carry *c)
{
    for (int i = 0; i < WIDTH; i++)
        if (j->carried == MC_F64)
            c->f[i] = j->product;
        else
            c->i[i] = j->product;
}

static void scan_row(const struct job *j, const char *in, char *out)
{
    double buffer[STRIP], result[STRIP]; /* i64 as well: the same size */
    union carry c;
    carry_begin(j, &c);
    for (int64_t at = 0; at < j->inner.size; at += STRIP) {
        int64_t n = j->inner.size - at < STRIP ? j->inner.size - at : STRIP;
        const void *x =
            strip_load(buffer, j->carried, in + at * j->inner.in, j->in.dtype, j->inner.in, n);
        void *to = result;
        if (j->carried == MC_F64)
            (j->product ? prod_row_f64 : sum_row_f64)(to, x, n, c.f);
        else
            (j->product ? prod_row_i64 : sum_row_i64)(to, x, n, c.i);
        strip_store(out + at * j->inner.out, j->out.dtype, j->inner.out, to, j->carried, n);
    }
}

static void scan_columns(const struct job *j, const char *in, char *out, int64_t n)
{
    double buffer[WIDTH];
    union carry c;
    carry_begin(j, &c);
    for (int64_t at = 0; at < j->inner.size; at++) {
        const void *x =
            strip_load(buffer, j->carried, in + at * j->inner.in, j->in.dtype, j->kept.in, n);
        if (j->carried == MC_F64)
            (j->product ? prod_columns_f64 : sum_columns_f64)(x, n, c.f);
        else
            (j->product ? prod_columns_i64 : sum_columns_i64)(x, n, c.i);
        strip_store(out + at * j->inner.out, j->out.dtype, j->kept.out, &c, j->carried, n);
    }
}

static void scan_tiles(int64_t begin, int64_t end, void *ctx)
{
    const struct job *j = ctx;
    for (int64_t t = begin; t < end; t++) {
        const char *in = j->in.data;
        char *out = j->out.data;
        int64_t first = t % j->parts * j->width, left = j->kept.size - first;
        axes_seek(j->grid.kept, j->grid.kept_count - 1, t / j->parts, &in, &out);
        in += first * j->kept.in;
        out += first * j->kept.out;
        if (j->columns)
            scan_columns(j, in, out, left < j->width ? left : j->width);
        else
            scan_row(j, in, out);
    }
}

void cpu_scan(enum reduce op, struct view out, struct view in, int dim)
{
    struct job j = {.in = in, .out = out, .product = op == REDUCE_PROD};
    if (in.numel == 0)
        return;
    j.carried = dtype_is_float(in.dtype) ? MC_F64 : MC_I64;
    j.grid = grid_of(out, in, 1u << dim, true);
    j.kept = j.grid.kept[j.grid.kept_count - 1];
    j.inner = j.grid.inner[0];
    j.columns = j.kept.in == (int64_t)dtype_size(in.dtype) && j.kept.size > 1;
    j.width = j.columns ? WIDTH : 1;
    j.parts = (j.kept.size + j.width - 1) / j.width;
    int64_t tiles = axes_count(j.grid.kept, j.grid.kept_count - 1) * j.parts;
    parallel_for(tiles, GRAIN / (in.numel / tiles + 1) + 1, scan_tiles, &j);
}
