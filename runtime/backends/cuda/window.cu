/* Windows over planes: unfolding for convolution, pooling, nearest-neighbour scaling, and their
 * gradients. A thread has an element of what is written and accumulates what reaches it in the
 * order in which the windows stand, so no two threads add to one place. */
#include "runtime/backends/cuda/layer.cuh"

#include "runtime/backends/cuda/split.cuh"

/* Planes of heights and widths: of what is slid over (size), and of the window's positions (out).
 */
struct planes {
    int64_t size[2], out[2];
    splitter by_size[2], by_out[2];
    bool adaptive; /* no window, but spans as even as the sizes allow */
    struct window w;
};

/* Elements of all planes; axis: of height. */
static int64_t count_of(const struct view *v, int axis)
{
    int64_t n = 1;
    for (int d = 0; d < axis + 2; d++)
        n *= v->shape[d];
    return n;
}

static planes planes_of(const struct view *in, const struct view *out, int axis,
                        const struct window *w)
{
    planes p = {};
    int64_t a = count_of(in, axis), b = count_of(out, axis), most = a > b ? a : b;
    for (int i = 0; i < 2; i++) {
        p.size[i] = in->shape[axis + i];
        p.out[i] = out->shape[axis + i];
        p.by_size[i] = splitter(p.size[i] ? p.size[i] : 1, most);
        p.by_out[i] = splitter(p.out[i] ? p.out[i] : 1, most);
    }
    p.adaptive = !w;
    if (w)
        p.w = *w;
    return p;
}

struct spot {
    int64_t plane, y, x;
};

__device__ static inline spot spot_of(int64_t i, const splitter *by)
{
    spot s;
    s.plane = by[0].divide(by[1].divide(i, &s.x), &s.y);
    return s;
}

/* ---- columns ------------------------------------------------------------------------------------
 */

template <class T>
__global__ void __launch_bounds__(THREADS)
    unfold_kernel(T *out, const T *in, int64_t n, planes p, splitter area, splitter window_width)
{
    for (GRID_STEP(i, n)) {
        spot s = spot_of(i, p.by_out);
        int64_t at, kx, plane = area.divide(s.plane, &at), ky = window_width.divide(at, &kx);
        int64_t y = s.y * p.w.stride[0] + ky * p.w.dilation[0] - p.w.padding[0];
        int64_t x = s.x * p.w.stride[1] + kx * p.w.dilation[1] - p.w.padding[1];
        bool inside = y >= 0 && y < p.size[0] && x >= 0 && x < p.size[1];
        out[i] = inside ? in[(plane * p.size[0] + y) * p.size[1] + x] : T{0};
    }
}

void cuda_unfold(const struct view *out, const struct view *in, const struct window *w)
{
    int64_t n = count_of(out, 2);
    if (n == 0)
        return;
    planes p = planes_of(in, out, 2, w);
    splitter area(w->size[0] * w->size[1], n), width(w->size[1], n);
    USE(out->data);
    with_size(in->dtype, [&](auto t) {
        using T = decltype(t);
        LAUNCH((unfold_kernel<T>), blocks_for(n), THREADS, data_of<T>(out), data_of<const T>(in), n,
               p, area, width);
    });
}

/* The position of the window whose element at k covers the place; -1: none. */
__device__ static inline int64_t position_over(const planes &p, int axis, int64_t place, int64_t k)
{
    int64_t first = place + p.w.padding[axis] - k * p.w.dilation[axis];
    int64_t position = first / p.w.stride[axis];
    bool stands = first >= 0 && position * p.w.stride[axis] == first && position < p.out[axis];
    return stands ? position : -1;
}

template <class T>
__global__ void __launch_bounds__(THREADS) fold_kernel(T *out, const T *in, int64_t n, planes p)
{
    int64_t plane_size = p.out[0] * p.out[1];
    for (GRID_STEP(i, n)) {
        spot s = spot_of(i, p.by_size);
        const T *from = in + s.plane * p.w.size[0] * p.w.size[1] * plane_size;
        T sum = 0;
        for (int64_t ky = 0; ky < p.w.size[0]; ky++) {
            int64_t oy = position_over(p, 0, s.y, ky);
            for (int64_t kx = 0; oy >= 0 && kx < p.w.size[1]; kx++) {
                int64_t ox = position_over(p, 1, s.x, kx);
                if (ox >= 0)
                    sum += from[(ky * p.w.size[1] + kx) * plane_size + oy * p.out[1] + ox];
            }
        }
        out[i] = sum;
    }
}

void cuda_fold(const struct view *out, const struct view *in, const struct window *w)
{
    int64_t n = count_of(out, 2);
    if (n == 0)
        return;
    planes p = planes_of(out, in, 2, w);
    USE(out->data);
    with_dtype<DTYPES_WIDE>(out->dtype, [&](auto t) {
        using T = decltype(t);
        LAUNCH((fold_kernel<T>), blocks_for(n), THREADS, data_of<T>(out), data_of<const T>(in), n,
               p);
    });
}

/* ---- pooling ------------------------------------------------------------------------------------
 */

