/* Products of small matrices by the tensor cores of compute capability 8 and later, and what feeds
 * them. All threads of a warp make each call together. For the host the same is computed of what
 * the lanes hold. */
#ifndef RUNTIME_CUDA_MMA_CUH
#define RUNTIME_CUDA_MMA_CUH

#include "runtime/backends/cuda/dtypes.cuh"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define MMA_REAL 1
#elif !defined(__CUDACC__)
#define MMA_HOST 1
#endif

/* ---- global to shared memory, behind the back of the threads ----------------------------------
 */

/* 16 bytes, or zeros where from is not inside. They are there after a copies_wait. */
__device__ inline void copy_16(void *to, const void *from, bool inside)
{
#if defined(MMA_REAL)
    unsigned place = (unsigned)__cvta_generic_to_shared(to);
    int size = inside ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(place), "l"(from), "r"(size)
                 : "memory");
#else
    for (int i = 0; i < 16; i++)
        static_cast<char *>(to)[i] = inside ? static_cast<const char *>(from)[i] : (char)0;
#endif
}

/* The copies since the last call become one group. */
__device__ inline void copies_group()
{
#if defined(MMA_REAL)
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Waits until no more than LEFT groups of this thread are on the way. */
template <int LEFT> __device__ inline void copies_wait()
{
#if defined(MMA_REAL)
    asm volatile("cp.async.wait_group %0;" ::"n"(LEFT) : "memory");
#endif
}

#if defined(MMA_HOST)
/* What each lane of this warp holds, once all have put theirs there. Free again after a
 * __syncwarp. */
template <class T, int N> T (*lanes_hold(const T *own))[N]
{
    static T held[1024 / WARP][WARP][N];
    T(*of_warp)[N] = held[threadIdx.x / WARP];
    for (int i = 0; i < N; i++)
        of_warp[threadIdx.x % WARP][i] = own[i];
    __syncwarp();
    return of_warp;
}
#endif

/* ---- shared memory to fragments ----------------------------------------------------------------
 */

/* Four matrices of 8 × 8 elements of 2 bytes. Lane i names row i % 8 of matrix i / 8. to[m] becomes
 * elements 2t and 2t + 1 of row g of matrix m, where the lane is 4g + t. */
__device__ inline void load_matrices(uint32_t *to, const uint16_t *row)
{
#if defined(MMA_REAL)
    unsigned place = (unsigned)__cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(place)
                 : "memory");
#elif defined(MMA_HOST)
    int lane = threadIdx.x % WARP;
    const uint16_t *(*rows)[1] = lanes_hold<const uint16_t *, 1>(&row);
    for (int m = 0; m < 4; m++)
        memcpy(&to[m], rows[8 * m + lane / 4][0] + lane % 4 * 2, 4);
    __syncwarp();
#else
    (void)to;
    (void)row;
#endif
}

/* The same of the matrices transposed. */
__device__ inline void load_turned(uint32_t *to, const uint16_t *row)
{
#if defined(MMA_REAL)
    unsigned place = (unsigned)__cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(place)
                 : "memory");
#elif defined(MMA_HOST)
    int lane = threadIdx.x % WARP;
    const uint16_t *(*rows)[1] = lanes_hold<const uint16_t *, 1>(&row);
    for (int m = 0; m < 4; m++) {
        const uint16_t *const *pair = rows[8 * m + lane % 4 * 2];
        to[m] = pair[0][lane / 4] | (uint32_t)pair[1][lane / 4] << 16;
    }
    __syncwarp();
#else
    (void)to;
    (void)row;
#endif
}

/* ---- products ----------------------------------------------------------------------------------
 */

#if defined(MMA_HOST)
template <class T> float half_of(uint32_t pair, int which)
{
    return read(T{(uint16_t)(pair >> 16 * which)});
}
#endif

/* c (16, 8) += a (16, 16)·b (16, 8). With the lane 4g + t, c holds (g, 2t), (g, 2t + 1), (g + 8,
 * 2t), (g + 8, 2t + 1); a pairs (g, 2t), (g + 8, 2t), (g, 2t + 8), (g + 8, 2t + 8) and those to
 * their right; b pairs (2t, g), (2t + 8, g) and those below. */
template <class T> __device__ void multiply_add(float *c, const uint32_t *a, const uint32_t *b)
{
#if defined(MMA_REAL)
    if constexpr (same<T, f16>)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    else
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#elif defined(MMA_HOST)
    int lane = threadIdx.x % WARP, g = lane / 4, t = lane % 4;
    uint32_t own[6] = {a[0], a[1], a[2], a[3], b[0], b[1]};
    uint32_t(*held)[6] = lanes_hold<uint32_t, 6>(own);
    for (int k = 0; k < 16; k++) {
        int from = k % 8 / 2, half = k / 8;
        const uint32_t *of_row = held[4 * g + from] + 2 * half;
        float above = half_of<T>(of_row[0], k % 2), below = half_of<T>(of_row[1], k % 2);
        float left = half_of<T>(held[8 * t + from][4 + half], k % 2);
        float right = half_of<T>(held[8 * t + 4 + from][4 + half], k % 2);
        c[0] += above * left;
        c[1] += above * right;
        c[2] += below * left;
        c[3] += below * right;
    }
    __syncwarp();
#else
    (void)c;
    (void)a;
    (void)b;
#endif
}

/* In one instruction: off by 2 of the last place, and results below the smallest normal number are
 * 0, which is enough for weights. */
__device__ inline float quick_exp2(float x)
{
#if defined(MMA_REAL)
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return exp2f(x);
#endif
}

/* Two numbers, rounded, as a and b are held. */
template <class T> __device__ uint32_t pair_of(float low, float high)
{
#if defined(MMA_REAL)
    uint32_t pair;
    if constexpr (same<T, f16>)
        asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    else
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
#endif
    return store<T>(low).bits | (uint32_t)store<T>(high).bits << 16;
}

#endif
