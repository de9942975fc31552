/* Matrix times vector on the CPU, which is bound by reading the matrix: y = alpha * M·x + beta * y.
 * f32 and f64 go to OpenBLAS; small floats and odd layouts are converted piece by piece in cache,
 * so that the matrix is read once and never written. */
#include "runtime/kernels/matmul_cpu.h"

#include <cblas.h>
#include <string.h>

/* y is contiguous. */
struct matvec {
    struct matrix m;
    const char *x;
    int64_t x_step;
    char *y;
    double alpha, beta;
};

enum { CHUNK = 1024, INT_SAFE = 1 << 30 };

/* ---- by OpenBLAS ----------------------------------------------------------------------------- */

static void call_gemv(const struct matvec *v, const struct panel *p, int64_t rows, int64_t cols,
                      const char *x, char *y, double beta)
{
    enum CBLAS_TRANSPOSE t = p->transposed ? CblasTrans : CblasNoTrans;
    int r = (int)(p->transposed ? cols : rows), c = (int)(p->transposed ? rows : cols);
    int step = (int)v->x_step;
    if (v->m.dtype == MC_F64)
        cblas_dgemv(CblasRowMajor, t, r, c, v->alpha, (const double *)p->data, p->ld,
                    (const double *)x, step, beta, (double *)y, 1);
    else
        cblas_sgemv(CblasRowMajor, t, r, c, (float)v->alpha, (const float *)p->data, p->ld,
                    (const float *)x, step, (float)beta, (float *)y, 1);
}

/* Rows [begin, end) of y. Not every OpenBLAS writes zeros over a NaN where beta is 0, so y is
 * cleared here. */
static void blas_rows(int64_t begin, int64_t end, void *ctx)
{
    const struct matvec *v = ctx;
    int64_t size = (int64_t)dtype_size(v->m.dtype);
    if (v->beta == 0)
        memset(v->y + begin * size, 0, (size_t)((end - begin) * size));
    for (int64_t i = begin; i < end; i += INT_SAFE)
        for (int64_t j = 0; j < v->m.cols; j += INT_SAFE) {
            int64_t rows = least(INT_SAFE, end - i), cols = least(INT_SAFE, v->m.cols - j);
            struct panel p = panel_of(matrix_part(v->m, i, rows, j, cols), NULL);
            call_gemv(v, &p, rows, cols, v->x + j * v->x_step * size, v->y + i * size,
                      j == 0 && v->beta != 0 ? v->beta : 1);
        }
}

/* ---- by pieces in cache ---------------------------------------------------------------------- */

union pieces {
    float f[CHUNK];
    double d[CHUNK];
};

/* y[i] = alpha * sum + beta * y[i], for n sums of computing. */
static void finish(const struct matvec *v, int64_t i, int64_t n, union pieces *sums)
{
    union pieces old;
    char *y = v->y + i * (int64_t)dtype_size(v->m.dtype);
    bool f64 = v->m.dtype == MC_F64;
    if (v->beta != 0)
        row_load(v->m.dtype, y, 1, n, &old);
    for (int64_t j = 0; j < n; j++) {
        double sum = v->alpha * (f64 ? sums->d[j] : (double)sums->f[j]);
        if (v->beta != 0)
            sum += v->beta * (f64 ? old.d[j] : (double)old.f[j]);
        if (f64)
            sums->d[j] = sum;
        else
            sums->f[j] = (float)sum;
    }
    row_store(v->m.dtype, sums, n, y);
}

static void add_dot(bool f64, int64_t n, const union pieces *a, const char *x, union pieces *sums,
                    int64_t at)
{
    if (f64)
        sums->d[at] += cblas_ddot((int)n, a->d, 1, (const double *)x, 1);
    else
        sums->f[at] += cblas_sdot((int)n, a->f, 1, (const float *)x, 1);
}

static void add_scaled(bool f64, int64_t n, const union pieces *a, const char *x, int64_t k,
                       union pieces *sums)
{
    if (f64) {
        double s = ((const double *)x)[k];
        for (int64_t i = 0; i < n; i++)
            sums->d[i] += s * a->d[i];
    } else {
        float s = ((const float *)x)[k];
        for (int64_t i = 0; i < n; i++)
            sums->f[i] += s * a->f[i];
    }
}

/* Sums of n rows from row i on, each row read along itself. x is dense, of the dtype of computing.
 */
static void sum_along_rows(const struct matvec *v, int64_t i, int64_t n, union pieces *sums)
{
    const struct matrix *m = &v->m;
    int64_t size = (int64_t)dtype_size(m->dtype), wide = (int64_t)compute_size(m->dtype);
    union pieces row;
    for (int64_t r = 0; r < n; r++)
        for (int64_t k = 0; k < m->cols; k += CHUNK) {
            int64_t count = least(CHUNK, m->cols - k);
            row_load(m->dtype, m->data + ((i + r) * m->row_step + k * m->col_step) * size,
                     m->col_step, count, &row);
            add_dot(m->dtype == MC_F64, count, &row, v->x + k * wide, sums, r);
        }
}

/* The same, reading down the columns. */
static void sum_along_cols(const struct matvec *v, int64_t i, int64_t n, union pieces *sums)
{
    const struct matrix *m = &v->m;
    int64_t size = (int64_t)dtype_size(m->dtype);
    union pieces col;
    for (int64_t k = 0; k < m->cols; k++) {
        row_load(m->dtype, m->data + (i * m->row_step + k * m->col_step) * size, m->row_step, n,
                 &col);
        add_scaled(m->dtype == MC_F64, n, &col, v->x, k, sums);
    }
}

static void piece_rows(int64_t begin, int64_t end, void *ctx)
{
    const struct matvec *v = ctx;
    bool by_cols = v->m.row_step < v->m.col_step && v->m.rows > 1;
    for (int64_t i = begin; i < end; i += CHUNK) {
        int64_t n = least(CHUNK, end - i);
        union pieces sums;
        memset(&sums, 0, (size_t)n * compute_size(v->m.dtype));
        if (by_cols)
            sum_along_cols(v, i, n, &sums);
        else
            sum_along_rows(v, i, n, &sums);
        finish(v, i, n, &sums);
    }
}

/* ---- which ----------------------------------------------------------------------------------- */

static struct matvec matvec_of(const struct gemm *g)
{
    bool column = g->c.cols == 1;
    return (struct matvec){
        .m = column ? g->a : matrix_transposed(g->b),
        .x = column ? g->b.data : g->a.data,
        .x_step = column ? g->b.row_step : g->a.col_step,
        .y = g->c.data,
        .alpha = g->alpha.as.f,
        .beta = g->beta.as.f,
    };
}

bool gemm_vector(const struct gemm *g)
{
    struct matvec v = matvec_of(g);
    struct room x = {0};
    int64_t grain = most(1, (1 << 16) / most(v.m.cols, 1));
    bool blas = panel_in_place(&v.m) && v.x_step > 0 && v.x_step < INT_SAFE;
    if (blas) {
        parallel_for(v.m.rows, grain, blas_rows, &v);
        return true;
    }
    if (!room_take(&x, v.m.cols, compute_size(v.m.dtype)))
        return false;
    row_load(v.m.dtype, v.x, v.x_step, v.m.cols, x.bytes);
    v.x = x.bytes;
    parallel_for(v.m.rows, grain, piece_rows, &v);
    room_give(&x);
    return true;
}
