/* Normalised rows, moments of rows, and affine maps by channel.
 *
 * A row is kept in registers from its first reading to its last: by a warp if it is short, else by
 * a block. Longer rows are shared out among blocks, whose moments are joined; the rows are then
 * read a second time. */
#include "runtime/backends/cuda/layer.cuh"

#include "runtime/backends/cuda/norm.cuh"

/* What is computed in: f32 but for f64, or f64 for all. f is given an element of either type. */
template <class F> static void with_floats(mc_dtype dtype, mc_dtype compute, F f)
{
    with_dtype<DTYPES_FLOAT>(dtype, [&](auto t) {
        using T = decltype(t);
        if constexpr (same<T, double>) {
            f(t, double{});
        } else {
            if (compute == MC_F64)
                f(t, double{});
            else
                f(t, float{});
        }
    });
}

template <class C, class T> __device__ C read_as(T x)
{
    return (C)read(x);
}
template <class T, class C> __device__ T round_to(C x)
{
    return store<T>((math_of<T>)x);
}

/* ---- rows in registers
 * --------------------------------------------------------------------------- */

/* Computed in C, with parameters of P. */
template <class C, class P> struct norm_rows {
    int64_t rows, length;
    bool centre;
    C eps;
    row_params<P> params;
};

template <class C, class P> norm_rows<C, P> rows_job(const struct norm *n)
{
    norm_rows<C, P> j;
    j.rows = n->rows;
    j.length = n->length;
    j.centre = n->centre;
    j.eps = (C)n->eps;
    j.params = params_of<P>(n);
    return j;
}

enum { STREAM_ROWS = 4 }; /* of a block, in sequence */

/* (x - mean) scale weight + bias, where there are any, for the pack at i of a row whose parameters
 * begin at first. Both are requested before one is needed. */
template <class T, class C, class P, int V>
__device__ pack<T, V> normalised(pack<T, V> x, C mean, C scale, const row_params<P> &p,
                                 int64_t first, int64_t i)
{
    pack<P, V> weight, bias;
    if (p.weight)
        weight = param_pack<V>(p, p.weight, first, i);
    if (p.bias)
        bias = param_pack<V>(p, p.bias, first, i);
    C y[V];
#pragma unroll
    for (int v = 0; v < V; v++)
        y[v] = (read_as<C>(x.at[v]) - mean) * scale;
    if (p.weight) {
#pragma unroll
        for (int v = 0; v < V; v++)
            y[v] *= read_as<C>(weight.at[v]);
    }
    if (p.bias) {
#pragma unroll
        for (int v = 0; v < V; v++)
            y[v] += read_as<C>(bias.at[v]);
    }
    pack<T, V> out;
#pragma unroll
    for (int v = 0; v < V; v++)
        out.at[v] = round_to<T>(y[v]);
    return out;
}

/* The mean of a row that its LANES threads hold, 0 if it is not to be centred, and what the rest is
 * multiplied by. FULL: all packs of all threads are of the row. */
template <int LANES, bool FULL, class T, class C, class P, int V, int K>
__device__ C row_mean(const norm_rows<C, P> &j, const pack<T, V> (&held)[K], C *scale)
{
    const int lane = threadIdx.x % LANES, packs = (int)(j.length / V);
    C sum = 0, square = 0;
    if (j.centre) {
#pragma unroll
        for (int k = 0; k < K; k++)
            if (FULL || lane + k * LANES < packs)
                for (int v = 0; v < V; v++)
                    sum += read_as<C>(held[k].at[v]);
    }
    sum = row_sum<LANES, 0>(sum); /* if it is 0, too: the two take turns */
    const C mean = sum / (C)j.length;
#pragma unroll
    for (int k = 0; k < K; k++)
        if (FULL || lane + k * LANES < packs)
            for (int v = 0; v < V; v++) {
                C x = read_as<C>(held[k].at[v]) - mean;
                square += x * x;
            }
    *scale = inverse_root(row_sum<LANES, 1>(square) / (C)j.length + j.eps);
    return mean;
}

