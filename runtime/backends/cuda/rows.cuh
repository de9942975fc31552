/* Rows that become rows: how they are found, read and written, by softmax and its gradient.
 *
 * Threads read packs of V neighbours. A row need not begin where a pack does: its first pack may
 * begin before it (by shift elements), its last end behind it; what is not the row's is passed
 * over. The row that is written has to lie alike, else V is 1. */
#ifndef RUNTIME_CUDA_ROWS_CUH
#define RUNTIME_CUDA_ROWS_CUH

#include "runtime/backends/cuda/grid.cuh"

enum {
    ROW_THREADS = 1024, /* of a block, at most */
    ROW_BLOCKS = 1024,  /* that are aimed at when rows are cut into parts */
    ROW_PART = 16384,   /* elements of a part, at least */
    ROW_MOST_PARTS = 512,
};

struct row_job {
    const char *in, *also; /* also: another input of the same geometry; NULL: none */
    char *out;
    places<2> kept;
    int64_t rows, length;
    int64_t in_step, out_step; /* bytes */
    int64_t part;              /* elements that a block takes of a row */
    bool readable, packed;     /* in packs: reading, and writing too */
};

template <class T, class Out> struct row_place {
    const T *in, *also;
    Out *out;
    int rank, team;
    int shift; /* elements before the row in its first pack */
};

/* The row of this thread's team; whether there is one. */
template <int V, class T, class Out>
__device__ bool row_of(const row_job &j, int64_t block, int team, row_place<T, Out> *row)
{
    int64_t at[2] = {0, 0}, index = block * ((int)blockDim.x / team) + (int)threadIdx.x / team;
    bool mine = index < j.rows;
    if (mine)
        j.kept.find(index, at);
    row->in = reinterpret_cast<const T *>(j.in + at[0]);
    row->also = reinterpret_cast<const T *>(j.also + at[0]);
    row->out = reinterpret_cast<Out *>(j.out + at[1]);
    row->rank = (int)threadIdx.x % team;
    row->team = team;
    row->shift = (int)(reinterpret_cast<uintptr_t>(row->in) / sizeof(T) % V);
    return mine;
}

/* ---- rows in registers -----------------------------------------------------------------------
 */

/* Where in the row a thread's p-th pack begins. */
template <int V, class T, class Out>
__device__ int64_t pack_begin(const row_place<T, Out> &row, int p)
{
    return (int64_t)(p * row.team + row.rank) * V - row.shift;
}

/* x = P packs of in, or of also, which has the same layout; empty beyond the end. ALIGNED: every
 * row consists of whole packs, so that elements need not be checked one by one. */
template <int V, int P, bool ALIGNED = false, class T, class Out, class A>
__device__ void row_load(const row_job &j, const row_place<T, Out> &row, const T *from, A *x,
                         A none)
{
#pragma unroll
    for (int p = 0; p < P; p++) {
        int64_t begin = pack_begin<V>(row, p);
        if constexpr (ALIGNED) {
            pack<T, V> raw;
#pragma unroll
            for (int v = 0; v < V; v++)
                raw.at[v] = store<T>(none);
            if (begin < j.length)
                raw = *reinterpret_cast<const pack<T, V> *>(from + begin);
#pragma unroll
            for (int v = 0; v < V; v++)
                x[p * V + v] = (A)read(raw.at[v]);
            continue;
        }
        pack<T, V> raw = {};
        if (begin < j.length && begin + V > 0) {
            if constexpr (V > 1)
                raw = *reinterpret_cast<const pack<T, V> *>(from + begin);
            else
                raw.at[0] = *reinterpret_cast<const T *>(reinterpret_cast<const char *>(from) +
                                                         begin * j.in_step);
        }
        bool whole = begin >= 0 && begin + V <= j.length;
#pragma unroll
        for (int v = 0; v < V; v++)
            x[p * V + v] =
                whole || (begin + v >= 0 && begin + v < j.length) ? (A)read(raw.at[v]) : none;
    }
}