/* The part of one dimension of a plane that a position covers, and how many elements count for an
 * average. */
struct extent {
    int64_t begin, end, count;
};

__device__ static inline extent extent_of(const planes &p, int axis, int64_t at)
{
    int64_t size = p.size[axis];
    if (p.adaptive) {
        extent s = {at * size / p.out[axis], ((at + 1) * size + p.out[axis] - 1) / p.out[axis], 0};
        s.count = s.end - s.begin;
        return s;
    }
    int64_t begin = at * p.w.stride[axis] - p.w.padding[axis], end = begin + p.w.size[axis];
    return extent{begin < 0 ? 0 : begin, end < size ? end : size, end - begin};
}

/* The position of the greatest element: the last NaN, or the first of the greatest. */
template <class T>
__device__ int64_t greatest(const T *plane, int64_t width, extent y, extent x, T *value)
{
    int64_t best = y.begin * width + x.begin;
    *value = plane[best];
    for (int64_t i = y.begin; i < y.end; i++)
        for (int64_t k = x.begin; k < x.end; k++) {
            T v = plane[i * width + k];
            if (v > *value || v != v) {
                best = i * width + k;
                *value = v;
            }
        }
    return best;
}

/* An integer's sum wraps. */
template <class T> struct sum_of {
    using type = T;
};
template <> struct sum_of<int64_t> {
    using type = uint64_t;
};

