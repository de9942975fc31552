/* Starting kernels, and what every kernel needs: its place in the grid, sums over a warp or block.
 *
 * Everything is written so that a C++ compiler for the host can translate it too (tests/gpu/host):
 * kernels are started by LAUNCH, and use no more of CUDA than that stands in for. */
#ifndef RUNTIME_CUDA_LAUNCH_CUH
#define RUNTIME_CUDA_LAUNCH_CUH

#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>

#include "runtime/backends/cuda/cuda.h"

enum { WARP = 32, THREADS = 256 };
static const unsigned ALL_LANES = 0xffffffffu;

/* LAUNCH((kernel<T>), blocks, threads, arguments...): on the device in use. Write USE(address) of
 * something that the kernel works on before the first of them. Nothing is started for 0 blocks. */
#ifndef LAUNCH
#define LAUNCH(kernel, blocks, threads, ...)                                                       \
    do {                                                                                           \
        auto blocks_ = (blocks);                                                                   \
        if (any_blocks(blocks_)) {                                                                 \
            (kernel)<<<blocks_, (threads), 0, 0>>>(__VA_ARGS__);                                   \
            cuda_ok(cudaGetLastError(), #kernel);                                                  \
        }                                                                                          \
    } while (0)
#endif

static inline void USE(const void *address)
{
    if (cuda_device_count() > 1)
        cuda_use(cuda_device_of(address));
}

static inline bool any_blocks(dim3 blocks)
{
    return blocks.x && blocks.y && blocks.z;
}
static inline bool any_blocks(int64_t blocks)
{
    return blocks > 0;
}

static inline int64_t divide_up(int64_t n, int64_t by)
{
    return (n + by - 1) / by;
}

/* Blocks of so many threads, for kernels that step through n with GRID_STEP: enough to fill the GPU
 * several times over, and never more than there is work for. */
static inline unsigned blocks_for(int64_t n, int threads = THREADS)
{
    int64_t wanted = divide_up(n, threads), most = (int64_t)cuda_processors() * 32;
    return (unsigned)(wanted < most ? wanted : most);
}

/* for (GRID_STEP(i, n)): the threads of the grid share the i of 0 … n - 1. */
#define GRID_STEP(i, n)                                                                            \
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;                                    \
    i < (n);                                                                                       \
    i += (int64_t)gridDim.x * blockDim.x

/* ---- over a warp, over a block -------------------------------------------------------------- */

template <class T, class F> __device__ T warp_fold(T x, F fold)
{
    for (int lane = WARP / 2; lane; lane /= 2)
        x = fold(x, __shfl_xor_sync(ALL_LANES, x, lane));
    return x;
}

/* The fold of the values of all threads, known to all of them. empty: fold(empty, x) is x. The
 * block's size is a multiple of WARP. */
template <class T, class F> __device__ T block_fold(T x, T empty, F fold)
{
    __shared__ T of_warp[WARP];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    x = warp_fold(x, fold);
    __syncthreads(); /* of_warp may still be read from the last time */
    if (lane == 0)
        of_warp[warp] = x;
    __syncthreads();
    x = lane < warps ? of_warp[lane] : empty;
    return warp_fold(x, fold);
}

/* How many the threads of the block before this one have; *all: how many there are. The block's
 * size is a multiple of WARP. */
template <class C> __device__ C count_before(C mine, C *all)
{
    __shared__ C of_warp[WARP];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    C upto = mine, before = 0;
#pragma unroll
    for (int away = 1; away < WARP; away *= 2) {
        C other = __shfl_up_sync(ALL_LANES, upto, away);
        upto += lane >= away ? other : 0;
    }
    __syncthreads(); /* of_warp may still be read from the last time */
    if (lane == WARP - 1)
        of_warp[warp] = upto;
    __syncthreads();
    *all = 0;
    for (int w = 0; w < warps; w++) {
        before += w < warp ? of_warp[w] : 0;
        *all += of_warp[w];
    }
    return before + upto - mine;
}

/* ---- memory to work in ---------------------------------------------------------------------- */

/* Memory of the device in use for the length of a scope. It may be given out again before the
 * kernels that use it have run: those of its next owner run later. */
struct scratch {
    void *data;
    size_t handle;
    explicit scratch(const void *near, size_t nbytes)
    {
        data = cuda_memory_take(cuda_device_of(near), nbytes, &handle);
    }
    ~scratch()
    {
        if (data)
            cuda_memory_give(handle);
    }
    scratch(const scratch &) = delete;
    scratch &operator=(const scratch &) = delete;
    template <class T> T *as() const
    {
        return static_cast<T *>(data);
    }
};

#endif
