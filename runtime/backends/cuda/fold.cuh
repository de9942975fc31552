/* Folds: many elements made one result by steps that can be done in any order.
 *
 * Where the elements of a result are closest to each other, a team of threads (some lanes of a
 * warp, or a block) takes one result; where those of neighbouring results are, neighbouring threads
 * take neighbouring results (columns). Few results of many elements are cut into parts, which a
 * second kernel joins. How the work is cut depends on the geometry alone: the same input gives the
 * same bits.
 *
 * An Op has
 *   acc                            what is carried, made of words
 *   from                           the type of an element
 *   packs                          whether it is worth reading several elements at once
 *   empty()                        the fold of nothing
 *   wanted(out)                    what steps want to know of the result at that offset
 *   take(acc, x, i, wanted)        takes in the i-th element
 *   join(acc, acc)
 *   finish(out, acc)               writes the result */
#ifndef RUNTIME_CUDA_FOLD_CUH
#define RUNTIME_CUDA_FOLD_CUH

#include "runtime/backends/cuda/grid.cuh"

enum {
    FOLD_CHAINS = 4,    /* sums that go side by side in a thread */
    FOLD_BLOCKS = 2048, /* blocks that are aimed at */
    FOLD_MOST_PARTS = 1024,
};

struct fold_job {
    const char *in;
    char *out;
    places<2> kept, inner;
    int64_t results, count; /* elements a result */
    int64_t part;           /* packs, or elements, of a part */
    void *partial;          /* of parts, results each; NULL: one part */
};

template <class Op>
__device__ void fold_keep(const Op &op, const fold_job &j, int64_t result, int64_t out,
                          typename Op::acc a)
{
    using A = typename Op::acc;
    if (j.partial)
        static_cast<A *>(j.partial)[(int64_t)blockIdx.y * j.results + result] = a;
    else
        op.finish(j.out + out, a);
}

/* A thread's share of a result's n packs, begin, begin + step, … below end, and the elements behind
 * tail by which the last pack falls short. Several loads are under way at a time where the place of
 * an element is easily found. */
struct fold_share {
    int64_t begin, end, step, tail;
};

template <int V, class Op>
__device__ typename Op::acc fold_some(const Op &op, const fold_job &j, const char *in, int64_t out,
                                      fold_share s)
{
    using T = typename Op::from;
    using P = pack<T, V>;
    constexpr int U = V >= 8 ? 16 / V : V == 1 && sizeof(T) <= 2 ? 8 : 4;
    auto wanted = op.wanted(out);
    typename Op::acc chains[FOLD_CHAINS];
    for (int c = 0; c < FOLD_CHAINS; c++)
        chains[c] = op.empty();
    int64_t p = s.begin;
    for (; j.inner.ndim == 1 && p + (U - 1) * s.step < s.end; p += U * s.step) {
        P x[U];
#pragma unroll
        for (int u = 0; u < U; u++)
            x[u] = *reinterpret_cast<const P *>(in + (p + u * s.step) * V * j.inner.stride[0][0]);
#pragma unroll
        for (int u = 0; u < U; u++)
#pragma unroll
            for (int v = 0; v < V; v++)
                chains[(u * V + v) % FOLD_CHAINS] =
                    op.take(chains[(u * V + v) % FOLD_CHAINS], x[u].at[v], (p + u * s.step) * V + v,
                            wanted);
    }
#pragma unroll 1
    for (; p < s.end; p += s.step) {
        P x = *reinterpret_cast<const P *>(in + find_in(j.inner, p * V));
#pragma unroll
        for (int v = 0; v < V; v++)
            chains[v % FOLD_CHAINS] = op.take(chains[v % FOLD_CHAINS], x.at[v], p * V + v, wanted);
    }
    if constexpr (V > 1)
#pragma unroll 1
        for (int64_t i = s.tail; i < j.count; i += s.step)
            chains[0] = op.take(chains[0], *reinterpret_cast<const T *>(in + find_in(j.inner, i)),
                                i, wanted);
    return op.join(op.join(chains[0], chains[1]), op.join(chains[2], chains[3]));
}

/* This block's part, for the rank-th of so many threads. */
template <int V> __device__ fold_share fold_share_of(const fold_job &j, int rank, int threads)
{
    int64_t packs = j.count / V, begin = (int64_t)blockIdx.y * j.part;
    bool last = begin + j.part >= packs;
    return fold_share{begin + rank, last ? packs : begin + j.part, threads,
                      last ? packs * V + rank : j.count};
}

template <int V, class Op>
__global__ void __launch_bounds__(THREADS) fold_rows_kernel(Op op, fold_job j, int team)
{
    int teams = (int)blockDim.x / team, rank = (int)threadIdx.x % team;
    for (int64_t first = (int64_t)blockIdx.x * teams; first < j.results;
         first += (int64_t)gridDim.x * teams) {
        int64_t result = first + (int)threadIdx.x / team, at[2] = {0, 0};
        auto a = op.empty();
        if (result < j.results) {
            j.kept.find(result, at);
            a = fold_some<V>(op, j, j.in + at[0], at[1], fold_share_of<V>(j, rank, team));
        }
        a = team_fold(a, team, op.empty(),
                      [&](typename Op::acc x, typename Op::acc y) { return op.join(x, y); });
        if (result < j.results && rank == 0)
            fold_keep(op, j, result, at[1], a);
    }
}

