/* Sorting along a dimension: what sort.cu and select.cu share. Every dtype is mapped to unsigned
 * keys that compare as its values do (NaN last, both zeros equal); a key travels with the place it
 * came from, and values are fetched from there at the end. */
#ifndef RUNTIME_CUDA_SORT_CUH
#define RUNTIME_CUDA_SORT_CUH

#include "runtime/backends/cuda/grid.cuh"

enum {
    SHORT_ROW = 2048,  /* rows up to here are sorted by one block */
    DIGIT = 8,         /* bits per step in longer ones */
    BINS = 1 << DIGIT, /* as many as a block of THREADS has threads */
    BATCH = 1 << 27,   /* elements that memory is taken for at a time, if one row has no more */
    MOST_ROWS = 65535, /* of a batch: a grid is not higher */
};
static_assert((int)BINS == (int)THREADS, "a thread for each digit");

struct sort_job {
    const char *in;
    char *values;
    int64_t *indices; /* contiguous and of one shape with values, so both have the same offsets */
    places<2> kept;
    int64_t rows, length, in_step, out_step;
    int64_t wanted; /* how many of a row */
    int size;       /* of an element */
    bool median;    /* wanted is 1: the lower median, or the first NaN */
    bool descending;
};

/* ---- keys ------------------------------------------------------------------------------------
 */

template <class K, int BITS, K INFINITE> BOTH K float_key(K bits)
{
    constexpr K sign = (K)1 << (BITS - 1), all = sign | (sign - 1);
    K magnitude = bits & (sign - 1);
    if (magnitude > INFINITE)
        return all;
    bits = magnitude ? bits : 0;
    return bits & sign ? ~bits & all : bits | sign;
}

/* K: the type of keys, BITS: how many of theirs are used, NANS: whether the greatest means NaN. */
template <class T, class K_, int BITS_, bool NANS_> struct keyed {
    using K = K_;
    static constexpr int BITS = BITS_;
    static constexpr bool NANS = NANS_;
    static constexpr K ALL = (K)(((K)1 << (BITS - 1)) | (((K)1 << (BITS - 1)) - 1));
};
template <class T> struct keys;
template <> struct keys<flag> : keyed<flag, uint32_t, 8, false> {
    BOTH static K of(flag x)
    {
        return read(x);
    }
};
template <> struct keys<uint8_t> : keyed<uint8_t, uint32_t, 8, false> {
    BOTH static K of(uint8_t x)
    {
        return x;
    }
};
template <> struct keys<int8_t> : keyed<int8_t, uint32_t, 8, false> {
    BOTH static K of(int8_t x)
    {
        return (uint8_t)x ^ 0x80u;
    }
};
template <> struct keys<int16_t> : keyed<int16_t, uint32_t, 16, false> {
    BOTH static K of(int16_t x)
    {
        return (uint16_t)x ^ 0x8000u;
    }
};
template <> struct keys<int32_t> : keyed<int32_t, uint32_t, 32, false> {
    BOTH static K of(int32_t x)
    {
        return (uint32_t)x ^ 1u << 31;
    }
};
template <> struct keys<int64_t> : keyed<int64_t, uint64_t, 64, false> {
    BOTH static K of(int64_t x)
    {
        return (uint64_t)x ^ (uint64_t)1 << 63;
    }
};
template <> struct keys<f16> : keyed<f16, uint32_t, 16, true> {
    BOTH static K of(f16 x)
    {
        return float_key<K, 16, 0x7c00>(x.bits);
    }
};
template <> struct keys<bf16> : keyed<bf16, uint32_t, 16, true> {
    BOTH static K of(bf16 x)
    {
        return float_key<K, 16, 0x7f80>(x.bits);
    }
};
template <> struct keys<float> : keyed<float, uint32_t, 32, true> {
    BOTH static K of(float x)
    {
        return float_key<K, 32, 0x7f800000>(f32_bits(x));
    }
};
template <> struct keys<double> : keyed<double, uint64_t, 64, true> {
    BOTH static K of(double x)
    {
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        return float_key<K, 64, 0x7ff0000000000000>(bits);
    }
};

/* Turned round where the greatest comes first. */
template <class T>
__device__ typename keys<T>::K key_at(const sort_job &j, const char *row, int64_t i)
{
    auto key = keys<T>::of(*reinterpret_cast<const T *>(row + i * j.in_step));
    return j.descending ? key ^ keys<T>::ALL : key;
}

/* The i-th result of a row, whose offsets are at, is the element at that place. */
__device__ static inline void write_sorted(const sort_job &j, const int64_t *at, int64_t i,
                                           int64_t place)
{
    const char *from = j.in + at[0] + place * j.in_step;
    int64_t offset = at[1] + i * j.out_step;
    char *to = j.values + offset;
    if (j.size == 1)
        *to = *from;
    else if (j.size == 2)
        *reinterpret_cast<uint16_t *>(to) = *reinterpret_cast<const uint16_t *>(from);
    else if (j.size == 4)
        *reinterpret_cast<uint32_t *>(to) = *reinterpret_cast<const uint32_t *>(from);
    else
        *reinterpret_cast<uint64_t *>(to) = *reinterpret_cast<const uint64_t *>(from);
    j.indices[offset / j.size] = place;
}

/* ---- long rows --------------------------------------------------------------------------------
 */

/* Keys of the rows from first on, one row behind the other. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    keys_kernel(sort_job j, int64_t first, typename keys<T>::K *to)
{
    int64_t at[2];
    j.kept.find(first + blockIdx.y, at);
    for (GRID_STEP(i, j.length))
        to[blockIdx.y * j.length + i] = key_at<T>(j, j.in + at[0], i);
}

/* Rows of a batch, and work(first row, rows) for each until one fails. */
template <class F> bool in_batches(const sort_job &j, F work)
{
    int64_t rows = least(BATCH / j.length + (BATCH < j.length), MOST_ROWS);
    for (int64_t first = 0; first < j.rows; first += rows)
        if (!work(first, least(rows, j.rows - first)))
            return false;
    return true;
}

/* ---- select.cu --------------------------------------------------------------------------------
 */

/* The least few of long rows (wanted up to SHORT_ROW), or their medians. False: out of memory. */
bool select_rows(const sort_job &j, mc_dtype dtype);

/* ---- sort.cu ----------------------------------------------------------------------------------
 */

/* Sorts keys with positions, j.wanted of them per row, of rows from first on. */
void sort_picks(const sort_job &j, int64_t first, int64_t rows, const uint32_t *picked,
                const int64_t *at);
void sort_picks(const sort_job &j, int64_t first, int64_t rows, const uint64_t *picked,
                const int64_t *at);

#endif
