/* Random numbers: the same, element by element, as the CPU's. A thread makes a block of Philox and
 * shapes the elements that it is for.
 *
 * This file is translated without making a product and a sum one, which would change bits. */
#include "runtime/kernels/random.h"

#include <stdlib.h>

#include "runtime/backends/cuda/families.h"
#include "runtime/backends/cuda/radix.cuh"
#include "runtime/backends/cuda/split.cuh"
#include "runtime/kernels/normal.h"

/* ---- Philox 4x32-10
 * ------------------------------------------------------------------------------ */

struct numbers4 {
    uint32_t at[4];
    /* Two 32-bit numbers as one. */
    BOTH uint64_t wide(int i) const
    {
        return (uint64_t)at[2 * i + 1] << 32 | at[2 * i];
    }
};

BOTH numbers4 philox(struct rng rng, uint64_t block)
{
    uint64_t counter = rng.counter + block;
    uint32_t c0 = (uint32_t)counter, c1 = (uint32_t)(counter >> 32), c2 = 0, c3 = 0;
    uint32_t k0 = (uint32_t)rng.seed, k1 = (uint32_t)(rng.seed >> 32);
    for (int round = 0; round < 10; round++, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
    }
    return numbers4{{c0, c1, c2, c3}};
}

/* Element i of those that take two numbers each. */
BOTH uint64_t wide_at(struct rng rng, int64_t i)
{
    return philox(rng, (uint64_t)i / 2).wide((int)(i % 2));
}

BOTH double unit_f64(uint64_t r)
{
    return (double)(int64_t)(r >> 11) * 0x1p-53;
}

/* ---- element by element
 * -------------------------------------------------------------------------- */

/* WIDTH: 32-bit numbers per element. shape(numbers, in, out) makes the 4 / WIDTH elements of a
 * block; in holds the elements of `in` at these positions, if there is one. */
template <int WIDTH, class T, class Shape>
__global__ void __launch_bounds__(THREADS)
    draw_kernel(T *out, const T *in, int64_t n, bool packed, struct rng rng, Shape shape)
{
    constexpr int V = 4 / WIDTH;
    for (GRID_STEP(block, (n + V - 1) / V)) {
        pack<T, V> from = {}, to;
        int64_t at = block * V;
        bool whole = packed && at + V <= n;
        if (in && whole)
            from = reinterpret_cast<const pack<T, V> *>(in)[block];
        for (int v = 0; v < V && in && !whole; v++)
            if (at + v < n)
                from.at[v] = in[at + v];
        shape(philox(rng, (uint64_t)block), from.at, to.at, n - at < V ? (int)(n - at) : V);
        if (whole)
            reinterpret_cast<pack<T, V> *>(out)[block] = to;
        for (int v = 0; v < V && !whole; v++)
            if (at + v < n)
                out[at + v] = to.at[v];
    }
}

template <int WIDTH, class T, class Shape>
static void draw(const struct view *out, const struct view *in, struct rng rng, Shape shape)
{
    constexpr int V = 4 / WIDTH;
    bool packed = is_aligned<T>(out->data, V) && (!in || is_aligned<T>(in->data, V));
    USE(out->data);
    LAUNCH((draw_kernel<WIDTH, T, Shape>), blocks_for(divide_up(out->numel, V)), THREADS,
           data_of<T>(out), data_of<const T>(in), out->numel, packed, rng, shape);
}

/* A sum that rounds up to high is turned back to low. */
struct uniform_f32 {
    float low, high, width, unit;
    int shift;
    __device__ void operator()(const numbers4 &r, const float *, float *out, int) const
    {
        for (int v = 0; v < 4; v++) {
            float x = low + (float)(int32_t)(r.at[v] >> shift) * unit * width;
            out[v] = x < high ? x : low;
        }
    }
};
struct uniform_f64 {
    double low, high;
    __device__ void operator()(const numbers4 &r, const double *, double *out, int) const
    {
        for (int v = 0; v < 2; v++) {
            double x = low + unit_f64(r.wide(v)) * (high - low);
            out[v] = x < high ? x : low;
        }
    }
};

static void cuda_uniform(const struct view *out, double low, double high, int bits, struct rng rng)
{
    if (out->dtype == MC_F64)
        draw<2, double>(out, NULL, rng, uniform_f64{low, high});
    else
        draw<1, float>(out, NULL, rng,
                       uniform_f32{(float)low, (float)high, (float)(high - low),
                                   (float)ldexp(1, -bits), 32 - bits});
}

