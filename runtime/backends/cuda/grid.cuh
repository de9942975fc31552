/* The geometry of work along some dimensions: those that are worked on (inner), those that are
 * merely walked (kept), each with the steps of the input and of the output. */
#ifndef RUNTIME_CUDA_GRID_CUH
#define RUNTIME_CUDA_GRID_CUH

#include "runtime/backends/cuda/loop.cuh"
#include "runtime/kernels/view.h"

struct axis {
    int64_t size;
    int64_t in, out; /* bytes per step */
};

/* Outer dimensions first; at least one, if need be of size 1. Neighbours that can be walked as one
 * are one. */
struct axes {
    int count;
    int64_t numel;
    axis at[MC_MAX_DIMS];
    const axis &last() const
    {
        return at[count - 1];
    }
};

struct grid {
    axes kept, inner;
};

static inline int64_t size_of(mc_dtype dtype)
{
    int64_t size = 0;
    with_dtype<DTYPES_ALL>(dtype, [&](auto t) { size = sizeof t; });
    return size;
}

static inline int64_t distance(int64_t step)
{
    return step < 0 ? -step : step;
}

/* The closest elements come last; equal steps keep their order. */
static inline void sort_axes(axes *a)
{
    for (int i = 1; i < a->count; i++)
        for (int k = i; k > 0 && distance(a->at[k - 1].in) < distance(a->at[k].in); k--) {
            axis t = a->at[k];
            a->at[k] = a->at[k - 1];
            a->at[k - 1] = t;
        }
}

static inline void finish_axes(axes *a, bool sort)
{
    if (a->count == 0)
        a->at[a->count++] = axis{1, 0, 0};
    if (sort)
        sort_axes(a);
    int last = 0;
    a->numel = a->at[0].size;
    for (int i = 1; i < a->count; i++) {
        axis *outer = &a->at[last], here = a->at[i];
        a->numel *= here.size;
        if (outer->in == here.in * here.size && outer->out == here.out * here.size) {
            here.size *= outer->size;
            *outer = here;
        } else {
            a->at[++last] = here;
        }
    }
    a->count = last + 1;
}

/* over: a bit for each dimension that is worked on. Where out is 1 along one of them, its step
 * there is 0. ordered keeps the inner ones in the order of the dimensions. */
static inline grid grid_of(const view &out, const view &in, unsigned over, bool ordered)
{
    grid g = {};
    int64_t in_size = size_of(in.dtype), out_size = size_of(out.dtype);
    for (int d = 0; d < in.ndim; d++) {
        bool inner = over >> d & 1;
        axis a = {in.shape[d], in.stride[d] * in_size,
                  out.shape[d] == 1 ? 0 : out.stride[d] * out_size};
        if (in.numel == 0) { /* nothing is read: strides and products of sizes mean nothing */
            a.in = 0;
            a.size = inner ? 0 : a.size;
        }
        if (a.size == 1)
            continue;
        axes *to = inner ? &g.inner : &g.kept;
        to->at[to->count++] = a;
    }
    finish_axes(&g.kept, true);
    finish_axes(&g.inner, !ordered);
    return g;
}

/* Offsets of the input and of the output, by the position over the axes. */
static inline places<2> places_of(const axes &a)
{
    places<2> p = {};
    p.ndim = a.count;
    p.wide = a.numel > INT32_MAX;
    for (int d = 0; d < a.count; d++) {
        p.shape[d] = a.at[d].size;
        if (!p.wide && a.at[d].size)
            p.by[d] = divisor((uint32_t)a.at[d].size);
        p.stride[0][d] = a.at[d].in;
        p.stride[1][d] = a.at[d].out;
    }
    return p;
}

/* The offset of one operand alone. Most often there is one axis, which needs no division. */
template <int OPERAND> __device__ int64_t find_one(const places<2> &p, int64_t i)
{
    if (p.ndim == 1)
        return i * p.stride[OPERAND][0];
    int64_t offset[2];
    p.find(i, offset);
    return offset[OPERAND];
}
__device__ static inline int64_t find_in(const places<2> &p, int64_t i)
{
    return find_one<0>(p, i);
}
__device__ static inline int64_t find_out(const places<2> &p, int64_t i)
{
    return find_one<1>(p, i);
}

/* ---- threads that work together --------------------------------------------------------------
 */

/* The least power of two that is not below n, at most most (a power of two). */
static inline int power_above(int64_t n, int most)
{
    int power = 1;
    while (power < most && power < n)
        power *= 2;
    return power;
}

static inline int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* __shfl_xor_sync of anything that is made of words. */
template <class A> __device__ A exchange(A x, int lane)
{
    static_assert(sizeof(A) % 4 == 0, "made of words");
    uint32_t words[sizeof(A) / 4];
    memcpy(words, &x, sizeof x);
#pragma unroll
    for (size_t i = 0; i < sizeof(A) / 4; i++)
        words[i] = __shfl_xor_sync(ALL_LANES, words[i], lane);
    memcpy(&x, words, sizeof x);
    return x;
}

/* The fold over each team of neighbours, known to all of it. A team is a power of two up to WARP,
 * or a whole block, a multiple of WARP. All threads of the block come here. */
template <class A, class F> __device__ A team_fold(A x, int team, A empty, F fold)
{
    __shared__ A of_warp[WARP];
    int lanes = team < WARP ? team : WARP;
    for (int lane = lanes / 2; lane; lane /= 2)
        x = fold(x, exchange(x, lane));
    if (team <= WARP)
        return x;
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    __syncthreads(); /* of_warp may still be read from the last time */
    if (lane == 0)
        of_warp[warp] = x;
    __syncthreads();
    x = lane < warps ? of_warp[lane] : empty;
    for (int away = WARP / 2; away; away /= 2)
        x = fold(x, exchange(x, away));
    return x;
}

#endif
