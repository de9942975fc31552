/* Softmax, its logarithm, and the logarithm of a sum of exponentials, along one dimension.
 *
 * Rows up to some ten thousand elements are read once and kept in registers, by a warp, a part of
 * one, or a block. Longer ones are read twice: once for the greatest value and the sum of
 * exponentials below it, which grow together, once for the result; few of them are cut into parts
 * for several blocks. Where neighbouring threads had better take neighbouring results, each takes a
 * column that way. */
#include "runtime/backends/cuda/reduce.cuh"
#include "runtime/backends/cuda/rows.cuh"

namespace
{

/* ---- what is computed ------------------------------------------------------------------------
 */

BOTH float exp_of(float x)
{
    return expf(x);
}
BOTH double exp_of(double x)
{
    return exp(x);
}
BOTH float log_of(float x)
{
    return logf(x);
}
BOTH double log_of(double x)
{
    return log(x);
}

/* The greatest value so far and the sum of e^(x - top). -inf adds nothing; a NaN stays in sum. */
template <class A> struct heap {
    A top, sum;
};

template <class A> BOTH heap<A> heap_empty()
{
    return heap<A>{-(A)INFINITY, 0};
}

template <class A> BOTH heap<A> heap_take(heap<A> h, A x)
{
    A e = x == h.top ? (A)1 : exp_of(x < h.top ? x - h.top : h.top - x);
    if (x > h.top)
        return heap<A>{x, h.sum * e + 1};
    return heap<A>{h.top, x == -(A)INFINITY ? h.sum : h.sum + e};
}

template <class A> BOTH heap<A> heap_join(heap<A> a, heap<A> b)
{
    if (b.top > a.top) {
        heap<A> t = a;
        a = b;
        b = t;
    }
    return heap<A>{a.top, a.sum + b.sum * (a.top == b.top ? (A)1 : exp_of(b.top - a.top))};
}

/* What all of a row's results are computed with. */
template <class A> struct scale {
    A top, sum; /* sum: its logarithm for LOG_SOFTMAX, its inverse for a half's SOFTMAX */
};

/* With an infinity among them exponentials have no finite sum, and nothing below -inf is a number.
 */
template <class Out, class A> BOTH scale<A> scale_of(enum softmax kind, heap<A> h)
{
    A sum = h.top == (A)INFINITY ? (A)NAN : h.sum;
    return scale<A>{h.top, kind == LOG_SOFTMAX       ? log_of(sum)
                           : sizeof(Out) < sizeof(A) ? 1 / sum
                                                     : sum};
}

template <class A> BOTH A log_sum_exp(heap<A> h)
{
    bool infinite = h.top == (A)INFINITY && h.sum == h.sum;
    return infinite ? h.top : log_of(h.sum) + h.top;
}

/* e: e^(x - top), for SOFTMAX alone. Rounding to a half hides whether one divides. */
template <class Out, class A> BOTH Out result_of(enum softmax kind, A x, A e, scale<A> s)
{
    if (kind == LOG_SOFTMAX)
        return store<Out>(x - s.top - s.sum);
    return store<Out>(sizeof(Out) < sizeof(A) ? e * s.sum : e / s.sum);
}

/* ---- rows in registers -----------------------------------------------------------------------
 */

/* e^(x - base). Rounding to a half hides what is lost in the last places. */
template <class T, class A> BOTH A exp_below(A x, A base)
{
    if constexpr (is_small_float<T>) {
        const float turns = 1.44269504088896340736f; /* 1 / ln 2 */
        float powers = (x - base) * turns;
#ifdef __CUDA_ARCH__
        float result;
        asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(powers));
        return result;
#else
        return exp2f(powers);
#endif
    } else {
        return exp_of(x - base);
    }
}

/* e / sum for many e, rounded as the division is: the quotient by the inverse, corrected by what is
 * left. 0 <= e <= 1 <= sum. */
template <class A> struct quotient {
    A sum, inverse;
    BOTH A of(A e) const
    {
        A q = e * inverse;
        return fma(fma(-q, sum, e), inverse, q);
    }
};

enum { ANY_KIND = -1 };

/* A NaN is the greatest, or skipped where the sum becomes NaN anyway. */
template <int KIND, class A> BOTH A greater(A a, A b)
{
    if constexpr (KIND == ANY_KIND)
        return b > a || b != b ? b : a;
    else
        return fmax(a, b);
}

