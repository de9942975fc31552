/* What attention and its gradient share: working in pieces, and weights from scores. */
#ifndef RUNTIME_CUDA_ATTENTION_CUH
#define RUNTIME_CUDA_ATTENTION_CUH

#include "runtime/backends/cuda/matmul.cuh"

/* Scores of a piece: as many as are worth the launches, and stay near. */
static const int64_t PIECE_SCORES = 1 << 24;

/* A part of a call: some of its heads, some of the rows of q. first: where its rows begin, which
 * only .causal needs to know. */
struct piece {
    struct attention job;
    int64_t first;
};

static inline mc_dtype compute_dtype(mc_dtype dtype)
{
    return dtype == MC_F64 ? MC_F64 : MC_F32;
}

static inline int64_t rows_of(const struct view *x)
{
    return x->shape[x->ndim - 2];
}

static inline int64_t cols_of(const struct view *x)
{
    return x->shape[x->ndim - 1];
}

/* x's matrices transposed. */
struct view turned(const struct view *x);
/* A dense batch of matrices, as many as in like, at data. */
struct view dense_like(const struct view *like, void *data, mc_dtype dtype, int64_t rows,
                       int64_t cols);
/* count of x from position first of that dimension on. */
struct view narrowed(const struct view *x, int dim, int64_t first, int64_t count);

/* Turns the scores of a piece into weights, in place and, if it is of another dtype, in copy.
 * scores and copy are dense. A row that may attend to nothing gets zeros. */
void weigh(const struct piece *piece, const struct view *scores, const struct view *copy);

/* All of it by one kernel (flash.cu). False: there is none for that, or composing is faster. */
bool flash_attention(const struct attention *job);

#endif
