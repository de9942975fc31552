/* Weights out of attention's scores: the mask, and softmax over rows. A row is worked on by a warp,
 * or by a block where it is long. */
#include "runtime/backends/cuda/attention.cuh"

#include "runtime/backends/cuda/loop.cuh"

struct view turned(const struct view *x)
{
    struct view t = *x;
    int last = x->ndim - 1;
    t.shape[last] = x->shape[last - 1];
    t.shape[last - 1] = x->shape[last];
    t.stride[last] = x->stride[last - 1];
    t.stride[last - 1] = x->stride[last];
    return t;
}

struct view dense_like(const struct view *like, void *data, mc_dtype dtype, int64_t rows,
                       int64_t cols)
{
    struct view v = *like;
    v.data = static_cast<char *>(data);
    v.dtype = dtype;
    v.shape[v.ndim - 2] = rows;
    v.shape[v.ndim - 1] = cols;
    v.numel = 1;
    for (int d = v.ndim - 1; d >= 0; d--) {
        v.stride[d] = v.numel;
        v.numel *= v.shape[d];
    }
    return v;
}

struct view narrowed(const struct view *x, int dim, int64_t first, int64_t count)
{
    struct view v = *x;
    v.data += first * x->stride[dim] * (int64_t)size_of(x->dtype);
    v.numel = x->shape[dim] ? x->numel / x->shape[dim] * count : 0;
    v.shape[dim] = count;
    return v;
}

/* ---- the kernel -------------------------------------------------------------------------------
 */

/* The address of a row's mask. */
struct mask {
    const char *data; /* NULL: there is none */
    bool is_bool;
    int64_t row, col; /* steps in bytes */
    places<1> heads;
};

template <class T, class W> struct weighing {
    W *scores;
    T *copy; /* NULL: only the scores are needed */
    int64_t rows, row_count, cols, first;
    bool causal;
    struct mask mask;
};

template <class W>
__device__ W masked(const struct mask &mask, const char *of_row, int64_t col, W score)
{
    if (!of_row)
        return score;
    const char *at = of_row + col * mask.col;
    if (mask.is_bool)
        return *reinterpret_cast<const uint8_t *>(at) ? score : (W)-INFINITY;
    return score + *reinterpret_cast<const W *>(at);
}

template <bool BLOCK, class W, class F> __device__ W fold_row(W x, W empty, F fold)
{
    if constexpr (BLOCK)
        return block_fold(x, empty, fold);
    else
        return warp_fold(x, fold);
}

__device__ inline float exponential(float x)
{
    return expf(x);
}
__device__ inline double exponential(double x)
{
    return exp(x);
}

/* The threads at … of step share the row. */
template <bool BLOCK, class T, class W>
__device__ void weigh_row(const weighing<T, W> &w, int64_t row, int at, int step)
{
    int64_t in_head = row % w.row_count, looks = w.cols;
    const char *of_row = NULL;
    if (w.causal && w.first + in_head + 1 < looks)
        looks = w.first + in_head + 1;
    if (w.mask.data) {
        int64_t offset;
        w.mask.heads.find(row / w.row_count, &offset);
        of_row = w.mask.data + offset + in_head * w.mask.row;
    }
    W *x = w.scores + row * w.cols;
    W top = (W)-INFINITY, total = 0;
    int nan = 0;
    for (int64_t i = at; i < looks; i += step) {
        W score = masked(w.mask, of_row, i, x[i]);
        x[i] = score;
        top = score > top ? score : top;
        nan |= score != score;
    }
    top = fold_row<BLOCK>(top, (W)-INFINITY, [](W a, W b) { return a > b ? a : b; });
    nan = fold_row<BLOCK>(nan, 0, [](int a, int b) { return a | b; });
    bool nothing = top == (W)-INFINITY && !nan;
    for (int64_t i = at; i < looks; i += step) {
        x[i] = nothing ? 0 : exponential(x[i] - top);
        total += x[i];
    }
    total = fold_row<BLOCK>(total, (W)0, [](W a, W b) { return a + b; });
    W share = nothing ? 0 : 1 / total;
    for (int64_t i = at; i < w.cols; i += step) {
        W weight = i < looks ? x[i] * share : 0;
        x[i] = weight;
        if (w.copy)
            w.copy[row * w.cols + i] = store<T>((math_of<T>)weight);
    }
}

template <bool BLOCK, class T, class W>
__global__ void __launch_bounds__(THREADS) weigh_kernel(weighing<T, W> w)
{
    constexpr int EACH = BLOCK ? 1 : THREADS / WARP; /* rows at once */
    int at = BLOCK ? threadIdx.x : threadIdx.x % WARP;
    int64_t row = (int64_t)blockIdx.x * EACH + (BLOCK ? 0 : threadIdx.x / WARP);
    for (; row < w.rows; row += (int64_t)gridDim.x * EACH)
        weigh_row<BLOCK>(w, row, at, BLOCK ? THREADS : WARP);
}

/* ---- the call ---------------------------------------------------------------------------------
 */

static struct mask mask_of(const struct attention *job)
{
    struct mask m = {};
    const struct view *v = &job->mask;
    if (!job->has_mask)
        return m;
    int64_t size = (int64_t)size_of(v->dtype), heads = 1;
    struct loop loop = {};
    loop.ndim = v->ndim - 2;
    for (int d = 0; d < loop.ndim; d++) {
        loop.shape[d] = v->shape[d];
        loop.stride[0][d] = v->stride[d] * size;
        heads *= v->shape[d];
    }
    loop.numel = heads;
    m.heads = places_of<1>(&loop);
    m.data = v->data;
    m.is_bool = v->dtype == MC_BOOL;
    m.row = v->stride[v->ndim - 2] * size;
    m.col = v->stride[v->ndim - 1] * size;
    return m;
}

template <class T, class W>
static void run(const struct piece *piece, const struct view *scores, const struct view *copy)
{
    enum { LONG = 2048 };
    weighing<T, W> w = {};
    w.scores = (W *)scores->data;
    w.copy = same<T, W> ? NULL : (T *)copy->data;
    w.cols = cols_of(scores);
    w.row_count = rows_of(scores);
    w.rows = w.cols ? scores->numel / w.cols : 0;
    w.first = piece->first;
    w.causal = piece->job.causal;
    w.mask = mask_of(&piece->job);
    if (w.cols >= LONG)
        LAUNCH((weigh_kernel<true, T, W>), (unsigned)least(w.rows, INT32_MAX), THREADS, w);
    else
        LAUNCH((weigh_kernel<false, T, W>),
               (unsigned)least(divide_up(w.rows, THREADS / WARP), INT32_MAX), THREADS, w);
}

void weigh(const struct piece *piece, const struct view *scores, const struct view *copy)
{
    USE(scores->data);
    with_dtype<DTYPES_FLOAT>(copy->dtype, [&](auto t) {
        using T = decltype(t);
        run<T, math_of<T>>(piece, scores, copy);
    });
}