/* Elements 2i and 2i + 1 are a pair. u is never 0. */
struct normal_f32 {
    float mean, std;
    __device__ void operator()(const numbers4 &r, const float *, float *out, int) const
    {
        for (int i = 0; i < 2; i++) {
            float u = ((float)(int32_t)(r.at[2 * i] >> 8) + 0.5f) * 0x1p-24f;
            float v = (float)(int32_t)(r.at[2 * i + 1] >> 8) * 0x1p-24f;
            float cosine, sine, radius = sqrtf(-2 * log_f32(u));
            turn_f32(v, &cosine, &sine);
            out[2 * i] = radius * cosine * std + mean;
            out[2 * i + 1] = radius * sine * std + mean;
        }
    }
};

struct normal_f64 {
    double mean, std;
    __device__ void operator()(const numbers4 &r, const double *, double *out, int) const
    {
        double u = unit_f64(r.wide(0)) + 0x1p-54, v = unit_f64(r.wide(1));
        double cosine, sine, radius = sqrt(-2 * log_f64(u));
        turn_f64(v, &cosine, &sine);
        out[0] = radius * cosine * std + mean;
        out[1] = radius * sine * std + mean;
    }
};

static void cuda_normal(const struct view *out, double mean, double std, struct rng rng)
{
    if (out->dtype == MC_F64)
        draw<2, double>(out, NULL, rng, normal_f64{mean, std});
    else
        draw<1, float>(out, NULL, rng, normal_f32{(float)mean, (float)std});
}

/* The high half of a 64 by 64 bit product. */
BOTH uint64_t multiply_high(uint64_t a, uint64_t b)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (uint32_t)middle;
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* A random number of 32 or 64 bits, read as a fraction of 1, times range. */
template <class T, int WIDTH> struct integers {
    uint64_t low, range;
    __device__ void operator()(const numbers4 &r, const T *, T *out, int) const
    {
        for (int v = 0; v < 4 / WIDTH; v++) {
            uint64_t x = WIDTH == 1 ? r.at[v] * range >> 32 : multiply_high(r.wide(v), range);
            out[v] = store<T>((math_of<T>)(int64_t)(low + x));
        }
    }
};

static void cuda_integers(const struct view *out, int64_t low, uint64_t range, struct rng rng)
{
    with_dtype<DTYPES_BOOL | DTYPES_INT | DTYPES_WIDE>(out->dtype, [&](auto t) {
        using T = decltype(t);
        if (range >> 32)
            draw<2, T>(out, NULL, rng, integers<T, 2>{(uint64_t)low, range});
        else
            draw<1, T>(out, NULL, rng, integers<T, 1>{(uint64_t)low, range});
    });
}

/* ---- bernoulli, dropout
 * -------------------------------------------------------------------------- */

template <class T> struct bernoulli {
    unsigned *bad; /* set where a probability is none */
    __device__ void operator()(const numbers4 &r, const T *p, T *out, int n) const
    {
        constexpr bool f64 = sizeof(T) == 8;
        for (int v = 0; v < n; v++) {
            T unit;
            if constexpr (f64)
                unit = unit_f64(r.wide(v));
            else
                unit = (float)(int32_t)(r.at[v] >> 8) * 0x1p-24f;
            if (!(p[v] >= 0 && p[v] <= 1))
                *bad = 1;
            out[v] = unit < p[v] ? 1 : 0;
        }
    }
};

static bool cuda_bernoulli(const struct view *out, const struct view *p, struct rng rng)
{
    unsigned is_bad = 0;
    if (out->numel == 0)
        return true;
    USE(out->data);
    scratch bad(out->data, sizeof is_bad);
    if (!bad.data || !cuda_ok(cudaMemsetAsync(bad.data, 0, sizeof is_bad, 0), "bernoulli"))
        return cuda_ok(cudaErrorMemoryAllocation, "bernoulli");
    if (out->dtype == MC_F64)
        draw<2, double>(out, p, rng, bernoulli<double>{bad.as<unsigned>()});
    else
        draw<1, float>(out, p, rng, bernoulli<float>{bad.as<unsigned>()});
    return cuda_download(&is_bad, bad.data, sizeof is_bad) && !is_bad;
}

