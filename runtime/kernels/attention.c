/* Attention on the CPU and its gradient, for one head (one matrix of the batch) after the other: a
 * block of rows of scores at a time, so that they are never in memory as a whole. Computed in f32,
 * or f64 for f64. */
#include "runtime/kernels/matmul_cpu.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "runtime/kernels/smooth.h"

enum {
    BLOCK_SCORES = 1 << 18, /* scores of a block */
    BLOCK_ROWS = 64,        /* at least this many rows, if there are */
    BLOCK_CAUSAL = 128,     /* and at most this many if later columns can be skipped */
};

struct head {
    const struct attention *job;
    struct matrix q, mask, out;
    struct panel k, v; /* k is transposed: (e, s) */
    int64_t s, d, e;
    bool f64;
    int64_t row, rows, cols; /* of the current block; cols: those that any of its rows attends to */
    struct panel q_block;
    struct room q_room, k_room, v_room, scores, sums;
};

/* ---- softmax of a row of scores -------------------------------------------------------------- */

/* The number of sums computed in parallel. */
enum { LANES = 16 };

/* Turns n scores into weights, in a row with room for this many; the rest of it becomes 0. If all
 * are -inf, all weights are 0. */
#define SOFTMAX(name, type, exponential, larger)                                                   \
    static void name(type *restrict x, int64_t n, int64_t room)                                    \
    {                                                                                              \
        type lanes[LANES], max = (type) - INFINITY, sum = 0;                                       \
        bool nan = false;                                                                          \
        for (; n % LANES && n < room; n++) /* vectors are faster than a remainder */               \
            x[n] = max;                                                                            \
        memset(x + n, 0, (size_t)(room - n) * sizeof *x);                                          \
        int64_t whole = n - n % LANES;                                                             \
        for (int j = 0; j < LANES; j++)                                                            \
            lanes[j] = max;                                                                        \
        for (int64_t i = 0; i < whole; i += LANES)                                                 \
            for (int j = 0; j < LANES; j++)                                                        \
                lanes[j] = larger(x[i + j], lanes[j]);                                             \
        for (int64_t i = whole; i < n; i++)                                                        \
            max = larger(x[i], max);                                                               \
        for (int j = 0; j < LANES; j++)                                                            \
            max = larger(lanes[j], max);                                                           \
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

SOFTMAX(softmax_f32, float, smooth_exp, fmaxf)
SOFTMAX(softmax_f64, double, exp, fmax)

/* ---- the mask -------------------------------------------------------------------------------- */

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

/* ---- a block of rows ------------------------------------------------------------------------- */

static void weigh_rows(int64_t begin, int64_t end, void *ctx)
{
    const struct head *h = ctx;
    bool f64 = h->f64;
    size_t size = compute_size(h->q.dtype);
    for (int64_t i = begin; i < end; i++) {
        char *scores = h->scores.bytes + (size_t)(i * h->cols) * size;
        int64_t n = h->job->causal ? least(h->row + i + 1, h->cols) : h->cols;
        if (h->job->has_mask && f64)
            mask_f64(&h->mask, h->row + i, n, (double *)scores);
        else if (h->job->has_mask)
            mask_f32(&h->mask, h->row + i, n, (float *)scores);
        if (f64)
            softmax_f64((double *)scores, n, h->cols);
        else
            softmax_f32((float *)scores, n, h->cols);
    }
}

static void multiply(const struct product *p)
{
    if (p->k > 0)
        product_run(p);
    else
        memset(p->c, 0, (size_t)(p->m * p->n) * (p->f64 ? sizeof(double) : sizeof(float)));
}

/* The weights of the block's rows. */
static void weigh_block(struct head *h)
{
    struct product scores = {.f64 = h->f64, .m = h->rows, .n = h->cols, .k = h->e, .b = h->k};
    scores.a = h->q_block = panel_of(matrix_part(h->q, h->row, h->rows, 0, h->e), h->q_room.bytes);
    scores.c = h->scores.bytes;
    scores.ldc = h->cols;
    scores.alpha = h->job->scale;
    multiply(&scores);
    parallel_for(h->rows, most(1, (1 << 13) / most(h->cols, 1)), weigh_rows, h);
}

static void run_block(struct head *h)
{
    bool rounds = h->sums.bytes != NULL;
    struct matrix out = matrix_part(h->out, h->row, h->rows, 0, h->d);
    weigh_block(h);
    struct product sums = {.f64 = h->f64, .m = h->rows, .n = h->d, .k = h->cols, .b = h->v};
    sums.a = (struct panel){.data = h->scores.bytes, .ld = (int)h->cols};
    sums.c = rounds ? h->sums.bytes : out.data;
    sums.ldc = h->d;
    sums.alpha = 1;
    multiply(&sums);
    if (rounds)
        rows_store(out, h->sums.bytes);
}

/* ---- heads ----------------------------------------------------------------------------------- */

static int64_t elements_packed(const struct matrix *x)
{
    return panel_in_place(x) ? 0 : x->rows * x->cols;
}

static bool head_init(struct head *h, const struct attention *job, int64_t index)
{
    struct matrix k = matrix_transposed(matrix_at(&job->k, index)), v = matrix_at(&job->v, index);
    *h = (struct head){.job = job, .s = v.rows, .d = v.cols, .e = k.rows};
    h->q = matrix_at(&job->q, index);
    h->f64 = h->q.dtype == MC_F64;
    if (job->has_mask)
        h->mask = matrix_at(&job->mask, index);
    h->rows = most(BLOCK_ROWS, BLOCK_SCORES / most(h->s, 1));
    h->rows = least(h->q.rows, job->causal ? least(h->rows, BLOCK_CAUSAL) : h->rows);
    size_t size = compute_size(h->q.dtype);
    struct matrix q = matrix_part(h->q, 0, h->rows, 0, h->e);
    if (!room_take(&h->k_room, elements_packed(&k), size) ||
        !room_take(&h->v_room, elements_packed(&v), size) ||
        !room_take(&h->q_room, elements_packed(&q), size) ||
        !room_take(&h->scores, h->rows * most(h->s, 1), size))
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

/* Block after block, of as many rows as head_init chose. */
static void each_block(struct head *h, void (*run)(struct head *h))
{
    int64_t block = h->rows;
    for (h->row = 0; h->row < h->q.rows; h->row += block) {
        h->rows = least(block, h->q.rows - h->row);
        h->cols = h->job->causal ? least(h->s, h->row + h->rows) : h->s;
        run(h);
    }
}

/* Sums that are not of the result's dtype are kept in a buffer. */
static bool is_rounded(mc_dtype dtype)
{
    return dtype != MC_F32 && dtype != MC_F64;
}

static bool run_head(const void *call, int64_t index)
{
    struct head h;
    const struct attention *job = call;
    bool ok = head_init(&h, job, index);
    h.out = matrix_at(&job->out, index);
    ok = ok && room_take(&h.sums, is_rounded(h.out.dtype) ? h.rows * h.d : 0, sizeof(float));
    if (ok)
        each_block(&h, run_block);
    head_release(&h);
    return ok;
}

/* ---- gradients ------------------------------------------------------------------------------- */

struct back {
    struct head h; /* first: blocks are run as of a head */
    struct matrix grad, dq, dk, dv;
    struct room grad_room, slopes, dq_sums, dk_sums, dv_sums;
    char *dk_to, *dv_to; /* where sums over all blocks accumulate: the results, or buffers */
};

/* Of scores, from that of weights: p (dp - sum of p dp), in place of dp. */
#define SLOPES(name, type)                                                                         \
    static void name(const type *restrict p, type *restrict dp, int64_t n)                         \
    {                                                                                              \
        type lanes[LANES] = {0}, sum = 0;                                                          \
        int64_t whole = n - n % LANES;                                                             \
        for (int64_t i = 0; i < whole; i += LANES)                                                 \
            for (int j = 0; j < LANES; j++)                                                        \
                lanes[j] += p[i + j] * dp[i + j];                                                  \
        for (int64_t i = whole; i < n; i++)                                                        \
            sum += p[i] * dp[i];                                                                   \
        for (int j = 0; j < LANES; j++)                                                            \
            sum += lanes[j];                                                                       \
        for (int64_t i = 0; i < n; i++)                                                            \
            dp[i] = p[i] * (dp[i] - sum);                                                          \
    }

SLOPES(slopes_f32, float)
SLOPES(slopes_f64, double)

static void slope_rows(int64_t begin, int64_t end, void *ctx)
{
    const struct back *b = ctx;
    const struct head *h = &b->h;
    for (int64_t i = begin; i < end; i++) {
        int64_t at = i * h->cols;
        if (h->f64)
            slopes_f64((double *)h->scores.bytes + at, (double *)b->slopes.bytes + at, h->cols);
        else
            slopes_f32((float *)h->scores.bytes + at, (float *)b->slopes.bytes + at, h->cols);
    }
}

static struct panel turned(struct panel p)
{
    p.transposed = !p.transposed;
    return p;
}

/* c (m, n) = alpha * a·b, or added to it. */
static void gather(const struct head *h, struct panel a, struct panel b, int64_t m, int64_t n,
                   int64_t k, char *c, double alpha, double beta)
{
    product_run(&(struct product){h->f64, m, n, k, a, b, c, n, alpha, beta});
}

static void back_block(struct head *h)
{
    struct back *b = (struct back *)h;
    struct matrix dq = matrix_part(b->dq, h->row, h->rows, 0, h->e);
    bool rounds = b->dq_sums.bytes != NULL;
    double scale = h->job->scale;
    weigh_block(h);
    struct panel p = {.data = h->scores.bytes, .ld = (int)h->cols}, ds = p;
    struct panel grad =
        panel_of(matrix_part(b->grad, h->row, h->rows, 0, h->d), b->grad_room.bytes);
    ds.data = b->slopes.bytes;
    gather(h, grad, turned(h->v), h->rows, h->cols, h->d, b->slopes.bytes, 1, 0);
    parallel_for(h->rows, most(1, (1 << 13) / most(h->cols, 1)), slope_rows, b);
    gather(h, turned(p), grad, h->cols, h->d, h->rows, b->dv_to, 1, 1);
    gather(h, ds, turned(h->k), h->rows, h->e, h->cols, rounds ? b->dq_sums.bytes : dq.data, scale,
           0);
    gather(h, turned(ds), h->q_block, h->cols, h->e, h->rows, b->dk_to, scale, 1);
    if (rounds)
        rows_store(dq, b->dq_sums.bytes);
}

/* Zeros in x itself or, if its sums are rounded, in a buffer; NULL: out of memory. */
static char *gathering_place(const struct matrix *x, struct room *room)
{
    size_t size = compute_size(x->dtype);
    bool rounds = is_rounded(x->dtype);
    if (!room_take(room, rounds ? x->rows * x->cols : 0, size))
        return NULL;
    return memset(rounds ? room->bytes : x->data, 0, (size_t)(x->rows * x->cols) * size);
}

static bool back_init(struct back *b, const struct attention_back *job, int64_t index)
{
    struct head *h = &b->h;
    *b = (struct back){.grad = matrix_at(&job->grad, index),
                       .dq = matrix_at(&job->dq, index),
                       .dk = matrix_at(&job->dk, index),
                       .dv = matrix_at(&job->dv, index)};
    if (!head_init(h, &job->forward, index))
        return false;
    struct matrix grad = matrix_part(b->grad, 0, h->rows, 0, h->d);
    size_t size = compute_size(h->q.dtype);
    b->dk_to = gathering_place(&b->dk, &b->dk_sums);
    b->dv_to = gathering_place(&b->dv, &b->dv_sums);
    return b->dk_to && b->dv_to && room_take(&b->grad_room, elements_packed(&grad), size) &&
           room_take(&b->slopes, h->rows * most(h->s, 1), size) &&
           room_take(&b->dq_sums, is_rounded(h->q.dtype) ? h->rows * h->e : 0, size);
}

static bool back_head(const void *call, int64_t index)
{
    struct back b;
    bool ok = back_init(&b, call, index);
    if (ok)
        each_block(&b.h, back_block);
    if (ok && b.dk_sums.bytes)
        rows_store(b.dk, b.dk_to);
    if (ok && b.dv_sums.bytes)
        rows_store(b.dv, b.dv_to);
    head_release(&b.h);
    room_give(&b.grad_room);
    room_give(&b.slopes);
    room_give(&b.dq_sums);
    room_give(&b.dk_sums);
    room_give(&b.dv_sums);
    return ok;
}

/* ---- the batch ------------------------------------------------------------------------------- */

struct batch {
    bool (*head)(const void *call, int64_t index); /* false: out of memory */
    const void *call;
    atomic_bool failed;
};

static void run_heads(int64_t begin, int64_t end, void *ctx)
{
    struct batch *batch = ctx;
    for (int64_t i = begin; i < end; i++)
        if (!batch->head(batch->call, i))
            atomic_store(&batch->failed, true);
}

static bool run_batch(struct batch batch, const struct attention *job, const struct view *out)
{
    int64_t count = matrix_count(out), last = job->k.ndim - 1;
    int64_t s = job->k.shape[last - 1], e = job->k.shape[last];
    if (s > INT_MAX || e > INT_MAX || out->shape[last] > INT_MAX)
        return false;
    int threads = blas_threads_hold(1);
    double work = (double)job->q.shape[last - 1] * (double)s * (double)(e + out->shape[last]);
    if (count >= mc_get_num_threads())
        parallel_for(count, matmul_grain(work), run_heads, &batch);
    else
        run_heads(0, count, &batch);
    blas_threads_release(1, threads);
    return !atomic_load(&batch.failed);
}

bool attention_cpu(const struct attention *job)
{
    struct batch batch = {.head = run_head, .call = job};
    return job->out.numel == 0 || run_batch(batch, job, &job->out);
}

bool attention_back_cpu(const struct attention_back *job)
{
    struct batch batch = {.head = back_head, .call = job};
    return run_batch(batch, &job->forward, &job->grad);
}
