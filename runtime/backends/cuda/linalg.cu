/* Linear algebra by cuSOLVER, matrix after matrix of a batch. It counts down columns, tensors along
 * rows: each matrix is handed over as its transpose, and calls are chosen so that what comes back,
 * read along rows again, is what was requested. */
#include "runtime/backends/cuda/matmul.cuh"

#include <stdlib.h>

#include "runtime/backends/cuda/families.h"
#include "runtime/backends/cuda/solver.h"

/* ---- kernels ----------------------------------------------------------------------------------
 */

/* n elements of square matrices: ones on their diagonals. */
template <class T>
__global__ void __launch_bounds__(THREADS) identity_kernel(T *x, int64_t n, int64_t side)
{
    for (GRID_STEP(i, n))
        x[i] = i % side == i / side % side ? (T)1 : (T)0;
}

/* Zeros above the diagonals. */
template <class T>
__global__ void __launch_bounds__(THREADS) lower_kernel(T *x, int64_t n, int64_t side)
{
    for (GRID_STEP(i, n))
        if (i % side > i / side % side)
            x[i] = 0;
}

/* to (cols, rows) = from (rows, cols), transposed; the writes are in order. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    turn_kernel(T *to, const T *from, int64_t rows, int64_t cols)
{
    for (GRID_STEP(i, rows * cols))
        to[i] = from[i % rows * cols + i / rows];
}

/* A matrix of whose r singular values one is not a number failed. */
template <class T>
__global__ void __launch_bounds__(THREADS) check_kernel(const T *s, int64_t n, int64_t r, int *info)
{
    for (GRID_STEP(i, n))
        if (s[i] != s[i])
            info[i / r] = 1;
}

template <class T> static void fill_identity(T *x, int64_t n, int64_t side)
{
    LAUNCH((identity_kernel<T>), blocks_for(n), THREADS, x, n, side);
}

template <class T> static void turn(void *to, const void *from, int64_t rows, int64_t cols)
{
    LAUNCH((turn_kernel<T>), blocks_for(rows * cols), THREADS, (T *)to, (const T *)from, rows,
           cols);
}

/* ---- batches ----------------------------------------------------------------------------------
 */

/* count matrices of m × n, and one info each. */
struct batch {
    int64_t count, m, n;
    scratch infos;
    explicit batch(const struct view *x)
        : count(1), m(rows(x)), n(x->shape[x->ndim - 1]), infos(x->data, size_for(x))
    {
        for (int d = 0; d < x->ndim - 2; d++)
            count *= x->shape[d];
        if (infos.data)
            cuda_ok(cudaMemsetAsync(infos.data, 0, size_for(x), 0), "linalg");
    }
    int *info(int64_t i) const
    {
        return infos.as<int>() + i;
    }

  private:
    static int64_t rows(const struct view *x)
    {
        return x->shape[x->ndim - 2];
    }
    static size_t size_for(const struct view *x)
    {
        return (size_t)(x->numel / rows(x) / x->shape[x->ndim - 1]) * sizeof(int);
    }
};

/* The first matrix that failed, which waits for the GPU. */
static enum linalg_status batch_status(const struct batch *b, int64_t *which)
{
    int *info = (int *)malloc((size_t)b->count * sizeof *info);
    if (!info)
        return LINALG_NO_MEMORY;
    if (!cuda_download(info, b->infos.data, (size_t)b->count * sizeof *info))
        memset(info, 0, (size_t)b->count * sizeof *info); /* there is trouble */
    int64_t i = 0;
    while (i < b->count && info[i] == 0)
        i++;
    free(info);
    *which = i;
    return i < b->count ? LINALG_FAILED : LINALG_OK;
}

/* f(t) of an element of the dtype, for its type alone. */
template <class F> static bool with_wide(mc_dtype dtype, F f)
{
    return dtype == MC_F64 ? f(double{}) : f(float{});
}

/* ---- inverse, cholesky ------------------------------------------------------------------------
 */

static enum linalg_status cuda_inverse(const struct view *x, int64_t *which)
{
    if (x->numel == 0)
        return LINALG_OK;
    USE(x->data);
    struct batch b(x);
    size_t size = size_of(x->dtype), square = (size_t)(b.n * b.n) * size;
    scratch inverse(x->data, square);
    if (!b.infos.data || !inverse.data)
        return LINALG_NO_MEMORY;
    bool done = with_wide(x->dtype, [&](auto t) {
        using T = decltype(t);
        bool memory = true;
        for (int64_t i = 0; memory && i < b.count; i++) {
            char *at = x->data + (size_t)i * square;
            fill_identity(inverse.as<T>(), b.n * b.n, b.n);
            memory = solver_inverse(x->dtype, b.n, at, inverse.data, b.info(i));
            cuda_ok(cudaMemcpyAsync(at, inverse.data, square, cudaMemcpyDeviceToDevice, 0),
                    "inverse");
        }
        return memory;
    });
    return done ? batch_status(&b, which) : LINALG_NO_MEMORY;
}

