/* Gradients of normalised rows: first each row's own gradient, from sums over it, then
 * those of the parameters, from sums over the rows. Everything is f32 or f64.
 *
 * A row and its gradient are kept in registers where they fit; else they are read once for each
 * sum, of which the later readings mostly meet the cache. */
#include "runtime/backends/cuda/layer.cuh"

#include "runtime/backends/cuda/norm.cuh"

template <class C> struct back_rows {
    const C *grad, *in;
    C *stats;             /* mean and scale of each row */
    C *dx, *dweight, *db; /* NULL: not needed */
    int64_t rows, length;
    bool centre;
    C eps;
    row_params<C> params;
};

/* ---- rows
 * ---------------------------------------------------------------------------------------- */

/* The packs of one thread of a row: K of them in registers, or with K = 0 as many as there are, in
 * memory. */
template <class C, int V, int K, int LANES> struct row_packs {
    const pack<C, V> *x, *g;
    int lane;
    int64_t packs;
    pack<C, V> held_x[K ? K : 1], held_g[K ? K : 1];

    __device__ void open(const C *x_row, const C *g_row, int64_t length, bool with_grad)
    {
        x = reinterpret_cast<const pack<C, V> *>(x_row);
        g = reinterpret_cast<const pack<C, V> *>(g_row);
        lane = threadIdx.x % LANES;
        packs = length / V;
#pragma unroll
        for (int k = 0; k < K; k++)
            if (lane + k * LANES < packs) {
                held_x[k] = x[lane + k * LANES];
                if (with_grad)
                    held_g[k] = g[lane + k * LANES];
            }
    }
    /* f(values, where the pack begins) */
    template <class F> __device__ void each_x(F f) const
    {
#pragma unroll
        for (int k = 0; k < K; k++)
            if (lane + k * LANES < packs)
                f(held_x[k]);
        for (int64_t p = lane; K == 0 && p < packs; p += LANES)
            f(x[p]);
    }
    template <class F> __device__ void each(F f) const
    {
#pragma unroll
        for (int k = 0; k < K; k++)
            if (lane + k * LANES < packs)
                f(held_x[k], held_g[k], lane + k * LANES);
        for (int64_t p = lane; K == 0 && p < packs; p += LANES)
            f(x[p], g[p], p);
    }
};

/* Long sums are wider. */
template <class C, int K> struct sum_type {
    using type = C;
};
template <class C> struct sum_type<C, 0> {
    using type = double;
};

template <class C, int V, int K, int LANES>
__global__ void __launch_bounds__(threads_of<LANES>) row_back_kernel(back_rows<C> j)
{
    using S = typename sum_type<C, K>::type;
    row_packs<C, V, K, LANES> row_of;
    for (ROW_STEP(row, LANES, j.rows)) {
        const int64_t at = row * j.length, first = first_param(j.params, row);
        row_of.open(j.in + at, j.grad + at, j.length, j.dx != nullptr);
        S sum = 0, square = 0, plain = 0, turned = 0;
        if (j.centre) {
            row_of.each_x([&](const pack<C, V> &x) {
                for (int v = 0; v < V; v++)
                    sum += (S)x.at[v];
            });
            sum = row_sum<LANES>(sum);
        }
        const C mean = (C)(sum / (S)j.length);
        row_of.each_x([&](const pack<C, V> &x) {
            for (int v = 0; v < V; v++)
                square += (S)((x.at[v] - mean) * (x.at[v] - mean));
        });
        const C scale = inverse_root((C)(row_sum<LANES>(square) / (S)j.length) + j.eps);
        if (threadIdx.x % LANES == 0) {
            j.stats[2 * row] = mean;
            j.stats[2 * row + 1] = scale;
        }
        if (!j.dx)
            continue;
        /* gradient times weight */
        auto weighed = [&](const pack<C, V> &g, int64_t p) {
            pack<C, V> out = g;
            if (j.params.weight) {
                pack<C, V> w = param_pack<V>(j.params, j.params.weight, first, p * V);
                for (int v = 0; v < V; v++)
                    out.at[v] *= w.at[v];
            }
            return out;
        };
        row_of.each([&](const pack<C, V> &x, const pack<C, V> &g, int64_t p) {
            pack<C, V> wg = weighed(g, p);
            for (int v = 0; v < V; v++) {
                plain += (S)wg.at[v];
                turned += (S)(wg.at[v] * ((x.at[v] - mean) * scale));
            }
        });
        plain = j.centre ? row_sum<LANES>(plain) : 0;
        const C centre = (C)(plain / (S)j.length);
        const C slope = (C)(row_sum<LANES>(turned) / (S)j.length);
        row_of.each([&](const pack<C, V> &x, const pack<C, V> &g, int64_t p) {
            pack<C, V> wg = weighed(g, p);
            for (int v = 0; v < V; v++)
                wg.at[v] = scale * (wg.at[v] - centre - (x.at[v] - mean) * scale * slope);
            reinterpret_cast<pack<C, V> *>(j.dx + at)[p] = wg;
        });
    }
}