/* P packs of V elements a thread; the row's team has threads enough. What is not the row's is -inf,
 * which changes neither the greatest nor a sum that is a number. KIND is known for rows of whole
 * packs (ALIGNED), which are the many; TEAM is 0 where it is not known before. */
template <class Out, class T, int V, int P, int MOST, int KIND, bool ALIGNED, int TEAM>
__global__ void __launch_bounds__(MOST) held_kernel(enum softmax asked, row_job j, int any_team)
{
    using A = math_of<T>;
    constexpr int N = P * V;
    const int team = TEAM ? TEAM : any_team;
    const enum softmax kind = KIND == ANY_KIND ? asked : (enum softmax)KIND;
    const A none = -(A)INFINITY;
    row_place<T, Out> row;
    bool mine = row_of<V>(j, row_block(), team, &row);
    A x[N], top = none, sum = 0;
    if (mine)
        row_load<V, P, ALIGNED>(j, row, row.in, x, none);
    else
        for (int i = 0; i < N; i++)
            x[i] = none;
#pragma unroll
    for (int i = 0; i < N; i++)
        top = greater<KIND>(top, x[i]);
    top = team_fold(top, team, none, [](A a, A b) { return greater<KIND>(a, b); });
    A base = kind == LOGSUMEXP && top == none ? (A)0 : top;
#pragma unroll
    for (int i = 0; i < N; i++) {
        A e = exp_below<T>(x[i], base);
        sum += e;
        x[i] = kind == LOG_SOFTMAX ? x[i] : e;
    }
    sum = team_fold(sum, team, (A)0, [](A a, A b) { return a + b; });
    if (!mine)
        return;
    if (kind == LOGSUMEXP) {
        if (row.rank == 0)
            *row.out = store<Out>(top == (A)INFINITY ? top : log_of(sum) + base);
        return;
    }
    scale<A> s = scale_of<Out>(kind, heap<A>{top, sum});
    const quotient<A> q = {s.sum, 1 / s.sum};
    row_store<V, P, ALIGNED>(j, row, [&](int i) {
        if constexpr (sizeof(Out) == sizeof(A))
            if (kind == SOFTMAX)
                return store<Out>(q.of(x[i]));
        return result_of<Out>(kind, x[i], x[i], s);
    });
}

/* ---- long rows -------------------------------------------------------------------------------
 */

/* The heap of this block's part of a row, known to all threads. */
template <class T, class Out>
__device__ heap<math_of<T>> part_heap(const row_job &j, const row_place<T, Out> &row)
{
    using A = math_of<T>;
    heap<A> h = heap_empty<A>();
    row_walk(j, row, [&](T x, T) { h = heap_take(h, (A)read(x)); });
    return team_fold(h, (int)blockDim.x, heap_empty<A>(),
                     [](heap<A> a, heap<A> b) { return heap_join(a, b); });
}

template <class T, class Out>
__device__ void part_write(enum softmax kind, const row_job &j, const row_place<T, Out> &row,
                           heap<math_of<T>> h)
{
    using A = math_of<T>;
    if (kind == LOGSUMEXP) {
        if (threadIdx.x == 0 && blockIdx.y == 0)
            *row.out = store<Out>(log_sum_exp(h));
        return;
    }
    scale<A> s = scale_of<Out>(kind, h);
    row_map(j, row, [&](T element, T) {
        A x = (A)read(element);
        return result_of<Out>(kind, x, kind == SOFTMAX ? exp_of(x - s.top) : x, s);
    });
}

/* The passes of a block: both or, for rows that are split into parts, one at a time. */
enum phase { WHOLE, GATHER, WRITE };

/* parts: a heap of each part of each row; NULL for WHOLE. */
template <class Out, class T>
__global__ void __launch_bounds__(ROW_THREADS)
    long_kernel(enum softmax kind, row_job j, heap<math_of<T>> *parts, enum phase phase)
{
    using A = math_of<T>;
    row_place<T, Out> row;
    row_of<1>(j, blockIdx.x, (int)blockDim.x, &row);
    heap<A> h = heap_empty<A>(), *of_row = parts + (int64_t)blockIdx.x * gridDim.y;
    if (phase != WRITE)
        h = part_heap(j, row);
    else
        for (unsigned part = 0; part < gridDim.y; part++)
            h = heap_join(h, of_row[part]);
    if (phase != GATHER)
        part_write(kind, j, row, h);
    else if (threadIdx.x == 0)
        of_row[blockIdx.y] = h;
}