/* result(i): of the i-th element that row_load gave. */
template <int V, int P, bool ALIGNED = false, class T, class Out, class F>
__device__ void row_store(const row_job &j, const row_place<T, Out> &row, F result)
{
#pragma unroll
    for (int p = 0; p < P; p++) {
        int64_t begin = pack_begin<V>(row, p);
        pack<Out, V> raw;
#pragma unroll
        for (int v = 0; v < V; v++)
            raw.at[v] = result(p * V + v);
        if constexpr (V == 1) {
            if (begin < j.length)
                *reinterpret_cast<Out *>(reinterpret_cast<char *>(row.out) + begin * j.out_step) =
                    raw.at[0];
        } else if (begin >= 0 && begin + V <= j.length) {
            *reinterpret_cast<pack<Out, V> *>(row.out + begin) = raw;
        } else if constexpr (!ALIGNED) {
#pragma unroll
            for (int v = 0; v < V; v++)
                if (begin + v >= 0 && begin + v < j.length)
                    row.out[begin + v] = raw.at[v];
        }
    }
}

/* ---- long rows -------------------------------------------------------------------------------
 */

/* This block's part of a row: one by one up to head and from tail on, in packs between. */
struct row_span {
    int64_t begin, head, tail, end;
};

template <int V, class T, class Out>
__device__ row_span span_of(const row_job &j, const row_place<T, Out> &row, bool packs)
{
    row_span s;
    s.begin = (int64_t)blockIdx.y * j.part;
    s.end = s.begin + j.part < j.length ? s.begin + j.part : j.length;
    int64_t over = (int64_t)(reinterpret_cast<uintptr_t>(row.in + s.begin) / sizeof(T) % V);
    s.head = packs ? s.begin + (over ? V - over : 0) : s.end;
    s.head = s.head < s.end ? s.head : s.end;
    s.tail = s.head + (s.end - s.head) / V * V;
    return s;
}

template <class T> __device__ T element_at(const T *row, int64_t i, int64_t step)
{
    return *reinterpret_cast<const T *>(reinterpret_cast<const char *>(row) + i * step);
}

/* take(x, y) of every element: in and, where there is one, also. */
template <class T, class Out, class F>
__device__ void row_walk(const row_job &j, const row_place<T, Out> &row, F take)
{
    constexpr int V = 16 / sizeof(T);
    using P = pack<T, V>;
    row_span s = span_of<V>(j, row, j.readable);
    const T *also = j.also ? row.also : row.in;
    for (int64_t i = s.begin + threadIdx.x; i < s.head; i += blockDim.x)
        take(element_at(row.in, i, j.in_step), element_at(also, i, j.in_step));
#pragma unroll 2
    for (int64_t i = s.head + (int64_t)threadIdx.x * V; i < s.tail; i += (int64_t)blockDim.x * V) {
        P x = *reinterpret_cast<const P *>(row.in + i);
        P y = *reinterpret_cast<const P *>(also + i);
#pragma unroll
        for (int v = 0; v < V; v++)
            take(x.at[v], y.at[v]);
    }
    for (int64_t i = s.tail + threadIdx.x; i < s.end; i += blockDim.x)
        take(element_at(row.in, i, j.in_step), element_at(also, i, j.in_step));
}

/* out = result(x, y) of every element. */
template <class T, class Out, class F>
__device__ void row_map(const row_job &j, const row_place<T, Out> &row, F result)
{
    constexpr int V = 16 / sizeof(T);
    using P = pack<T, V>;
    row_span s = span_of<V>(j, row, j.packed);
    const T *also = j.also ? row.also : row.in;
    auto one = [&](int64_t i) {
        *reinterpret_cast<Out *>(reinterpret_cast<char *>(row.out) + i * j.out_step) =
            result(element_at(row.in, i, j.in_step), element_at(also, i, j.in_step));
    };
    for (int64_t i = s.begin + threadIdx.x; i < s.head; i += blockDim.x)
        one(i);
    for (int64_t i = s.head + (int64_t)threadIdx.x * V; i < s.tail; i += (int64_t)blockDim.x * V) {
        P x = *reinterpret_cast<const P *>(row.in + i);
        P y = *reinterpret_cast<const P *>(also + i);
        pack<Out, V> to;
#pragma unroll
        for (int v = 0; v < V; v++)
            to.at[v] = result(x.at[v], y.at[v]);
        *reinterpret_cast<pack<Out, V> *>(row.out + i) = to;
    }
    for (int64_t i = s.tail + threadIdx.x; i < s.end; i += blockDim.x)
        one(i);
}

