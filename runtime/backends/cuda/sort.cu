/* Sorting along a dimension. Short rows are sorted by a block in its shared memory, several at a
 * time if they are very short; long ones digit by digit in global memory, where every pass counts
 * the digits of each tile, then moves its elements behind those that come before. Equal keys stay
 * in order. */
#include "runtime/backends/cuda/reduce.cuh"
#include "runtime/backends/cuda/sort.cuh"

namespace
{

/* ---- short rows ------------------------------------------------------------------------------
 */

/* Elements of a tensor. */
template <class T> struct from_rows {
    using K = typename keys<T>::K;
    static constexpr bool NANS = keys<T>::NANS;
    static constexpr K NAN_KEY = keys<T>::ALL;
    __device__ K key(const sort_job &j, const int64_t *at, int64_t, int64_t i) const
    {
        return key_at<T>(j, j.in + at[0], i);
    }
    __device__ int64_t place(int64_t, int64_t i, int64_t) const
    {
        return i;
    }
    __device__ int64_t length(const sort_job &j) const
    {
        return j.length;
    }
};

/* What was selected of long rows, j.wanted of each. */
template <class K_> struct from_picks {
    using K = K_;
    static constexpr bool NANS = false;
    static constexpr K NAN_KEY = 0;
    const K *picked;
    const int64_t *places;
    __device__ K key(const sort_job &j, const int64_t *, int64_t row, int64_t i) const
    {
        return picked[row * j.wanted + i];
    }
    __device__ int64_t place(int64_t row, int64_t i, int64_t wanted) const
    {
        return places[row * wanted + i];
    }
    __device__ int64_t length(const sort_job &j) const
    {
        return j.wanted;
    }
};

/* By key, then by place: a total order, so any correct sort is a stable one. What fills a row up
 * has the greatest key and a place behind all others. */
template <class K> __device__ bool is_behind(K key_a, int64_t place_a, K key_b, int64_t place_b)
{
    return key_a > key_b || (key_a == key_b && place_a > place_b);
}

/* A bitonic network over rows of m (a power of two) each. */
template <class K> __device__ void sort_shared(K *key, int64_t *place, int total, int m)
{
    for (int run = 2; run <= m; run *= 2)
        for (int away = run / 2; away; away /= 2) {
            __syncthreads();
            for (int pair = (int)threadIdx.x; pair < total / 2; pair += THREADS) {
                int a = 2 * pair - (pair & (away - 1)), b = a + away;
                bool down = run < m && (a & run) != 0;
                if (is_behind(key[a], place[a], key[b], place[b]) != down) {
                    K k = key[a];
                    int64_t p = place[a];
                    key[a] = key[b];
                    place[a] = place[b];
                    key[b] = k;
                    place[b] = p;
                }
            }
        }
    __syncthreads();
}

/* The position of a sorted row's lower median, or of its first NaN; NaNs are last. */
template <class Source> __device__ int median_of(const typename Source::K *key, int64_t n)
{
    int middle = (int)((n - 1) / 2);
    if (!Source::NANS || key[n - 1] != Source::NAN_KEY)
        return middle;
    int low = 0, high = (int)n - 1; /* the first NaN is in low … high */
    while (low < high) {
        int between = (low + high) / 2;
        if (key[between] == Source::NAN_KEY)
            high = between;
        else
            low = between + 1;
    }
    return low;
}

template <class Source>
__global__ void __launch_bounds__(THREADS)
    short_kernel(Source source, sort_job j, int64_t first, int64_t rows, int total, int m)
{
    using K = typename Source::K;
    __shared__ K key[SHORT_ROW];
    __shared__ int64_t place[SHORT_ROW];
    int64_t base = (int64_t)blockIdx.x * (total / m), n = source.length(j);
    for (int i = (int)threadIdx.x; i < total; i += THREADS) {
        int64_t row = base + i / m, in_row = i % m, at[2];
        bool filled = row < rows && in_row < n;
        if (filled)
            j.kept.find(first + row, at);
        key[i] = filled ? source.key(j, at, row, in_row) : (K) ~(K)0;
        place[i] = filled ? source.place(row, in_row, j.wanted) : INT64_MAX;
    }
    sort_shared(key, place, total, m);
    for (int i = (int)threadIdx.x; i < total; i += THREADS) {
        int64_t row = base + i / m, at[2];
        if (row >= rows || i % m >= j.wanted)
            continue;
        int taken = j.median ? i / m * m + median_of<Source>(key + i / m * m, n) : i;
        j.kept.find(first + row, at);
        write_sorted(j, at, i % m, place[taken]);
    }
}

template <class Source>
static void sort_short(Source source, const sort_job &j, int64_t first, int64_t rows, int64_t n)
{
    int m = power_above(n, SHORT_ROW), total = m < 1024 ? 1024 : m;
    LAUNCH((short_kernel<Source>), (unsigned)divide_up(rows, total / m), THREADS, source, j, first,
           rows, total, m);
}

} // namespace

