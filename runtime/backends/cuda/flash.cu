/* Attention of f16 and bf16 in one kernel: scores stay in registers. A block of threads has 128
 * rows of q, a warp 16 of them; k and v pass through shared memory, 64 rows at a time, and each row
 * of q keeps the largest score so far, against which its sums are scaled. */
#include "runtime/backends/cuda/attention.cuh"
#include "runtime/backends/cuda/loop.cuh"
#include "runtime/backends/cuda/mma.cuh"

enum { ROWS = 128, COLS = 64, OF_WARP = 16, CHUNK = 8 /* elements in 16 bytes */ };

enum { Q, K, V, MASK, OPERANDS };

template <class T> struct flash {
    const char *data[OPERANDS];
    int64_t row[OPERANDS]; /* steps in bytes */
    T *out;
    int64_t l, s, row_blocks;
    int e, d;
    int64_t mask_col;
    bool has_mask, mask_is_bool, causal;
    float scale;
    places<OPERANDS> heads;
};

/* ---- shared memory ----------------------------------------------------------------------------
 */

/* Where chunk number i of a row lies: chunks are shuffled so that 8 rows of one column can be read
 * at once. */
template <int D> __device__ uint16_t *chunk_at(uint16_t *rows, int row, int i)
{
    return rows + row * D + (i ^ (row & 7)) * CHUNK;
}

/* Asks for count rows from first on, of which only those before end are there, as are only width
 * elements of each. */
template <int D>
__device__ void ask_rows(uint16_t *to, const char *from, int64_t step, int64_t first, int64_t end,
                         int width, int count)
{
    for (int i = threadIdx.x; i < count * (D / CHUNK); i += THREADS) {
        int row = i / (D / CHUNK), chunk = i % (D / CHUNK);
        bool inside = first + row < end && chunk * CHUNK < width;
        const char *at = inside ? from + (first + row) * step + chunk * 16 : from;
        copy_16(chunk_at<D>(to, row, chunk), at, inside);
    }
}

/* ---- what a warp does -------------------------------------------------------------------------
 */

/* A thread has two rows of scores and sums, g and g + 8 of the warp's. */
template <int D> struct state {
    uint32_t q[D / 16][4];
    float sums[D / 8][4];
    float top[2], total[2];
};

template <class T, int D>
__device__ void multiply_scores(const state<D> &w, uint16_t *k, float (*scores)[4])
{
    int lane = threadIdx.x % WARP;
#pragma unroll
    for (int col = 0; col < COLS / 8; col++)
        scores[col][0] = scores[col][1] = scores[col][2] = scores[col][3] = 0;
#pragma unroll
    for (int depth = 0; depth < D / 16; depth++)
#pragma unroll
        for (int col = 0; col < COLS / 8; col += 2) {
            uint32_t b[4];
            int row = col * 8 + (lane & 7) + (lane & 16) / 2;
            load_matrices(b, chunk_at<D>(k, row, depth * 2 + (lane >> 3 & 1)));
            multiply_add<T>(scores[col], w.q[depth], b);
            multiply_add<T>(scores[col + 1], w.q[depth], b + 2);
        }
}

template <class T, int D>
__device__ void multiply_weights(state<D> &w, uint16_t *v, const float (*weights)[4])
{
    int lane = threadIdx.x % WARP;
#pragma unroll
    for (int depth = 0; depth < COLS / 16; depth++) {
        const float *left = weights[2 * depth], *right = weights[2 * depth + 1];
        uint32_t a[4] = {pair_of<T>(left[0], left[1]), pair_of<T>(left[2], left[3]),
                         pair_of<T>(right[0], right[1]), pair_of<T>(right[2], right[3])};
#pragma unroll
        for (int col = 0; col < D / 8; col += 2) {
            uint32_t b[4];
            load_turned(b, chunk_at<D>(v, depth * 16 + (lane & 15), col + (lane >> 4)));
            multiply_add<T>(w.sums[col], a, b);
            multiply_add<T>(w.sums[col + 1], a, b + 2);
        }
    }
}

/* A score after the mask; -inf where the row does not look. */
template <class T>
__device__ float masked(const flash<T> &p, const char *mask, int64_t row, int64_t col, float score)
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
template <int D> __device__ void weigh_scores(state<D> &w, float (*scores)[4])
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
        /* Of a row that has looked at nothing yet, all weights are 0. */
        float against = top == -INFINITY ? 0 : top * LOG2_E;
        float shrink = exp2f(fmaf(w.top[half], LOG2_E, -against));
        float total = w.total[half] * shrink;
#pragma unroll
        for (int col = 0; col < COLS / 8; col++)
