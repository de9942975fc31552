/* As much of CUDA's C++ as the kernels use. The threads of a block take turns: each runs until it
 * ends or has to wait for the others, and waits on a stack of its own. */
#ifndef HOST_CUDA_RUNTIME_H
#define HOST_CUDA_RUNTIME_H

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define __host__
#define __device__
#define __global__      static
#define __forceinline__ inline
#define __restrict__
#define __launch_bounds__(...)
#define __shared__   static /* one block runs at a time */
#define __align__(n) alignas(n)

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z)
    {
    }
};

extern dim3 threadIdx, blockIdx, blockDim, gridDim;

/* Runs body(data) as every thread of every block. */
void host_run(dim3 blocks, dim3 threads, void (*body)(const void *data), const void *data);
/* Lets the others run until all of the block, or of the warp, are here. */
void host_wait_block();
void host_wait_warp();
/* A place of 8 bytes for each lane of this warp. */
void *host_slot(unsigned lane);
unsigned host_lane();
bool host_lane_lives(unsigned lane);

/* The arguments are computed once, as for a kernel. */
template <class F, class... A> void host_launch(dim3 blocks, dim3 threads, F kernel, A... arguments)
{
    auto body = [=] { kernel(arguments...); };
    if (blocks.x && blocks.y && blocks.z)
        host_run(
            blocks, threads,
            [](const void *data) { (*static_cast<const decltype(body) *>(data))(); }, &body);
}

#define HOST_NAME(...) __VA_ARGS__
#define LAUNCH(kernel, blocks, threads, ...)                                                       \
    host_launch(blocks, threads, [](auto... given) { HOST_NAME kernel(given...); }, __VA_ARGS__)

static inline void __syncthreads()
{
    host_wait_block();
}
static inline void __syncwarp(unsigned = 0xffffffffu)
{
    host_wait_warp();
}
struct alignas(16) int4 {
    int x, y, z, w;
};
template <class T> T __ldcs(const T *from)
{
    return *from;
}
template <class T> void __stcs(T *to, T x)
{
    *to = x;
}

static inline void __threadfence()
{
}

template <class T> T host_exchange(T x, unsigned from)
{
    static_assert(sizeof(T) <= 8, "a lane hands on 8 bytes at most");
    T got;
    memcpy(host_slot(host_lane()), &x, sizeof x);
    host_wait_warp();
    memcpy(&got, host_slot(host_lane_lives(from) ? from : host_lane()), sizeof got);
    host_wait_warp();
    return got;
}
template <class T> T __shfl_sync(unsigned, T x, int lane)
{
    return host_exchange(x, (unsigned)lane % 32);
}
template <class T> T __shfl_xor_sync(unsigned, T x, int lane)
{
    return host_exchange(x, host_lane() ^ (unsigned)lane);
}
template <class T> T __shfl_down_sync(unsigned, T x, unsigned by)
{
    return host_exchange(x, host_lane() + by < 32 ? host_lane() + by : host_lane());
}
template <class T> T __shfl_up_sync(unsigned, T x, unsigned by)
{
    return host_exchange(x, host_lane() >= by ? host_lane() - by : host_lane());
}
static inline unsigned __ballot_sync(unsigned, int yes)
{
    unsigned votes = 0;
    *static_cast<bool *>(host_slot(host_lane())) = yes != 0;
    host_wait_warp();
    for (unsigned lane = 0; lane < 32; lane++)
        if (host_lane_lives(lane))
            votes |= (unsigned)*static_cast<bool *>(host_slot(lane)) << lane;
    host_wait_warp();
    return votes;
}
static inline int __any_sync(unsigned mask, int yes)
{
    return __ballot_sync(mask, yes) != 0;
}
static inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
static inline int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
static inline int __ffs(int x)
{
    return __builtin_ffs(x);
}
static inline int __clz(int x)
{
    return x ? __builtin_clz((unsigned)x) : 32;
}
static inline unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((uint64_t)a * b >> 32);
}
template <class T> T __ldg(const T *p)
{
    return *p;
}

template <class T> T host_atomic(T *at, T value)
{
    T old = *at;
    *at = value;
    return old;
}
template <class T> T atomicAdd(T *at, T x)
{
    return host_atomic(at, (T)(*at + x));
}
template <class T> T atomicOr(T *at, T x)
{
    return host_atomic(at, (T)(*at | x));
}
template <class T> T atomicMax(T *at, T x)
{
    return host_atomic(at, *at < x ? x : *at);
}
template <class T> T atomicMin(T *at, T x)
{
    return host_atomic(at, x < *at ? x : *at);
}
template <class T> T atomicExch(T *at, T x)
{
    return host_atomic(at, x);
}
template <class T> T atomicCAS(T *at, T expected, T x)
{
    return host_atomic(at, *at == expected ? x : *at);
}

/* Functions of CUDA that C's library has not. */
static inline float rsqrtf(float x)
{
    return 1 / sqrtf(x);
}
static inline float rsqrt(float x)
{
    return rsqrtf(x);
}
static inline double rsqrt(double x)
{
    return 1 / sqrt(x);
}
static inline float normcdff(float x)
{
    return 0.5f * erfcf(-x * 0.70710678118654752440f);
}
static inline double normcdf(double x)
{
    return 0.5 * erfc(-x * 0.70710678118654752440);
}

/* C leaves open which of two zeros is the greater; CUDA says +0. */
template <class T> T host_fmax(T x, T y)
{
    return x == 0 && y == 0 ? x + y : fmax(x, y);
}
template <class T> T host_fmin(T x, T y)
{
    return -host_fmax(-x, -y);
}
#define fmax(x, y)  host_fmax(x, y)
#define fmin(x, y)  host_fmin(x, y)
#define fmaxf(x, y) host_fmax<float>(x, y)
#define fminf(x, y) host_fmin<float>(x, y)

#endif
