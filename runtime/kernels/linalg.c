/* The CPU's linear algebra, by the LAPACK that OpenBLAS brings. LAPACK counts down columns, tensors
 * along rows: each matrix is handed over as its transpose, and the calls are chosen so that what
 * comes back, read along rows again, is what was requested. */
#include "runtime/kernels/linalg.h"

#include <limits.h>
#include <string.h>

#include "runtime/kernels/matmul_cpu.h"

/* LAPACK's Fortran names, by hand: not every distribution brings a header for them. The trailing
 * lengths of character arguments, which Fortran passes out of sight, are all 1. */
#define LAPACK(prefix, type)                                                                       \
    void prefix##getrf_(const int *m, const int *n, type *a, const int *lda, int *pivots,          \
                        int *info);                                                                \
    void prefix##getri_(const int *n, type *a, const int *lda, const int *pivots, type *work,      \
                        const int *work_size, int *info);                                          \
    void prefix##potrf_(const char *uplo, const int *n, type *a, const int *lda, int *info,        \
                        size_t uplo_length);                                                       \
    void prefix##gesdd_(const char *jobz, const int *m, const int *n, type *a, const int *lda,     \
                        type *s, type *u, const int *ldu, type *vt, const int *ldvt, type *work,   \
                        const int *work_size, int *integer_work, int *info, size_t jobz_length);
LAPACK(s, float)
LAPACK(d, double)

/* The matrices of a batch are consecutive. */
struct batch {
    int64_t count;
    int m, n, r; /* rows, columns, the lesser of both */
    bool full;   /* u and vh are square */
    char *x, *s, *u, *vh;
    struct room work, integers;
};

/* ---- one matrix ------------------------------------------------------------------------------ */

#define MATRIX(prefix, type)                                                                       \
    static bool prefix##inverse(struct batch *b, int64_t i)                                        \
    {                                                                                              \
        type *x = (type *)b->x + i * b->n * b->n, *work = (type *)b->work.bytes;                   \
        int *pivots = (int *)b->integers.bytes, n = b->n, size, info;                              \
        size = (int)least((int64_t)n * INVERSE_BLOCK, INT_MAX);                                    \
        prefix##getrf_(&n, &n, x, &n, pivots, &info);                                              \
        if (info == 0)                                                                             \
            prefix##getri_(&n, x, &n, pivots, work, &size, &info);                                 \
        return info == 0;                                                                          \
    }                                                                                              \
                                                                                                   \
    static bool prefix##cholesky(struct batch *b, int64_t i)                                       \
    {                                                                                              \
        type *x = (type *)b->x + i * b->n * b->n;                                                  \
        int n = b->n, info;                                                                        \
        prefix##potrf_("U", &n, x, &n, &info, 1); /* upper by columns is lower by rows */          \
        for (int64_t row = 0; row < n; row++)                                                      \
            memset(x + row * n + row + 1, 0, (size_t)(n - row - 1) * sizeof *x);                   \
        return info == 0;                                                                          \
    }                                                                                              \
                                                                                                   \
    /* work_size -1 asks for the size, which comes in *work. */                                    \
    static int prefix##gesdd(struct batch *b, int64_t i, type *work, int work_size)                \
    {                                                                                              \
        int64_t m = b->m, n = b->n, u_size = m * (b->full ? m : b->r);                             \
        int64_t vh_size = n * (b->full ? n : b->r);                                                \
        int ldvt = b->full ? b->m : b->r, info;                                                    \
        prefix##gesdd_(!b->u     ? "N"                                                             \
                       : b->full ? "A"                                                             \
                                 : "S",                                                            \
                       &b->n, &b->m, (type *)b->x + i * m * n, &b->n, (type *)b->s + i * b->r,     \
                       b->u ? (type *)b->vh + i * vh_size : NULL, &b->n,                           \
                       b->u ? (type *)b->u + i * u_size : NULL, &ldvt, work, &work_size,           \
                       (int *)b->integers.bytes, &info, 1);                                        \
        return info;                                                                               \
    }                                                                                              \
                                                                                                   \
    static int64_t prefix##svd_size(struct batch *b)                                               \
    {                                                                                              \
        type size;                                                                                 \
        int info = prefix##gesdd(b, 0, &size, -1);                                                 \
        /* A float may have rounded a large size down. */                                          \
        return info == 0 ? (int64_t)((double)size * 1.000001) + 1 : -1;                            \
    }                                                                                              \
                                                                                                   \
    static bool prefix##svd(struct batch *b, int64_t i)                                            \
    {                                                                                              \
        int size = (int)least((int64_t)(b->work.capacity / sizeof(type)), INT_MAX);                \
        return prefix##gesdd(b, i, (type *)b->work.bytes, size) == 0;                              \
    }