/* ---- columns ---------------------------------------------------------------------------------
 */

/* The heap of what this block has of a column, known to all threads of the column. */
template <class T>
__device__ heap<math_of<T>> column_heap(const row_job &j, const char *in, int64_t begin,
                                        int64_t end, int wide)
{
    using A = math_of<T>;
    __shared__ heap<A> held[THREADS];
    int thread = (int)threadIdx.x, high = THREADS / wide;
    heap<A> h = heap_empty<A>();
#pragma unroll 4
    for (int64_t i = begin + thread / wide; i < end; i += high)
        h = heap_take(h, (A)read(*reinterpret_cast<const T *>(in + i * j.in_step)));
    held[thread] = h;
    __syncthreads();
    h = heap_empty<A>();
    for (int k = 0; k < high; k++)
        h = heap_join(h, held[k * wide + thread % wide]);
    return h;
}

template <class Out, class T>
__device__ void column_write(enum softmax kind, const row_job &j, const char *in, char *out,
                             int64_t begin, int64_t end, int wide, heap<math_of<T>> h)
{
    using A = math_of<T>;
    if (kind == LOGSUMEXP) {
        if (threadIdx.x < (unsigned)wide && begin == 0 && end)
            *reinterpret_cast<Out *>(out) = store<Out>(log_sum_exp(h));
        return;
    }
    scale<A> s = scale_of<Out>(kind, h);
#pragma unroll 4
    for (int64_t i = begin + (int)threadIdx.x / wide; i < end; i += THREADS / wide) {
        A x = (A)read(*reinterpret_cast<const T *>(in + i * j.in_step));
        *reinterpret_cast<Out *>(out + i * j.out_step) =
            result_of<Out>(kind, x, kind == SOFTMAX ? exp_of(x - s.top) : x, s);
    }
}

template <class Out, class T>
__global__ void __launch_bounds__(THREADS)
    column_kernel(enum softmax kind, row_job j, int wide, heap<math_of<T>> *parts, enum phase phase)
{
    using A = math_of<T>;
    int64_t column = (int64_t)blockIdx.x * wide + (int)threadIdx.x % wide, at[2] = {0, 0};
    int64_t begin = (int64_t)blockIdx.y * j.part, end = 0;
    if (column < j.rows) {
        j.kept.find(column, at);
        end = begin + j.part < j.length ? begin + j.part : j.length;
    }
    heap<A> h = heap_empty<A>();
    if (phase != WRITE)
        h = column_heap<T>(j, j.in + at[0], begin, end, wide);
    else if (column < j.rows)
        for (unsigned part = 0; part < gridDim.y; part++)
            h = heap_join(h, parts[part * j.rows + column]);
    if (phase != GATHER)
        column_write<Out, T>(kind, j, j.in + at[0], j.out + at[1], begin, end, wide, h);
    else if (column < j.rows && threadIdx.x < (unsigned)wide)
        parts[blockIdx.y * j.rows + column] = h;
}

/* ---- how it is cut ---------------------------------------------------------------------------
 */

/* start(parts of each row, job, heaps, phase), once for rows that are whole, else twice. */
template <class T, class Start>
static void run_parts(row_job j, int64_t blocks, int64_t least_part, Start start)
{
    using H = heap<math_of<T>>;
    row_job whole = j;
    int64_t parts = row_cut(&j, blocks, least_part);
    if (parts > 1) {
        scratch room(j.in, (size_t)(j.rows * parts) * sizeof(H));
        if (room.data) { /* else whole: that needs no memory */
            start((unsigned)parts, j, room.as<H>(), GATHER);
            start((unsigned)parts, j, room.as<H>(), WRITE);
            return;
        }
    }
    start(1u, whole, (H *)nullptr, WHOLE);
}

