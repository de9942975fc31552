/* Attention on the CPU, for one head (one matrix of the batch) after the other: a block of rows of
 * scores at a time, so that they never lie in memory as a whole. Computed in f32, or f64 for f64.
 */
#include "runtime/kernels/matmul_cpu.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "runtime/kernels/convert.h"

enum {
    BLOCK_SCORES = 1 << 18, /* scores of a block */
    BLOCK_ROWS = 64,        /* at least so many rows, where there are */
    BLOCK_CAUSAL = 128,     /* and at most so many where later columns can be left out */
};

struct head {
    const struct attention *job;
    struct matrix q, mask, out;
    struct panel k, v; /* k is transposed: (e, s) */
    int64_t s, d, e;
    int64_t row, rows, cols; /* of the block at hand; cols: those that any of its rows looks at */
    struct room q_room, k_room, v_room, scores, sums;
};

/* ---- softmax of a row of scores ---------------------------------------------------------------
 */

/* exp for x <= 0, within two units of the last place, in a form that vectorises; NaN stays NaN. */
static inline float exp_below_zero(float x)
{
    float clamped = x < -104.0f ? -104.0f : x;
    float shifted = clamped * 1.44269504f + 0x1.8p23f; /* the nearest integer is in the low bits */
    float n = shifted - 0x1.8p23f;
    float r = (clamped - n * 0.693359375f) + n * 2.12194440e-4f;
    float p = 1.0f / 5040;
    p = p * r + 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    /* 2 to the n in two steps, since the result may be subnormal. */
    int32_t exponent = (int32_t)f32_bits(shifted) - (int32_t)f32_bits(0x1.8p23f);
    int32_t half = exponent >> 1;
    float first = f32_from_bits((uint32_t)(half + 127) << 23);
    float second = f32_from_bits((uint32_t)(exponent - half + 127) << 23);
    return p * first * second;
}

/* How many sums run side by side. */
enum { LANES = 16 };

/* Turns n scores into weights. Where all are -inf there is nothing to look at: zeros. */
#define SOFTMAX(name, type, exponential)                                                           \
    static void name(type *restrict x, int64_t n)                                                  \
    {                                                                                              \
        type lanes[LANES], max = (type) - INFINITY, sum = 0;                                       \
        int64_t whole = n - n % LANES;                                                             \
        bool nan = false;                                                                          \
        for (int j = 0; j < LANES; j++)                                                            \
            lanes[j] = max;                                                                        \
        for (int64_t i = 0; i < whole; i += LANES)                                                 \
            for (int j = 0; j < LANES; j++)                                                        \
                lanes[j] = x[i + j] > lanes[j] ? x[i + j] : lanes[j];                              \
        for (int64_t i = whole; i < n; i++)                                                        \
            max = x[i] > max ? x[i] : max;                                                         \
        for (int j = 0; j < LANES; j++)                                                            \
            max = lanes[j] > max ? lanes[j] : max;                                                 \
        if (max == (type) - INFINITY)                                                              \
            for (int64_t i = 0; i < n; i++)                                                        \
                nan |= isnan(x[i]);                                                                \
        if (max == (type) - INFINITY && !nan) {                                                    \
            memset(x, 0, (size_t)n * sizeof *x);                                                   \
            return;                                                                                \
        }                                                                                          \
        for (int64_t i = 0; i < n; i++)                                                            \
            x[i] = exponential(x[i] - max);                                                        \
        for (int j = 0; j < LANES; j++)                                                            \
            lanes[j] = 0;                                                                          \
        for (int64_t i = 0; i < whole; i += LANES)                                                 \
            for (int j = 0; j < LANES; j++)                                                        \
                lanes[j] += x[i + j];                                                              \
        for (int64_t i = whole; i < n; i++)                                                        \
            sum += x[i];                                                                           \
        for (int j = 0; j < LANES; j++)                                                            \
            sum += lanes[j];                                                                       \
        for (int64_t i = 0; i < n; i++)                                                            \
            x[i] *= 1 / sum;                                                                       \
    }

SOFTMAX(softmax_f32, float, exp_below_zero)
SOFTMAX(softmax_f64, double, exp)

/* ---- the mask ---------------------------------------------------------------------------------
 */

#define MASK(name, type)                                                                           \
    static void name(const struct matrix *mask, int64_t row, int64_t n, type *restrict x)          \
    {                                                                                              \
        int64_t first = row * mask->row_step, step = mask->col_step;                               \
        if (mask->dtype == MC_BOOL) {                                                              \
            const uint8_t *look = (const uint8_t *)mask->data + first;                             \
            for (int64_t i = 0; i < n; i++)                                                        \
                x[i] = look[i * step] ? x[i] : (type) - INFINITY;                                  \
        } else {                                                                                   \
            const type *added = (const type *)mask->data + first;                                  \
            for (int64_t i = 0; i < n; i++)                                                        \
                x[i] += added[i * step];                                                           \
        }                                                                                          \
    }

MASK(mask_f32, float)
MASK(mask_f64, double)

/* ---- a block of rows --------------------------------------------------------------------------
 */

