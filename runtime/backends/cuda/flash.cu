/* Attention of f16 and bf16 in one kernel: scores stay in registers. A block of threads has 128
 * rows of q, a warp one or two TILES of 16; k and v pass through shared memory, 64 rows at a time,
 * and each row of q keeps the largest score so far, against which its sums are scaled. */
#include "runtime/backends/cuda/attention.cuh"
#include "runtime/backends/cuda/loop.cuh"
#include "runtime/backends/cuda/mma.cuh"

enum { ROWS = 128, COLS = 64, TILE = 16, CHUNK = 8 /* elements in 16 bytes */ };

enum { Q, K, V, MASK, OPERANDS };

template <class T> struct flash {
    const char *data[OPERANDS];
    int64_t row[OPERANDS]; /* steps in bytes */
    T *out;
    int64_t row_blocks;
    int l, s, e, d;
    int64_t mask_col;
    bool has_mask, mask_is_bool, causal;
    float scale;
    places<OPERANDS> heads;
};

/* ---- shared memory ----------------------------------------------------------------------------
 */

/* The position of chunk number i of a row: chunks are permuted so that 8 rows of one column can be
 * read at once. */
template <int D> __device__ uint16_t *chunk_at(uint16_t *rows, int row, int i)
{
    return rows + row * D + (i ^ (row & 7)) * CHUNK;
}

/* The NUMBER threads ask for COUNT rows from first on, of which only those before end are there, as
 * are only width elements of each. */
template <int D, int COUNT, int NUMBER>
__device__ void ask_rows(uint16_t *to, const char *from, int64_t step, int first, int end,
                         int width)
{
    constexpr int CHUNKS = D / CHUNK, AT_ONCE = NUMBER / CHUNKS;
    const int row = threadIdx.x / CHUNKS, chunk = threadIdx.x % CHUNKS;
    const char *at = from + (first + row) * step + chunk * 16;
    const bool in_row = chunk * CHUNK < width;
#pragma unroll
    for (int more = 0; more < COUNT; more += AT_ONCE) {
        bool inside = in_row && first + row + more < end;
        copy_16(chunk_at<D>(to, row + more, chunk), inside ? at + more * step : from, inside);
    }
}

/* ---- what a warp does -------------------------------------------------------------------------
 */

/* A thread has two rows of scores and sums of each tile, g and g + 8. */
template <int D> struct tile {
    uint32_t q[D / 16][4];
    float sums[D / 8][4];
    float top[2], total[2];
};

typedef float score_tile[COLS / 8][4];

/* What is read of k serves all tiles. */
template <class T, int TILES, int D>
__device__ void multiply_scores(const tile<D> *w, uint16_t *k, score_tile *scores)
{
    int lane = threadIdx.x % WARP;
#pragma unroll
    for (int t = 0; t < TILES; t++)
#pragma unroll
        for (int col = 0; col < COLS / 8; col++)
            scores[t][col][0] = scores[t][col][1] = scores[t][col][2] = scores[t][col][3] = 0;
#pragma unroll
    for (int depth = 0; depth < D / 16; depth++)
#pragma unroll
        for (int col = 0; col < COLS / 8; col += 2) {
            uint32_t b[4];
            int row = col * 8 + (lane & 7) + (lane & 16) / 2;
            load_matrices(b, chunk_at<D>(k, row, depth * 2 + (lane >> 3 & 1)));
#pragma unroll
            for (int t = 0; t < TILES; t++) {
                multiply_add<T>(scores[t][col], w[t].q[depth], b);
                multiply_add<T>(scores[t][col + 1], w[t].q[depth], b + 2);
            }
        }
}