#pragma unroll
            for (int i = 2 * half; i < 2 * half + 2; i++) {
                scores[col][i] = exp2f(fmaf(scores[col][i], LOG2_E, -against));
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

/* first: the row of q that is the warp's first. */
template <class T, int D>
__device__ void store_out(const flash<T> &p, state<D> &w, int64_t head, int64_t first)
{
    int lane = threadIdx.x % WARP;
#pragma unroll
    for (int half = 0; half < 2; half++) {
        float total = w.total[half];
        total += __shfl_xor_sync(ALL_LANES, total, 1);
        total += __shfl_xor_sync(ALL_LANES, total, 2);
        float share = total == 0 ? 0 : 1 / total;
        int64_t row = first + lane / 4 + 8 * half;
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

/* q passes through the whole of shared memory into registers. */
template <class T, int D>
__device__ void load_q(const flash<T> &p, state<D> &w, uint16_t *room, const char *q, int64_t first)
{
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    ask_rows<D>(room, q, p.row[Q], first, p.l, p.e, ROWS);
    copies_group();
    copies_wait<0>();
    __syncthreads();
#pragma unroll
    for (int depth = 0; depth < D / 16; depth++)
        load_matrices(w.q[depth],
                      chunk_at<D>(room, warp * OF_WARP + (lane & 15), depth * 2 + (lane >> 4)));
    __syncthreads();
}

template <class T, int D>
__global__ void __launch_bounds__(THREADS, D == 64 ? 2 : 1) flash_kernel(flash<T> p)
{
    alignas(16) __shared__ uint16_t room[2][COLS * D];
    uint16_t *k = room[0], *v = room[1];
    int64_t head = blockIdx.x / p.row_blocks, offset[OPERANDS];
    /* With .causal the last rows have the most to do: they begin. */
    int64_t first = (p.row_blocks - 1 - blockIdx.x % p.row_blocks) * ROWS, end = p.s;
    p.heads.find(head, offset);
    if (p.causal && first + ROWS < end)
        end = first + ROWS;
    state<D> w;
    for (int col = 0; col < D / 8; col++)
        w.sums[col][0] = w.sums[col][1] = w.sums[col][2] = w.sums[col][3] = 0;
    w.top[0] = w.top[1] = -INFINITY;
    w.total[0] = w.total[1] = 0;
    load_q(p, w, room[0], p.data[Q] + offset[Q], first);

    const char *k_from = p.data[K] + offset[K], *v_from = p.data[V] + offset[V];
    int lane = threadIdx.x % WARP;
    int64_t warp_first = first + threadIdx.x / WARP * OF_WARP;
    ask_rows<D>(k, k_from, p.row[K], 0, p.s, p.e, COLS);
    copies_group();
    for (int64_t at = 0; at < end; at += COLS) {
        float scores[COLS / 8][4];
        ask_rows<D>(v, v_from, p.row[V], at, p.s, p.d, COLS);
        copies_group();
        copies_wait<1>();
        __syncthreads(); /* k is there */
        multiply_scores<T>(w, k, scores);
        __syncthreads(); /* and read */
        if (at + COLS < end)
            ask_rows<D>(k, k_from, p.row[K], at + COLS, p.s, p.e, COLS);
        copies_group();
        if (p.has_mask || p.causal || at + COLS > p.s || warp_first + OF_WARP > p.l) {
            const char *mask = p.data[MASK] + offset[MASK];
#pragma unroll
            for (int col = 0; col < COLS / 8; col++)
#pragma unroll
                for (int i = 0; i < 4; i++)
                    scores[col][i] = masked(p, mask, warp_first + lane / 4 + i / 2 * 8,
                                            at + col * 8 + lane % 4 * 2 + i % 2, scores[col][i]);
        } else {
#pragma unroll
            for (int col = 0; col < COLS / 8; col++)
#pragma unroll
                for (int i = 0; i < 4; i++)
                    scores[col][i] *= p.scale;
        }
        weigh_scores(w, scores);
        copies_wait<1>();
        __syncthreads(); /* v is there */
        multiply_weights<T>(w, v, scores);
        __syncthreads(); /* and read */
    }
    copies_wait<0>();
    store_out<T>(p, w, head, warp_first);
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
    static int major[CUDA_MAX_DEVICES]; /* 0: not asked for yet; all threads get the same answer */
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
    p.l = rows_of(&job->q);
    p.s = rows_of(&job->k);
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
    enum { FEW_COLS = 1024 }; /* that a block goes through quickly */
    bool half = job->q.dtype == MC_F16 || job->q.dtype == MC_BF16;
    if (!half || !is_even(&job->q) || !is_even(&job->k) || !is_even(&job->v) ||
        !is_even(&job->out) || rows_of(&job->k) == 0 || !has_tensor_cores())
        return false;
    int64_t l = rows_of(&job->q), heads = job->out.numel / l / cols_of(&job->out);
    int64_t blocks = heads * divide_up(l, ROWS);
    if (blocks > INT32_MAX || (blocks < cuda_processors() / 2 && rows_of(&job->k) > FEW_COLS))
        return false;
    with_dtype<DTYPES_HALF>(job->q.dtype, [&](auto t) {
        using T = decltype(t);
        flash<T> p = flash_of<T>(job, heads);
        if (p.e <= 64 && p.d <= 64)
            LAUNCH((flash_kernel<T, 64>), (unsigned)blocks, THREADS, p);
        else
            LAUNCH((flash_kernel<T, 128>), (unsigned)blocks, THREADS, p);
    });
    return true;
}