/* Each of the LANES threads of a row has up to K packs of it. */
template <class T, class C, class P, int V, int K, int LANES>
__global__ void __launch_bounds__(threads_of<LANES>)
    held_kernel(T *out, const T *in, norm_rows<C, P> j)
{
    const int lane = threadIdx.x % LANES, packs = (int)(j.length / V);
    for (ROW_STEP(row, LANES, j.rows)) {
        auto *from = reinterpret_cast<const pack<T, V> *>(in + row * j.length);
        auto *to = reinterpret_cast<pack<T, V> *>(out + row * j.length);
        pack<T, V> held[K];
#pragma unroll
        for (int k = 0; k < K; k++)
            if (lane + k * LANES < packs)
                held[k] = from[lane + k * LANES];
        C scale, mean = row_mean<LANES, false>(j, held, &scale);
        const int64_t first = first_param(j.params, row);
#pragma unroll
        for (int k = 0; k < K; k++) {
            int p = lane + k * LANES;
            if (p < packs)
                to[p] = normalised(held[k], mean, scale, j.params, first, (int64_t)p * V);
        }
    }
}

/* The same for blocks that take several rows with the same parameters. With halves these are as
 * many bytes as the elements, or more: they are requested once, together with the first row, and
 * put where each thread finds its own again. FULL: rows fill all packs. */
template <class T, class C, class P, int V, int K, int LANES, bool FULL>
__global__ void __launch_bounds__(LANES) stream_kernel(T *out, const T *in, norm_rows<C, P> j)
{
    constexpr int PARTS = V * sizeof(P) / 16, PART = V / PARTS; /* what is read at a time */
    __shared__ pack<P, PART> weights[PARTS][K * LANES], biases[PARTS][K * LANES];
    const int lane = threadIdx.x, packs = (int)(j.length / V);
    auto *from = reinterpret_cast<const pack<T, V> *>(in) + lane;
    auto *to = reinterpret_cast<pack<T, V> *>(out) + lane;
    auto keep = [&](const P *params, P none, pack<P, PART>(&kept)[PARTS][K * LANES]) {
#pragma unroll
        for (int k = 0; k < K; k++)
#pragma unroll
            for (int part = 0; part < PARTS; part++) {
                int p = lane + k * LANES;
                pack<P, PART> some;
#pragma unroll
                for (int v = 0; v < PART; v++)
                    some.at[v] = none;
                if (params && (FULL || p < packs))
                    some = reinterpret_cast<const pack<P, PART> *>(params)[PARTS * p + part];
                kept[part][p] = some;
            }
    };
    keep(j.params.weight, round_to<P>((C)1), weights);
    keep(j.params.bias, round_to<P>(-(C)0), biases); /* which leaves a 0 its sign */
    for (int64_t row = blockIdx.x; row < j.rows; row += gridDim.x) {
        pack<T, V> held[K];
#pragma unroll
        for (int k = 0; k < K; k++)
            if (FULL || lane + k * LANES < packs)
                held[k] = from[row * packs + k * LANES];
        C scale, mean = row_mean<LANES, FULL>(j, held, &scale);
#pragma unroll
        for (int k = 0; k < K; k++) {
            pack<T, V> result;
#pragma unroll
            for (int v = 0; v < V; v++) {
                C weight = read_as<C>(weights[v / PART][lane + k * LANES].at[v % PART]);
                C bias = read_as<C>(biases[v / PART][lane + k * LANES].at[v % PART]);
                C y = (read_as<C>(held[k].at[v]) - mean) * scale * weight;
                result.at[v] = round_to<T>(y + bias);
            }
            if (FULL || lane + k * LANES < packs)
                to[row * packs + k * LANES] = result;
        }
    }
}

/* False: the rows are too long, or the parameters others for each, or blocks would idle. */
template <int V, int K, int LANES, class T, class C, class P>
static bool run_stream(T *out, const T *in, const norm_rows<C, P> &j)
{
    int64_t blocks = divide_up(j.rows, STREAM_ROWS);
    bool has_params = j.params.weight || j.params.bias;
    if (j.length > V * K * LANES || !has_params || j.params.shared || j.params.period.size != 1 ||
        blocks < 16 * cuda_processors())
        return false;
    blocks = blocks < INT32_MAX ? blocks : INT32_MAX;
    if (j.length == V * K * LANES)
        LAUNCH((stream_kernel<T, C, P, V, K, LANES, true>), (unsigned)blocks, LANES, out, in, j);
    else
        LAUNCH((stream_kernel<T, C, P, V, K, LANES, false>), (unsigned)blocks, LANES, out, in, j);
    return true;
}

