/* Numbers at even distances, triangles of matrices, and where a value belongs among sorted ones.
 * Numbers of f32 are computed in f32, as PyTorch does on cuda. */
#include "runtime/backends/cuda/index.cuh"

#include "runtime/backends/cuda/split.cuh"

/* ---- start + i · step --------------------------------------------------------------------------
 */

template <class T>
__global__ void __launch_bounds__(THREADS) ramp_kernel(T *out, int64_t n, T start, T step)
{
    for (GRID_STEP(i, n))
        out[i] = start + (T)i * step;
}

template <class T> static void ramp(const struct view *out, T start, T step)
{
    LAUNCH((ramp_kernel<T>), blocks_for(out->numel), THREADS, data_of<T>(out), out->numel, start,
           step);
}

void cuda_ramp(const struct view *out, mc_arg start, mc_arg step)
{
    USE(out->data);
    if (out->dtype == MC_I64)
        ramp(out, (uint64_t)start.as.i, (uint64_t)step.as.i); /* wraps */
    else if (out->dtype == MC_F64)
        ramp(out, start.as.f, step.as.f);
    else
        ramp(out, (float)start.as.f, (float)step.as.f);
}

/* ---- linspace, logspace ------------------------------------------------------------------------
 */

template <class T> struct line {
    T start, end, step, base;
};

__device__ static inline float power(float base, float x)
{
    return powf(base, x);
}
__device__ static inline double power(double base, double x)
{
    return pow(base, x);
}

/* Counted from the nearer end, so that both ends are met exactly. */
template <class T>
__global__ void __launch_bounds__(THREADS) linspace_kernel(T *out, int64_t n, line<T> l)
{
    for (GRID_STEP(i, n)) {
        T v = i < n / 2 ? l.start + (T)i * l.step : l.end - (T)(n - 1 - i) * l.step;
        out[i] = l.base > 0 ? power(l.base, v) : v;
    }
}

void cuda_linspace(const struct view *out, double start, double end, double base)
{
    int64_t n = out->numel;
    USE(out->data);
    with_dtype<DTYPES_WIDE>(out->dtype, [&](auto t) {
        using T = decltype(t);
        /* A single element is the start. */
        line<T> l = {(T)start, (T)(n > 1 ? end : start), 0, (T)base};
        if (n > 1)
            l.step = (l.end - l.start) / (T)(n - 1);
        LAUNCH((linspace_kernel<T>), blocks_for(n), THREADS, data_of<T>(out), n, l);
    });
}

/* ---- triangles ---------------------------------------------------------------------------------
 */

template <class T>
__global__ void __launch_bounds__(THREADS)
    triangle_kernel(T *out, const T *x, int64_t n, splitter rows, splitter columns,
                    int64_t diagonal, bool upper)
{
    for (GRID_STEP(i, n)) {
        int64_t row, column;
        rows.divide(columns.divide(i, &column), &row);
        bool kept = upper ? column - row >= diagonal : column - row <= diagonal;
        out[i] = kept ? x[i] : T{0};
    }
}

void cuda_triangle(const struct view *out, const struct view *x, int64_t diagonal, bool upper)
{
    if (x->numel == 0)
        return;
    splitter rows(x->shape[x->ndim - 2], x->numel), columns(x->shape[x->ndim - 1], x->numel);
    USE(out->data);
    with_size(x->dtype, [&](auto t) {
        using T = decltype(t);
        LAUNCH((triangle_kernel<T>), blocks_for(x->numel), THREADS, data_of<T>(out),
               data_of<const T>(x), x->numel, rows, columns, diagonal, upper);
    });
}

/* ---- sorted look-ups ----------------------------------------------------------------------------
 */

/* The conditions are negated so that a NaN is above everything. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    search_kernel(int64_t *out, const T *sorted, int64_t length, const T *values, int64_t n,
                  splitter per_row, bool right)
{
    for (GRID_STEP(i, n)) {
        const T *row = sorted + per_row.divide(i) * length, value = values[i];
        int64_t low = 0, high = length;
        while (low < high) {
            int64_t middle = low + (high - low) / 2;
            if (right ? !(row[middle] > value) : !(row[middle] >= value))
                low = middle + 1;
            else
                high = middle;
        }
        out[i] = low;
    }
}

void cuda_searchsorted(const struct view *out, const struct view *sorted, const struct view *values,
                       bool right)
{
    int64_t n = values->numel;
    if (n == 0)
        return;
    splitter per_row(sorted->ndim == 1 ? n : values->shape[values->ndim - 1], n);
    USE(out->data);
    with_dtype<DTYPES_INT | DTYPES_WIDE>(values->dtype, [&](auto t) {
        using T = decltype(t);
        LAUNCH((search_kernel<T>), blocks_for(n), THREADS, data_of<int64_t>(out),
               data_of<const T>(sorted), sorted->shape[sorted->ndim - 1], data_of<const T>(values),
               n, per_row, right);
    });
}
