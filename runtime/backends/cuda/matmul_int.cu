/* Products by a kernel of our own: of integers, which wrap, of f8, and of whatever cuBLASLt has no
 * algorithm for. A block of threads computes a tile of c, a thread 4 × 4 elements of it; tiles of a
 * and b pass through shared memory. */
#include "runtime/backends/cuda/matmul.cuh"

enum { TILE = 64, DEPTH = 16, EACH = 4, SIDE = TILE / EACH };

/* What a product of T is summed in. Signed and unsigned wrap alike; 32 bits hold what is kept of
 * narrower sums. */
template <class T> struct sum {
    using type = math_of<T>;
};
template <> struct sum<uint8_t> {
    using type = uint32_t;
};
template <> struct sum<uint16_t> {
    using type = uint32_t;
};
template <class T> using sum_of = typename sum<T>::type;

/* Element (i, j) of matrix number n is at n * batch + i * row + j * col. */
template <class T> struct operand_matrix {
    T *data;
    int64_t row, col, batch;
    __device__ T *at(int64_t n, int64_t i, int64_t j) const
    {
        return data + n * batch + i * row + j * col;
    }
};

template <class T, class C> struct tiles {
    int64_t m, n, k, batch, across; /* across: tiles that are adjacent */
    operand_matrix<const T> a, b;
    operand_matrix<C> c;
    sum_of<T> alpha, beta;
};

/* Numbers of the tiles at depth l on; where the matrices end, zeros. */
template <class T, class C>
__device__ void load_tiles(const tiles<T, C> &p, int64_t number, int64_t row, int64_t col,
                           int64_t l, sum_of<T> (*a)[TILE + 1], sum_of<T> (*b)[TILE + 1])
{
    for (int at = threadIdx.x; at < TILE * DEPTH; at += THREADS) {
        /* Neighbouring threads read neighbours in memory. */
        bool by_row = p.a.col == 1;
        int i = by_row ? at / DEPTH : at % TILE, d = by_row ? at % DEPTH : at / TILE;
        bool inside = row + i < p.m && l + d < p.k;
        a[d][i] = inside ? (sum_of<T>)read(*p.a.at(number, row + i, l + d)) : sum_of<T>(0);
        by_row = p.b.col == 1;
        int j = by_row ? at % TILE : at / DEPTH;
        d = by_row ? at / TILE : at % DEPTH;
        inside = l + d < p.k && col + j < p.n;
        b[d][j] = inside ? (sum_of<T>)read(*p.b.at(number, l + d, col + j)) : sum_of<T>(0);
    }
}

template <class T, class C>
__device__ void store_tile(const tiles<T, C> &p, int64_t number, int64_t row, int64_t col,
                           const sum_of<T> (*sums)[EACH])
{
    int64_t i0 = row + threadIdx.x / SIDE, j0 = col + threadIdx.x % SIDE;
    for (int u = 0; u < EACH; u++)
        for (int v = 0; v < EACH; v++) {
            int64_t i = i0 + u * SIDE, j = j0 + v * SIDE;
            if (i >= p.m || j >= p.n)
                continue;
            C *to = p.c.at(number, i, j);
            sum_of<T> x = p.alpha * sums[u][v];
            if (p.beta != 0)
                x += p.beta * (sum_of<T>)read(*to);
            *to = store<C>((math_of<C>)x);
        }
}

template <class T, class C> __global__ void __launch_bounds__(THREADS) tile_kernel(tiles<T, C> p)
{
    __shared__ sum_of<T> a[DEPTH][TILE + 1], b[DEPTH][TILE + 1];
    int64_t row = blockIdx.x / p.across * TILE, col = blockIdx.x % p.across * TILE;
    int i0 = threadIdx.x / SIDE, j0 = threadIdx.x % SIDE;
    for (int64_t number = blockIdx.y; number < p.batch; number += gridDim.y) {
        sum_of<T> sums[EACH][EACH] = {};
        for (int64_t l = 0; l < p.k; l += DEPTH) {
            load_tiles(p, number, row, col, l, a, b);
            __syncthreads();
            for (int d = 0; d < DEPTH; d++)
                for (int u = 0; u < EACH; u++)
                    for (int v = 0; v < EACH; v++)
                        sums[u][v] += a[d][i0 + u * SIDE] * b[d][j0 + v * SIDE];
            __syncthreads();
        }
        store_tile(p, number, row, col, sums);
    }
}

template <class T> operand_matrix<T> operand_of(const struct blas_matrix &x)
{
    return {static_cast<T *>(x.data), x.transposed ? 1 : x.ld, x.transposed ? x.ld : 1,
            x.batch_step};
}

template <class T> sum_of<T> factor_of(mc_arg x)
{
    return x.kind == MC_ARG_FLOAT ? (sum_of<T>)x.as.f : (sum_of<T>)x.as.i;
}

template <class T, class C> void run(const struct blas_gemm *job, mc_arg alpha, mc_arg beta)
{
    tiles<T, C> p = {job->m,
                     job->n,
                     job->k,
                     job->batch,
                     divide_up(job->n, TILE),
                     operand_of<const T>(job->a),
                     operand_of<const T>(job->b),
                     operand_of<C>(job->c),
                     factor_of<T>(alpha),
                     factor_of<T>(beta)};
    dim3 blocks((unsigned)(p.across * divide_up(job->m, TILE)), (unsigned)least(job->batch, 65535));
    LAUNCH((tile_kernel<T, C>), blocks, THREADS, p);
}

void own_gemm(const struct blas_gemm *job, mc_arg alpha, mc_arg beta)
{
    constexpr unsigned FLOATS = DTYPES_FLOAT | DTYPES_F8;
    USE(job->c.data);
    if (!(FLOATS >> job->dtype & 1))
        return with_size(job->dtype, [&](auto t) {
            using T = decltype(t);
            run<T, T>(job, alpha, beta);
        });
    with_dtype<FLOATS>(job->dtype, [&](auto t) {
        using T = decltype(t);
        if (job->dtype == job->c_dtype)
            run<T, T>(job, alpha, beta);
        else if constexpr (is_small_float<T>)
            run<T, float>(job, alpha, beta);
    });
}