template <int V, int K, int LANES, class T, class C, class P>
static bool run_held(T *out, const T *in, const norm_rows<C, P> &j)
{
    if (j.length > (int64_t)V * K * LANES)
        return false;
    LAUNCH((held_kernel<T, C, P, V, K, LANES>), blocks_of_rows<LANES>(j.rows), threads_of<LANES>,
           out, in, j);
    return true;
}

/* Rows that are too long for a warp and not for 128 threads: halves, then others. */
template <int V, class T, class C, class P>
static bool run_medium(T *out, const T *in, const norm_rows<C, P> &j)
{
    if constexpr (sizeof(T) == 2)
        return run_stream<V, 4, 128>(out, in, j) || run_held<V, 4, 128>(out, in, j);
    else
        return run_held<V, 8, 128>(out, in, j);
}

/* False: the rows are too long. */
template <int V, class T, class C, class P>
static bool norm_held(T *out, const T *in, const norm_rows<C, P> &j)
{
    if constexpr (V == 1)
        return run_held<1, 2, WARP>(out, in, j) || run_held<1, 8, WARP>(out, in, j) ||
               run_held<1, 8, 256>(out, in, j);
    else
        return run_held<V, 1, WARP>(out, in, j) || run_held<V, 2, WARP>(out, in, j) ||
               run_held<V, 4, WARP>(out, in, j) || run_held<V, 8, WARP>(out, in, j) ||
               run_medium<V>(out, in, j) || run_held<V, 4, 256>(out, in, j) ||
               run_held<V, 8, 256>(out, in, j) || run_held<V, 8, 512>(out, in, j);
}

/* ---- moments
 * ------------------------------------------------------------------------------------- */

/* Of some elements: their mean, and the sum of squares of what is left without it. */
struct moment {
    double count, mean, squares;
};

__device__ static inline moment join(moment a, moment b)
{
    double n = a.count + b.count, apart = b.mean - a.mean;
    if (b.count == 0)
        return a;
    return moment{n, a.mean + apart * (b.count / n),
                  a.squares + b.squares + apart * apart * (a.count * b.count / n)};
}

/* Known to the first lane. */
__device__ static inline moment warp_join(moment m)
{
    for (int step = WARP / 2; step; step /= 2) {
        moment other;
        other.count = __shfl_down_sync(ALL_LANES, m.count, step);
        other.mean = __shfl_down_sync(ALL_LANES, m.mean, step);
        other.squares = __shfl_down_sync(ALL_LANES, m.squares, step);
        m = join(m, other);
    }
    return m;
}

enum { CHUNK = 16 }; /* elements of which a thread takes the moment at once */

/* The sum over the packs of one thread, first in C, as the values are close together. */
template <class C, class T, int V, int K>
__device__ moment moment_of(const pack<T, V> (&x)[K], int packs, bool centre)
{
    C sum = 0, squares = 0, count = (C)(packs * V), mean;
    for (int k = 0; k < K; k++)
        for (int v = 0; v < V; v++)
            sum += k < packs ? read_as<C>(x[k].at[v]) : 0;
    mean = centre ? sum / count : 0;
    for (int k = 0; k < K; k++)
        for (int v = 0; v < V; v++) {
            C rest = read_as<C>(x[k].at[v]) - mean;
            squares += k < packs ? rest * rest : 0;
        }
    return moment{(double)count, (double)mean, (double)squares};
}

/* Every row is cut into parts of so many packs, and a block has one of them. Without centre all
 * means are 0. */