template <class T> __device__ T mean_over(const T *plane, int64_t width, extent y, extent x)
{
    using S = typename sum_of<T>::type;
    S sum = 0;
    for (int64_t i = y.begin; i < y.end; i++)
        for (int64_t k = x.begin; k < x.end; k++)
            sum += (S)plane[i * width + k];
    return (T)sum / (T)(y.count * x.count);
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    max_pool_kernel(T *out, int64_t *where, const T *in, int64_t n, planes p)
{
    for (GRID_STEP(i, n)) {
        spot s = spot_of(i, p.by_out);
        T value;
        int64_t at = greatest(in + s.plane * p.size[0] * p.size[1], p.size[1], extent_of(p, 0, s.y),
                              extent_of(p, 1, s.x), &value);
        if (out)
            out[i] = value;
        if (where)
            where[i] = at;
    }
}

template <class T>
__global__ void __launch_bounds__(THREADS) avg_pool_kernel(T *out, const T *in, int64_t n, planes p)
{
    for (GRID_STEP(i, n)) {
        spot s = spot_of(i, p.by_out);
        out[i] = mean_over(in + s.plane * p.size[0] * p.size[1], p.size[1], extent_of(p, 0, s.y),
                           extent_of(p, 1, s.x));
    }
}

void cuda_pool(enum pooling kind, const struct view *out, const struct view *in,
               const struct window *w)
{
    int64_t n = count_of(out, 1);
    if (n == 0)
        return;
    planes p = planes_of(in, out, 1, w);
    USE(out->data);
    if (kind == POOLING_MAX)
        with_dtype<DTYPES_INT | DTYPES_WIDE>(in->dtype, [&](auto t) {
            using T = decltype(t);
            LAUNCH((max_pool_kernel<T>), blocks_for(n), THREADS, data_of<T>(out),
                   (int64_t *)nullptr, data_of<const T>(in), n, p);
        });
    else
        with_dtype<1u << MC_I64 | DTYPES_WIDE>(in->dtype, [&](auto t) {
            using T = decltype(t);
            LAUNCH((avg_pool_kernel<T>), blocks_for(n), THREADS, data_of<T>(out),
                   data_of<const T>(in), n, p);
        });
}

void cuda_adaptive_avg_pool(const struct view *out, const struct view *in)
{
    cuda_pool(POOLING_AVG, out, in, NULL);
}

/* The positions that cover a place: begin … end. */
__device__ static inline extent positions_over(const planes &p, int axis, int64_t place)
{
    int64_t out = p.out[axis], size = p.size[axis];
    if (p.adaptive) {
        int64_t end = ((place + 1) * out + size - 1) / size;
        return extent{place * out / size, end < out ? end : out, 0};
    }
    int64_t stride = p.w.stride[axis], last = place + p.w.padding[axis];
    int64_t first = last - p.w.size[axis] + 1, end = last / stride + 1;
    return extent{first <= 0 ? 0 : (first + stride - 1) / stride, end < out ? end : out, 0};
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    avg_back_kernel(T *din, const T *dout, int64_t n, planes p)
{
    for (GRID_STEP(i, n)) {
        spot s = spot_of(i, p.by_size);
        extent y = positions_over(p, 0, s.y), x = positions_over(p, 1, s.x);
        T sum = 0;
        for (int64_t oy = y.begin; oy < y.end; oy++)
            for (int64_t ox = x.begin; ox < x.end; ox++)
                sum += dout[(s.plane * p.out[0] + oy) * p.out[1] + ox] /
                       (T)(extent_of(p, 0, oy).count * extent_of(p, 1, ox).count);
        din[i] = sum;
    }
}

/* where: of the greatest element of each position, in its plane. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    max_back_kernel(T *din, const T *dout, const int64_t *where, int64_t n, planes p)
{
    for (GRID_STEP(i, n)) {
        spot s = spot_of(i, p.by_size);
        extent y = positions_over(p, 0, s.y), x = positions_over(p, 1, s.x);
        int64_t place = s.y * p.size[1] + s.x;
        T sum = 0;
        for (int64_t oy = y.begin; oy < y.end; oy++)
            for (int64_t ox = x.begin; ox < x.end; ox++) {
                int64_t at = (s.plane * p.out[0] + oy) * p.out[1] + ox;
                if (where[at] == place)
                    sum += dout[at];
            }
        din[i] = sum;
    }
}

template <class T>
static void max_back(const struct view *din, const struct view *dout, const struct view *in,
                     const planes &p)
{
    int64_t n = count_of(din, 1), positions = count_of(dout, 1);
    scratch where(din->data, (size_t)positions * sizeof(int64_t));
    if (!where.data) {
        cuda_ok(cudaErrorMemoryAllocation, "max_pool2d's gradient");
        return;
    }
    LAUNCH((max_pool_kernel<T>), blocks_for(positions), THREADS, (T *)nullptr, where.as<int64_t>(),
           data_of<const T>(in), positions, p);
    LAUNCH((max_back_kernel<T>), blocks_for(n), THREADS, data_of<T>(din), data_of<const T>(dout),
           where.as<const int64_t>(), n, p);
}

void cuda_pool_back(enum pooling kind, const struct view *din, const struct view *dout,
                    const struct view *in, const struct window *w)
{
    int64_t n = count_of(din, 1);
    if (n == 0 || count_of(dout, 1) == 0)
        return; /* it holds zeros */
    planes p = planes_of(din, dout, 1, w);
    USE(din->data);
    with_dtype<DTYPES_WIDE>(din->dtype, [&](auto t) {
        using T = decltype(t);
        if (kind == POOLING_MAX)
            max_back<T>(din, dout, in, p);
        else
            LAUNCH((avg_back_kernel<T>), blocks_for(n), THREADS, data_of<T>(din),
                   data_of<const T>(dout), n, p);
    });
}

/* ---- nearest neighbour --------------------------------------------------------------------------
 */

struct steps {
    float of[2];
};

/* In f32, as PyTorch does, except for the two ratios that need no rounding. */
__device__ static inline int64_t nearest_at(const planes &p, steps step, int axis, int64_t at)
{
    int64_t size = p.size[axis];
    if (p.out[axis] == size)
        return at;
    if (p.out[axis] == 2 * size)
        return at / 2;
    float from = floorf((float)at * step.of[axis]);
    return from < (float)(size - 1) ? (int64_t)from : size - 1;
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    nearest_kernel(T *out, const T *in, int64_t n, planes p, steps step)
{
    for (GRID_STEP(i, n)) {
        spot s = spot_of(i, p.by_out);
        int64_t y = nearest_at(p, step, 0, s.y), x = nearest_at(p, step, 1, s.x);
        out[i] = in[(s.plane * p.size[0] + y) * p.size[1] + x];
    }
}

void cuda_nearest(const struct view *out, const struct view *in, const float step[2])
{
    int64_t n = count_of(out, 1);
    if (n == 0)
        return;
    planes p = planes_of(in, out, 1, NULL);
    USE(out->data);
    with_size(in->dtype, [&](auto t) {
        using T = decltype(t);
        LAUNCH((nearest_kernel<T>), blocks_for(n), THREADS, data_of<T>(out), data_of<const T>(in),
               n, p, (steps{{step[0], step[1]}}));
    });
}

/* The first position whose neighbour is at place or beyond: neighbours never step back. */
__device__ static inline int64_t first_at(const planes &p, steps step, int axis, int64_t place)
{
    int64_t low = 0, high = p.out[axis];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (nearest_at(p, step, axis, middle) < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    nearest_back_kernel(T *din, const T *dout, int64_t n, planes p, steps step)
{
    for (GRID_STEP(i, n)) {
        spot s = spot_of(i, p.by_size);
        int64_t y = first_at(p, step, 0, s.y), y_end = first_at(p, step, 0, s.y + 1);
        int64_t x = first_at(p, step, 1, s.x), x_end = first_at(p, step, 1, s.x + 1);
        T sum = 0;
        for (int64_t oy = y; oy < y_end; oy++)
            for (int64_t ox = x; ox < x_end; ox++)
                sum += dout[(s.plane * p.out[0] + oy) * p.out[1] + ox];
        din[i] = sum;
    }
}

void cuda_nearest_back(const struct view *din, const struct view *dout, const float step[2])
{
    int64_t n = count_of(din, 1);
    if (n == 0)
        return;
    planes p = planes_of(din, dout, 1, NULL);
    USE(din->data);
    with_dtype<DTYPES_WIDE>(din->dtype, [&](auto t) {
        using T = decltype(t);
        LAUNCH((nearest_back_kernel<T>), blocks_for(n), THREADS, data_of<T>(din),
               data_of<const T>(dout), n, p, (steps{{step[0], step[1]}}));
    });
}