template <class T, int TILES, int D>
__device__ void multiply_weights(tile<D> *w, uint16_t *v, const score_tile *weights)
{
    int lane = threadIdx.x % WARP;
#pragma unroll
    for (int depth = 0; depth < COLS / 16; depth++) {
        uint32_t a[TILES][4];
#pragma unroll
        for (int t = 0; t < TILES; t++)
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float *two = &weights[t][2 * depth + i / 2][i % 2 * 2];
                a[t][i] = pair_of<T>(two[0], two[1]);
            }
#pragma unroll
        for (int col = 0; col < D / 8; col += 2) {
            uint32_t b[4];
            load_turned(b, chunk_at<D>(v, depth * 16 + (lane & 15), col + (lane >> 4)));
#pragma unroll
            for (int t = 0; t < TILES; t++) {
                multiply_add<T>(w[t].sums[col], a[t], b);
                multiply_add<T>(w[t].sums[col + 1], a[t], b + 2);
            }
        }
    }
}

/* A score after the scale and the mask; -inf where the row does not look. */
template <class T>
__device__ float masked(const flash<T> &p, const char *mask, int row, int col, float score)
{
    if (col >= p.s || (p.causal && col > row) || row >= p.l)
        return -INFINITY;
    score *= p.scale;
    if (!p.has_mask)
        return score;
    const char *at = mask + row * p.row[MASK] + col * p.mask_col;
    if (p.mask_is_bool)
        return *reinterpret_cast<const uint8_t *>(at) ? score : -INFINITY;
    return score + *reinterpret_cast<const float *>(at);
}

/* Scores become weights, against the largest so far; sums of before are scaled to that. */
template <int D> __device__ void weigh_scores(tile<D> &w, score_tile &scores)
{
    const float LOG2_E = 1.4426950408889634f;
#pragma unroll
    for (int half = 0; half < 2; half++) {
        float top = w.top[half];
#pragma unroll
        for (int col = 0; col < COLS / 8; col++)
            top = fmaxf(top, fmaxf(scores[col][2 * half], scores[col][2 * half + 1]));
        top = fmaxf(top, __shfl_xor_sync(ALL_LANES, top, 1));
        top = fmaxf(top, __shfl_xor_sync(ALL_LANES, top, 2));
        /* If a row has attended to nothing yet, all weights are 0. */
        float against = top == -INFINITY ? 0 : top * LOG2_E;
        float shrink = quick_exp2(fmaf(w.top[half], LOG2_E, -against));
        float total = w.total[half] * shrink;
#pragma unroll
        for (int col = 0; col < COLS / 8; col++)
#pragma unroll
            for (int i = 2 * half; i < 2 * half + 2; i++) {
                scores[col][i] = quick_exp2(fmaf(scores[col][i], LOG2_E, -against));
                total += scores[col][i];
            }
#pragma unroll
        for (int col = 0; col < D / 8; col++) {
            w.sums[col][2 * half] *= shrink;
            w.sums[col][2 * half + 1] *= shrink;
        }
        w.top[half] = top;
        w.total[half] = total;
    }
}

/* first: the row of q that is the tile's first. */
template <class T, int D>
__device__ void store_out(const flash<T> &p, tile<D> &w, int64_t head, int first)
{
    int lane = threadIdx.x % WARP;
#pragma unroll
    for (int half = 0; half < 2; half++) {
        float total = w.total[half];
        total += __shfl_xor_sync(ALL_LANES, total, 1);
        total += __shfl_xor_sync(ALL_LANES, total, 2);
        float share = total == 0 ? 0 : 1 / total;
        int row = first + lane / 4 + 8 * half;
        if (row >= p.l)
            continue;
        T *to = p.out + (head * p.l + row) * p.d;
#pragma unroll
        for (int col = 0; col < D / 8; col++) {
            int at = col * 8 + lane % 4 * 2;
            if (at < p.d)
                *reinterpret_cast<uint32_t *>(to + at) =
                    pair_of<T>(w.sums[col][2 * half] * share, w.sums[col][2 * half + 1] * share);
        }
    }
}

/* ---- the kernel -------------------------------------------------------------------------------
 */

template <int TILES> constexpr int flash_threads = ROWS / TILE / TILES * WARP;

