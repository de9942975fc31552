/* Random tensors. Each op reads the thread's generator, advances its counter by what it uses, and
 * passes seed and counter to a kernel. Halves are drawn in f32 and rounded once. */
#include "runtime/autograd/formulas.h"
#include "runtime/ops/ops.h"

#include <math.h>

/* The current state of the generator, which is advanced by blocks. */
static struct rng take_blocks(uint64_t blocks)
{
    struct rng *rng = thread_rng(), now = *rng;
    rng->counter += blocks;
    return now;
}

void mc_manual_seed(uint64_t seed)
{
    struct rng *rng = thread_rng();
    *rng = (struct rng){.seed = seed, .ends = rng->ends};
}

static const struct random_kernels *kernels_of(const mc_tensor *t)
{
    return tensor_backend(t)->kernels->random;
}

/* ---- filling ------------------------------------------------------------------------------ */

enum distribution { DRAW_UNIFORM, DRAW_NORMAL, DRAW_INTEGERS };

/* What to fill with: a and b are low and high, or mean and deviation. */
struct filling {
    enum distribution kind;
    double a, b;
    int64_t low;
    uint64_t range;
};

/* The number of random bits in a uniform value of the dtype: those of its significand. */
static int uniform_bits(mc_dtype dtype)
{
    return dtype == MC_F16 ? 11 : dtype == MC_BF16 ? 8 : 24;
}

/* t is contiguous, and no half. */
static void fill_whole(mc_tensor *t, const struct filling *f, mc_dtype shown)
{
    bool wide = f->kind == DRAW_INTEGERS ? f->range >> 32 != 0 : t->dtype == MC_F64;
    struct rng rng = take_blocks(random_blocks(t->numel, wide ? 2 : 1));
    struct view v = view_of(t);
    switch (f->kind) {
    case DRAW_UNIFORM:
        kernels_of(t)->uniform(&v, f->a, f->b, uniform_bits(shown), rng);
        break;
    case DRAW_NORMAL:
        kernels_of(t)->normal(&v, f->a, f->b, rng);
        break;
    case DRAW_INTEGERS:
        kernels_of(t)->integers(&v, f->low, f->range, rng);
        break;
    }
}

/* Overwrites x, of any layout; returns x. */
static mc_tensor *fill_random(struct op *op, mc_tensor *x, const struct filling *f)
{
    mc_dtype work = dtype_is_half(x->dtype) ? MC_F32 : x->dtype;
    bool direct = work == x->dtype && tensor_is_contiguous(x);
    mc_tensor *t = direct ? x : op_new_like(op, x, work);
    if (!t)
        return NULL;
    fill_whole(t, f, x->dtype);
    return direct ? x : op_copy(op, x, t);
}

/* ---- rand, randn -------------------------------------------------------------------------- */

