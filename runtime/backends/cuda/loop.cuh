/* Elementwise loops: out[i] = op(in[i]…) over struct loop, for any functor and any dtypes.
 *
 * Where all operands lie in a row (or are one number), a thread works on packs: as many neighbours
 * as fit into 16 bytes of the widest dtype. So it does where rows are apart, or the same for many;
 * elsewhere it computes where every element lies. out may be one of the operands. */
#ifndef RUNTIME_CUDA_LOOP_CUH
#define RUNTIME_CUDA_LOOP_CUH

#include "runtime/backends/cuda/dtypes.cuh"
#include "runtime/kernels/elementwise.h"

/* ---- division by a number that is known before ---------------------------------------------- */

/* Quotients of numbers below 2^31, by multiplication. */
struct divisor {
    uint32_t by, factor, shift;
    divisor() = default;
    explicit divisor(uint32_t d) : by(d)
    {
        for (shift = 0; shift < 32 && (1ull << shift) < d; shift++)
            ;
        factor = (uint32_t)(((1ull << 32) * ((1ull << shift) - d)) / d + 1);
    }
    BOTH uint32_t divide(uint32_t n) const
    {
        uint32_t high = (uint32_t)((uint64_t)n * factor >> 32);
        return (high + n) >> shift;
    }
};

/* ---- where elements lie ---------------------------------------------------------------------- */

/* Offsets in bytes of the elements of N operands, by the position in the loop. */
template <int N> struct places {
    int ndim;
    bool wide; /* positions need 64 bits, which divide several times slower */
    divisor by[MC_MAX_DIMS];
    int64_t shape[MC_MAX_DIMS];
    int64_t stride[N][MC_MAX_DIMS];

    BOTH void find(int64_t i, int64_t *offset) const
    {
        for (int k = 0; k < N; k++)
            offset[k] = 0;
        for (int d = ndim - 1; d >= 0; d--) {
            int64_t rest, at;
            if (!wide) {
                uint32_t quotient = by[d].divide((uint32_t)i);
                at = (uint32_t)i - quotient * by[d].by;
                rest = quotient;
            } else {
                rest = i / shape[d];
                at = i - rest * shape[d];
            }
            i = rest;
            for (int k = 0; k < N; k++)
                offset[k] += at * stride[k][d];
        }
    }
};

