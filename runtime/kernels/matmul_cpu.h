/* What the files of the CPU's matrix products share.
 *
 * Products are computed in f32 or f64 by OpenBLAS. A matrix whose layout it can read is used in
 * place; others are converted or copied into panels first. */
#ifndef RUNTIME_MATMUL_CPU_H
#define RUNTIME_MATMUL_CPU_H

#include "runtime/core/core.h"
#include "runtime/kernels/matmul.h"

/* Element (i, j) is i * row_step + j * col_step elements after data. */
struct matrix {
    mc_dtype dtype;
    char *data;
    int64_t rows, cols;
    int64_t row_step, col_step;
};

/* c = alpha * a·b + beta * c, c with rows of unit step. */
struct gemm {
    struct matrix a, b, c;
    mc_arg alpha, beta;
};

static inline int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The last two dimensions of v, of the matrix of the batch with this index. */
struct matrix matrix_at(const struct view *v, int64_t index);
/* How many matrices there are. */
int64_t matrix_count(const struct view *v);
struct matrix matrix_part(struct matrix x, int64_t row, int64_t rows, int64_t col, int64_t cols);
struct matrix matrix_transposed(struct matrix x);

/* ---- rows: n elements with a step, as f32 (as f64 where the dtype is f64) ------------------ */

static inline size_t compute_size(mc_dtype dtype)
{
    return dtype == MC_F64 ? sizeof(double) : sizeof(float);
}
void row_load(mc_dtype dtype, const char *from, int64_t step, int64_t n, void *to);
void row_store(mc_dtype dtype, const void *from, int64_t n, char *to);
/* All rows of x to or from a dense matrix. To store, x must have a column step of 1. */
void rows_load(struct matrix x, void *to);
void rows_store(struct matrix x, void *from);

/* ---- panels: what OpenBLAS reads ---------------------------------------------------------- */

struct panel {
    const char *data;
    int ld;
    bool transposed;
};

/* Whether OpenBLAS can read x in place. */
bool panel_in_place(const struct matrix *x);
/* x itself, or a copy in room, which has space for all elements of x in the dtype computed in. */
struct panel panel_of(struct matrix x, void *room);

/* c (m, n) = alpha * a·b + beta * c, in f32 or f64; sizes and ldc fit an int. On all threads,
 * unless called from a piece of parallel work. */
struct product {
    bool f64;
    int64_t m, n, k;
    struct panel a, b;
    char *c;
    int64_t ldc;
    double alpha, beta;
};
void product_run(const struct product *p);

/* A product of panels of at most so many elements may be small, which is faster without OpenBLAS.
 */
#define SMALL_PANEL 4096
bool product_is_small(int64_t m, int64_t n, int64_t k);
void product_small(const struct product *p);

/* A buffer of numbers while a product runs. count may be 0. */
struct room {
    char *bytes;
    size_t capacity;
};
bool room_take(struct room *room, int64_t count, size_t size); /* false: out of memory */
void room_give(struct room *room);

/* ---- the parts ----------------------------------------------------------------------------- */

/* Multiplications worth a thread of their own. */
#define MATMUL_GRAIN (1 << 19)

/* How many items of so much work make one piece. */
static inline int64_t matmul_grain(double work)
{
    return work >= MATMUL_GRAIN ? 1 : (int64_t)(MATMUL_GRAIN / most((int64_t)work, 1));
}

bool gemm_vector(const struct gemm *g); /* m or n is 1 */
bool gemm_integer(const struct gemm *g);
bool attention_cpu(const struct attention *job);
bool attention_back_cpu(const struct attention_back *job);

/* Lets OpenBLAS use this many threads of its own until released: one below our threads. Its count
 * is restored afterwards, so that a program that also uses OpenBLAS keeps its setting. */
int blas_threads_hold(int count); /* returns what is to be handed to release as before */
void blas_threads_release(int count, int before);

#endif
