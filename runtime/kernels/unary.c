/* Unary kernels of the CPU. f32, f64 and the integers are computed in place of storage; the small
 * floats pass through runs of f32. Operand 1 is read, operand 0 written; ctx is the two parameters.
 */
#include "runtime/kernels/elementwise_cpu.h"
#include "runtime/kernels/loop.h"
#include "runtime/kernels/smooth.h"
#include "runtime/kernels/unary.h"

#include <math.h>
#include <stdlib.h>

#define R        float
#define M(fn)    fn##f
#define S(fn)    smooth_##fn
#define NORMAL   smooth_normal
#define NAME(op) op##_f32
#include "runtime/kernels/unary_real.inc"
#undef R
#undef M
#undef S
#undef NORMAL
#undef NAME

#define R        double
#define M(fn)    fn
#define S(fn)    fn
#define NORMAL   exact_normal
#define NAME(op) op##_f64
#include "runtime/kernels/unary_real.inc"
#undef R
#undef M
#undef S
#undef NORMAL
#undef NAME

/* Unsigned arithmetic, so that it wraps. */
#define INT_KERNEL(op, T, OUT, EXPR)                                                               \
    static void op##_##T(char *const *data, const int64_t *stride, int64_t n, const void *ctx)     \
    {                                                                                              \
        const double p0 = ((const double *)ctx)[0], p1 = ((const double *)ctx)[1];                 \
        (void)p0;                                                                                  \
        (void)p1;                                                                                  \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const T x = *(const T *)(data[1] + i * stride[1]);                                     \
            (void)x;                                                                               \
            *(OUT *)(data[0] + i * stride[0]) = (OUT)(EXPR);                                       \
        }                                                                                          \
    }

/* clang-format off */
#define INT_KERNELS(T)                                                                             \
    INT_KERNEL(abs, T, T, x < 0 ? 0 - (uint64_t)x : (uint64_t)x)                                   \
    INT_KERNEL(bitwise_not, T, T, ~x)                                                              \
    INT_KERNEL(copy, T, T, x)                                                                      \
    INT_KERNEL(hardtanh, T, T, (double)x < p0 ? (T)p0 : (double)x > p1 ? (T)p1 : x)                \
    INT_KERNEL(true, T, uint8_t, 1)                                                                \
    INT_KERNEL(false, T, uint8_t, 0)                                                               \
    INT_KERNEL(logical_not, T, uint8_t, x == 0)                                                    \
    INT_KERNEL(neg, T, T, 0 - (uint64_t)x)                                                         \
    INT_KERNEL(relu, T, T, x < 0 ? 0 : x)                                                          \
    INT_KERNEL(relu6, T, T, x < 0 ? 0 : x > 6 ? 6 : x)                                             \
    INT_KERNEL(sign, T, T, (x > 0) - (x < 0))                                                      \
    INT_KERNEL(square, T, T, (uint64_t)x * (uint64_t)x)
/* clang-format on */

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
INT_KERNELS(uint8_t)
INT_KERNELS(int8_t)
INT_KERNELS(int16_t)
INT_KERNELS(int32_t)
INT_KERNELS(int64_t)
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
INT_KERNEL(bool_not, uint8_t, uint8_t, !x)

/* bitwise_not is the one op without a kernel for reals. */
#define bitwise_not_f32 NULL
#define bitwise_not_f64 NULL

static const inner_fn unary_f32[UNARY_COUNT] = {
#define UNARY(name, ...) [UNARY_##name] = name##_f32,
#include "runtime/kernels/unary.def"
#undef UNARY
};

static const inner_fn unary_f64[UNARY_COUNT] = {
#define UNARY(name, ...) [UNARY_##name] = name##_f64,
#include "runtime/kernels/unary.def"
#undef UNARY
};

/* Ops that integers do not have (they are computed in f32) are left out. */
#define INT_TABLE(T)                                                                               \
    {                                                                                              \
        [UNARY_abs] = abs_##T,       [UNARY_bitwise_not] = bitwise_not_##T,                        \
        [UNARY_ceil] = copy_##T,     [UNARY_floor] = copy_##T,                                     \
        [UNARY_round] = copy_##T,    [UNARY_trunc] = copy_##T,                                     \
        [UNARY_positive] = copy_##T, [UNARY_hardtanh] = hardtanh_##T,                              \
        [UNARY_isfinite] = true_##T, [UNARY_isinf] = false_##T,                                    \
        [UNARY_isnan] = false_##T,   [UNARY_logical_not] = logical_not_##T,                        \
        [UNARY_neg] = neg_##T,       [UNARY_relu] = relu_##T,                                      \
        [UNARY_relu6] = relu6_##T,   [UNARY_sign] = sign_##T,                                      \
        [UNARY_square] = square_##T,                                                               \
    }

static const inner_fn unary_int[MC_DTYPE_COUNT][UNARY_COUNT] = {
    [MC_BOOL] = {[UNARY_abs] = copy_uint8_t,
                 [UNARY_bitwise_not] = bool_not_uint8_t,
                 [UNARY_isfinite] = true_uint8_t,
                 [UNARY_isinf] = false_uint8_t,
                 [UNARY_isnan] = false_uint8_t,
                 [UNARY_logical_not] = bool_not_uint8_t,
                 [UNARY_sign] = copy_uint8_t},
    [MC_U8] = INT_TABLE(uint8_t),
    [MC_I8] = INT_TABLE(int8_t),
    [MC_I16] = INT_TABLE(int16_t),
    [MC_I32] = INT_TABLE(int32_t),
    [MC_I64] = INT_TABLE(int64_t),
};

/* ---- small floats ------------------------------------------------------------------------- */

struct small {
    inner_fn f32;
    mc_dtype in, out; /* out: in, or bool */
    const double *p;
};

static void inner_small(char *const *data, const int64_t *stride, int64_t n, const void *ctx)
{
    const struct small *s = ctx;
    float in[RUN], out[RUN];
    const int64_t run_stride[2] = {s->out == MC_BOOL ? 1 : (int64_t)sizeof(float), sizeof(float)};
    for (int64_t i = 0; i < n; i += RUN) {
        int64_t m = n - i < RUN ? n - i : RUN;
        run_gather(in, data[1] + i * stride[1], stride[1], s->in, m);
        s->f32((char *[]){(char *)out, (char *)in}, run_stride, m, s->p);
        run_scatter(data[0] + i * stride[0], stride[0], out, s->out, m);
    }
}

static bool writes_bool(enum unary op)
{
    return op == UNARY_isnan || op == UNARY_isinf || op == UNARY_isfinite ||
           op == UNARY_logical_not;
}

void cpu_unary(enum unary op, mc_dtype dtype, const struct loop *loop, double p0, double p1)
{
    const double p[2] = {p0, p1};
    bool by_tanh =
        op == UNARY_gelu && p0 != 0; /* a kernel of its own: a branch would not vectorise */
    inner_fn f32 = by_tanh ? gelu_tanh_f32 : unary_f32[op];
    inner_fn f64 = by_tanh ? gelu_tanh_f64 : unary_f64[op];
    struct small s = {f32, dtype, writes_bool(op) ? MC_BOOL : dtype, p};
    inner_fn inner = dtype == MC_F32 ? f32 : dtype == MC_F64 ? f64 : unary_int[dtype][op];
    if (dtype_is_half(dtype) || dtype_is_f8(dtype))
        loop_run(loop, inner_small, &s);
    else if (inner)
        loop_run(loop, inner, p);
    else
        BUG("no unary kernel %d for %s", op, dtype_name(dtype));
}
