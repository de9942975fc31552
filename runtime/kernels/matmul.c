/* The CPU's matrix products: splits a batch of matrices, and passes each to the implementation
 * that suits its size and layout. */
#include "runtime/kernels/matmul_cpu.h"

#include <cblas.h>
#include <limits.h>
#include <string.h>

int blas_threads_hold(int count)
{
    int before = openblas_get_num_threads();
    if (before != count)
        openblas_set_num_threads(count);
    return before;
}

void blas_threads_release(int count, int before)
{
    if (before != count)
        openblas_set_num_threads(before);
}

/* ---- one call of OpenBLAS, split over our threads ------------------------------------------- */

enum { UNIT = 16 }; /* rows or columns that stay together */

static enum CBLAS_TRANSPOSE transposition(const struct panel *p)
{
    return p->transposed ? CblasTrans : CblasNoTrans;
}

static void multiply(const struct product *p)
{
    int m = (int)p->m, n = (int)p->n, k = (int)p->k, ldc = (int)p->ldc;
    enum CBLAS_TRANSPOSE ta = transposition(&p->a), tb = transposition(&p->b);
    if (product_is_small(p->m, p->n, p->k))
        product_small(p);
    else if (p->f64)
        cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, p->alpha, (const double *)p->a.data, p->a.ld,
                    (const double *)p->b.data, p->b.ld, p->beta, (double *)p->c, ldc);
    else
        cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, (float)p->alpha, (const float *)p->a.data,
                    p->a.ld, (const float *)p->b.data, p->b.ld, (float)p->beta, (float *)p->c, ldc);
}

static size_t product_size(const struct product *p)
{
    return p->f64 ? sizeof(double) : sizeof(float);
}

static void product_rows(int64_t begin, int64_t end, void *ctx)
{
    struct product p = *(const struct product *)ctx;
    int64_t row = begin * UNIT, size = (int64_t)product_size(&p);
    p.a.data += row * (p.a.transposed ? 1 : p.a.ld) * size;
    p.c += row * p.ldc * size;
    p.m = least(end * UNIT, p.m) - row;
    multiply(&p);
}

static void product_cols(int64_t begin, int64_t end, void *ctx)
{
    struct product p = *(const struct product *)ctx;
    int64_t col = begin * UNIT, size = (int64_t)product_size(&p);
    p.b.data += col * (p.b.transposed ? p.b.ld : 1) * size;
    p.c += col * size;
    p.n = least(end * UNIT, p.n) - col;
    multiply(&p);
}

void product_run(const struct product *p)
{
    bool by_rows = p->m >= p->n;
    int64_t length = by_rows ? p->m : p->n, across = by_rows ? p->n : p->m;
    parallel_for((length + UNIT - 1) / UNIT, matmul_grain((double)across * (double)p->k * UNIT),
                 by_rows ? product_rows : product_cols, (void *)p);
}

/* ---- c = beta * c ---------------------------------------------------------------------------- */

enum { CHUNK = 1024 };

static void scale_chunk(mc_dtype dtype, char *data, int64_t n, double beta)
{
    union {
        float f[CHUNK];
        double d[CHUNK];
    } buffer;
    row_load(dtype, data, 1, n, &buffer);
    for (int64_t i = 0; i < n; i++)
        if (dtype == MC_F64)
            buffer.d[i] *= beta;
        else
            buffer.f[i] *= (float)beta;
    row_store(dtype, &buffer, n, data);
}

