/* The least few of long rows, and their medians, without sorting all of them: digit by digit, the
 * greatest digit first, the key of that rank is found by counting how many have which digit. Then
 * what is below is gathered, with the first of its equals, and sorted. */
#include "runtime/backends/cuda/reduce.cuh"
#include "runtime/backends/cuda/sort.cuh"

namespace
{

enum { SELECT_BLOCKS = 1024, SELECT_PART = THREADS * 16 };

/* Of a row. */
template <class K> struct found {
    K key;        /* its digits so far, the others 0 */
    int64_t rank; /* that is looked for, from 1 on, among those that have these digits */
    unsigned long long first_nan; /* its place, or all ones */
    unsigned long long below;     /* how many have been gathered */
};

template <class K> struct select_job {
    const K *keys;
    found<K> *rows;
    unsigned long long *counts; /* of each digit of each row */
    unsigned long long *ties;   /* of each part of each row: keys that are the one found */
    int64_t length, part;
    int64_t wanted;
    K *picked; /* j.wanted of each row */
    int64_t *picked_at;
    bool nans; /* the greatest key means NaN, and is looked for */
    K nan_key;
};

template <class K>
__global__ void __launch_bounds__(THREADS) begin_kernel(found<K> *rows, int64_t n, int64_t rank)
{
    for (GRID_STEP(i, n))
        rows[i] = found<K>{0, rank, ~0ull, 0};
}

template <class K>
__global__ void __launch_bounds__(THREADS) digits_kernel(select_job<K> j, int shift, int bits)
{
    __shared__ unsigned count[BINS];
    const K *keys = j.keys + (int64_t)blockIdx.y * j.length;
    K known = j.rows[blockIdx.y].key;
    int64_t begin = (int64_t)blockIdx.x * j.part,
            end = begin + j.part < j.length ? begin + j.part : j.length;
    count[threadIdx.x] = 0;
    __syncthreads();
    for (int64_t i = begin + threadIdx.x; i < end; i += THREADS) {
        K key = keys[i];
        if (shift + DIGIT == bits || key >> (shift + DIGIT) == known >> (shift + DIGIT))
            atomicAdd(&count[key >> shift & (BINS - 1)], 1u);
        if (j.nans && shift + DIGIT == bits && key == j.nan_key)
            atomicMin(&j.rows[blockIdx.y].first_nan, (unsigned long long)i);
    }
    __syncthreads();
    if (count[threadIdx.x])
        atomicAdd(&j.counts[(int64_t)blockIdx.y * BINS + threadIdx.x],
                  (unsigned long long)count[threadIdx.x]);
}

/* The digit at which the rank is reached. Counts begin anew. */
template <class K>
__global__ void __launch_bounds__(THREADS) choose_kernel(select_job<K> j, int shift)
{
    found<K> *row = &j.rows[blockIdx.x];
    unsigned long long *count = &j.counts[(int64_t)blockIdx.x * BINS + threadIdx.x];
    int64_t here = (int64_t)*count, all, before = count_before(here, &all), rank = row->rank;
    __syncthreads(); /* all have read the rank */
    *count = 0;
    if (before < rank && rank <= before + here) {
        row->key |= (K)threadIdx.x << shift;
        row->rank = rank - before;
    }
}

template <class K> __global__ void __launch_bounds__(THREADS) ties_kernel(select_job<K> j)
{
    const K *keys = j.keys + (int64_t)blockIdx.y * j.length;
    K key = j.rows[blockIdx.y].key;
    int64_t begin = (int64_t)blockIdx.x * j.part,
            end = begin + j.part < j.length ? begin + j.part : j.length;
    int64_t mine = 0, all;
    for (int64_t i = begin + threadIdx.x; i < end; i += THREADS)
        mine += keys[i] == key;
    count_before(mine, &all);
    if (threadIdx.x == 0)
        j.ties[(int64_t)blockIdx.y * gridDim.x + blockIdx.x] = (unsigned long long)all;
}

/* How many equals the parts before this block's have. */
template <class K> __device__ int64_t ties_before(const select_job<K> &j)
{
    int64_t mine = 0, all;
    for (unsigned part = threadIdx.x; part < blockIdx.x; part += THREADS)
        mine += (int64_t)j.ties[(int64_t)blockIdx.y * gridDim.x + part];
    count_before(mine, &all);
    return all;
}

/* Those below the key, in no order, and behind them the first of its equals. */
template <class K> __global__ void __launch_bounds__(THREADS) gather_kernel(select_job<K> j)
{
    const K *keys = j.keys + (int64_t)blockIdx.y * j.length;
    found<K> *row = &j.rows[blockIdx.y];
    K key = row->key;
    int64_t begin = (int64_t)blockIdx.x * j.part,
            end = begin + j.part < j.length ? begin + j.part : j.length;
    int64_t needed = row->rank, ties = ties_before(j), line = (int64_t)blockIdx.y * j.wanted;
    for (int64_t first = begin; first < end; first += THREADS) {
        int64_t i = first + threadIdx.x, to = -1, all;
        K here = i < end ? keys[i] : 0;
        bool tie = i < end && here == key;
        int64_t rank = ties + count_before((int64_t)tie, &all);
        ties += all;
        if (tie && rank < needed)
            to = j.wanted - needed + rank;
        else if (i < end && here < key)
            to = (int64_t)atomicAdd(&row->below, 1ull);
        if (to >= 0) {
            j.picked[line + to] = here;
            j.picked_at[line + to] = i;
        }
    }
}

/* The one equal of that rank, or the first NaN. */
template <class K>
__global__ void __launch_bounds__(THREADS)
    median_kernel(sort_job sort, select_job<K> j, int64_t first_row)
{
    const K *keys = j.keys + (int64_t)blockIdx.y * j.length;
    found<K> row = j.rows[blockIdx.y];
    int64_t begin = (int64_t)blockIdx.x * j.part,
            end = begin + j.part < j.length ? begin + j.part : j.length;
    int64_t ties = ties_before(j), at[2];
    bool nan = row.first_nan != ~0ull;
    sort.kept.find(first_row + blockIdx.y, at);
    if (nan && blockIdx.x == 0 && threadIdx.x == 0)
        write_sorted(sort, at, 0, (int64_t)row.first_nan);
    for (int64_t first = begin; first < end && !nan && ties < row.rank; first += THREADS) {
        int64_t i = first + threadIdx.x, all;
        bool tie = i < end && keys[i] == row.key;
        int64_t rank = ties + count_before((int64_t)tie, &all);
        ties += all;
        if (tie && rank + 1 == row.rank)
            write_sorted(sort, at, 0, i);
    }
}

template <class T> static bool select_batch(const sort_job &sort, int64_t first, int64_t rows)
{
    using K = typename keys<T>::K;
    select_job<K> j = {};
    int64_t parts = least(divide_up(SELECT_BLOCKS, rows), divide_up(sort.length, SELECT_PART));
    j.part = divide_up(sort.length, parts);
    parts = divide_up(sort.length, j.part);
    size_t words = (size_t)(rows * (BINS + parts)), picks = (size_t)(rows * sort.wanted);
    scratch keys_room(sort.in, (size_t)(rows * sort.length) * sizeof(K));
    scratch rows_room(sort.in, (size_t)rows * sizeof(found<K>));
    scratch counts_room(sort.in, words * sizeof *j.counts);
    scratch picked_room(sort.in, picks * sizeof(K)), at_room(sort.in, picks * sizeof(int64_t));
    if (!keys_room.data || !rows_room.data || !counts_room.data || !picked_room.data ||
        !at_room.data)
        return false;
    j.keys = keys_room.as<K>();
    j.rows = rows_room.as<found<K>>();
    j.counts = counts_room.as<unsigned long long>();
    j.ties = j.counts + rows * BINS;
    j.length = sort.length;
    j.wanted = sort.wanted;
    j.picked = picked_room.as<K>();
    j.picked_at = at_room.as<int64_t>();
    j.nans = sort.median && keys<T>::NANS;
    j.nan_key = keys<T>::ALL;
    dim3 grid((unsigned)parts, (unsigned)rows);
    int64_t rank = sort.median ? (sort.length - 1) / 2 + 1 : sort.wanted;
    cuda_ok(cudaMemsetAsync(counts_room.data, 0, words * sizeof *j.counts, 0), "selecting");
    LAUNCH((begin_kernel<K>), blocks_for(rows), THREADS, j.rows, rows, rank);
    LAUNCH((keys_kernel<T>), dim3(blocks_for(j.length), (unsigned)rows), THREADS, sort, first,
           keys_room.as<K>());
    for (int shift = keys<T>::BITS - DIGIT; shift >= 0; shift -= DIGIT) {
        LAUNCH((digits_kernel<K>), grid, THREADS, j, shift, keys<T>::BITS);
        LAUNCH((choose_kernel<K>), (unsigned)rows, THREADS, j, shift);
    }
    LAUNCH((ties_kernel<K>), grid, THREADS, j);
    if (sort.median) {
        LAUNCH((median_kernel<K>), grid, THREADS, sort, j, first);
    } else {
        LAUNCH((gather_kernel<K>), grid, THREADS, j);
        sort_picks(sort, first, rows, j.picked, j.picked_at);
    }
    return true;
}

} // namespace

bool select_rows(const sort_job &j, mc_dtype dtype)
{
    bool ok = true;
    with_dtype<DTYPES_BOOL | DTYPES_INT | DTYPES_FLOAT>(dtype, [&](auto t) {
        ok = in_batches(j, [&](int64_t first, int64_t rows) {
            return select_batch<decltype(t)>(j, first, rows);
        });
    });
    return ok;
}
