/* Look-ups in tables, means of bags, one-hot rows, and the range of indices. */
#include "runtime/backends/cuda/layer.cuh"

#include "runtime/backends/cuda/split.cuh"

template <class F> static void with_index(mc_dtype dtype, F f)
{
    with_dtype<1u << MC_I32 | 1u << MC_I64>(dtype, f);
}

/* ---- rows of a table ---------------------------------------------------------------------------
 */

/* step: bytes from one row of table to the next. */
template <class T, class I>
__global__ void __launch_bounds__(THREADS)
    lookup_kernel(T *out, const char *table, int64_t step, const I *indices, int64_t n,
                  splitter width)
{
    for (GRID_STEP(i, n)) {
        int64_t column, row = width.divide(i, &column);
        out[i] = reinterpret_cast<const T *>(table + (int64_t)indices[row] * step)[column];
    }
}

void cuda_lookup(const struct view *out, const struct view *table, const struct view *indices)
{
    size_t size = size_of(table->dtype), row = (size_t)table->shape[1] * size;
    int64_t step = table->stride[0] * (int64_t)size;
    if (out->numel == 0)
        return;
    size = widest_element(size, row, step, (uintptr_t)out->data, (uintptr_t)table->data);
    int64_t width = (int64_t)(row / size), n = indices->numel * width;
    USE(out->data);
    with_bytes(size, [&](auto t) {
        using T = decltype(t);
        with_index(indices->dtype, [&](auto index) {
            using I = decltype(index);
            LAUNCH((lookup_kernel<T, I>), blocks_for(n), THREADS, data_of<T>(out), table->data,
                   step, data_of<const I>(indices), n, splitter(width, n));
        });
    });
}

/* ---- bags ---------------------------------------------------------------------------------------
 */

template <class T, class I>
__global__ void __launch_bounds__(THREADS)
    bag_kernel(T *out, const T *table, int64_t step, const I *indices, int64_t items, int64_t n,
               splitter width)
{
    for (GRID_STEP(i, n)) {
        int64_t column, bag = width.divide(i, &column);
        math_of<T> sum = 0;
        for (int64_t k = 0; k < items; k++)
            sum += read(table[(int64_t)indices[bag * items + k] * step + column]);
        out[i] = store<T>(sum / (math_of<T>)(items ? items : 1));
    }
}

/* The computation's dtype is the one that the table's is computed in anyway. */
void cuda_bag_mean(mc_dtype, const struct view *out, const struct view *table,
                   const struct view *indices)
{
    int64_t n = out->numel;
    if (n == 0)
        return;
    USE(out->data);
    with_dtype<DTYPES_FLOAT>(table->dtype, [&](auto t) {
        using T = decltype(t);
        with_index(indices->dtype, [&](auto index) {
            using I = decltype(index);
            LAUNCH((bag_kernel<T, I>), blocks_for(n), THREADS, data_of<T>(out),
                   data_of<const T>(table), table->stride[0], data_of<const I>(indices),
                   indices->shape[1], n, splitter(table->shape[1], n));
        });
    });
}

/* ---- one-hot ------------------------------------------------------------------------------------
 */

__global__ void __launch_bounds__(THREADS)
    one_hot_kernel(int64_t *out, const int64_t *indices, int64_t n, splitter classes)
{
    for (GRID_STEP(i, n)) {
        int64_t at, row = classes.divide(i, &at);
        out[i] = indices[row] == at;
    }
}

void cuda_one_hot(const struct view *out, const struct view *indices)
{
    int64_t n = indices->numel * out->shape[1];
    if (n == 0)
        return;
    USE(out->data);
    LAUNCH((one_hot_kernel), blocks_for(n), THREADS, data_of<int64_t>(out),
           data_of<const int64_t>(indices), n, splitter(out->shape[1], n));
}

/* ---- range --------------------------------------------------------------------------------------
 */

typedef unsigned long long word; /* what atomics take */

/* Integers as numbers without sign, in the same order. */
static const word SIGN = 1ull << 63;

/* least[0]: of the indices; least[1]: of their complements, whose order is reversed. */
template <class I>
__global__ void __launch_bounds__(THREADS) range_kernel(word *least, const I *indices, int64_t n)
{
    word low = ~0ull, high = ~0ull;
    for (GRID_STEP(i, n)) {
        word v = (word)(int64_t)indices[i] ^ SIGN;
        low = v < low ? v : low;
        high = ~v < high ? ~v : high;
    }
    auto smaller = [](word a, word b) { return a < b ? a : b; };
    low = block_fold(low, (word)~0ull, smaller);
    high = block_fold(high, (word)~0ull, smaller);
    if (threadIdx.x == 0) {
        atomicMin(&least[0], low);
        atomicMin(&least[1], high);
    }
}

void cuda_index_range(const struct view *indices, int64_t *low, int64_t *high)
{
    word least[2];
    USE(indices->data);
    scratch found(indices->data, sizeof least);
    /* Where it cannot be found out, no index is good. */
    *low = INT64_MIN;
    *high = INT64_MAX;
    if (!found.data || !cuda_ok(cudaMemsetAsync(found.data, 0xff, sizeof least, 0), "index_range"))
        return;
    with_index(indices->dtype, [&](auto index) {
        using I = decltype(index);
        LAUNCH((range_kernel<I>), blocks_for(indices->numel), THREADS, found.as<word>(),
               data_of<const I>(indices), indices->numel);
    });
    if (cuda_download(least, found.data, sizeof least)) {
        *low = (int64_t)(least[0] ^ SIGN);
        *high = (int64_t)(~least[1] ^ SIGN);
    }
}