template <int N> places<N> places_of(const struct loop *loop)
{
    places<N> p;
    p.ndim = loop->ndim;
    p.wide = loop->numel > INT32_MAX;
    for (int d = 0; d < loop->ndim; d++) {
        p.shape[d] = loop->shape[d];
        if (!p.wide)
            p.by[d] = divisor((uint32_t)loop->shape[d]);
        for (int k = 0; k < N; k++)
            p.stride[k][d] = loop->stride[k][d];
    }
    return p;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* One that is read: memory, or one number. */
template <class T> struct operand {
    const char *data; /* NULL: number */
    T number;
    bool spread; /* one element of memory is used for all neighbours */
};

template <class T> operand<T> operand_of(const struct loop *loop, int k)
{
    operand<T> o;
    o.data = loop->data[k];
    memcpy(&o.number, &loop->number[k], sizeof o.number);
    o.spread = loop->ndim && loop->stride[k][loop->ndim - 1] == 0;
    return o;
}

template <class T, int V> struct alignas(sizeof(T) * V) pack {
    T at[V];
};

template <class... T> constexpr int widest()
{
    int most = 1;
    ((most = (int)sizeof(T) > most ? (int)sizeof(T) : most), ...);
    return most;
}

template <class T> __device__ __forceinline__ T load_at(operand<T> from, int64_t offset)
{
    return from.data ? *reinterpret_cast<const T *>(from.data + offset) : from.number;
}

template <int V, class T>
__device__ __forceinline__ pack<T, V> load_pack(operand<T> from, int64_t offset)
{
    pack<T, V> p;
    if (from.data && !from.spread)
        return *reinterpret_cast<const pack<T, V> *>(from.data + offset);
    T one = load_at(from, offset);
    for (int v = 0; v < V; v++)
        p.at[v] = one;
    return p;
}

/* The numbers 1 … N as a type, to name the operands that are read. */
template <int... K> struct numbers {
};
template <int N, int... K> struct count_to : count_to<N - 1, N, K...> {
};
template <int... K> struct count_to<0, K...> {
    using type = numbers<K...>;
};

/* ---- how much at once ------------------------------------------------------------------------ */

enum {
    LARGE_BLOCK = 1024,
    STREAM_PACKS = 4 << 20, /* 64 MiB an operand: more than is kept near */
};

/* A functor that computes long has a member `slow`: it is worth less code, not more loads. */
template <class Op> constexpr bool is_slow = requires { Op::slow; };

/* How a row is walked. What is written in packs of 16 bytes keeps memory busy with one pack a
 * thread; of narrower ones it takes two, and large blocks. streams: operands of 4 bytes or more may
 * go past the cache when they are large. Measured on an H200: see the benchmark. */
template <int V, class Out, class Op, class... In> struct walk {
    static constexpr bool narrows = sizeof(Out) < (size_t)widest<In...>();
    static constexpr int packs = narrows && sizeof...(In) == 1 && !is_slow<Op> && V < 16 ? 2 : 1;
    static constexpr int most_threads = narrows && !is_slow<Op> ? (int)LARGE_BLOCK : (int)THREADS;
    static constexpr bool streams = !is_slow<Op> && sizeof...(In) > 1 && sizeof(Out) >= 4 &&
                                    (... && (sizeof(Out) == sizeof(In)));
};

template <class T, int U, int V> struct packs {
    pack<T, V> of[U];
};

/* Those at i, i + step …, below n. */
template <int U, int V, class T>
__device__ __forceinline__ packs<T, U, V> load_packs(operand<T> from, int64_t i, int64_t step,
                                                     int64_t n)
{
    packs<T, U, V> p = {};
#pragma unroll
    for (int u = 0; u < U; u++)
        if (i + u * step < n)
            p.of[u] = load_pack<V>(from, (i + u * step) * (int64_t)sizeof(pack<T, V>));
    return p;
}

/* Of 16 bytes, past what is kept near. */
template <class P> __device__ __forceinline__ P stream_load(const P *from)
{
    P p;
    int4 bits = __ldcs(reinterpret_cast<const int4 *>(from));
    memcpy(&p, &bits, sizeof p);
    return p;
}

template <class P> __device__ __forceinline__ void stream_store(P *to, P p)
{
    int4 bits;
    memcpy(&bits, &p, sizeof p);
    __stcs(reinterpret_cast<int4 *>(to), bits);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* A row of elements: `singles` before and after the packs, of which `head` before. Pointers are to
 * the first pack. */
struct span {
    int64_t packs;
    int head, singles;
};

/* The U packs of a thread are a block apart: a block works on neighbouring memory. */
template <int U, int V, int MOST, class Out, class Op, class... In>
__global__ void __launch_bounds__(MOST, MOST == LARGE_BLOCK ? 2 : 1)
    row_kernel(Out *out, span row, Op op, operand<In>... in)
{
    const int64_t step = blockDim.x;
    const int64_t i = (int64_t)blockIdx.x * U * blockDim.x + threadIdx.x;
    auto compute = [&](packs<In, U, V>... p) {
        packs<Out, U, V> result;
#pragma unroll
        for (int u = 0; u < U; u++)
#pragma unroll
            for (int v = 0; v < V; v++)
                result.of[u].at[v] = op(p.of[u].at[v]...);
#pragma unroll
        for (int u = 0; u < U; u++)
            if (i + u * step < row.packs)
                reinterpret_cast<pack<Out, V> *>(out)[i + u * step] = result.of[u];
    };
    compute(load_packs<U, V>(in, i, step, row.packs)...);
    if (blockIdx.x == 0 && (int)threadIdx.x < row.singles) {
        int64_t at = i < row.head ? i - row.head : row.packs * V + i - row.head;
        out[at] = op(load_at(in, at * (int64_t)sizeof(In))...);
    }
}

/* The same, without singles, for several operands that are all read from memory once and too large
 * to cache. */
template <int V, class Out, class Op, class... In>
__global__ void __launch_bounds__(LARGE_BLOCK, 2)
    stream_row_kernel(Out *out, int64_t packs, Op op, const In *...in)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    auto compute = [&](pack<In, V>... p) {
        pack<Out, V> result;
#pragma unroll
        for (int v = 0; v < V; v++)
            result.at[v] = op(p.at[v]...);
        return result;
    };
    if (i < packs)
        stream_store(reinterpret_cast<pack<Out, V> *>(out) + i,
                     compute(stream_load(reinterpret_cast<const pack<In, V> *>(in) + i)...));
}

template <int V, class Out, class Op, class... In, int... K>
__device__ __forceinline__ pack<Out, V> compute_at(Op op, const int64_t *offset, numbers<K...>,
                                                   operand<In>... in)
{
    auto compute = [&](pack<In, V>... p) {
        pack<Out, V> result;
#pragma unroll
        for (int v = 0; v < V; v++)
            result.at[v] = op(p.at[v]...);
        return result;
    };
    return compute(load_pack<V>(in, offset[K])...);
}

/* where: of packs of V. */
template <int V, class Out, class Op, class Which, class... In>
__global__ void __launch_bounds__(THREADS)
    place_kernel(char *out, int64_t n, Op op, places<1 + sizeof...(In)> where, Which which,
                 operand<In>... in)
{
    for (GRID_STEP(i, n)) {
        int64_t offset[1 + sizeof...(In)];
        where.find(i, offset);
        *reinterpret_cast<pack<Out, V> *>(out + offset[0]) =
            compute_at<V, Out>(op, offset, which, in...);
    }
}

/* ---- which of them --------------------------------------------------------------------------- */

/* How many elements to leave out before a row so that all its operands are aligned for packs of V;
 * -1: no number will do, or there is no row. */
template <int V, class Out, class... In> int row_head(const struct loop *loop)
{
    const int64_t size[] = {(int64_t)sizeof(Out), (int64_t)sizeof(In)...};
    const uintptr_t first = (uintptr_t)loop->data[0];
    int head = (int)((V - first / sizeof(Out) % V) % V);
    if (loop->ndim > 1)
        return -1;
    for (int k = 0; k <= (int)sizeof...(In); k++)
        if (loop->data[k] &&
            ((loop->ndim && loop->stride[k][0] != size[k]) ||
             ((uintptr_t)loop->data[k] + (uintptr_t)(head * size[k])) % (uintptr_t)(size[k] * V)))
            return -1;
    return head;
}

/* Whether the innermost dimension can be walked in packs of V: all rows are aligned, or one element
 * for all of the row. */
template <int V, class Out, class... In> bool rows_of_packs(const struct loop *loop)
{
    const int64_t size[] = {(int64_t)sizeof(Out), (int64_t)sizeof(In)...};
    const int inner = loop->ndim - 1;
    if (inner < 0 || loop->shape[inner] % V)
        return false;
    for (int k = 0; k <= (int)sizeof...(In); k++) {
        if (!loop->data[k] || (k && loop->stride[k][inner] == 0))
            continue;
        if (loop->stride[k][inner] != size[k] || (uintptr_t)loop->data[k] % (size[k] * V))
            return false;
        for (int d = 0; d < inner; d++)
            if (loop->stride[k][d] % (size[k] * V))
                return false;
    }
    return true;
}

template <int V, class Out, class... In, class Op, int... K>
void run_row(const struct loop *loop, Op op, int head, numbers<K...>)
{
    using how = walk<V, Out, Op, In...>;
    struct loop from = *loop;
    const int64_t size[] = {(int64_t)sizeof(Out), (int64_t)sizeof(In)...};
    head = (int64_t)head < loop->numel ? head : (int)loop->numel;
    for (int k = 0; k <= (int)sizeof...(In); k++)
        from.data[k] = loop->data[k] ? loop->data[k] + head * size[k] : NULL;
    span row = {(loop->numel - head) / V, head, head + (int)((loop->numel - head) % V)};
    if constexpr (how::streams)
        if (!row.singles && row.packs >= STREAM_PACKS && (... && (loop->data[K] != NULL)) &&
            (... && (loop->stride[K][0] != 0))) {
            LAUNCH((stream_row_kernel<V, Out, Op, In...>),
                   (unsigned)divide_up(row.packs, LARGE_BLOCK), LARGE_BLOCK, (Out *)from.data[0],
                   row.packs, op, reinterpret_cast<const In *>(from.data[K])...);
            return;
        }
    const int64_t small = (int64_t)cuda_processors() * LARGE_BLOCK * how::packs;
    const int threads = row.packs < small ? THREADS : how::most_threads;
    const int64_t blocks = divide_up(row.packs, (int64_t)how::packs * threads);
    LAUNCH((row_kernel<how::packs, V, how::most_threads, Out, Op, In...>),
           (unsigned)(blocks ? blocks : 1), threads, (Out *)from.data[0], row, op,
           operand_of<In>(&from, K)...);
}

template <int V, class Out, class... In, class Op, int... K>
void run_places(const struct loop *loop, Op op, numbers<K...> which)
{
    struct loop by_pack = *loop;
    by_pack.numel /= V;
    if (loop->ndim) {
        by_pack.shape[loop->ndim - 1] /= V;
        for (int k = 0; k <= (int)sizeof...(In); k++)
            by_pack.stride[k][loop->ndim - 1] *= V;
    }
    LAUNCH((place_kernel<V, Out, Op, numbers<K...>, In...>), blocks_for(by_pack.numel), THREADS,
           loop->data[0], by_pack.numel, op, places_of<1 + sizeof...(In)>(&by_pack), which,
           operand_of<In>(loop, K)...);
}

template <class Out, class... In, class Op, int... K>
void run_loop_numbered(const struct loop *loop, Op op, numbers<K...> which)
{
    constexpr int V = 16 / widest<Out, In...>();
    const int head = row_head<V, Out, In...>(loop);
    if (loop->numel == 0)
        return;
    USE(loop->data[0]);
    if (head >= 0)
        return run_row<V, Out, In...>(loop, op, head, which);
    if constexpr (!is_slow<Op>)
        if (rows_of_packs<V, Out, In...>(loop))
            return run_places<V, Out, In...>(loop, op, which);
    run_places<1, Out, In...>(loop, op, which);
}

/* op: a functor of the elements as they are stored, that returns what is to be stored. */
template <class Out, class... In, class Op> void run_loop(const struct loop *loop, Op op)
{
    run_loop_numbered<Out, In...>(loop, op, typename count_to<sizeof...(In)>::type{});
}

#endif