/* A dropped element is multiplied by 0, so that NaN and infinity are not hidden. */
template <class T> struct dropping {
    T scale;
    uint32_t threshold;
    __device__ void operator()(const numbers4 &r, const T *x, T *out, int) const
    {
        for (int v = 0; v < 4; v++)
            out[v] = x[v] * (r.at[v] >= threshold ? scale : 0);
    }
};

static void cuda_dropout(const struct view *out, const struct view *x, double p, struct rng rng)
{
    uint32_t threshold = (uint32_t)(uint64_t)(p * 0x1p32);
    with_dtype<DTYPES_WIDE>(out->dtype, [&](auto t) {
        using T = decltype(t);
        draw<1, T>(out, x, rng, dropping<T>{(T)(1 / (1 - p)), threshold});
    });
}

/* ---- a random order
 * ------------------------------------------------------------------------------ */

/* Fisher and Yates, from the front: element i is put anywhere among the first i + 1. Each step
 * needs the one before, so this is the host's work; what travels is the result alone. */
static void cuda_permutation(const struct view *out, struct rng rng)
{
    int64_t n = out->numel, *order = n ? (int64_t *)malloc((size_t)n * sizeof *order) : NULL;
    if (n && !order)
        cuda_ok(cudaErrorMemoryAllocation, "randperm");
    if (!order)
        return;
    for (int64_t i = 0; i < n; i++) {
        int64_t to = (int64_t)(wide_at(rng, i) % (uint64_t)(i + 1));
        order[i] = order[to];
        order[to] = i;
    }
    cuda_upload(out->data, order, (size_t)n * sizeof *order);
    free(order);
}

/* ---- categories
 * ---------------------------------------------------------------------------------- */

enum wrong { FINE, BAD_WEIGHT, BAD_SUM, TOO_FEW, WRONG_COUNT };
static const char *const wrong_text[WRONG_COUNT] = {
    NULL,
    "a weight is negative, infinite or NaN",
    "the weights of a row sum up to 0 or to infinity",
    "fewer weights of a row are positive than samples are wanted",
};

struct draw_rows {
    double *weights;
    int64_t *out;
    int64_t rows, categories, samples;
    struct rng rng;
};

/* A warp handles a row. The sum is taken in order, as bits depend on it: lanes read, and pass it
 * on in turn. running: the weights become running sums. first: the lowest invalid row and what is
 * wrong with it. last (one per row): the last category that can be drawn. */
__global__ void __launch_bounds__(THREADS) check_kernel(draw_rows d, int64_t needed, bool running,
                                                        unsigned long long *first, int64_t *last)
{
    const int lane = threadIdx.x % WARP;
    for (int64_t row = (int64_t)blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP; row < d.rows;
         row += (int64_t)gridDim.x * (THREADS / WARP)) {
        double *w = d.weights + row * d.categories, sum = 0;
        int64_t positive = 0, drawn = 0;
        unsigned bad = 0;
        for (int64_t from = 0; from < d.categories; from += WARP) {
            int64_t c = from + lane;
            double mine = c < d.categories ? w[c] : 0, until = 0;
            unsigned above = __ballot_sync(ALL_LANES, mine > 0);
            bad |= __ballot_sync(ALL_LANES, !(mine >= 0) || isinf(mine));
            positive += __popc(above);
            drawn = above ? from + WARP - 1 - __clz((int)above) : drawn;
            for (int l = 0; l < WARP; l++) {
                sum += __shfl_sync(ALL_LANES, mine, l);
                until = l == lane ? sum : until;
            }
            if (running && c < d.categories)
                w[c] = until;
        }
        int wrong = bad                        ? BAD_WEIGHT
                    : !(sum > 0) || isinf(sum) ? BAD_SUM
                    : positive < needed        ? TOO_FEW
                                               : FINE;
        if (lane == 0 && wrong)
            atomicMin(first, (unsigned long long)(row * WRONG_COUNT + wrong));
        if (lane == 0)
            last[row] = drawn;
    }
}

/* With replacement: a sample is the first whose running sum exceeds its number. */
__global__ void __launch_bounds__(THREADS)
    sample_kernel(draw_rows d, const int64_t *last, splitter samples)
{
    for (GRID_STEP(i, d.rows * d.samples)) {
        int64_t row = samples.divide(i), low = 0, high = last[row];
        const double *w = d.weights + row * d.categories;
        double r = unit_f64(wide_at(d.rng, i)) * w[d.categories - 1];
        while (low < high) {
            int64_t middle = low + (high - low) / 2;
            if (w[middle] > r)
                high = middle;
            else
                low = middle + 1;
        }
        d.out[i] = low;
    }
}