/* wide threads side by side have a result each; the others of the block share its elements. */
template <class Op>
__global__ void __launch_bounds__(THREADS) fold_columns_kernel(Op op, fold_job j, int wide)
{
    using A = typename Op::acc;
    __shared__ A held[THREADS];
    int thread = (int)threadIdx.x, high = THREADS / wide, rank = thread / wide;
    for (int64_t first = (int64_t)blockIdx.x * wide; first < j.results;
         first += (int64_t)gridDim.x * wide) {
        int64_t result = first + thread % wide, at[2] = {0, 0};
        A a = op.empty();
        if (result < j.results) {
            j.kept.find(result, at);
            a = fold_some<1>(op, j, j.in + at[0], at[1], fold_share_of<1>(j, rank, high));
        }
        __syncthreads(); /* held may still be read from the last time */
        held[thread] = a;
        for (int half = high / 2; half; half /= 2) {
            __syncthreads();
            if (rank < half)
                held[thread] = op.join(held[thread], held[thread + half * wide]);
        }
        if (rank == 0 && result < j.results)
            fold_keep(op, j, result, at[1], held[thread]);
    }
}

/* Joins the parts. */
template <class Op>
__global__ void __launch_bounds__(THREADS) fold_parts_kernel(Op op, fold_job j, int parts, int team)
{
    using A = typename Op::acc;
    int teams = THREADS / team, rank = (int)threadIdx.x % team;
    for (int64_t first = (int64_t)blockIdx.x * teams; first < j.results;
         first += (int64_t)gridDim.x * teams) {
        int64_t result = first + (int)threadIdx.x / team;
        A a = op.empty();
        if (result < j.results)
            for (int part = rank; part < parts; part += team)
                a = op.join(a, static_cast<const A *>(j.partial)[part * j.results + result]);
        a = team_fold(a, team, op.empty(), [&](A x, A y) { return op.join(x, y); });
        if (result < j.results && rank == 0)
            op.finish(j.out + find_out(j.kept, result), a);
    }
}

/* ---- how it is cut ---------------------------------------------------------------------------
 */

/* Whether rows can be read in packs of V. */
template <int V> bool fold_packs(const grid &g, const char *in, int64_t size)
{
    int64_t whole = size * V;
    bool ok = (uintptr_t)in % (uintptr_t)whole == 0 && g.inner.last().in == size;
    for (int d = 0; d < g.kept.count; d++)
        ok = ok && g.kept.at[d].in % whole == 0;
    for (int d = 0; d < g.inner.count - 1; d++)
        ok = ok && g.inner.at[d].in % whole == 0 && g.inner.last().size % V == 0;
    return ok;
}

static inline unsigned fold_grid(int64_t results, int64_t a_block)
{
    return (unsigned)least(divide_up(results, a_block), INT32_MAX);
}

/* How many parts, given that many blocks without and n steps of a result's threads. */
static inline int64_t fold_part_count(int64_t blocks, int64_t steps)
{
    int64_t parts = least(FOLD_BLOCKS / blocks, steps / 8);
    return parts < 1 ? 1 : least(parts, FOLD_MOST_PARTS);
}

/* start(blocks, job) starts the kernel over n packs or elements of each result. */
template <class Op, class Start>
void fold_in_parts(const Op &op, fold_job j, int64_t n, int64_t a_block, int64_t parts, Start start)
{
    using A = typename Op::acc;
    unsigned across = fold_grid(j.results, a_block);
    j.part = n;
    if (parts > 1) {
        scratch room(j.out, (size_t)(parts * j.results) * sizeof(A));
        if (room.data) { /* else in one go: that needs no memory */
            j.part = divide_up(n, parts);
            parts = divide_up(n, j.part);
            j.partial = room.data;
            start(dim3(across, (unsigned)parts), j);
            int team = power_above(parts, WARP);
            LAUNCH((fold_parts_kernel<Op>), fold_grid(j.results, THREADS / team), THREADS, op, j,
                   (int)parts, team);
            return;
        }
    }
    start(dim3(across), j);
}

template <int V, class Op> void fold_rows(const Op &op, const fold_job &j)
{
    int64_t packs = divide_up(j.count, V);
    int team = packs > 16 * WARP ? THREADS : power_above(divide_up(packs, 2), WARP);
    int64_t parts = team < THREADS ? 1 : fold_part_count(j.results, packs / THREADS);
    fold_in_parts(op, j, j.count / V, THREADS / team, parts, [&](dim3 blocks, const fold_job &job) {
        LAUNCH((fold_rows_kernel<V, Op>), blocks, THREADS, op, job, team);
    });
}

template <class Op> void fold_columns(const Op &op, const fold_job &j)
{
    int high = power_above(divide_up(j.count, 8), 8), wide = THREADS / high;
    if (j.results < wide)
        wide = power_above(j.results, THREADS);
    high = THREADS / wide;
    int64_t parts = fold_part_count(divide_up(j.results, wide), j.count / high);
    fold_in_parts(op, j, j.count, wide, parts, [&](dim3 blocks, const fold_job &job) {
        LAUNCH((fold_columns_kernel<Op>), blocks, THREADS, op, job, wide);
    });
}

/* Folds in over the dimensions in over; ordered: i counts the elements in their order. */
template <class Op>
void fold(const Op &op, const view &out, const view &in, unsigned over, bool ordered)
{
    using T = typename Op::from;
    constexpr int V = 16 / sizeof(T);
    if (out.numel == 0)
        return;
    grid g = grid_of(out, in, over, ordered);
    fold_job j = {};
    j.in = in.data;
    j.out = out.data;
    j.kept = places_of(g.kept);
    j.inner = places_of(g.inner);
    j.results = g.kept.numel;
    j.count = g.inner.numel;
    int64_t across = distance(g.kept.last().in), along = distance(g.inner.last().in);
    USE(out.data);
    if (across && across < along)
        fold_columns(op, j);
    else if (Op::packs && fold_packs<V>(g, in.data, sizeof(T)))
        fold_rows<Op::packs ? V : 1>(op, j);
    else
        fold_rows<1>(op, j);
}

#endif