template <class T, class C, int V>
__global__ void __launch_bounds__(THREADS)
    part_kernel(moment *parts, const T *in, int64_t packs, int64_t a_part, splitter part_count,
                int64_t n, bool centre)
{
    constexpr int K = CHUNK / V;
    __shared__ moment of_warp[THREADS / WARP];
    for (int64_t b = blockIdx.x; b < n; b += gridDim.x) {
        int64_t part, row = part_count.divide(b, &part), begin = part * a_part;
        int64_t end = begin + a_part < packs ? begin + a_part : packs;
        auto *from = reinterpret_cast<const pack<T, V> *>(in) + row * packs;
        moment m = {0, 0, 0};
        for (int64_t p = begin + threadIdx.x; p < end; p += (int64_t)K * THREADS) {
            pack<T, V> held[K] = {};
            int have = 0;
#pragma unroll
            for (int k = 0; k < K; k++)
                if (p + k * THREADS < end) {
                    held[k] = from[p + k * THREADS];
                    have++;
                }
            m = join(m, moment_of<C>(held, have, centre));
        }
        m = warp_join(m);
        __syncthreads(); /* of_warp may still be read from the last time */
        if (threadIdx.x % WARP == 0)
            of_warp[threadIdx.x / WARP] = m;
        __syncthreads();
        for (int w = 1; threadIdx.x == 0 && w < THREADS / WARP; w++)
            m = join(m, of_warp[w]);
        if (threadIdx.x == 0)
            parts[b] = m;
    }
}

/* second: the variance, or with eps >= 0 the inverse root of it and eps. */
template <class C>
__global__ void __launch_bounds__(threads_of<WARP>)
    join_kernel(C *mean, C *second, const moment *parts, int64_t rows, int64_t count, C eps)
{
    int lane = threadIdx.x % WARP;
    for (ROW_STEP(row, WARP, rows)) {
        moment m = {0, 0, 0};
        for (int64_t i = lane; i < count; i += WARP)
            m = join(m, parts[row * count + i]);
        m = warp_join(m);
        if (lane == 0) {
            C var = (C)(m.squares / m.count);
            mean[row] = (C)m.mean;
            second[row] = eps >= 0 ? inverse_root(var + eps) : var;
        }
    }
}

/* False: out of memory. */
template <class T, class C, int V>
static bool moments(C *mean, C *second, const T *in, int64_t rows, int64_t length, bool centre,
                    C eps)
{
    int64_t packs = length / V, least = THREADS * (CHUNK / V) * 2;
    int64_t wanted = divide_up((int64_t)cuda_processors() * 8, rows);
    int64_t most = divide_up(packs, least), count = wanted < most ? wanted : most;
    int64_t a_part = divide_up(packs, count), blocks = rows * count;
    scratch parts(in, (size_t)blocks * sizeof(moment));
    if (!parts.data)
        return cuda_ok(cudaErrorMemoryAllocation, "moments of rows");
    LAUNCH((part_kernel<T, C, V>), (unsigned)(blocks < INT32_MAX ? blocks : INT32_MAX), THREADS,
           parts.as<moment>(), in, packs, a_part, splitter(count, blocks), blocks, centre);
    LAUNCH((join_kernel<C>), blocks_of_rows<WARP>(rows), threads_of<WARP>, mean, second,
           parts.as<const moment>(), rows, count, eps);
    return true;
}

void cuda_moments(mc_dtype compute, const struct view *mean, const struct view *var,
                  const struct view *in)
{
    int64_t rows = in->shape[0], length = in->shape[1];
    if (rows == 0)
        return;
    USE(in->data);
    with_floats(in->dtype, compute, [&](auto t, auto c) {
        using T = decltype(t);
        using C = decltype(c);
        constexpr int V = 16 / (int)sizeof(T);
        bool packed = length % V == 0 && is_aligned<T>(in->data, V);
        (packed ? moments<T, C, V> : moments<T, C, 1>)(data_of<C>(mean), data_of<C>(var),
                                                       data_of<const T>(in), rows, length, true,
                                                       (C)-1);
    });
}

/* ---- long rows
 * ----------------------------------------------------------------------------------- */

template <class T, class C, class P, int V>
__global__ void __launch_bounds__(THREADS)
    apply_kernel(T *out, const T *in, const C *mean, const C *scale, int64_t n, splitter packs,
                 norm_rows<C, P> j)
{
    for (GRID_STEP(i, n)) {
        int64_t at, row = packs.divide(i, &at);
        reinterpret_cast<pack<T, V> *>(out)[i] =
            normalised(reinterpret_cast<const pack<T, V> *>(in)[i], mean[row], scale[row], j.params,
                       first_param(j.params, row), at * V);
    }
}

