/* The family of matrix products: splits a batch into products that cuBLASLt computes in place, and
 * copies the operands it cannot read. */
#include "runtime/backends/cuda/matmul.cuh"

#include "runtime/backends/cuda/elementwise.cuh"
#include "runtime/backends/cuda/families.h"

/* ---- c = beta * c ---------------------------------------------------------------------------- */

template <class T> __global__ void __launch_bounds__(THREADS) scale_kernel(T *c, int64_t n, T beta)
{
    for (GRID_STEP(i, n))
        c[i] *= beta;
}

template <class T>
__global__ void __launch_bounds__(THREADS) scale_small_kernel(T *c, int64_t n, float beta)
{
    for (GRID_STEP(i, n))
        c[i] = store<T>(read(c[i]) * beta);
}

static bool is_zero(mc_arg x)
{
    return x.kind == MC_ARG_FLOAT ? x.as.f == 0 : x.as.i == 0;
}

static void scale(const struct view *c, mc_arg beta)
{
    if (is_zero(beta)) {
        cuda_ok(cudaMemsetAsync(c->data, 0, (size_t)c->numel * size_of(c->dtype), 0), "matmul");
        return;
    }
    with_dtype<DTYPES_ALL & ~DTYPES_BOOL>(c->dtype, [&](auto t) {
        using T = decltype(t);
        if constexpr (is_small_float<T>)
            LAUNCH((scale_small_kernel<T>), blocks_for(c->numel), THREADS, (T *)c->data, c->numel,
                   (float)beta.as.f);
        else
            LAUNCH((scale_kernel<T>), blocks_for(c->numel), THREADS, (T *)c->data, c->numel,
                   is_float<T> ? (T)beta.as.f : (T)beta.as.i);
    });
}

/* ---- batches ----------------------------------------------------------------------------------
 */

/* The batch dimensions of some views, but for those of size 1; neighbours that can be walked as one
 * are one. */
enum { A, B, C, OPERANDS };
struct batch {
    int ndim;
    int64_t shape[MC_MAX_DIMS];
    int64_t step[OPERANDS][MC_MAX_DIMS];
};

static struct batch batch_of(const struct view *const *views)
{
    struct batch b = {};
    for (int d = 0; d < views[C]->ndim - 2; d++) {
        int64_t size = views[C]->shape[d];
        if (size == 1)
            continue;
        int last = b.ndim - 1;
        bool joins = last >= 0;
        for (int i = 0; i < OPERANDS; i++)
            joins = joins && b.step[i][last] == views[i]->stride[d] * size;
        if (!joins)
            b.shape[last = b.ndim++] = 1;
        b.shape[last] *= size;
        for (int i = 0; i < OPERANDS; i++)
            b.step[i][last] = views[i]->stride[d];
    }
    return b;
}

/* How many calls it takes: one for each matrix of all dimensions but the last. */
static int64_t calls_of(const struct batch *b)
{
    int64_t calls = 1;
    for (int d = 0; d < b->ndim - 1; d++)
        calls *= b->shape[d];
    return calls;
}

/* ---- copies -----------------------------------------------------------------------------------
 */

static bool fits(int64_t row, int64_t col, int64_t rows, int64_t cols)
{
    return (cols == 1 || col == 1) && (rows == 1 || row >= cols);
}

/* Whether cuBLASLt can read the matrices of x in place. */
static bool is_readable(const struct view *x)
{
    const int64_t *shape = x->shape + x->ndim - 2, *step = x->stride + x->ndim - 2;
    return fits(step[0], step[1], shape[0], shape[1]) || fits(step[1], step[0], shape[1], shape[0]);
}

static struct blas_matrix matrix_of(const struct view *x)
{
    const int64_t *shape = x->shape + x->ndim - 2, *step = x->stride + x->ndim - 2;
    struct blas_matrix m = {x->data, step[0], 0, false};
    if (!fits(step[0], step[1], shape[0], shape[1])) {
        m.ld = step[1];
        m.transposed = true;
    }
    /* What is never stepped over may be anything. */
    m.ld = most(m.ld, m.transposed ? shape[0] : shape[1]);
    return m;
}

/* The geometry of a copy of x: dense, but for batch dimensions that x was broadcast to. */
static struct view packed_of(const struct view *x)
{
    struct view p = *x;
    p.numel = 1;
    for (int d = x->ndim - 1; d >= 0; d--) {
        bool repeats = d < x->ndim - 2 && x->stride[d] == 0;
        p.stride[d] = repeats ? 0 : p.numel;
        p.numel *= repeats ? 1 : x->shape[d];
    }
    return p;
}

static void copy(const struct view *to, const struct view *from)
{
    int64_t size = (int64_t)size_of(from->dtype);
    struct loop loop = {};
    loop.count = 2;
    loop.numel = to->numel;
    loop.data[0] = to->data;
    loop.data[1] = from->data;
    for (int d = 0; d < to->ndim; d++) {
        if (from->shape[d] == 1 || (d < to->ndim - 2 && to->stride[d] == 0))
            continue;
        loop.shape[loop.ndim] = from->shape[d];
        loop.stride[0][loop.ndim] = to->stride[d] * size;
        loop.stride[1][loop.ndim++] = from->stride[d] * size;
    }
    cuda_cast(from->dtype, from->dtype, &loop, true);
}

/* A copy of x for the duration of a scope, if one is needed. */
struct copied {
    struct view view;
    scratch room;
    bool made; /* false: out of memory */
    copied(const struct view *x, bool wanted)
        : view(wanted ? packed_of(x) : *x),
          room(x->data, wanted ? (size_t)view.numel * size_of(x->dtype) : 0)
    {
        made = !wanted || room.data;
        if (wanted && made) {
            view.data = room.as<char>();
            copy(&view, x);
        }
    }
};

