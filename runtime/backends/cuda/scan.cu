/* Running sums and products along a dimension, in any length. Floats below f64 are carried in f32,
 * f64 in f64; integers wrap.
 *
 * A block takes a row, tile by tile, and carries what it has from one to the next; or each thread
 * takes a column, where those are closer together or rows are short. Where there are few of either
 * they are cut into parts: their totals are made first, then each part starts from those before it.
 * The order of the steps depends on the geometry alone. */
#include "runtime/backends/cuda/reduce.cuh"

namespace
{

enum {
    ITEMS = 8, /* of a tile, a thread */
    TILE = (int)THREADS * ITEMS,
    SHORT = 32,         /* rows up to here are a thread's */
    SCAN_BLOCKS = 1024, /* that are aimed at */
    MOST_PARTS = 1024,
};

struct scan_job {
    const char *in;
    char *out;
    places<2> kept;
    int64_t rows, length, in_step, out_step;
    int64_t part;
    mc_dtype dtype; /* of the result, where it may differ */
    bool product;
};

template <class A> BOTH A step(bool product, A a, A b)
{
    return product ? a * b : a + b;
}
BOTH int64_t step(bool product, int64_t a, int64_t b)
{
    return (int64_t)(product ? (uint64_t)a * (uint64_t)b : (uint64_t)a + (uint64_t)b);
}

template <class T, class A> __device__ A read_item(const char *row, const scan_job &j, int64_t i)
{
    return (A)read(*reinterpret_cast<const T *>(row + i * j.in_step));
}

/* Integers come out as i64, or as they were. */
template <class T, class A> __device__ void write_item(char *row, const scan_job &j, int64_t i, A x)
{
    char *at = row + i * j.out_step;
    if constexpr (is_float<T>)
        *reinterpret_cast<T *>(at) = store<T>((math_of<T>)x);
    else if (j.dtype == MC_I64)
        *reinterpret_cast<int64_t *>(at) = x;
    else if constexpr (same<T, flag>)
        *reinterpret_cast<flag *>(at) = store<flag>(x != 0);
    else
        *reinterpret_cast<T *>(at) = (T)x;
}

/* ---- rows ------------------------------------------------------------------------------------
 */

/* The fold of what the threads before this one have, and of all. */
template <class A> struct before {
    A those, all;
};

template <class A> __device__ before<A> block_before(A mine, bool product)
{
    __shared__ A of_warp[THREADS / WARP];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    A none = (A)product, upto = mine;
#pragma unroll
    for (int away = 1; away < WARP; away *= 2) {
        A other = __shfl_up_sync(ALL_LANES, upto, away);
        if (lane >= away)
            upto = step(product, other, upto);
    }
    A those = __shfl_up_sync(ALL_LANES, upto, 1);
    those = lane ? those : none;
    __syncthreads(); /* of_warp may still be read from the last time */
    if (lane == WARP - 1)
        of_warp[warp] = upto;
    __syncthreads();
    A warps = none, all = none;
    for (int w = 0; w < THREADS / WARP; w++) {
        warps = w < warp ? step(product, warps, of_warp[w]) : warps;
        all = step(product, all, of_warp[w]);
    }
    return before<A>{step(product, warps, those), all};
}

/* A tile travels through shared memory, so that neighbours are read together and each thread has
 * neighbours. A place in ITEMS + 1 is left out to keep threads out of each other's banks. */
BOTH int tile_place(int i)
{
    return i + i / ITEMS;
}

/* totals: of the parts of each row; written where nothing else is (first), else where to start. */
template <class T, class A>
__global__ void __launch_bounds__(THREADS) scan_rows_kernel(scan_job j, A *totals, bool first)
{
    __shared__ A tile[(int)TILE + (int)THREADS];
    int thread = (int)threadIdx.x;
    int64_t part = blockIdx.y,
            end = (part + 1) * j.part < j.length ? (part + 1) * j.part : j.length;
    for (int64_t row = blockIdx.x; row < j.rows; row += gridDim.x) {
        int64_t at[2];
        j.kept.find(row, at);
        const char *in = j.in + at[0];
        char *out = j.out + at[1];
        A none = (A)j.product, carry = totals && !first ? totals[row * gridDim.y + part] : none;
        for (int64_t begin = part * j.part; begin < end; begin += TILE) {
            int n = end - begin < TILE ? (int)(end - begin) : TILE;
            for (int i = thread; i < TILE; i += THREADS)
                tile[tile_place(i)] = i < n ? read_item<T, A>(in, j, begin + i) : none;
            __syncthreads();
            A x[ITEMS], own = none;
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                own = step(j.product, own, tile[tile_place(thread * ITEMS + i)]);
                x[i] = own;
            }
            before<A> b = block_before(own, j.product);
            A start = step(j.product, carry, b.those);
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                tile[tile_place(thread * ITEMS + i)] = step(j.product, start, x[i]);
            __syncthreads();
            for (int i = thread; i < n && !first; i += THREADS)
                write_item<T, A>(out, j, begin + i, tile[tile_place(i)]);
            __syncthreads();
            carry = step(j.product, carry, b.all);
        }
        if (first && thread == 0)
            totals[row * gridDim.y + part] = carry;
    }
}