static void weigh_rows(int64_t begin, int64_t end, void *ctx)
{
    const struct head *h = ctx;
    bool f64 = h->out.dtype == MC_F64;
    size_t size = compute_size(h->out.dtype);
    for (int64_t i = begin; i < end; i++) {
        char *scores = h->scores.bytes + (size_t)(i * h->cols) * size;
        int64_t n = h->job->causal ? least(h->row + i + 1, h->cols) : h->cols;
        if (h->job->has_mask && f64)
            mask_f64(&h->mask, h->row + i, n, (double *)scores);
        else if (h->job->has_mask)
            mask_f32(&h->mask, h->row + i, n, (float *)scores);
        if (f64)
            softmax_f64((double *)scores, n);
        else
            softmax_f32((float *)scores, n);
        memset(scores + (size_t)n * size, 0, (size_t)(h->cols - n) * size);
    }
}

static void multiply(const struct product *p)
{
    if (p->k > 0)
        product_run(p);
    else
        memset(p->c, 0, (size_t)(p->m * p->n) * (p->f64 ? sizeof(double) : sizeof(float)));
}

static void run_block(struct head *h)
{
    bool f64 = h->out.dtype == MC_F64, rounds = h->sums.bytes != NULL;
    struct matrix out = matrix_part(h->out, h->row, h->rows, 0, h->d);
    struct product scores = {.f64 = f64, .m = h->rows, .n = h->cols, .k = h->e, .b = h->k};
    scores.a = panel_of(matrix_part(h->q, h->row, h->rows, 0, h->e), h->q_room.bytes);
    scores.c = h->scores.bytes;
    scores.ldc = h->cols;
    scores.alpha = h->job->scale;
    multiply(&scores);
    parallel_for(h->rows, most(1, (1 << 13) / most(h->cols, 1)), weigh_rows, h);
    struct product sums = {.f64 = f64, .m = h->rows, .n = h->d, .k = h->cols, .b = h->v};
    sums.a = (struct panel){.data = h->scores.bytes, .ld = (int)h->cols};
    sums.c = rounds ? h->sums.bytes : out.data;
    sums.ldc = h->d;
    sums.alpha = 1;
    multiply(&sums);
    if (rounds)
        rows_store(out, h->sums.bytes);
}

/* ---- heads ------------------------------------------------------------------------------------
 */

static int64_t elements_packed(const struct matrix *x)
{
    return panel_in_place(x) ? 0 : x->rows * x->cols;
}

static bool head_init(struct head *h, const struct attention *job, int64_t index)
{
    struct matrix k = matrix_transposed(matrix_at(&job->k, index)), v = matrix_at(&job->v, index);
    *h = (struct head){.job = job, .s = v.rows, .d = v.cols, .e = k.rows};
    h->q = matrix_at(&job->q, index);
    h->out = matrix_at(&job->out, index);
    if (job->has_mask)
        h->mask = matrix_at(&job->mask, index);
    h->rows = most(BLOCK_ROWS, BLOCK_SCORES / most(h->s, 1));
    h->rows = least(h->q.rows, job->causal ? least(h->rows, BLOCK_CAUSAL) : h->rows);
    size_t size = compute_size(h->out.dtype);
    bool rounds = h->out.dtype != MC_F32 && h->out.dtype != MC_F64;
    struct matrix q = matrix_part(h->q, 0, h->rows, 0, h->e);
    if (!room_take(&h->k_room, elements_packed(&k), size) ||
        !room_take(&h->v_room, elements_packed(&v), size) ||
        !room_take(&h->q_room, elements_packed(&q), size) ||
        !room_take(&h->scores, h->rows * most(h->s, 1), size) ||
        !room_take(&h->sums, rounds ? h->rows * h->d : 0, size))
        return false;
    h->k = panel_of(k, h->k_room.bytes);
    h->v = panel_of(v, h->v_room.bytes);
    return true;
}

static void head_release(struct head *h)
{
    room_give(&h->q_room);
    room_give(&h->k_room);
    room_give(&h->v_room);
    room_give(&h->scores);
    room_give(&h->sums);
}

static bool run_head(const struct attention *job, int64_t index)
{
    struct head h;
    bool ok = head_init(&h, job, index);
    int64_t block = h.rows;
    for (h.row = 0; ok && h.row < h.q.rows; h.row += block) {
        h.rows = least(block, h.q.rows - h.row);
        h.cols = job->causal ? least(h.s, h.row + h.rows) : h.s;
        run_block(&h);
    }
    head_release(&h);
    return ok;
}

struct batch {
    const struct attention *job;
    atomic_bool failed;
};

static void run_heads(int64_t begin, int64_t end, void *ctx)
{
    struct batch *batch = ctx;
    for (int64_t i = begin; i < end; i++)
        if (!run_head(batch->job, i))
            atomic_store(&batch->failed, true);
}

bool attention_cpu(const struct attention *job)
{
    struct batch batch = {.job = job};
    int64_t count = matrix_count(&job->out), last = job->k.ndim - 1;
    int64_t s = job->k.shape[last - 1], e = job->k.shape[last];
    if (job->out.numel == 0)
        return true;
    if (s > INT_MAX || e > INT_MAX || job->out.shape[last] > INT_MAX)
        return false;
    int threads = blas_threads_hold(1);
    double work = (double)job->q.shape[last - 1] * (double)s * (double)(e + job->out.shape[last]);
    if (count >= mc_get_num_threads())
        parallel_for(count, matmul_grain(work), run_heads, &batch);
    else
        run_heads(0, count, &batch);
    blas_threads_release(1, threads);
    return !atomic_load(&batch.failed);
}