static enum linalg_status cuda_cholesky(const struct view *x, int64_t *which)
{
    if (x->numel == 0)
        return LINALG_OK;
    USE(x->data);
    struct batch b(x);
    if (!b.infos.data)
        return LINALG_NO_MEMORY;
    bool done = with_wide(x->dtype, [&](auto t) {
        using T = decltype(t);
        bool memory = true;
        /* Upper by columns is lower by rows. */
        for (int64_t i = 0; memory && i < b.count; i++)
            memory = solver_cholesky(x->dtype, b.n, (T *)x->data + i * b.n * b.n, b.info(i));
        LAUNCH((lower_kernel<T>), blocks_for(x->numel), THREADS, (T *)x->data, x->numel, b.n);
        return memory;
    });
    return done ? batch_status(&b, which) : LINALG_NO_MEMORY;
}

/* ---- svd --------------------------------------------------------------------------------------
 */

/* One matrix: x (m, n) and where its parts go. u and vh may be NULL. */
struct decomposition {
    mc_dtype dtype;
    int64_t m, n;
    bool full;
    char *x, *s, *u, *vh;
    int *info;
};

/* The transpose, which cuSOLVER sees, is high enough: what it calls u is our vh. */
static bool svd_wide(const struct decomposition *d)
{
    struct solver_svd job = {d->dtype, d->n, d->m, d->full, d->x, d->s, d->vh, d->u, d->info};
    return solver_svd(&job);
}

/* cuSOLVER takes no matrix that is wider than high: it gets x itself, and the results are
 * transposed. room holds all three. */
template <class T> static bool svd_high(const struct decomposition *d, T *room)
{
    int64_t u_cols = d->full ? d->m : d->n;
    T *x = room, *u = x + d->m * d->n, *vt = u + d->m * u_cols;
    struct solver_svd job = {d->dtype,         d->m,   d->n, d->full, x, d->s, d->u ? u : NULL,
                             d->u ? vt : NULL, d->info};
    turn<T>(x, d->x, d->m, d->n);
    if (!solver_svd(&job))
        return false;
    if (d->u) {
        turn<T>(d->u, u, u_cols, d->m);
        turn<T>(d->vh, vt, d->n, d->n);
    }
    return true;
}

template <class T>
static bool svd_batch(const struct batch *b, const struct view *x, const struct view *s,
                      const struct view *u, const struct view *vh)
{
    int64_t m = b->m, n = b->n, r = least(m, n);
    bool full = u && u->shape[u->ndim - 1] == m && vh->shape[vh->ndim - 2] == n;
    int64_t u_size = m * (full ? m : r), vh_size = n * (full ? n : r);
    scratch room(x->data, m > n ? (size_t)(m * n + u_size + n * n) * sizeof(T) : 0);
    bool memory = room.data;
    for (int64_t i = 0; memory && i < b->count; i++) {
        struct decomposition d = {x->dtype,
                                  m,
                                  n,
                                  full,
                                  (char *)((T *)x->data + i * m * n),
                                  (char *)((T *)s->data + i * r),
                                  u ? (char *)((T *)u->data + i * u_size) : NULL,
                                  u ? (char *)((T *)vh->data + i * vh_size) : NULL,
                                  b->info(i)};
        memory = m > n ? svd_high(&d, room.as<T>()) : svd_wide(&d);
    }
    LAUNCH((check_kernel<T>), blocks_for(s->numel), THREADS, (const T *)s->data, s->numel, r,
           b->info(0));
    return memory;
}

/* A matrix without rows or without columns has vectors still: identity matrices. */
static void svd_of_nothing(const struct view *u)
{
    int64_t side = u->shape[u->ndim - 1];
    if (u->numel == 0)
        return;
    USE(u->data);
    with_wide(u->dtype, [&](auto t) {
        using T = decltype(t);
        fill_identity((T *)u->data, u->numel, side);
        return true;
    });
}

static enum linalg_status cuda_svd(const struct view *x, const struct view *s, const struct view *u,
                                   const struct view *vh, int64_t *which)
{
    if (x->numel == 0) {
        if (u) {
            svd_of_nothing(u);
            svd_of_nothing(vh);
        }
        return LINALG_OK;
    }
    USE(x->data);
    struct batch b(x);
    if (!b.infos.data)
        return LINALG_NO_MEMORY;
    bool done =
        with_wide(x->dtype, [&](auto t) { return svd_batch<decltype(t)>(&b, x, s, u, vh); });
    return done ? batch_status(&b, which) : LINALG_NO_MEMORY;
}

extern const struct linalg_kernels cuda_linalg = {
    .inverse = cuda_inverse,
    .cholesky = cuda_cholesky,
    .svd = cuda_svd,
};