enum { INVERSE_BLOCK = 64 }; /* columns that getri works on at once */

MATRIX(s, float)
MATRIX(d, double)

/* ---- batches --------------------------------------------------------------------------------- */

/* Matrices this large are worth threads, which LAPACK then starts itself. */
enum { THREADS_FROM = 256 };

static enum linalg_status run(struct batch *b, bool (*one)(struct batch *, int64_t), int64_t *which)
{
    int allowed = b->r >= THREADS_FROM ? mc_get_num_threads() : 1;
    int before = blas_threads_hold(allowed);
    int64_t i = 0;
    while (i < b->count && one(b, i))
        i++;
    blas_threads_release(allowed, before);
    room_give(&b->work);
    room_give(&b->integers);
    *which = i;
    return i < b->count ? LINALG_FAILED : LINALG_OK;
}

static bool batch_init(struct batch *b, const struct view *x)
{
    int64_t m = x->shape[x->ndim - 2], n = x->shape[x->ndim - 1];
    *b = (struct batch){.count = matrix_count(x), .x = x->data};
    if (m > INT_MAX || n > INT_MAX)
        return false;
    b->m = (int)m;
    b->n = (int)n;
    b->r = (int)least(m, n);
    return true;
}

static enum linalg_status give_up(struct batch *b)
{
    room_give(&b->work);
    room_give(&b->integers);
    return LINALG_NO_MEMORY;
}

static enum linalg_status inverse_cpu(const struct view *x, int64_t *which)
{
    struct batch b;
    bool f64 = x->dtype == MC_F64;
    if (x->numel == 0)
        return LINALG_OK;
    if (!batch_init(&b, x) || !room_take(&b.integers, b.n, sizeof(int)) ||
        !room_take(&b.work, (int64_t)b.n * INVERSE_BLOCK, dtype_size(x->dtype)))
        return give_up(&b);
    return run(&b, f64 ? dinverse : sinverse, which);
}

static enum linalg_status cholesky_cpu(const struct view *x, int64_t *which)
{
    struct batch b;
    if (x->numel == 0)
        return LINALG_OK;
    if (!batch_init(&b, x))
        return LINALG_NO_MEMORY;
    return run(&b, x->dtype == MC_F64 ? dcholesky : scholesky, which);
}

/* Identity matrices: the vectors of a matrix without rows or without columns. */
static void fill_identity(const struct view *x)
{
    int64_t n = x->numel ? x->shape[x->ndim - 1] : 0, square = n * n;
    if (!n)
        return;
    memset(x->data, 0, (size_t)x->numel * dtype_size(x->dtype));
    for (int64_t i = 0; i < x->numel; i += square)
        for (int64_t j = 0; j < n; j++)
            if (x->dtype == MC_F64)
                ((double *)x->data)[i + j * (n + 1)] = 1;
            else
                ((float *)x->data)[i + j * (n + 1)] = 1;
}

static enum linalg_status svd_cpu(const struct view *x, const struct view *s, const struct view *u,
                                  const struct view *vh, int64_t *which)
{
    struct batch b;
    bool f64 = x->dtype == MC_F64;
    if (x->numel == 0) {
        if (u) {
            fill_identity(u);
            fill_identity(vh);
        }
        return LINALG_OK;
    }
    if (!batch_init(&b, x) || !room_take(&b.integers, (int64_t)b.r * 8, sizeof(int)))
        return give_up(&b);
    b.s = s->data;
    b.u = u ? u->data : NULL;
    b.vh = vh ? vh->data : NULL;
    b.full = u && u->shape[u->ndim - 1] == b.m && vh->shape[vh->ndim - 2] == b.n;
    int64_t size = f64 ? dsvd_size(&b) : ssvd_size(&b);
    if (size < 0 || !room_take(&b.work, size, dtype_size(x->dtype)))
        return give_up(&b);
    return run(&b, f64 ? dsvd : ssvd, which);
}

const struct linalg_kernels cpu_linalg = {
    .inverse = inverse_cpu,
    .cholesky = cholesky_cpu,
    .svd = svd_cpu,
};