template <class C, int V, int K, int LANES> static bool run_rows(const back_rows<C> &j)
{
    if (K && j.length > (int64_t)V * K * LANES)
        return false;
    LAUNCH((row_back_kernel<C, V, K, LANES>), blocks_of_rows<LANES>(j.rows), threads_of<LANES>, j);
    return true;
}

template <class C, int V> static void back_through_rows(const back_rows<C> &j)
{
    (void)(run_rows<C, V, 1, WARP>(j) || run_rows<C, V, 4, WARP>(j) || run_rows<C, V, 2, 256>(j) ||
           run_rows<C, V, 4, 256>(j) || run_rows<C, V, 8, 512>(j) || run_rows<C, V, 0, 512>(j));
}

/* ---- parameters
 * ---------------------------------------------------------------------------------- */

enum { SOME_ROWS = 64, ROW_WARPS = THREADS / WARP };

/* Every element has parameters of its own: a lane has a column, the warps of a block share the rows
 * of the part. parts: [part][weight, bias][column]. Some rows are added up in C, those sums in
 * double. */
template <class C>
__global__ void __launch_bounds__(THREADS)
    columns_kernel(double *parts, back_rows<C> j, int64_t a_part)
{
    __shared__ double sums[2][ROW_WARPS][WARP];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int64_t column = (int64_t)blockIdx.x * WARP + lane, begin = blockIdx.y * a_part;
    int64_t end = begin + a_part < j.rows ? begin + a_part : j.rows;
    double weight = 0, bias = 0;
    for (int64_t row = begin + warp; column < j.length && row < end;) {
        C w = 0, b = 0;
        for (int k = 0; k < SOME_ROWS && row < end; k++, row += ROW_WARPS) {
            C g = j.grad[row * j.length + column], x = j.in[row * j.length + column];
            w += g * ((x - j.stats[2 * row]) * j.stats[2 * row + 1]);
            b += g;
        }
        weight += (double)w;
        bias += (double)b;
    }
    sums[0][warp][lane] = weight;
    sums[1][warp][lane] = bias;
    __syncthreads();
    if (warp < 2 && column < j.length) {
        double sum = 0;
        for (int i = 0; i < ROW_WARPS; i++)
            sum += sums[warp][i][lane];
        parts[((int64_t)blockIdx.y * 2 + warp) * j.length + column] = sum;
    }
}

template <class C>
__global__ void __launch_bounds__(THREADS)
    join_columns_kernel(back_rows<C> j, const double *parts, int64_t count)
{
    for (GRID_STEP(i, j.length)) {
        double weight = 0, bias = 0;
        for (int64_t p = 0; p < count; p++) {
            weight += parts[2 * p * j.length + i];
            bias += parts[(2 * p + 1) * j.length + i];
        }
        if (j.dweight)
            j.dweight[i] = (C)weight;
        if (j.db)
            j.db[i] = (C)bias;
    }
}