void sort_picks(const sort_job &j, int64_t first, int64_t rows, const uint32_t *picked,
                const int64_t *at)
{
    sort_short(from_picks<uint32_t>{picked, at}, j, first, rows, j.wanted);
}
void sort_picks(const sort_job &j, int64_t first, int64_t rows, const uint64_t *picked,
                const int64_t *at)
{
    sort_short(from_picks<uint64_t>{picked, at}, j, first, rows, j.wanted);
}

namespace
{

/* ---- long rows -------------------------------------------------------------------------------
 */

enum { ITEMS = 16, TILE = (int)THREADS * ITEMS };

/* One pass. counts: of each digit in each tile of each row, (row, digit, tile), which become what
 * comes before in earlier tiles; totals: of each digit in each row. */
template <class K, class P> struct pass_job {
    const K *keys;
    const P *places; /* NULL: each is where it belongs yet */
    K *to_keys;
    P *to_places;
    P *counts, *totals;
    int64_t length, tiles;
    int shift;
    __device__ int digit(K key) const
    {
        return (int)(key >> shift & (BINS - 1));
    }
};

template <class K, class P>
__global__ void __launch_bounds__(THREADS) count_kernel(pass_job<K, P> j)
{
    __shared__ unsigned count[BINS];
    int64_t row = blockIdx.y, tile = blockIdx.x, begin = tile * TILE;
    count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = (int)threadIdx.x; i < TILE; i += THREADS)
        if (begin + i < j.length)
            atomicAdd(&count[j.digit(j.keys[row * j.length + begin + i])], 1u);
    __syncthreads();
    j.counts[(row * BINS + threadIdx.x) * j.tiles + tile] = count[threadIdx.x];
}

/* A block for each digit of each row. */
template <class K, class P>
__global__ void __launch_bounds__(THREADS) before_kernel(pass_job<K, P> j)
{
    int64_t line = (int64_t)blockIdx.y * BINS + blockIdx.x;
    P carry = 0, *counts = j.counts + line * j.tiles;
    for (int64_t first = 0; first < j.tiles; first += THREADS) {
        int64_t tile = first + threadIdx.x;
        P all, mine = tile < j.tiles ? counts[tile] : 0, before = count_before(mine, &all);
        if (tile < j.tiles)
            counts[tile] = carry + before;
        carry += all;
    }
    if (threadIdx.x == 0)
        j.totals[line] = carry;
}

/* The lanes of this warp that are here and have the same digit. */
__device__ static inline unsigned lanes_alike(int digit, bool here)
{
    unsigned alike = __ballot_sync(ALL_LANES, here);
#pragma unroll
    for (int bit = 0; bit < DIGIT; bit++) {
        unsigned set = __ballot_sync(ALL_LANES, digit >> bit & 1);
        alike &= digit >> bit & 1 ? set : ~set;
    }
    return alike;
}

/* Each warp takes neighbours in order, so that ranks among equal digits keep it. */
template <class K, class P> __global__ void __launch_bounds__(THREADS) move_kernel(pass_job<K, P> j)
{
    constexpr int WARPS = THREADS / WARP;
    __shared__ unsigned count[WARPS][BINS];
    __shared__ P start[BINS];
    int thread = (int)threadIdx.x, lane = thread % WARP, warp = thread / WARP;
    int64_t row = (int64_t)blockIdx.y * j.length;
    int64_t begin = (int64_t)blockIdx.x * TILE + warp * (TILE / WARPS) + lane;
    K key[ITEMS];
    unsigned rank[ITEMS];
    for (int w = 0; w < WARPS; w++)
        count[w][thread] = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        key[i] = begin + i * WARP < j.length ? j.keys[row + begin + i * WARP] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        bool here = begin + i * WARP < j.length;
        int digit = j.digit(key[i]);
        unsigned alike = lanes_alike(digit, here), below = alike & ((1u << lane) - 1);
        rank[i] = count[warp][digit] + (unsigned)__popc(below);
        __syncwarp();
        if (here && !below)
            count[warp][digit] += (unsigned)__popc(alike);
        __syncwarp();
    }
    P all, digits = count_before(j.totals[(int64_t)blockIdx.y * BINS + thread], &all);
    start[thread] = digits + j.counts[((int64_t)blockIdx.y * BINS + thread) * j.tiles + blockIdx.x];
    unsigned earlier = 0;
    for (int w = 0; w < WARPS; w++) {
        unsigned here = count[w][thread];
        count[w][thread] = earlier;
        earlier += here;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int64_t from = begin + i * WARP;
        if (from < j.length) {
            int digit = j.digit(key[i]);
            int64_t to = row + (int64_t)start[digit] + count[warp][digit] + rank[i];
            j.to_keys[to] = key[i];
            j.to_places[to] = j.places ? j.places[row + from] : (P)from;
        }
    }
}