/* ---- columns ---------------------------------------------------------------------------------
 */

template <class T, class A>
__global__ void __launch_bounds__(THREADS) scan_columns_kernel(scan_job j, A *totals, bool first)
{
    int64_t part = blockIdx.y,
            end = (part + 1) * j.part < j.length ? (part + 1) * j.part : j.length;
    for (GRID_STEP(column, j.rows)) {
        int64_t at[2];
        j.kept.find(column, at);
        A carry = totals && !first ? totals[column * gridDim.y + part] : (A)j.product;
#pragma unroll 4
        for (int64_t i = part * j.part; i < end; i++) {
            carry = step(j.product, carry, read_item<T, A>(j.in + at[0], j, i));
            if (!first)
                write_item<T, A>(j.out + at[1], j, i, carry);
        }
        if (first)
            totals[column * gridDim.y + part] = carry;
    }
}

/* Totals of parts become the sums before each; sequentially, as there are few. */
template <class A>
__global__ void __launch_bounds__(THREADS)
    scan_totals_kernel(A *totals, int64_t rows, int parts, bool product)
{
    for (GRID_STEP(row, rows)) {
        A carry = (A)product;
        for (int part = 0; part < parts; part++) {
            A next = step(product, carry, totals[row * parts + part]);
            totals[row * parts + part] = carry;
            carry = next;
        }
    }
}

/* ---- how it is cut ---------------------------------------------------------------------------
 */

/* start(blocks, job, totals, first) */
template <class A, class Start>
static void run_parts(scan_job j, int64_t blocks, int64_t least_part, Start start)
{
    int64_t parts = least(least(SCAN_BLOCKS / blocks, j.length / least_part), MOST_PARTS);
    unsigned across = (unsigned)least(blocks, INT32_MAX);
    j.part = j.length;
    if (parts > 1) {
        scratch room(j.in, (size_t)(j.rows * parts) * sizeof(A));
        if (room.data) { /* else whole: that needs no memory */
            j.part = divide_up(divide_up(j.length, parts), least_part) * least_part;
            parts = divide_up(j.length, j.part);
            dim3 grid(across, (unsigned)parts);
            start(grid, j, room.as<A>(), true);
            LAUNCH((scan_totals_kernel<A>), blocks_for(j.rows), THREADS, room.as<A>(), j.rows,
                   (int)parts, j.product);
            start(grid, j, room.as<A>(), false);
            return;
        }
    }
    start(dim3(across), j, (A *)nullptr, false);
}

template <class T> static void run(const scan_job &j, bool columns)
{
    using A = carried_of<T>;
    if (columns)
        run_parts<A>(j, divide_up(j.rows, THREADS), SHORT,
                     [](dim3 blocks, scan_job job, A *totals, bool first) {
                         LAUNCH((scan_columns_kernel<T, A>), blocks, THREADS, job, totals, first);
                     });
    else
        run_parts<A>(j, j.rows, TILE, [](dim3 blocks, scan_job job, A *totals, bool first) {
            LAUNCH((scan_rows_kernel<T, A>), blocks, THREADS, job, totals, first);
        });
}

} // namespace

void cuda_scan(enum reduce op, struct view out, struct view in, int dim)
{
    if (in.numel == 0)
        return;
    grid g = grid_of(out, in, 1u << dim, true);
    const axis &along = g.inner.last(), &across = g.kept.last();
    scan_job j = {};
    j.in = in.data;
    j.out = out.data;
    j.kept = places_of(g.kept);
    j.rows = g.kept.numel;
    j.length = g.inner.numel;
    j.in_step = along.in;
    j.out_step = along.out;
    j.dtype = out.dtype;
    j.product = op == REDUCE_PROD;
    bool closer = across.in && distance(across.in) < distance(along.in);
    USE(out.data);
    with_dtype<DTYPES_BOOL | DTYPES_INT | DTYPES_FLOAT>(
        in.dtype, [&](auto t) { run<decltype(t)>(j, closer || j.length <= SHORT); });
}
