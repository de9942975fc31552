/* Masks and coordinates. A mask is counted block by block of MASK_BLOCK first; with the counts
 * summed up, each block knows where its results go. In a block every warp has a stretch, counts it
 * and then goes through it again, a row of lanes at a time. */
#include "runtime/backends/cuda/index.cuh"

#include "runtime/backends/cuda/radix.cuh"
#include "runtime/backends/cuda/split.cuh"

enum { STRETCH = MASK_BLOCK / (THREADS / WARP) }; /* of a warp */

/* ---- counting ---------------------------------------------------------------------------------
 */

/* How many are set from begin to end; known to all lanes. */
__device__ static inline int count_set(const uint8_t *mask, int64_t begin, int64_t end)
{
    int set = 0;
    for (int64_t i = begin + threadIdx.x % WARP; i < end; i += WARP)
        set += mask[i] != 0;
    return warp_fold(set, [](int a, int b) { return a + b; });
}

/* This warp's stretch of the block's. */
__device__ static inline int64_t stretch_at(int64_t n, int more)
{
    int64_t at = (int64_t)blockIdx.x * MASK_BLOCK + (threadIdx.x / WARP + more) * STRETCH;
    return at < n ? at : n;
}

__global__ void __launch_bounds__(THREADS)
    count_kernel(int64_t *offsets, const uint8_t *mask, int64_t n)
{
    int64_t set = count_set(mask, stretch_at(n, 0), stretch_at(n, 1)), all;
    count_before<int64_t>(threadIdx.x % WARP == 0 ? set : 0, &all);
    if (threadIdx.x == 0)
        offsets[blockIdx.x] = all;
}

void cuda_mask_offsets(const struct view *offsets, const struct view *mask)
{
    int64_t blocks = mask_blocks(mask->numel), *to = data_of<int64_t>(offsets);
    USE(to);
    LAUNCH((count_kernel), (unsigned)blocks, THREADS, to, data_of<const uint8_t>(mask),
           mask->numel);
    LAUNCH((running_counts<int64_t>), 1, THREADS, to, blocks, to + blocks);
}

/* ---- selecting --------------------------------------------------------------------------------
 */

template <class T> struct elements {
    const T *x;
    __device__ T operator()(int64_t i) const
    {
        return x[i];
    }
};
struct positions {
    __device__ int64_t operator()(int64_t i) const
    {
        return i;
    }
};

template <class T, class Value>
__global__ void __launch_bounds__(THREADS)
    select_kernel(T *out, const uint8_t *mask, int64_t n, const int64_t *offsets, Value value)
{
    int lane = threadIdx.x % WARP;
    int64_t begin = stretch_at(n, 0), end = stretch_at(n, 1), all;
    int64_t set = count_set(mask, begin, end);
    int64_t before = count_before<int64_t>(lane == 0 ? set : 0, &all);
    T *to = out + offsets[blockIdx.x] + __shfl_sync(ALL_LANES, before, 0);
    for (; begin < end; begin += WARP) {
        int64_t i = begin + lane;
        bool is_set = i < end && mask[i] != 0;
        unsigned votes = __ballot_sync(ALL_LANES, is_set);
        if (is_set)
            to[__popc(votes & ((1u << lane) - 1))] = value(i);
        to += __popc(votes);
    }
}

template <class T, class Value>
static void select(T *out, const struct view *mask, const struct view *offsets, Value value)
{
    USE(out);
    LAUNCH((select_kernel<T, Value>), (unsigned)mask_blocks(mask->numel), THREADS, out,
           data_of<const uint8_t>(mask), mask->numel, data_of<const int64_t>(offsets), value);
}

void cuda_mask_select(const struct view *out, const struct view *x, const struct view *mask,
                      const struct view *offsets)
{
    with_size(x->dtype, [&](auto t) {
        using T = decltype(t);
        select(data_of<T>(out), mask, offsets, elements<T>{data_of<const T>(x)});
    });
}

void cuda_mask_positions(const struct view *out, const struct view *mask,
                         const struct view *offsets)
{
    select(data_of<int64_t>(out), mask, offsets, positions{});
}

/* ---- coordinates -------------------------------------------------------------------------------
 */

struct dims {
    int count;
    splitter size[MC_MAX_DIMS];
};

__global__ void __launch_bounds__(THREADS)
    unravel_kernel(int64_t *out, const int64_t *positions, int64_t n, dims shape)
{
    for (GRID_STEP(i, n)) {
        int64_t rest = positions[i];
        int64_t *to = out + i * shape.count;
        for (int d = shape.count - 1; d > 0; d--)
            rest = shape.size[d].divide(rest, &to[d]);
        to[0] = rest;
    }
}

void cuda_unravel(const struct view *out, const struct view *positions, int ndim,
                  const int64_t *shape)
{
    dims all = {};
    int64_t numel = 1;
    if (ndim == 0 || positions->numel == 0)
        return;
    for (int d = 0; d < ndim; d++)
        numel *= shape[d];
    all.count = ndim;
    for (int d = 0; d < ndim; d++)
        all.size[d] = splitter(shape[d], numel);
    USE(out->data);
    LAUNCH((unravel_kernel), blocks_for(positions->numel), THREADS, data_of<int64_t>(out),
           data_of<const int64_t>(positions), positions->numel, all);
}