static void scale(const struct matrix *c, double beta)
{
    int64_t n = c->rows * c->cols, size = (int64_t)dtype_size(c->dtype);
    if (beta == 0)
        memset(c->data, 0, (size_t)(n * size));
    else if (beta != 1)
        for (int64_t i = 0; i < n; i += CHUNK)
            scale_chunk(c->dtype, c->data + i * size, least(CHUNK, n - i), beta);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Tiles bound the memory for panels, and keep sizes within an int if no panels are needed. */
enum { TILE_PACKED = 2048, TILE_IN_PLACE = 1 << 30 };

struct tiling {
    const struct gemm *g;
    int64_t side;
    bool rounds; /* sums are in buffer c until they are rounded to c's dtype */
    struct room a, b, c;
};

struct tile {
    int64_t row, rows, col, cols;
};

static void tile_multiply(const struct tiling *t, const struct tile *at, struct product *p)
{
    const struct gemm *g = t->g;
    for (int64_t k = 0; k < g->a.cols; k += t->side) {
        p->k = least(t->side, g->a.cols - k);
        p->a = panel_of(matrix_part(g->a, at->row, at->rows, k, p->k), t->a.bytes);
        p->b = panel_of(matrix_part(g->b, k, p->k, at->col, at->cols), t->b.bytes);
        product_run(p);
        p->beta = 1;
    }
}

static void tile_run(const struct tiling *t, const struct tile *at)
{
    struct matrix c = matrix_part(t->g->c, at->row, at->rows, at->col, at->cols);
    struct product p = {
        .f64 = c.dtype == MC_F64,
        .m = at->rows,
        .n = at->cols,
        .c = t->rounds ? t->c.bytes : c.data,
        .ldc = t->rounds ? c.cols : c.row_step,
        .alpha = t->g->alpha.as.f,
        .beta = t->g->beta.as.f,
    };
    if (t->rounds && p.beta != 0)
        rows_load(c, t->c.bytes);
    tile_multiply(t, at, &p);
    if (t->rounds)
        rows_store(c, t->c.bytes);
}

static bool tiling_init(struct tiling *t, const struct gemm *g)
{
    bool a_packed = !panel_in_place(&g->a), b_packed = !panel_in_place(&g->b);
    mc_dtype dtype = g->c.dtype;
    size_t size = compute_size(dtype);
    bool rounds = (dtype != MC_F32 && dtype != MC_F64) || g->c.row_step > INT_MAX;
    int64_t side = a_packed || b_packed || rounds ? TILE_PACKED : TILE_IN_PLACE;
    int64_t m = least(g->c.rows, side), n = least(g->c.cols, side), k = least(g->a.cols, side);
    *t = (struct tiling){.g = g, .side = side, .rounds = rounds};
    return room_take(&t->a, a_packed ? m * k : 0, size) &&
           room_take(&t->b, b_packed ? k * n : 0, size) &&
           room_take(&t->c, rounds ? m * n : 0, size);
}

/* Panels on the stack. */
static void gemm_small(const struct gemm *g)
{
    double a[SMALL_PANEL], b[SMALL_PANEL], c[SMALL_PANEL];
    bool rounds = g->c.dtype != MC_F32 && g->c.dtype != MC_F64;
    struct product p = {
        .f64 = g->c.dtype == MC_F64,
        .m = g->c.rows,
        .n = g->c.cols,
        .k = g->a.cols,
        .a = panel_of(g->a, a),
        .b = panel_of(g->b, b),
        .c = rounds ? (char *)c : g->c.data,
        .ldc = rounds ? g->c.cols : g->c.row_step,
        .alpha = g->alpha.as.f,
        .beta = g->beta.as.f,
    };
    if (rounds && p.beta != 0)
        rows_load(g->c, c);
    product_small(&p);
    if (rounds)
        rows_store(g->c, c);
}

static bool gemm_large(const struct gemm *g)
{
    struct tiling t;
    bool ok = tiling_init(&t, g);
    for (int64_t col = 0; ok && col < g->c.cols; col += t.side)
        for (int64_t row = 0; row < g->c.rows; row += t.side) {
            struct tile at = {row, least(t.side, g->c.rows - row), col,
                              least(t.side, g->c.cols - col)};
            tile_run(&t, &at);
        }
    room_give(&t.a);
    room_give(&t.b);
    room_give(&t.c);
    return ok;
}

/* ---- batches --------------------------------------------------------------------------------- */

static bool gemm_run(const struct gemm *g)
{
    if (dtype_is_int(g->c.dtype))
        return gemm_integer(g);
    if (g->a.cols == 0 || g->alpha.as.f == 0) {
        scale(&g->c, g->beta.as.f);
        return true;
    }
    if (product_is_small(g->c.rows, g->c.cols, g->a.cols)) {
        gemm_small(g);
        return true;
    }
    return g->c.rows == 1 || g->c.cols == 1 ? gemm_vector(g) : gemm_large(g);
}

struct batch {
    const struct view *a, *b, *c;
    mc_arg alpha, beta;
    atomic_bool failed;
};

static void batch_run(int64_t begin, int64_t end, void *ctx)
{
    struct batch *batch = ctx;
    for (int64_t i = begin; i < end; i++) {
        struct gemm g = {
            .a = matrix_at(batch->a, i),
            .b = matrix_at(batch->b, i),
            .c = matrix_at(batch->c, i),
            .alpha = batch->alpha,
            .beta = batch->beta,
        };
        if (!gemm_run(&g))
            atomic_store(&batch->failed, true);
    }
}

/* Multiplications from which on a matrix is better split than given to one thread. */
#define SPLIT_FROM (1 << 24)

/* Many small matrices are spread over the threads; of a few or of large ones, each is split. */
static bool gemm_cpu(const struct view *a, const struct view *b, const struct view *c, mc_arg alpha,
                     mc_arg beta)
{
    struct batch batch = {.a = a, .b = b, .c = c, .alpha = alpha, .beta = beta};
    int64_t count = matrix_count(c), k = a->shape[a->ndim - 1];
    if (c->numel == 0)
        return true;
    bool small = product_is_small(c->shape[c->ndim - 2], c->shape[c->ndim - 1], k);
    int threads = small ? 1 : blas_threads_hold(1);
    double work = (double)c->numel / (double)count * (double)k;
    if (count >= mc_get_num_threads() && work < SPLIT_FROM)
        parallel_for(count, matmul_grain(work), batch_run, &batch);
    else
        batch_run(0, count, &batch);
    blas_threads_release(1, threads);
    return !atomic_load(&batch.failed);
}

const struct matmul_kernels cpu_matmul = {
    .gemm = gemm_cpu,
    .attention = attention_cpu,
    .attention_back = attention_back_cpu,
};
