/* A stable sort of keys with the positions they stood at, eight bits at a time from the lowest.
 *
 * Every block has a stretch of the keys: it counts how many of each digit it has; the counts are
 * summed up over the blocks, digit by digit; then every block knows where its keys go. */
#ifndef RUNTIME_CUDA_RADIX_CUH
#define RUNTIME_CUDA_RADIX_CUH

#include "runtime/backends/cuda/launch.cuh"

enum { RADIX_DIGITS = 256, RADIX_ROUNDS = 16, RADIX_STRETCH = THREADS * RADIX_ROUNDS };
static_assert((int)RADIX_DIGITS == (int)THREADS, "a thread has a digit");

template <class K> struct keyed {
    K key, position;
};

template <class K> __device__ unsigned radix_digit(K key, int shift)
{
    return (unsigned)(key >> shift) % RADIX_DIGITS;
}

/* counts: [digit][block] */
template <class K>
__global__ void __launch_bounds__(THREADS)
    radix_count(int64_t *counts, const keyed<K> *in, int64_t n, int shift)
{
    __shared__ unsigned mine[RADIX_DIGITS];
    int64_t first = (int64_t)blockIdx.x * RADIX_STRETCH;
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int r = 0; r < RADIX_ROUNDS; r++) {
        int64_t i = first + r * THREADS + threadIdx.x;
        if (i < n)
            atomicAdd(&mine[radix_digit(in[i].key, shift)], 1u);
    }
    __syncthreads();
    counts[(int64_t)threadIdx.x * gridDim.x + blockIdx.x] = mine[threadIdx.x];
}

/* A block for each row of counts, which become the sums of those before; totals: of a row. */
template <class N>
__global__ void __launch_bounds__(THREADS) running_counts(N *counts, int64_t length, N *totals)
{
    N *row = counts + (int64_t)blockIdx.x * length;
    int64_t before = 0, all;
    for (int64_t first = 0; first < length; first += blockDim.x) {
        int64_t i = first + threadIdx.x;
        int64_t mine = count_before<int64_t>(i < length ? row[i] : 0, &all);
        if (i < length)
            row[i] = before + mine;
        before += all;
    }
    if (threadIdx.x == 0)
        totals[blockIdx.x] = before;
}

/* The lanes of this warp whose value, of eight bits, is the same; those that take part alone. */
__device__ static inline unsigned same_digit(unsigned digit, bool takes_part)
{
    unsigned same = __ballot_sync(ALL_LANES, takes_part);
    for (int bit = 0; bit < 8; bit++) {
        bool set = digit >> bit & 1;
        unsigned votes = __ballot_sync(ALL_LANES, set);
        same &= set ? votes : ~votes;
    }
    return same;
}

/* In each round a thread has one key. Those of its digit that come before are in earlier rounds, in
 * earlier warps of this round, or in earlier lanes. */
template <class K>
__global__ void __launch_bounds__(THREADS)
    radix_move(keyed<K> *out, const keyed<K> *in, int64_t n, int shift, const int64_t *counts,
               const int64_t *totals)
{
    __shared__ int64_t next[RADIX_DIGITS];
    __shared__ unsigned of_warp[THREADS / WARP][RADIX_DIGITS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int64_t first = (int64_t)blockIdx.x * RADIX_STRETCH, all;
    next[threadIdx.x] = count_before<int64_t>(totals[threadIdx.x], &all) +
                        counts[(int64_t)threadIdx.x * gridDim.x + blockIdx.x];
    for (int r = 0; r < RADIX_ROUNDS && first + r * THREADS < n; r++) {
        int64_t i = first + r * THREADS + threadIdx.x;
        keyed<K> mine = i < n ? in[i] : keyed<K>{0, 0};
        unsigned digit = radix_digit(mine.key, shift), same = same_digit(digit, i < n);
        unsigned before = __popc(same & ((1u << lane) - 1));
        for (int w = 0; w < THREADS / WARP; w++)
            of_warp[w][threadIdx.x] = 0;
        __syncthreads();
        if (i < n && before == 0)
            of_warp[warp][digit] = __popc(same);
        __syncthreads();
        if (i < n) {
            int64_t at = next[digit] + before;
            for (int w = 0; w < warp; w++)
                at += of_warp[w][digit];
            out[at] = mine;
        }
        __syncthreads();
        for (int w = 0; w < THREADS / WARP; w++)
            next[threadIdx.x] += of_warp[w][threadIdx.x];
        __syncthreads();
    }
}

/* Sorts the n entries by the low `bits` of their keys. There are two arrays to work in, of which
 * the first holds them; returns the one that holds them sorted. NULL: out of memory. */
template <class K> keyed<K> *radix_sort(keyed<K> *entries, keyed<K> *other, int64_t n, int bits)
{
    int64_t blocks = divide_up(n, RADIX_STRETCH);
    scratch work(entries, (size_t)(RADIX_DIGITS * (blocks + 1)) * sizeof(int64_t));
    int64_t *counts = work.as<int64_t>();
    if (!counts)
        return nullptr;
    int64_t *totals = counts + RADIX_DIGITS * blocks;
    for (int shift = 0; shift < bits; shift += 8) {
        LAUNCH((radix_count<K>), (unsigned)blocks, THREADS, counts, entries, n, shift);
        LAUNCH((running_counts<int64_t>), RADIX_DIGITS, WARP, counts, blocks, totals);
        LAUNCH((radix_move<K>), (unsigned)blocks, THREADS, other, entries, n, shift, counts,
               totals);
        keyed<K> *sorted = other;
        other = entries;
        entries = sorted;
    }
    return entries;
}

/* Bits that the numbers below n need. */
static inline int bits_for(uint64_t n)
{
    int bits = 0;
    for (; bits < 64 && n > 1; n = n / 2 + n % 2)
        bits++;
    return bits;
}

#endif
