/* Gradients of attention, piece by piece: weights p again, then
 *     dv = pᵀ·grad,  dp = grad·vᵀ,  ds = p (dp - Σ dp p),  dq = ds·k * scale,  dk = dsᵀ·q * scale
 * p and ds are rounded to q's dtype before they are multiplied, as PyTorch does. Where the rows of
 * a head are taken apart, dk and dv gather in f32. */
#include "runtime/backends/cuda/attention.cuh"

#include "runtime/backends/cuda/elementwise.cuh"

/* ---- ds ---------------------------------------------------------------------------------------
 */

/* From p and dp of a row; T: the dtype of the result. */
template <class T, class W>
__global__ void __launch_bounds__(THREADS)
    slope_kernel(const W *p, const W *dp, T *ds, int64_t rows, int64_t cols)
{
    for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const W *p_row = p + row * cols, *dp_row = dp + row * cols;
        W total = 0;
        for (int64_t i = threadIdx.x; i < cols; i += THREADS)
            total += p_row[i] * dp_row[i];
        total = block_fold(total, (W)0, [](W a, W b) { return a + b; });
        for (int64_t i = threadIdx.x; i < cols; i += THREADS)
            ds[row * cols + i] = store<T>((math_of<T>)(p_row[i] * (dp_row[i] - total)));
    }
}

static void slope(const struct view *p, const struct view *dp, const struct view *ds)
{
    int64_t cols = cols_of(p), rows = p->numel / cols;
    with_dtype<DTYPES_FLOAT>(ds->dtype, [&](auto t) {
        using T = decltype(t);
        using W = math_of<T>;
        LAUNCH((slope_kernel<T, W>), (unsigned)least(rows, INT32_MAX), THREADS, (const W *)p->data,
               (const W *)dp->data, (T *)ds->data, rows, cols);
    });
}

/* ---- pieces -----------------------------------------------------------------------------------
 */

/* Some heads; where dk and dv gather, in the dtype of computing or in place. */
struct heads {
    struct attention_back job;
    struct view dk, dv;
    char *room;
};

/* Buffers of n elements of that size each, consecutive, aligned for every access. */
static char *next_place(char **room, int64_t n, mc_dtype dtype)
{
    char *place = *room;
    *room += (n * (int64_t)size_of(dtype) + 255) / 256 * 256;
    return place;
}

/* The gradients of rows first … first + count of q, and what they give to dk and dv: add says
 * whether there is something already. */
static bool run_rows(const struct heads *h, int64_t first, int64_t count, bool add)
{
    const struct attention_back *job = &h->job;
    const struct attention *f = &job->forward;
    int rows = f->q.ndim - 2;
    mc_dtype dtype = f->q.dtype, compute = compute_dtype(dtype);
    struct view q = narrowed(&f->q, rows, first, count);
    struct view grad = narrowed(&job->grad, rows, first, count);
    struct view dq = narrowed(&job->dq, rows, first, count);
    struct piece piece = {*f, first};
    if (f->has_mask)
        piece.job.mask = narrowed(&f->mask, rows, first, count);
    int64_t s = rows_of(&f->k);
    char *room = h->room;
    struct view p = dense_like(&q, NULL, compute, count, s), dp = p, p_rounded = p, ds = p;
    p.data = next_place(&room, p.numel, compute);
    dp.data = next_place(&room, p.numel, compute);
    ds.dtype = p_rounded.dtype = dtype;
    p_rounded.data = dtype == compute ? p.data : next_place(&room, p.numel, dtype);
    ds.data = dtype == compute ? dp.data : next_place(&room, p.numel, dtype);
    struct view kt = turned(&f->k), vt = turned(&f->v), pt = turned(&p_rounded), dst = turned(&ds);
    mc_arg one = mc_arg_float(1), none = mc_arg_float(0), scale = mc_arg_float(f->scale);
    if (!cuda_gemm(&q, &kt, &p, scale, none))
        return false;
    weigh(&piece, &p, &p_rounded);
    if (!cuda_gemm(&grad, &vt, &dp, one, none))
        return false;
    slope(&p, &dp, &ds);
    return cuda_gemm(&pt, &grad, &h->dv, one, add ? one : none) &&
           cuda_gemm(&ds, &f->k, &dq, scale, none) &&
           cuda_gemm(&dst, &q, &h->dk, scale, add ? one : none);
}