/* Without: each category waits an exponential time, the shorter the heavier it is, and the earliest
 * are drawn, in that order. Times are not negative, so their bits have their order. */
__global__ void __launch_bounds__(THREADS) wait_kernel(keyed<uint64_t> *entries, draw_rows d)
{
    for (GRID_STEP(i, d.rows * d.categories)) {
        double w = d.weights[i];
        double time = w > 0 ? -log_f64(1 - unit_f64(wide_at(d.rng, i))) / w : (double)INFINITY;
        uint64_t bits;
        time += 0.0; /* -0 becomes 0 */
        memcpy(&bits, &time, sizeof bits);
        entries[i] = keyed<uint64_t>{bits, (uint64_t)i};
    }
}

__global__ void __launch_bounds__(THREADS)
    row_key_kernel(keyed<uint64_t> *entries, int64_t n, splitter categories)
{
    for (GRID_STEP(i, n))
        entries[i].key = (uint64_t)categories.divide((int64_t)entries[i].position);
}

__global__ void __launch_bounds__(THREADS)
    earliest_kernel(draw_rows d, const keyed<uint64_t> *entries, splitter samples)
{
    for (GRID_STEP(i, d.rows * d.samples)) {
        int64_t k, row = samples.divide(i, &k), first = row * d.categories;
        d.out[i] = (int64_t)entries[first + k].position - first;
    }
}

/* By time, and then by row, which keeps the order by time: an earlier category wins a tie. False:
 * no memory. */
static bool draw_once(const draw_rows &d)
{
    int64_t n = d.rows * d.categories;
    scratch room(d.weights, 2 * (size_t)n * sizeof(keyed<uint64_t>));
    auto *entries = room.as<keyed<uint64_t>>(), *other = entries + n;
    if (!entries)
        return false;
    LAUNCH((wait_kernel), blocks_for(n), THREADS, entries, d);
    auto *sorted = radix_sort(entries, other, n, 64);
    if (!sorted)
        return false;
    LAUNCH((row_key_kernel), blocks_for(n), THREADS, sorted, n, splitter(d.categories, n));
    sorted = radix_sort(sorted, sorted == entries ? other : entries, n, bits_for((uint64_t)d.rows));
    if (!sorted)
        return false;
    LAUNCH((earliest_kernel), blocks_for(d.rows * d.samples), THREADS, d, sorted,
           splitter(d.samples, d.rows * d.samples));
    return true;
}

static const char *cuda_multinomial(const struct view *out, const struct view *weights,
                                    bool replacement, struct rng rng)
{
    draw_rows d = {data_of<double>(weights), data_of<int64_t>(out), weights->shape[0],
                   weights->shape[1],        out->shape[1],         rng};
    unsigned long long first = 0, none = ~0ull;
    if (d.rows == 0 || d.categories == 0)
        return d.rows ? wrong_text[BAD_SUM] : NULL;
    USE(out->data);
    scratch notes(out->data, ((size_t)d.rows + 1) * sizeof(int64_t));
    int64_t *last = notes.as<int64_t>();
    if (!last)
        return "there is no memory on the GPU";
    auto *wrong = reinterpret_cast<unsigned long long *>(last + d.rows);
    cuda_ok(cudaMemsetAsync(wrong, 0xff, sizeof first, 0), "multinomial");
    LAUNCH((check_kernel), blocks_for(d.rows * WARP), THREADS, d, replacement ? 1 : d.samples,
           replacement, wrong, last);
    if (!cuda_download(&first, wrong, sizeof first))
        return "the weights could not be read";
    if (first != none)
        return wrong_text[first % WRONG_COUNT];
    if (d.samples == 0)
        return NULL;
    if (replacement)
        LAUNCH((sample_kernel), blocks_for(d.rows * d.samples), THREADS, d, last,
               splitter(d.samples, d.rows * d.samples));
    else if (!draw_once(d))
        return "there is no memory on the GPU";
    return NULL;
}

extern const struct random_kernels cuda_random = {
    .uniform = cuda_uniform,
    .normal = cuda_normal,
    .integers = cuda_integers,
    .bernoulli = cuda_bernoulli,
    .dropout = cuda_dropout,
    .permutation = cuda_permutation,
    .multinomial = cuda_multinomial,
};