#define DRAW_OP(name, ...)                                                                         \
    mc_tensor *mc_op_##name(mc_place at, mc_shape shape, mc_new_options options)                   \
    {                                                                                              \
        OP_BEGIN0(op, #name, at);                                                                  \
        struct made made;                                                                          \
        struct filling f = {__VA_ARGS__};                                                          \
        bool fine = made_as(&op, &made, options, dtype_default(), SET_FLOAT);                      \
        mc_tensor *t = fine ? made_new(&op, shape, &made) : NULL;                                  \
        return op_end(&op, t ? fill_random(&op, t, &f) : NULL);                                    \
    }                                                                                              \
    mc_tensor *mc_op_##name##_like(mc_place at, mc_tensor *x, mc_new_options options)              \
    {                                                                                              \
        OP_BEGIN(op, #name "_like", at, x);                                                        \
        struct made made;                                                                          \
        struct filling f = {__VA_ARGS__};                                                          \
        bool fine = made_like(&op, &made, options, x, SET_FLOAT);                                  \
        mc_tensor *t = fine ? made_new(&op, tensor_shape(x), &made) : NULL;                        \
        return op_end(&op, t ? fill_random(&op, t, &f) : NULL);                                    \
    }
DRAW_OP(rand, .kind = DRAW_UNIFORM, .a = 0, .b = 1)
DRAW_OP(randn, .kind = DRAW_NORMAL, .a = 0, .b = 1)

/* ---- in place ----------------------------------------------------------------------------- */

static mc_tensor *end_filled(struct op *op, mc_tensor *x)
{
    if (op->tracks && x)
        grad_zero(op, x, x, x);
    return op_end(op, x);
}

mc_tensor *mc_op_normal_(mc_place at, mc_tensor *x, double mean, double std)
{
    OP_BEGIN(op, "normal_", at, x);
    struct filling f = {.kind = DRAW_NORMAL, .a = mean, .b = std};
    op_may_write(&op, x);
    if (op.ok && !(std >= 0))
        op_fail(&op, MC_ERROR_ARGUMENT, "a standard deviation of %g", f.b);
    bool fine = op.ok && op_takes(&op, x->dtype, SET_FLOAT) && op_writes(&op, x);
    return end_filled(&op, fine ? fill_random(&op, x, &f) : NULL);
}

static bool uniform_bounds(struct op *op, const mc_tensor *x, const struct filling *f)
{
    return op_number_fits(op, mc_arg_float(f->a), x->dtype) &&
           op_number_fits(op, mc_arg_float(f->b), x->dtype) &&
           ((f->a <= f->b && op_number_fits(op, mc_arg_float(f->b - f->a), x->dtype)) || !op->ok ||
            op_fail(op, MC_ERROR_ARGUMENT, "there is nothing from %g to %g", f->a, f->b));
}

mc_tensor *mc_op_uniform_(mc_place at, mc_tensor *x, double from, double to)
{
    OP_BEGIN(op, "uniform_", at, x);
    struct filling f = {.kind = DRAW_UNIFORM, .a = from, .b = to};
    bool fine = op_may_write(&op, x) && op_takes(&op, x->dtype, SET_FLOAT) &&
                uniform_bounds(&op, x, &f) && op_writes(&op, x);
    return end_filled(&op, fine ? fill_random(&op, x, &f) : NULL);
}

/* The number of integers from 0 that random_ draws from: all that a float represents exactly, or
 * all non-negative values of an integer dtype. */
static const uint64_t random_ranges[MC_DTYPE_COUNT] = {
    [MC_BOOL] = 2,
    [MC_U8] = 1u << 8,
    [MC_I8] = 1u << 7,
    [MC_I16] = 1u << 15,
    [MC_I32] = UINT64_C(1) << 31,
    [MC_I64] = UINT64_C(1) << 63,
    [MC_F16] = (1u << 11) + 1,
    [MC_BF16] = (1u << 8) + 1,
    [MC_F32] = (1u << 24) + 1,
    [MC_F64] = (UINT64_C(1) << 53) + 1,
};

mc_tensor *mc_op_random_(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "random_", at, x);
    bool fine =
        op_may_write(&op, x) && op_takes(&op, x->dtype, SET_ALL & ~SET_F8) && op_writes(&op, x);
    struct filling f = {.kind = DRAW_INTEGERS, .range = fine ? random_ranges[x->dtype] : 0};
    return end_filled(&op, fine ? fill_random(&op, x, &f) : NULL);
}

/* ---- integers ----------------------------------------------------------------------------- */

/* The largest integer that can be drawn; f16's largest number is 65504. */
static const int64_t largest[MC_DTYPE_COUNT] = {
    [MC_BOOL] = 1,        [MC_U8] = UINT8_MAX,  [MC_I8] = INT8_MAX, [MC_I16] = INT16_MAX,
    [MC_I32] = INT32_MAX, [MC_I64] = INT64_MAX, [MC_F16] = 65504,   [MC_BF16] = INT64_MAX,
    [MC_F32] = INT64_MAX, [MC_F64] = INT64_MAX,
};

static bool draw_fits(struct op *op, int64_t v, mc_dtype dtype)
{
    int64_t top = largest[dtype], bottom = dtype == MC_BOOL || dtype == MC_U8 ? 0 : -top - 1;
    if (v < bottom || v > top)
        return op_fail(op, MC_ERROR_OVERFLOW, "%lld does not fit %s", (long long)v,
                       dtype_name(dtype));
    return true;
}

static mc_tensor *randint(struct op *op, int64_t low, int64_t high, mc_shape shape,
                          mc_new_options options)
{
    struct made made;
    if (!made_as(op, &made, options, MC_I64, SET_ALL & ~SET_F8))
        return NULL;
    if (low >= high)
        return op_fail(op, MC_ERROR_ARGUMENT, "there is no integer from %lld to below %lld",
                       (long long)low, (long long)high);
    if (!draw_fits(op, low, made.dtype) || !draw_fits(op, high - 1, made.dtype))
        return NULL;
    struct filling f = {.kind = DRAW_INTEGERS, .low = low, .range = (uint64_t)high - (uint64_t)low};
    mc_tensor *t = made_new(op, shape, &made);
    return t ? fill_random(op, t, &f) : NULL;
}

mc_tensor *mc_op_randint(mc_place at, int64_t low, int64_t high, mc_shape shape,
                         mc_new_options options)
{
    OP_BEGIN0(op, "randint", at);
    return op_end(&op, randint(&op, low, high, shape, options));
}

/* An integer dtype must represent n, and a float every position exactly; PyTorch does not require
 * that of bf16. */
static bool holds_positions(struct op *op, int64_t n, mc_dtype dtype)
{
    bool exact = dtype_is_float(dtype) && dtype != MC_BF16;
    uint64_t most = exact ? random_ranges[dtype] : (uint64_t)largest[dtype];
    if (n < 0)
        return op_fail(op, MC_ERROR_ARGUMENT, "an order of %lld elements", (long long)n);
    if ((uint64_t)n > most)
        return op_fail(op, MC_ERROR_OVERFLOW, "%s cannot hold %lld positions", dtype_name(dtype),
                       (long long)n);
    return true;
}

static mc_tensor *randperm(struct op *op, int64_t n, mc_new_options options)
{
    struct made made;
    mc_shape shape = {.ndim = 1, .dims = {n}};
    if (!made_as(op, &made, options, MC_I64, SET_INT | SET_FLOAT) ||
        !holds_positions(op, n, made.dtype))
        return NULL;
    mc_tensor *t = op_new(op, shape, MC_I64, made.device);
    if (!t)
        return NULL;
    struct view v = view_of(t);
    kernels_of(t)->permutation(&v, take_blocks(random_blocks(n, 2)));
    return made_cast(op, t, &made);
}

mc_tensor *mc_op_randperm(mc_place at, int64_t n, mc_new_options options)
{
    OP_BEGIN0(op, "randperm", at);
    return op_end(&op, randperm(&op, n, options));
}

/* ---- by probability ----------------------------------------------------------------------- */

static mc_tensor *bernoulli(struct op *op, mc_tensor *p)
{
    if (!op_takes(op, p->dtype, SET_FLOAT))
        return NULL;
    mc_dtype work = p->dtype == MC_F64 ? MC_F64 : MC_F32;
    mc_tensor *from = op_contiguous(op, op_cast(op, p, work)), *out = op_new_like(op, p, work);
    if (!from || !out)
        return NULL;
    struct view vo = view_of(out), vp = view_of(from);
    struct rng rng = take_blocks(random_blocks(p->numel, work == MC_F64 ? 2 : 1));
    if (!kernels_of(p)->bernoulli(&vo, &vp, rng))
        return op_fail(op, MC_ERROR_VALUE, "a probability is not within 0 to 1");
    return op_cast(op, out, p->dtype);
}

mc_tensor *mc_op_bernoulli(mc_place at, mc_tensor *probabilities)
{
    OP_BEGIN(op, "bernoulli", at, probabilities);
    mc_tensor *y = op.ok ? bernoulli(&op, probabilities) : NULL;
    if (op.tracks && y)
        grad_zero(&op, NULL, y, probabilities);
    return op_end(&op, y);
}

static bool multinomial_fits(struct op *op, const mc_tensor *w, int64_t samples, bool replacement)
{
    if (w->ndim < 1 || w->ndim > 2 || w->shape[w->ndim - 1] == 0)
        return op_fail(op, MC_ERROR_SHAPE, "weights are one row or several, not empty");
    if (!op_takes(op, w->dtype, SET_FLOAT))
        return false;
    if (samples < 1 || (!replacement && samples > w->shape[w->ndim - 1]))
        return op_fail(op, MC_ERROR_ARGUMENT, "%lld samples of %lld categories", (long long)samples,
                       (long long)w->shape[w->ndim - 1]);
    return true;
}

static mc_tensor *multinomial(struct op *op, mc_tensor *w, int64_t samples, bool replacement)
{
    if (!multinomial_fits(op, w, samples, replacement))
        return NULL;
    int64_t rows = w->ndim == 2 ? w->shape[0] : 1, categories = w->shape[w->ndim - 1], numbers;
    if (__builtin_mul_overflow(rows, replacement ? samples : categories, &numbers))
        return op_fail(op, MC_ERROR_SHAPE, "so many samples cannot be held");
    mc_shape shape = {.ndim = 2, .dims = {rows, samples}}, flat = {.ndim = 1, .dims = {samples}};
    mc_tensor *out = op_new(op, shape, MC_I64, tensor_device(w));
    /* a copy, since the kernel overwrites it */
    mc_tensor *own = w->dtype == MC_F64 ? op_clone(op, w) : op_cast(op, w, MC_F64);
    own = op_reshape(op, own, (mc_shape){.ndim = 2, .dims = {rows, categories}});
    if (!out || !own)
        return NULL;
    struct view vo = view_of(out), vw = view_of(own);
    const char *wrong =
        kernels_of(w)->multinomial(&vo, &vw, replacement, take_blocks(random_blocks(numbers, 2)));
    if (wrong)
        return op_fail(op, MC_ERROR_VALUE, "%s", wrong);
    return w->ndim == 2 ? out : op_reshape(op, out, flat);
}

mc_tensor *mc_op_multinomial(mc_place at, mc_tensor *weights, int64_t samples,
                             mc_multinomial_options options)
{
    OP_BEGIN(op, "multinomial", at, weights);
    return op_end(&op, op.ok ? multinomial(&op, weights, samples, options.replacement) : NULL);
}

/* ---- dropout ------------------------------------------------------------------------------ */

/* The CPU multiplies by a mask of floats, which an integer tensor cannot; cuda has no kernel for
 * integers at all. */
static bool dropout_takes(struct op *op, const mc_tensor *x)
{
    if (!is_cuda(x) && (BIT(x->dtype) & (SET_BOOL | SET_INT)))
        return op_fail(op, MC_ERROR_CAST, "a dropped-out %s would be f32", dtype_name(x->dtype));
    return op_takes(op, x->dtype, SET_FLOAT);
}

static mc_tensor *dropout(struct op *op, mc_tensor *x, double p, bool eval)
{
    if (!(p >= 0 && p <= 1))
        return op_fail(op, MC_ERROR_ARGUMENT, "a probability of %g", p);
    if (p == 0 || eval || x->numel == 0)
        return x;
    if (p == 1) {
        mc_tensor *y = op_binary(op, BINARY_mul, mc_arg_tensor(x), mc_arg_bool(false));
        if (op->tracks && y)
            grad_zero(op, NULL, y, x);
        return y;
    }
    if (!dropout_takes(op, x))
        return NULL;
    struct rng rng = take_blocks(random_blocks(x->numel, 1));
    mc_tensor *y = op_dropout(op, x, p, rng);
    if (op->tracks && y)
        grad_dropout(op, y, x, p, rng);
    return y;
}

mc_tensor *mc_op_dropout(mc_place at, mc_tensor *x, double p, mc_dropout_options options)
{
    OP_BEGIN(op, "dropout", at, x);
    return op_end(&op, op.ok ? dropout(&op, x, p, options.eval) : NULL);
}