/* q passes through the whole of shared memory into registers. */
template <int TILES, class T, int D>
__device__ void load_q(const flash<T> &p, tile<D> *w, uint16_t *room, const char *q, int first)
{
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    ask_rows<D, ROWS, flash_threads<TILES>>(room, q, p.row[Q], first, p.l, p.e);
    copies_group();
    copies_wait<0>();
    __syncthreads();
#pragma unroll
    for (int t = 0; t < TILES; t++)
#pragma unroll
        for (int depth = 0; depth < D / 16; depth++)
            load_matrices(w[t].q[depth], chunk_at<D>(room, (warp * TILES + t) * TILE + (lane & 15),
                                                     depth * 2 + (lane >> 4)));
    __syncthreads();
}

/* Scales and masks the scores of a tile whose first row is that one, against columns from at on.
 * Before the diagonal, away from edges and without a mask there is nothing to leave out. */
template <class T>
__device__ void finish_scores(const flash<T> &p, const char *mask, int first, int at,
                              score_tile &scores)
{
    int lane = threadIdx.x % WARP;
    if (!p.has_mask && at + COLS <= p.s && first + TILE <= p.l &&
        !(p.causal && at + COLS > first + 1)) {
#pragma unroll
        for (int col = 0; col < COLS / 8; col++)
#pragma unroll
            for (int i = 0; i < 4; i++)
                scores[col][i] *= p.scale;
        return;
    }
#pragma unroll
    for (int col = 0; col < COLS / 8; col++)
#pragma unroll
        for (int i = 0; i < 4; i++)
            scores[col][i] = masked(p, mask, first + lane / 4 + i / 2 * 8,
                                    at + col * 8 + lane % 4 * 2 + i % 2, scores[col][i]);
}

template <class T, int D, int TILES>
__global__ void __launch_bounds__(flash_threads<TILES>, D == 64 ? 2 : 1) flash_kernel(flash<T> p)
{
    alignas(16) __shared__ uint16_t room[2][COLS * D];
    uint16_t *k = room[0], *v = room[1];
    int64_t head = blockIdx.x / p.row_blocks, offset[OPERANDS];
    /* With .causal the last rows have the most to do: they begin. */
    int first = (int)(p.row_blocks - 1 - blockIdx.x % p.row_blocks) * ROWS, end = p.s;
    p.heads.find(head, offset);
    if (p.causal && first + ROWS < end)
        end = first + ROWS;
    tile<D> w[TILES];
#pragma unroll
    for (int t = 0; t < TILES; t++) {
        for (int col = 0; col < D / 8; col++)
            w[t].sums[col][0] = w[t].sums[col][1] = w[t].sums[col][2] = w[t].sums[col][3] = 0;
        w[t].top[0] = w[t].top[1] = -INFINITY;
        w[t].total[0] = w[t].total[1] = 0;
    }
    load_q<TILES>(p, w, room[0], p.data[Q] + offset[Q], first);

    const char *k_from = p.data[K] + offset[K], *v_from = p.data[V] + offset[V];
    const char *mask = p.data[MASK] + offset[MASK];
    const int warp_first = first + (int)threadIdx.x / WARP * TILES * TILE;
    ask_rows<D, COLS, flash_threads<TILES>>(k, k_from, p.row[K], 0, p.s, p.e);
    copies_group();
    for (int at = 0; at < end; at += COLS) {
        score_tile scores[TILES];
        /* Behind the diagonal there is nothing to do. */
        bool looks = !p.causal || at < warp_first + TILES * TILE;
        ask_rows<D, COLS, flash_threads<TILES>>(v, v_from, p.row[V], at, p.s, p.d);
        copies_group();
        copies_wait<1>();
        __syncthreads(); /* k is there */
        if (looks)
            multiply_scores<T, TILES>(w, k, scores);
        __syncthreads(); /* and read */
        if (at + COLS < end)
            ask_rows<D, COLS, flash_threads<TILES>>(k, k_from, p.row[K], at + COLS, p.s, p.e);
        copies_group();
#pragma unroll
        for (int t = 0; t < TILES; t++)
            if (looks) {
                finish_scores(p, mask, warp_first + t * TILE, at, scores[t]);
                weigh_scores(w[t], scores[t]);
            }
        copies_wait<1>();
        __syncthreads(); /* v is there */
        if (looks)
            multiply_weights<T, TILES>(w, v, scores);
        __syncthreads(); /* and read */
    }
    copies_wait<0>();
#pragma unroll
    for (int t = 0; t < TILES; t++)
        store_out<T>(p, w[t], head, warp_first + t * TILE);
}

