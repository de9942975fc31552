/* Rows that a warp or a block normalises: the parameters of their elements, and sums. */
#ifndef RUNTIME_CUDA_NORM_CUH
#define RUNTIME_CUDA_NORM_CUH

#include "runtime/backends/cuda/split.cuh"
#include "runtime/kernels/layer.h"

template <class T> struct plus {
    BOTH T operator()(T a, T b) const
    {
        return a + b;
    }
};

/* Over the LANES threads that share a row: a warp, or the block. */
template <int LANES, class T> __device__ T row_sum(T x)
{
    if constexpr (LANES == WARP)
        return warp_fold(x, plus<T>{});
    else
        return block_fold(x, T{0}, plus<T>{});
}

/* The same, if sums of TURN 0 and 1 alternate: then one barrier is enough, since no thread writes
 * for the next sum of a turn before all have passed the other's barrier, and so have read. */
template <int LANES, int TURN, class T> __device__ T row_sum(T x)
{
    x = warp_fold(x, plus<T>{});
    if constexpr (LANES > WARP) {
        __shared__ T of_warp[LANES / WARP];
        if (threadIdx.x % WARP == 0)
            of_warp[threadIdx.x / WARP] = x;
        __syncthreads();
        x = 0;
#pragma unroll
        for (int warp = 0; warp < LANES / WARP; warp++)
            x += of_warp[warp];
    }
    return x;
}

/* Rows handled by a warp are grouped into blocks of that many. */
static constexpr int WARP_ROWS = 4;
template <int LANES> constexpr int threads_of = LANES == WARP ? WARP_ROWS * LANES : LANES;
template <int LANES> constexpr int rows_of = LANES == WARP ? WARP_ROWS : 1;

/* A block for some rows; where there are more than blocks, each takes further ones. */
template <int LANES> unsigned blocks_of_rows(int64_t rows)
{
    int64_t blocks = divide_up(rows, rows_of<LANES>);
    return (unsigned)(blocks < INT32_MAX ? blocks : INT32_MAX);
}

/* for (ROW_STEP(row, LANES, rows)) */
#define ROW_STEP(row, LANES, rows)                                                                 \
    int64_t row = (int64_t)blockIdx.x * rows_of<LANES> + threadIdx.x / LANES;                      \
    row < (rows);                                                                                  \
    row += (int64_t)gridDim.x * rows_of<LANES>

/* The weights or biases of rows: one for each element, or one for `inner` neighbours. */
template <class P> struct row_params {
    const P *weight, *bias; /* NULL: none */
    int64_t a_row;          /* how many a row has */
    bool shared;
    splitter inner, period;
};

template <class P> row_params<P> params_of(const struct norm *n)
{
    row_params<P> p;
    p.weight = data_of<const P>(n->weight);
    p.bias = data_of<const P>(n->bias);
    p.a_row = n->length / n->inner;
    p.shared = n->inner > 1;
    p.inner = splitter(n->inner, n->length);
    p.period = splitter(n->period, n->rows);
    return p;
}

/* Whether packs of V can be read along rows of that length, and so can their parameters. */
template <int V, class P> bool params_allow(const struct norm *n)
{
    if (n->length % V || (n->inner > 1 && n->inner % V))
        return false;
    return n->inner > 1 || ((!n->weight || is_aligned<P>(n->weight->data, V)) &&
                            (!n->bias || is_aligned<P>(n->bias->data, V)));
}

/* Where the parameters of a row begin. */
template <class P> __device__ int64_t first_param(const row_params<P> &p, int64_t row)
{
    int64_t at;
    p.period.divide(row, &at);
    return at * p.a_row;
}

/* Those of the pack that begins at element i of the row whose parameters begin at first. */
template <int V, class P>
__device__ pack<P, V> param_pack(const row_params<P> &p, const P *from, int64_t first, int64_t i)
{
    if (!p.shared)
        return *reinterpret_cast<const pack<P, V> *>(from + first + i);
    pack<P, V> same;
    P one = from[first + p.inner.divide(i)];
    for (int v = 0; v < V; v++)
        same.at[v] = one;
    return same;
}

__device__ static inline float inverse_root(float x)
{
    return rsqrtf(x);
}
__device__ static inline double inverse_root(double x)
{
    return rsqrt(x);
}

#endif
