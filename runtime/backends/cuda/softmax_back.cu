/* Gradients of softmax and its logarithm: of the gradient g and the result y along one
 * dimension,
 *     softmax      y (g - Σ g y)
 *     log_softmax  g - e^y Σ g
 * All three tensors are contiguous and of one dtype. Rows are cut as those of softmax.cu are. */
#include "runtime/backends/cuda/reduce.cuh"
#include "runtime/backends/cuda/rows.cuh"

namespace
{

BOTH float exp_of(float x)
{
    return expf(x);
}
BOTH double exp_of(double x)
{
    return exp(x);
}

template <class A> BOTH A term(enum softmax kind, A y, A g)
{
    return kind == SOFTMAX ? g * y : g;
}

template <class T, class A> BOTH T back_of(enum softmax kind, A y, A g, A sum)
{
    return store<T>(kind == SOFTMAX ? y * (g - sum) : g - exp_of(y) * sum);
}

template <class A> struct adding {
    BOTH A operator()(A a, A b) const
    {
        return a + b;
    }
};

/* P packs of V elements a thread, of both. */
template <class T, int V, int P, int MOST>
__global__ void __launch_bounds__(MOST) held_back_kernel(enum softmax kind, row_job j, int team)
{
    using A = math_of<T>;
    constexpr int N = P * V;
    row_place<T, T> row;
    bool mine = row_of<V>(j, row_block(), team, &row);
    A y[N], g[N], sum = 0;
    if (mine) {
        row_load<V, P>(j, row, row.in, y, (A)0);
        row_load<V, P>(j, row, row.also, g, (A)0);
#pragma unroll
        for (int i = 0; i < N; i++)
            sum += term(kind, y[i], g[i]);
    }
    sum = team_fold(sum, team, (A)0, adding<A>{});
    if (mine)
        row_store<V, P>(j, row, [&](int i) { return back_of<T>(kind, y[i], g[i], sum); });
}

template <class T>
__global__ void __launch_bounds__(ROW_THREADS) long_back_kernel(enum softmax kind, row_job j)
{
    using A = math_of<T>;
    row_place<T, T> row;
    row_of<1>(j, blockIdx.x, (int)blockDim.x, &row);
    A sum = 0;
    row_walk(j, row, [&](T y, T g) { sum += term(kind, (A)read(y), (A)read(g)); });
    sum = team_fold(sum, (int)blockDim.x, (A)0, adding<A>{});
    row_map(j, row, [&](T y, T g) { return back_of<T>(kind, (A)read(y), (A)read(g), sum); });
}

template <class T>
__global__ void __launch_bounds__(THREADS)
    column_back_kernel(enum softmax kind, row_job j, int wide)
{
    using A = math_of<T>;
    __shared__ A held[THREADS];
    int thread = (int)threadIdx.x, high = THREADS / wide;
    int64_t column = (int64_t)blockIdx.x * wide + thread % wide, at[2] = {0, 0};
    int64_t end = column < j.rows ? j.length : 0;
    if (column < j.rows)
        j.kept.find(column, at);
    const char *ys = j.in + at[0], *gs = j.also + at[0];
    A sum = 0;
#pragma unroll 4
    for (int64_t i = thread / wide; i < end; i += high)
        sum += term(kind, (A)read(*reinterpret_cast<const T *>(ys + i * j.in_step)),
                    (A)read(*reinterpret_cast<const T *>(gs + i * j.in_step)));
    held[thread] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < high; k++)
        sum += held[k * wide + thread % wide];
#pragma unroll 4
    for (int64_t i = thread / wide; i < end; i += high) {
        A y = (A)read(*reinterpret_cast<const T *>(ys + i * j.in_step));
        A g = (A)read(*reinterpret_cast<const T *>(gs + i * j.in_step));
        *reinterpret_cast<T *>(j.out + at[1] + i * j.out_step) = back_of<T>(kind, y, g, sum);
    }
}

/* False: a block is not enough. */
template <class T, int V, int P>
static bool run_held(enum softmax kind, const row_job &j, int64_t need)
{
    constexpr int few = 128;
    int team = row_team(need, V * P);
    if (team > WARP)
        LAUNCH((held_back_kernel<T, V, P, ROW_THREADS>), row_blocks(j, 1), (unsigned)team, kind, j,
               team);
    else if (team)
        LAUNCH((held_back_kernel<T, V, P, few>), row_blocks(j, few / team), few, kind, j, team);
    return team;
}

/* Half as much a thread as in softmax.cu, for there are two to be held. */
template <class T, int V> static bool run_rows(enum softmax kind, const row_job &j)
{
    constexpr int P = (sizeof(T) == 8 ? 8 : 16) / V;
    int64_t need = row_need<V, T>(j);
    if (need <= WARP * P / 2 * V)
        return run_held<T, V, P / 2>(kind, j, need);
    return run_held<T, V, P>(kind, j, need);
}

template <class T> static void run(enum softmax kind, row_job j, bool columns)
{
    constexpr int V = 16 / sizeof(T);
    j.readable = rows_readable<V, T>(j);
    j.packed = rows_alike<V, T, T>(j);
    if (columns) {
        int wide = columns_wide(j);
        LAUNCH((column_back_kernel<T>), (unsigned)divide_up(j.rows, wide), THREADS, kind, j, wide);
    } else if (!(j.packed ? run_rows<T, V>(kind, j) : run_rows<T, 1>(kind, j))) {
        LAUNCH((long_back_kernel<T>), (unsigned)j.rows, ROW_THREADS, kind, j);
    }
}

} // namespace

void cuda_softmax_back(enum softmax kind, const struct view *out, const struct view *grad,
                       const struct view *y, int dim)
{
    bool columns;
    if (y->numel == 0)
        return;
    row_job j = row_job_of(*out, *y, dim, &columns);
    j.also = grad->data;
    USE(out->data);
    with_dtype<DTYPES_FLOAT>(y->dtype, [&](auto t) { run<decltype(t)>(kind, j, columns); });
}