/* ---- the call ---------------------------------------------------------------------------------
 */

/* Rows that can be copied 16 bytes at a time. */
static bool is_even(const struct view *x)
{
    bool even = (uintptr_t)x->data % 16 == 0 && cols_of(x) % CHUNK == 0 && cols_of(x) <= 128 &&
                x->stride[x->ndim - 1] == 1;
    for (int d = 0; d < x->ndim - 1; d++)
        even = even && (x->shape[d] == 1 || x->stride[d] % CHUNK == 0);
    return even;
}

static bool has_tensor_cores(void)
{
    static int major[CUDA_MAX_DEVICES]; /* 0: not requested yet; all threads get the same answer */
    int device = cuda_device_in_use();
    if (!major[device])
        cuda_ok(cudaDeviceGetAttribute(&major[device], cudaDevAttrComputeCapabilityMajor, device),
                "cudaDeviceGetAttribute");
    return major[device] >= 8;
}

template <class T> static flash<T> flash_of(const struct attention *job, int64_t heads)
{
    const struct view *views[] = {&job->q, &job->k, &job->v, &job->mask};
    flash<T> p = {};
    struct loop loop = {};
    loop.numel = heads;
    loop.ndim = job->q.ndim - 2;
    for (int i = 0; i < OPERANDS; i++) {
        const struct view *x = views[i];
        if (i == MASK && !job->has_mask)
            continue;
        int64_t size = (int64_t)size_of(x->dtype);
        p.data[i] = x->data;
        p.row[i] = x->stride[x->ndim - 2] * size;
        for (int d = 0; d < loop.ndim; d++) {
            loop.shape[d] = x->shape[d];
            loop.stride[i][d] = x->stride[d] * size;
        }
    }
    p.heads = places_of<OPERANDS>(&loop);
    p.out = (T *)job->out.data;
    p.l = (int)rows_of(&job->q);
    p.s = (int)rows_of(&job->k);
    p.e = (int)cols_of(&job->q);
    p.d = (int)cols_of(&job->v);
    p.row_blocks = divide_up(p.l, ROWS);
    p.has_mask = job->has_mask;
    p.causal = job->causal;
    p.scale = (float)job->scale;
    if (job->has_mask) {
        p.mask_is_bool = job->mask.dtype == MC_BOOL;
        p.mask_col = job->mask.stride[job->mask.ndim - 1] * (int64_t)size_of(job->mask.dtype);
    }
    return p;
}

bool flash_attention(const struct attention *job)
{
    enum { FEW_COLS = 1024 };              /* that a block goes through quickly */
    const int64_t MANY = INT32_MAX - ROWS; /* places are counted in int */
    bool half = job->q.dtype == MC_F16 || job->q.dtype == MC_BF16;
    if (!half || !is_even(&job->q) || !is_even(&job->k) || !is_even(&job->v) ||
        !is_even(&job->out) || rows_of(&job->k) == 0 || rows_of(&job->k) > MANY ||
        rows_of(&job->q) > MANY || !has_tensor_cores())
        return false;
    int64_t l = rows_of(&job->q), heads = job->out.numel / l / cols_of(&job->out);
    int64_t blocks = heads * divide_up(l, ROWS);
    if (blocks > INT32_MAX || (blocks < cuda_processors() / 2 && rows_of(&job->k) > FEW_COLS))
        return false;
    with_dtype<DTYPES_HALF>(job->q.dtype, [&](auto t) {
        using T = decltype(t);
        flash<T> p = flash_of<T>(job, heads);
        if (p.e <= 64 && p.d <= 64)
            LAUNCH((flash_kernel<T, 64, 2>), (unsigned)blocks, flash_threads<2>, p);
        else
            LAUNCH((flash_kernel<T, 128, 1>), (unsigned)blocks, flash_threads<1>, p);
    });
    return true;
}