template <class Out, class T> static void run_columns(enum softmax kind, const row_job &j)
{
    int wide = columns_wide(j);
    int64_t blocks = divide_up(j.rows, wide);
    run_parts<T>(j, blocks, 64 * (THREADS / wide),
                 [&](unsigned parts, auto job, auto heaps, auto phase) {
                     LAUNCH((column_kernel<Out, T>), dim3((unsigned)blocks, parts), THREADS, kind,
                            job, wide, heaps, phase);
                 });
}

template <class Out, class T> static void run_long(enum softmax kind, const row_job &j)
{
    run_parts<T>(j, j.rows, ROW_PART, [&](unsigned parts, auto job, auto heaps, auto phase) {
        LAUNCH((long_kernel<Out, T>), dim3((unsigned)j.rows, parts), ROW_THREADS, kind, job, heaps,
               phase);
    });
}

/* Rows that this many threads can hold are the most common, and have their own kernel. */
enum { USUAL_TEAM = 128 };

/* False: a block is not enough. */
template <class Out, class T, int V, int P, int KIND, bool ALIGNED>
static bool run_held_as(enum softmax kind, const row_job &j, int64_t need)
{
    constexpr int few = 128;
    int team = row_team(need, V * P);
    if constexpr (ALIGNED)
        if (team > WARP && team <= USUAL_TEAM) {
            LAUNCH((held_kernel<Out, T, V, P, USUAL_TEAM, KIND, ALIGNED, USUAL_TEAM>),
                   row_blocks(j, 1), USUAL_TEAM, kind, j, USUAL_TEAM);
            return true;
        }
    if (team > WARP)
        LAUNCH((held_kernel<Out, T, V, P, ROW_THREADS, KIND, ALIGNED, 0>), row_blocks(j, 1),
               (unsigned)team, kind, j, team);
    else if (team)
        LAUNCH((held_kernel<Out, T, V, P, few, KIND, ALIGNED, 0>), row_blocks(j, few / team), few,
               kind, j, team);
    return team;
}

template <class Out, class T, int V, int P>
static bool run_held(enum softmax kind, const row_job &j, int64_t need)
{
    if constexpr (V > 1 && same<Out, T>) {
        if (kind == SOFTMAX && rows_whole<V, T>(j))
            return run_held_as<Out, T, V, P, SOFTMAX, true>(kind, j, need);
        if (kind == LOG_SOFTMAX && rows_whole<V, T>(j))
            return run_held_as<Out, T, V, P, LOG_SOFTMAX, true>(kind, j, need);
    }
    return run_held_as<Out, T, V, P, ANY_KIND, false>(kind, j, need);
}

/* Few elements a thread while they are enough for a warp, then more of them, then a block: of
 * USUAL_TEAM, then of as many as it takes, with half the elements each while that is enough. */
template <class Out, class T, int V> static bool run_rows(enum softmax kind, const row_job &j)
{
    constexpr int P = (sizeof(T) == 8 ? 16 : 32) / V;
    int64_t need = row_need<V, T>(j);
    if (need <= WARP * P / 4 * V)
        return run_held<Out, T, V, P / 4>(kind, j, need);
    if (need > USUAL_TEAM * P * V && need <= ROW_THREADS * P / 2 * V)
        return run_held<Out, T, V, P / 2>(kind, j, need);
    return run_held<Out, T, V, P>(kind, j, need);
}

template <class Out, class T> static void run(enum softmax kind, row_job j, bool columns)
{
    constexpr int V = 16 / sizeof(T);
    j.readable = rows_readable<V, T>(j);
    j.packed = rows_alike<V, T, Out>(j);
    if (columns)
        run_columns<Out, T>(kind, j);
    else if (!(j.packed ? run_rows<Out, T, V>(kind, j) : run_rows<Out, T, 1>(kind, j)))
        run_long<Out, T>(kind, j);
}

} // namespace

void cuda_softmax(enum softmax kind, struct view out, struct view in, int dim)
{
    bool columns;
    if (out.numel == 0)
        return;
    row_job j = row_job_of(out, in, dim, &columns);
    USE(out.data);
    with_dtype<DTYPES_FLOAT>(in.dtype, [&](auto t) {
        using T = decltype(t);
        if constexpr (is_small_float<T>)
            if (out.dtype == MC_F32)
                return run<float, T>(kind, j, columns);
        run<T, T>(kind, j, columns);
    });
}