template <class C> static void back_through_columns(const back_rows<C> &j)
{
    int64_t across = divide_up(j.length, WARP);
    int64_t wanted = divide_up((int64_t)cuda_processors() * 8, across);
    int64_t most = divide_up(j.rows, ROW_WARPS * 8);
    int64_t count = wanted < most ? wanted : most;
    scratch parts(j.in, (size_t)(2 * count * j.length) * sizeof(double));
    if (!parts.data) {
        cuda_ok(cudaErrorMemoryAllocation, "gradients of a norm's parameters");
        return;
    }
    LAUNCH((columns_kernel<C>), dim3((unsigned)across, (unsigned)count), THREADS,
           parts.as<double>(), j, divide_up(j.rows, count));
    LAUNCH((join_columns_kernel<C>), blocks_for(j.length), THREADS, j, parts.as<const double>(),
           count);
}

/* Neighbours share parameters: a block has one of them, over all rows that have it. */
template <class C>
__global__ void __launch_bounds__(THREADS)
    shared_kernel(back_rows<C> j, int64_t n, splitter inner, splitter a_row)
{
    for (int64_t param = blockIdx.x; param < n; param += gridDim.x) {
        int64_t c, first_row = a_row.divide(param, &c), period = j.params.period.size;
        int64_t rows = (j.rows - first_row + period - 1) / period;
        double weight = 0, bias = 0;
        for (int64_t i = threadIdx.x; i < rows * inner.size; i += THREADS) {
            int64_t k, row = first_row + inner.divide(i, &k) * period;
            int64_t at = row * j.length + c * inner.size + k;
            weight += (double)(j.grad[at] * ((j.in[at] - j.stats[2 * row]) * j.stats[2 * row + 1]));
            bias += (double)j.grad[at];
        }
        weight = row_sum<THREADS>(weight);
        bias = row_sum<THREADS>(bias);
        if (threadIdx.x == 0 && j.dweight)
            j.dweight[param] = (C)weight;
        if (threadIdx.x == 0 && j.db)
            j.db[param] = (C)bias;
    }
}

template <class C> static void back_through_shared(const back_rows<C> &j, const struct norm *m)
{
    int64_t a_row = m->length / m->inner, n = m->period * a_row;
    LAUNCH((shared_kernel<C>), (unsigned)(n < INT32_MAX ? n : INT32_MAX), THREADS, j, n,
           splitter(m->inner, j.rows * j.length), splitter(a_row, n));
}

/* ---- both
 * ---------------------------------------------------------------------------------------- */

void cuda_norm_back(const struct norm_back *job)
{
    const struct norm *m = job->norm;
    if (m->rows == 0 || m->length == 0)
        return;
    USE(job->in.data);
    with_dtype<DTYPES_WIDE>(job->in.dtype, [&](auto c) {
        using C = decltype(c);
        constexpr int V = 16 / (int)sizeof(C);
        back_rows<C> j = {data_of<const C>(&job->grad),
                          data_of<const C>(&job->in),
                          data_of<C>(&job->stats),
                          data_of<C>(job->dx),
                          data_of<C>(job->dweight),
                          data_of<C>(job->dbias),
                          m->rows,
                          m->length,
                          m->centre,
                          (C)m->eps,
                          params_of<C>(m)};
        bool packed = params_allow<V, C>(m) && is_aligned<C>(j.in, V) && is_aligned<C>(j.grad, V) &&
                      is_aligned<C>(j.dx, V);
        (packed ? back_through_rows<C, V> : back_through_rows<C, 1>)(j);
        if (!j.dweight && !j.db)
            return;
        if (m->inner == 1 && m->period == 1)
            back_through_columns(j);
        else
            back_through_shared(j, m);
    });
}