template <class P>
__global__ void __launch_bounds__(THREADS) write_kernel(sort_job j, int64_t first, const P *sorted)
{
    int64_t at[2];
    j.kept.find(first + blockIdx.y, at);
    for (GRID_STEP(i, j.wanted))
        write_sorted(j, at, i, (int64_t)sorted[blockIdx.y * j.length + i]);
}

/* P: of places. */
template <class T, class P> static bool sort_batch(const sort_job &j, int64_t first, int64_t rows)
{
    using K = typename keys<T>::K;
    int64_t n = rows * j.length, tiles = divide_up(j.length, TILE);
    scratch keys_room(j.in, (size_t)(2 * n) * sizeof(K)),
        places_room(j.in, (size_t)(2 * n) * sizeof(P));
    scratch counts_room(j.in, (size_t)(rows * BINS * (tiles + 1)) * sizeof(P));
    if (!keys_room.data || !places_room.data || !counts_room.data)
        return false;
    K *from = keys_room.as<K>(), *to = from + n;
    P *places = places_room.as<P>(), *to_places = places + n, *counts = counts_room.as<P>();
    dim3 all((unsigned)tiles, (unsigned)rows), lines(BINS, (unsigned)rows);
    LAUNCH((keys_kernel<T>), dim3(blocks_for(j.length), (unsigned)rows), THREADS, j, first, from);
    for (int shift = 0; shift < keys<T>::BITS; shift += DIGIT) {
        pass_job<K, P> pass = {from,   shift ? places : nullptr,     to,       to_places,
                               counts, counts + rows * BINS * tiles, j.length, tiles,
                               shift};
        LAUNCH((count_kernel<K, P>), all, THREADS, pass);
        LAUNCH((before_kernel<K, P>), lines, THREADS, pass);
        LAUNCH((move_kernel<K, P>), all, THREADS, pass);
        K *t = from;
        from = to;
        to = t;
        P *u = places;
        places = to_places;
        to_places = u;
    }
    LAUNCH((write_kernel<P>), dim3(blocks_for(j.wanted), (unsigned)rows), THREADS, j, first,
           places);
    return true;
}

/* ---- which way -------------------------------------------------------------------------------
 */

template <class T> static bool sort_long(const sort_job &j)
{
    return in_batches(j, [&](int64_t first, int64_t rows) {
        return j.length <= UINT32_MAX ? sort_batch<T, uint32_t>(j, first, rows)
                                      : sort_batch<T, unsigned long long>(j, first, rows);
    });
}

static bool run(const sort_job &j, mc_dtype dtype)
{
    bool few = j.wanted <= SHORT_ROW && j.wanted < j.length / 4, ok = true;
    USE(j.in);
    if (j.length > SHORT_ROW && (few || j.median))
        return select_rows(j, dtype);
    with_dtype<DTYPES_BOOL | DTYPES_INT | DTYPES_FLOAT>(dtype, [&](auto t) {
        using T = decltype(t);
        if (j.length > SHORT_ROW)
            ok = sort_long<T>(j);
        else
            sort_short(from_rows<T>{}, j, 0, j.rows, j.length);
    });
    return ok;
}

static sort_job job_of(const view &values, const view &indices, const view &in, int dim)
{
    grid g = grid_of(values, in, 1u << dim, true);
    sort_job j = {};
    j.in = in.data;
    j.values = values.data;
    j.indices = reinterpret_cast<int64_t *>(indices.data);
    j.kept = places_of(g.kept);
    j.rows = g.kept.numel;
    j.length = g.inner.numel;
    j.in_step = g.inner.last().in;
    j.out_step = g.inner.last().out;
    j.wanted = in.ndim ? values.shape[dim] : 1;
    j.size = (int)size_of(in.dtype);
    return j;
}

} // namespace

bool cuda_sort(struct view values, struct view indices, struct view in, int dim, bool descending)
{
    if (values.numel == 0)
        return true;
    sort_job j = job_of(values, indices, in, dim);
    j.descending = descending;
    return run(j, in.dtype);
}

bool cuda_median(struct view values, struct view indices, struct view in, int dim)
{
    if (values.numel == 0)
        return true;
    sort_job j = job_of(values, indices, in, dim);
    j.median = true;
    return run(j, in.dtype);
}