/* ---- how it is cut ---------------------------------------------------------------------------
 */

/* Whether the input is contiguous along the row, in whole packs of V; and whether the output is,
 * too. */
template <int V, class T> bool rows_readable(const row_job &j)
{
    return j.in_step == (int64_t)sizeof(T) &&
           (!j.also || ((uintptr_t)j.in - (uintptr_t)j.also) % (V * sizeof(T)) == 0);
}

template <int V, class T, class Out> bool rows_alike(const row_job &j)
{
    bool ok = rows_readable<V, T>(j) && j.out_step == (int64_t)sizeof(Out);
    auto alike = [](int64_t in, int64_t out) {
        return in % (int64_t)sizeof(T) == 0 && out % (int64_t)sizeof(Out) == 0 &&
               (in / (int64_t)sizeof(T) - out / (int64_t)sizeof(Out)) % V == 0;
    };
    ok = ok && alike((int64_t)j.in, (int64_t)j.out);
    for (int d = 0; d < j.kept.ndim; d++)
        ok = ok && alike(j.kept.stride[0][d], j.kept.stride[1][d]);
    return ok;
}

/* Elements that packs have to hold for a row. */
template <int V, class T> int64_t row_need(const row_job &j)
{
    bool aligned = (uintptr_t)j.in % (V * sizeof(T)) == 0;
    for (int d = 0; d < j.kept.ndim; d++)
        aligned = aligned && j.kept.stride[0][d] % (int64_t)(V * sizeof(T)) == 0;
    return aligned ? j.length : j.length + V - 1;
}

/* Whether every row consists of whole packs. */
template <int V, class T> bool rows_whole(const row_job &j)
{
    return V > 1 && j.length % V == 0 && row_need<V, T>(j) == j.length;
}

/* Threads for a row, each of which holds so many elements; 0: there are not as many. */
static inline int row_team(int64_t need, int a_thread)
{
    int64_t threads = divide_up(need, a_thread);
    if (threads <= WARP)
        return power_above(threads, WARP);
    return threads <= ROW_THREADS ? (int)divide_up(threads, WARP) * WARP : 0;
}

/* Blocks of so many rows; more than fit side by side go below each other. */
static inline dim3 row_blocks(const row_job &j, int rows)
{
    int64_t blocks = divide_up(j.rows, rows), most = INT32_MAX;
    return blocks <= most ? dim3((unsigned)blocks)
                          : dim3((unsigned)most, (unsigned)divide_up(blocks, most));
}
__device__ static inline int64_t row_block()
{
    return (int64_t)blockIdx.y * gridDim.x + blockIdx.x;
}

/* Cuts rows of a job, of which that many blocks take a part each; returns how many parts. */
static inline int64_t row_cut(row_job *j, int64_t blocks, int64_t least_part)
{
    int64_t parts = least(least(ROW_BLOCKS / blocks, j->length / least_part), ROW_MOST_PARTS);
    j->part = parts > 1 ? divide_up(j->length, parts) : j->length;
    return divide_up(j->length, j->part);
}

/* Threads side by side that take a column each, of a block of THREADS. */
static inline int columns_wide(const row_job &j)
{
    int wide = THREADS / power_above(divide_up(j.length, 8), 8);
    return j.rows < wide ? power_above(j.rows, THREADS) : wide;
}

/* Of rows along dim; no part yet. */
static inline row_job row_job_of(const view &out, const view &in, int dim, bool *columns)
{
    grid g = grid_of(out, in, 1u << dim, false);
    row_job j = {};
    j.in = in.data;
    j.out = out.data;
    j.kept = places_of(g.kept);
    j.rows = g.kept.numel;
    j.length = j.part = g.inner.numel;
    j.in_step = g.inner.last().in;
    j.out_step = g.inner.last().out;
    int64_t across = distance(g.kept.last().in), along = distance(j.in_step);
    *columns = across && across < along;
    return j;
}

#endif