static void round_to(const struct view *to, const struct view *from)
{
    struct loop loop = {};
    loop.count = 2;
    loop.ndim = 1;
    loop.numel = loop.shape[0] = to->numel;
    loop.data[0] = to->data;
    loop.data[1] = from->data;
    loop.stride[0][0] = (int64_t)size_of(to->dtype);
    loop.stride[1][0] = (int64_t)size_of(from->dtype);
    cuda_cast(to->dtype, from->dtype, &loop, true);
}

/* How many rows of one head's scores make a piece. */
static int64_t rows_at_once(const struct attention *f)
{
    return least(rows_of(&f->q), most(1, PIECE_SCORES / most(1, rows_of(&f->k))));
}

static bool run_heads(const struct attention_back *job, char *room)
{
    struct heads h = {*job, job->dk, job->dv, room};
    mc_dtype dtype = job->dk.dtype, compute = compute_dtype(dtype);
    int64_t l = rows_of(&job->forward.q), step = rows_at_once(&job->forward);
    bool gathers = step < l && dtype != compute, ok = true;
    if (gathers) {
        h.dk = dense_like(&job->dk, next_place(&h.room, job->dk.numel, compute), compute,
                          rows_of(&job->dk), cols_of(&job->dk));
        h.dv = dense_like(&job->dv, next_place(&h.room, job->dv.numel, compute), compute,
                          rows_of(&job->dv), cols_of(&job->dv));
    }
    for (int64_t i = 0; ok && i < l; i += step)
        ok = run_rows(&h, i, least(step, l - i), i > 0);
    if (ok && gathers) {
        round_to(&job->dk, &h.dk);
        round_to(&job->dv, &h.dv);
    }
    return ok;
}

static struct attention_back part(const struct attention_back *of, int dim, int64_t first,
                                  int64_t count)
{
    struct attention_back p = *of;
    struct view *views[] = {&p.forward.q, &p.forward.k, &p.forward.v, &p.grad, &p.dq, &p.dk, &p.dv};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        *views[i] = narrowed(views[i], dim, first, count);
    if (p.forward.has_mask)
        p.forward.mask = narrowed(&p.forward.mask, dim, first, count);
    return p;
}

/* Takes the batch apart along that dimension and those behind it, as long as it is too large. */
static bool run_pieces(const struct attention_back *job, int dim, char *room)
{
    const struct view *q = &job->forward.q;
    if (dim == q->ndim - 2)
        return run_heads(job, room);
    int64_t inner = rows_of(q) * rows_of(&job->forward.k);
    for (int d = dim + 1; d < q->ndim - 2; d++)
        inner *= q->shape[d];
    int64_t count = most(1, PIECE_SCORES / most(inner, 1));
    bool ok = true;
    for (int64_t i = 0; ok && i < q->shape[dim]; i += count) {
        struct attention_back p = part(job, dim, i, least(count, q->shape[dim] - i));
        ok = count == 1 ? run_pieces(&p, dim + 1, room) : run_heads(&p, room);
    }
    return ok;
}

/* The most memory that run_heads uses. */
static size_t room_size(const struct attention_back *job)
{
    const struct attention *f = &job->forward;
    mc_dtype dtype = f->q.dtype, compute = compute_dtype(dtype);
    int64_t s = rows_of(&f->k), l = rows_of(&f->q), all = f->q.numel / cols_of(&f->q) * s;
    int64_t scores = least(all, most(PIECE_SCORES, s));
    size_t size = 2 * size_of(compute) + (dtype == compute ? 0 : 2 * size_of(dtype));
    size_t sums = rows_at_once(f) < l ? (size_t)(s * (cols_of(&f->k) + cols_of(&f->v))) : 0;
    return (size_t)scores * size + sums * size_of(compute) + 8 * 256;
}

bool cuda_attention_back(const struct attention_back *job)
{
    USE(job->grad.data);
    scratch room(job->grad.data, room_size(job));
    return room.data && run_pieces(job, 0, room.as<char>());
}
