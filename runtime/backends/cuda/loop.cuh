/* Elementwise loops: out[i] = op(in[i]…) over struct loop, for any functor and any dtypes.
 *
 * Where all operands lie in a row (or are one number), a thread works on as many neighbours as fit
 * into 16 bytes of the widest; elsewhere coordinates are computed element by element. */
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
};

template <class T> operand<T> operand_of(const struct loop *loop, int k)
{
    operand<T> o;
    o.data = loop->data[k];
    memcpy(&o.number, &loop->number[k], sizeof o.number);
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

template <int V, class T> __device__ pack<T, V> load(operand<T> from, int64_t i)
{
    pack<T, V> p;
    if (from.data)
        p = reinterpret_cast<const pack<T, V> *>(from.data)[i];
    else
        for (int v = 0; v < V; v++)
            p.at[v] = from.number;
    return p;
}

template <class T> __device__ T load_at(operand<T> from, int64_t offset)
{
    return from.data ? *reinterpret_cast<const T *>(from.data + offset) : from.number;
}

/* The numbers 1 … N as a type, to name the operands that are read. */
template <int... K> struct numbers {
};
template <int N, int... K> struct count_to : count_to<N - 1, N, K...> {
};
template <int... K> struct count_to<0, K...> {
    using type = numbers<K...>;
};

/* ---- kernels ----------------------------------------------------------------------------------
 */

/* whole: packs of V; the rest of the n elements goes one by one, by the last threads. */
template <int V, class Out, class Op, class... In>
__global__ void __launch_bounds__(THREADS) row_kernel(Out *out, int64_t n, Op op, operand<In>... in)
{
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, whole = n / V;
    if (i < whole) {
        pack<Out, V> result;
        auto compute = [&](pack<In, V>... p) {
#pragma unroll
            for (int v = 0; v < V; v++)
                result.at[v] = op(p.at[v]...);
        };
        compute(load<V>(in, i)...);
        reinterpret_cast<pack<Out, V> *>(out)[i] = result;
    } else if (i - whole < n - whole * V) {
        int64_t at = whole * V + i - whole;
        out[at] = op(load_at(in, at * (int64_t)sizeof(In))...);
    }
}

template <class Out, class Op, class... In, int... K>
__device__ Out compute_at(Op op, const int64_t *offset, numbers<K...>, operand<In>... in)
{
    return op(load_at(in, offset[K])...);
}

template <class Out, class Op, class Which, class... In>
__global__ void __launch_bounds__(THREADS)
    place_kernel(char *out, int64_t n, Op op, places<1 + sizeof...(In)> where, Which which,
                 operand<In>... in)
{
    for (GRID_STEP(i, n)) {
        int64_t offset[1 + sizeof...(In)];
        where.find(i, offset);
        *reinterpret_cast<Out *>(out + offset[0]) = compute_at<Out>(op, offset, which, in...);
    }
}

/* Whether every operand is a number or lies in a row, aligned for packs of V. */
template <int V, class Out, class... In> bool in_a_row(const struct loop *loop)
{
    const int64_t size[] = {(int64_t)sizeof(Out), (int64_t)sizeof(In)...};
    if (loop->ndim > 1)
        return false;
    for (int k = 0; k <= (int)sizeof...(In); k++)
        if (loop->data[k] && ((loop->ndim && loop->stride[k][0] != size[k]) ||
                              (uintptr_t)loop->data[k] % (uintptr_t)(size[k] * V)))
            return false;
    return true;
}

template <class Out, class... In, class Op, int... K>
void run_loop_numbered(const struct loop *loop, Op op, numbers<K...> which)
{
    constexpr int V = 16 / widest<Out, In...>();
    USE(loop->data[0]);
    if (in_a_row<V, Out, In...>(loop)) {
        int64_t threads = loop->numel / V + loop->numel % V;
        LAUNCH((row_kernel<V, Out, Op, In...>), (unsigned)divide_up(threads, THREADS), THREADS,
               (Out *)loop->data[0], loop->numel, op, operand_of<In>(loop, K)...);
    } else {
        LAUNCH((place_kernel<Out, Op, numbers<K...>, In...>), blocks_for(loop->numel), THREADS,
               loop->data[0], loop->numel, op, places_of<1 + sizeof...(In)>(loop), which,
               operand_of<In>(loop, K)...);
    }
}

/* op: a functor of the elements as they are stored, that returns what is to be stored. */
template <class Out, class... In, class Op> void run_loop(const struct loop *loop, Op op)
{
    run_loop_numbered<Out, In...>(loop, op, typename count_to<sizeof...(In)>::type{});
}

#endif