/* ---- products ---------------------------------------------------------------------------------
 */

struct product {
    struct blas_gemm job; /* of the first call */
    struct batch batch;
    mc_arg alpha, beta;
    bool own; /* no library computes that dtype */
};

/* The matrices of one call, of which there may be more than a library counts. */
static void run_call(const struct product *p, struct blas_gemm job, int64_t count)
{
    enum { MOST = 32768 };
    struct blas_matrix *matrices[] = {&job.a, &job.b, &job.c};
    const mc_dtype dtypes[] = {job.dtype, job.dtype, job.c_dtype};
    for (int64_t i = 0; i < count; i += MOST) {
        job.batch = least(MOST, count - i);
        if (p->own || !blas_gemm(&job))
            own_gemm(&job, p->alpha, p->beta);
        for (int x = 0; x < OPERANDS; x++)
            matrices[x]->data = (char *)matrices[x]->data +
                                MOST * matrices[x]->batch_step * (int64_t)size_of(dtypes[x]);
    }
}

static void run_calls(const struct product *p)
{
    const struct batch *b = &p->batch;
    int64_t calls = calls_of(b), last = b->ndim - 1;
    for (int64_t call = 0; call < calls; call++) {
        struct blas_gemm job = p->job;
        struct blas_matrix *matrices[] = {&job.a, &job.b, &job.c};
        const mc_dtype dtypes[] = {job.dtype, job.dtype, job.c_dtype};
        for (int x = 0; x < OPERANDS; x++) {
            int64_t rest = call, offset = 0;
            for (int64_t d = last - 1; d >= 0; d--) {
                offset += rest % b->shape[d] * b->step[x][d];
                rest /= b->shape[d];
            }
            matrices[x]->data = (char *)matrices[x]->data + offset * (int64_t)size_of(dtypes[x]);
            matrices[x]->batch_step = last >= 0 ? b->step[x][last] : 0;
        }
        run_call(p, job, last >= 0 ? b->shape[last] : 1);
    }
}

static void run_product(const struct view *a, const struct view *b, const struct view *c,
                        mc_arg alpha, mc_arg beta)
{
    const struct view *views[] = {a, b, c};
    struct product p;
    p.batch = batch_of(views);
    p.alpha = alpha;
    p.beta = beta;
    p.own = !(DTYPES_FLOAT >> a->dtype & 1);
    p.job.dtype = a->dtype;
    p.job.c_dtype = c->dtype;
    p.job.m = c->shape[c->ndim - 2];
    p.job.n = c->shape[c->ndim - 1];
    p.job.k = a->shape[a->ndim - 1];
    p.job.batch = 1;
    p.job.a = matrix_of(a);
    p.job.b = matrix_of(b);
    p.job.c = matrix_of(c);
    p.job.alpha = p.own ? 0 : alpha.as.f;
    p.job.beta = p.own ? 0 : beta.as.f;
    run_calls(&p);
}

/* In a nanosecond, roughly. */
static const double FLOPS = 200000, BYTES_COPIED = 1500;
static const double CALL = 4000; /* nanoseconds */

/* A batch that is not evenly spaced takes several calls; for small ones, an evenly spaced copy is
 * cheaper. Decides which of a and b to copy, in addition to those that cannot be read. */
static void choose_copies(const struct view *const *views, bool *wanted)
{
    const struct view *c = views[C];
    struct view packed[C] = {packed_of(views[A]), packed_of(views[B])};
    const struct view *now[OPERANDS] = {NULL, NULL, c}, *then[OPERANDS] = {NULL, NULL, c};
    bool uneven[C];
    double copying = 0;
    for (int i = A; i < C; i++) {
        wanted[i] = !is_readable(views[i]);
        now[i] = wanted[i] ? &packed[i] : views[i];
        const struct view *alone[] = {now[i], now[i], c};
        struct batch b = batch_of(alone);
        uneven[i] = calls_of(&b) > 1;
        then[i] = uneven[i] ? &packed[i] : now[i];
        if (uneven[i])
            copying += CALL + (double)packed[i].numel * (double)size_of(c->dtype) / BYTES_COPIED;
    }
    struct batch before = batch_of(now), after = batch_of(then);
    double work = 2 * (double)c->numel * (double)views[A]->shape[c->ndim - 1] / FLOPS;
    bool pays = CALL * (double)(calls_of(&before) - calls_of(&after)) - work > copying;
    for (int i = A; i < C; i++)
        wanted[i] = wanted[i] || (pays && uneven[i]);
}

bool cuda_gemm(const struct view *a, const struct view *b, const struct view *c, mc_arg alpha,
               mc_arg beta)
{
    if (c->numel == 0)
        return true;
    USE(c->data);
    if (a->shape[a->ndim - 1] == 0 || is_zero(alpha)) {
        scale(c, beta);
        return true;
    }
    const struct view *views[] = {a, b, c};
    bool wanted[C];
    choose_copies(views, wanted);
    copied of_a(a, wanted[A]), of_b(b, wanted[B]);
    if (!of_a.made || !of_b.made)
        return false;
    run_product(&of_a.view, &of_b.view, c, alpha, beta);
    return true;
}

extern const struct matmul_kernels cuda_matmul = {
    .gemm = cuda_gemm,
    .attention = cuda_attention,
    .attention_back = cuda_attention_back,
};