template <int V, class T, class C, class P>
static void norm_long(T *out, const T *in, const norm_rows<C, P> &j)
{
    int64_t packs = j.length / V, n = j.rows * packs;
    scratch stats(in, 2 * (size_t)j.rows * sizeof(C));
    C *mean = stats.as<C>();
    if (!mean) {
        cuda_ok(cudaErrorMemoryAllocation, "moments of rows");
        return;
    }
    if (moments<T, C, V>(mean, mean + j.rows, in, j.rows, j.length, j.centre, j.eps))
        LAUNCH((apply_kernel<T, C, P, V>), blocks_for(n), THREADS, out, in, mean, mean + j.rows, n,
               splitter(packs, n), j);
}

template <int V, class T, class C, class P>
static void norm_packed(T *out, const T *in, const norm_rows<C, P> &j)
{
    if constexpr (same<C, math_of<T>>)
        if (norm_held<V>(out, in, j))
            return;
    norm_long<V>(out, in, j);
}

/* out is of in's dtype, T, as the ops make it. */
template <class T, class C, class P>
static void norm_of(const struct view *out, const struct view *in, const struct norm *n)
{
    constexpr int V = same<C, math_of<T>> ? 16 / (int)sizeof(T) : 1;
    bool packed =
        params_allow<V, P>(n) && is_aligned<T>(in->data, V) && is_aligned<T>(out->data, V);
    auto run = packed ? norm_packed<V, T, C, P> : norm_packed<1, T, C, P>;
    run(data_of<T>(out), data_of<const T>(in), rows_job<C, P>(n));
}

void cuda_norm(mc_dtype compute, const struct view *out, const struct view *in,
               const struct norm *n)
{
    if (n->rows == 0 || n->length == 0)
        return;
    USE(in->data);
    const struct view *param = n->weight ? n->weight : n->bias;
    bool own = param && param->dtype == in->dtype;
    with_floats(in->dtype, compute, [&](auto t, auto c) {
        using T = decltype(t);
        using C = decltype(c);
        if constexpr (same<C, math_of<T>> && !same<C, T>)
            if (own)
                return norm_of<T, C, T>(out, in, n);
        norm_of<T, C, C>(out, in, n);
    });
}

/* ---- affine
 * -------------------------------------------------------------------------------------- */

/* inner: packs, or elements, that share a channel. */
template <class T, class C, int V>
__global__ void __launch_bounds__(THREADS)
    affine_kernel(T *out, const T *in, const C *mean, const C *scale, const C *shift, int64_t n,
                  splitter inner, splitter channels)
{
    for (GRID_STEP(i, n)) {
        int64_t c;
        channels.divide(inner.divide(i), &c);
        C less = mean[c], times = scale[c], add = shift[c];
        pack<T, V> x = reinterpret_cast<const pack<T, V> *>(in)[i];
#pragma unroll
        for (int v = 0; v < V; v++)
            x.at[v] = round_to<T>((read_as<C>(x.at[v]) - less) * times + add);
        reinterpret_cast<pack<T, V> *>(out)[i] = x;
    }
}

template <class T, class C, int V>
static void affine(const struct view *out, const struct view *in, const struct view *mean,
                   const struct view *scale, const struct view *shift)
{
    int64_t channels = in->shape[1], inner = in->shape[2] / V, n = in->shape[0] * channels * inner;
    LAUNCH((affine_kernel<T, C, V>), blocks_for(n), THREADS, data_of<T>(out), data_of<const T>(in),
           data_of<const C>(mean), data_of<const C>(scale), data_of<const C>(shift), n,
           splitter(inner, n), splitter(channels, n));
}

void cuda_affine(mc_dtype compute, const struct view *out, const struct view *in,
                 const struct view *mean, const struct view *scale, const struct view *shift)
{
    if (in->numel == 0)
        return;
    USE(in->data);
    with_floats(in->dtype, compute, [&](auto t, auto c) {
        using T = decltype(t);
        using C = decltype(c);
        constexpr int V = 16 / (int)sizeof(T);
        bool packed =
            in->shape[2] % V == 0 && is_aligned<T>(in->data, V) && is_aligned<T>(out->data, V);
        (packed ? affine<T, C, V> : affine<T, C, 1>)(out, in, mean, scale, shift);
    });
}
