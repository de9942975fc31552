/* Binary kernels of the CPU, and where. f32, f64 and the integers are computed in place of storage;
 * the small floats pass through runs of f32. Operands 1 and 2 are read, operand 0 is written. */
#include "runtime/kernels/elementwise_cpu.h"
#include "runtime/kernels/loop.h"
#include "runtime/kernels/unary.h"

#include <math.h>
#include <string.h>

#define R        float
#define M(fn)    fn##f
#define NAME(op) op##_f32
#include "runtime/kernels/binary_real.inc"
#undef R
#undef M
#undef NAME

#define R        double
#define M(fn)    fn
#define NAME(op) op##_f64
#include "runtime/kernels/binary_real.inc"
#undef R
#undef M
#undef NAME

/* An unsigned type makes some comparisons with 0 constant. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
#define T        uint8_t
#define NAME(op) op##_u8
#include "runtime/kernels/binary_int.inc"
#undef T
#undef NAME
#define T        int8_t
#define NAME(op) op##_i8
#include "runtime/kernels/binary_int.inc"
#undef T
#undef NAME
#define T        int16_t
#define NAME(op) op##_i16
#include "runtime/kernels/binary_int.inc"
#undef T
#undef NAME
#define T        int32_t
#define NAME(op) op##_i32
#include "runtime/kernels/binary_int.inc"
#undef T
#undef NAME
#define T        int64_t
#define NAME(op) op##_i64
#include "runtime/kernels/binary_int.inc"
#undef T
#undef NAME
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* bool: plus is or, times is and; the rest are u8's, whose operands are 0 or 1. */
static void add_bool(char *const *data, const int64_t *stride, int64_t n, const void *ctx)
{
    bitwise_or_u8(data, stride, n, ctx);
}

#define REAL_TABLE(t)                                                                              \
    {                                                                                              \
        [BINARY_add] = add_##t,                                                                    \
        [BINARY_sub] = sub_##t,                                                                    \
        [BINARY_mul] = mul_##t,                                                                    \
        [BINARY_div] = div_##t,                                                                    \
        [BINARY_pow] = pow_##t,                                                                    \
        [BINARY_floor_divide] = floor_divide_##t,                                                  \
        [BINARY_fmod] = fmod_##t,                                                                  \
        [BINARY_remainder] = remainder_##t,                                                        \
        [BINARY_atan2] = atan2_##t,                                                                \
        [BINARY_maximum] = maximum_##t,                                                            \
        [BINARY_minimum] = minimum_##t,                                                            \
        [BINARY_eq] = eq_##t,                                                                      \
        [BINARY_ne] = ne_##t,                                                                      \
        [BINARY_lt] = lt_##t,                                                                      \
        [BINARY_le] = le_##t,                                                                      \
        [BINARY_gt] = gt_##t,                                                                      \
        [BINARY_ge] = ge_##t,                                                                      \
        [BINARY_logical_and] = logical_and_##t,                                                    \
        [BINARY_logical_or] = logical_or_##t,                                                      \
        [BINARY_logical_xor] = logical_xor_##t,                                                    \
    }

#define INT_TABLE(t)                                                                               \
    {                                                                                              \
        [BINARY_add] = add_##t,                                                                    \
        [BINARY_sub] = sub_##t,                                                                    \
        [BINARY_mul] = mul_##t,                                                                    \
        [BINARY_pow] = pow_##t,                                                                    \
        [BINARY_floor_divide] = floor_divide_##t,                                                  \
        [BINARY_fmod] = fmod_##t,                                                                  \
        [BINARY_remainder] = remainder_##t,                                                        \
        [BINARY_maximum] = maximum_##t,                                                            \
        [BINARY_minimum] = minimum_##t,                                                            \
        [BINARY_bitwise_and] = bitwise_and_##t,                                                    \
        [BINARY_bitwise_or] = bitwise_or_##t,                                                      \
        [BINARY_bitwise_xor] = bitwise_xor_##t,                                                    \
        [BINARY_bitwise_left_shift] = bitwise_left_shift_##t,                                      \
        [BINARY_bitwise_right_shift] = bitwise_right_shift_##t,                                    \
        [BINARY_eq] = eq_##t,                                                                      \
        [BINARY_ne] = ne_##t,                                                                      \
        [BINARY_lt] = lt_##t,                                                                      \
        [BINARY_le] = le_##t,                                                                      \
        [BINARY_gt] = gt_##t,                                                                      \
        [BINARY_ge] = ge_##t,                                                                      \
        [BINARY_logical_and] = logical_and_##t,                                                    \
        [BINARY_logical_or] = logical_or_##t,                                                      \
        [BINARY_logical_xor] = logical_xor_##t,                                                    \
    }

static const inner_fn binary_inner[MC_DTYPE_COUNT][BINARY_COUNT] = {
    [MC_BOOL] = {[BINARY_add] = add_bool,
                 [BINARY_mul] = bitwise_and_u8,
                 [BINARY_maximum] = maximum_u8,
                 [BINARY_minimum] = minimum_u8,
                 [BINARY_bitwise_and] = bitwise_and_u8,
                 [BINARY_bitwise_or] = bitwise_or_u8,
                 [BINARY_bitwise_xor] = bitwise_xor_u8,
                 [BINARY_eq] = eq_u8,
                 [BINARY_ne] = ne_u8,
                 [BINARY_lt] = lt_u8,
                 [BINARY_le] = le_u8,
                 [BINARY_gt] = gt_u8,
                 [BINARY_ge] = ge_u8,
                 [BINARY_logical_and] = logical_and_u8,
                 [BINARY_logical_or] = logical_or_u8,
                 [BINARY_logical_xor] = logical_xor_u8},
    [MC_U8] = INT_TABLE(u8),
    [MC_I8] = INT_TABLE(i8),
    [MC_I16] = INT_TABLE(i16),
    [MC_I32] = INT_TABLE(i32),
    [MC_I64] = INT_TABLE(i64),
    [MC_F32] = REAL_TABLE(f32),
    [MC_F64] = REAL_TABLE(f64),
};

/* ---- small floats ------------------------------------------------------------------------- */

struct small {
    inner_fn f32;
    mc_dtype in, out; /* out: in, or bool */
    bool b_float;
};

static void inner_small(char *const *data, const int64_t *stride, int64_t n, const void *ctx)
{
    const struct small *s = ctx;
    float a[RUN], b[RUN], out[RUN];
    int64_t run_stride[3] = {s->out == MC_BOOL ? 1 : 4, 4, stride[2] ? 4 : 0};
    if (!stride[2] && !s->b_float)
        block_to_f32(b, data[2], s->in, 1);
    else if (!stride[2])
        memcpy(b, data[2], sizeof *b);
    for (int64_t i = 0; i < n; i += RUN) {
        int64_t m = n - i < RUN ? n - i : RUN;
        run_gather(a, data[1] + i * stride[1], stride[1], s->in, m);
        if (stride[2])
            run_gather(b, data[2] + i * stride[2], stride[2], s->in, m);
        s->f32((char *[]){(char *)out, (char *)a, (char *)b}, run_stride, m, NULL);
        run_scatter(data[0] + i * stride[0], stride[0], out, s->out, m);
    }
}

static bool writes_bool(enum binary op)
{
    return op >= BINARY_eq && op <= BINARY_logical_xor;
}

static bool cpu_binary(enum binary op, mc_dtype dtype, const struct loop *loop, bool b_float)
{
    atomic_bool by_zero = false;
    atomic_bool *flag = &by_zero;
    if (dtype_is_half(dtype) || dtype_is_f8(dtype)) {
        struct small s = {binary_inner[MC_F32][op], dtype, writes_bool(op) ? MC_BOOL : dtype,
                          b_float};
        loop_run(loop, inner_small, &s);
    } else {
        if (!binary_inner[dtype][op])
            BUG("no binary kernel %d for %s", op, dtype_name(dtype));
        loop_run(loop, binary_inner[dtype][op], &flag);
    }
    return !by_zero;
}

/* ---- where -------------------------------------------------------------------------------- */

/* Contiguous, or one value for all: the layouts that masking makes, worth a loop that vectorises.
 */
/* Both are read in any case, so that there is no branch. */
#define WHERE_LOOP(T, A, B)                                                                        \
    INDEPENDENT for (int64_t i = 0; i < n; i++)                                                    \
    {                                                                                              \
        const T yes = a[A], no = b[B];                                                             \
        o[i] = c[i] ? yes : no;                                                                    \
    }

#define WHERE(T)                                                                                   \
    static void where_##T(char *const *data, const int64_t *stride, int64_t n, const void *ctx)    \
    {                                                                                              \
        const int64_t size = sizeof(T);                                                            \
        T *o = (T *)data[0];                                                                       \
        const uint8_t *c = (const uint8_t *)data[1];                                               \
        const T *a = (const T *)data[2], *b = (const T *)data[3];                                  \
        (void)ctx;                                                                                 \
        bool flat = stride[0] == size && stride[1] == 1;                                           \
        if (flat && stride[2] == size && stride[3] == size)                                        \
            WHERE_LOOP(T, i, i)                                                                    \
        else if (flat && stride[2] == size && stride[3] == 0)                                      \
            WHERE_LOOP(T, i, 0)                                                                    \
        else if (flat && stride[2] == 0 && stride[3] == size)                                      \
            WHERE_LOOP(T, 0, i)                                                                    \
        else                                                                                       \
            for (int64_t i = 0; i < n; i++) {                                                      \
                const int which = data[1][i * stride[1]] ? 2 : 3;                                  \
                *(T *)(data[0] + i * stride[0]) = *(const T *)(data[which] + i * stride[which]);   \
            }                                                                                      \
    }

WHERE(uint8_t)
WHERE(uint16_t)
WHERE(uint32_t)
WHERE(uint64_t)

static void cpu_where(mc_dtype dtype, const struct loop *loop)
{
    static const inner_fn by_size[9] = {
        [1] = where_uint8_t, [2] = where_uint16_t, [4] = where_uint32_t, [8] = where_uint64_t};
    loop_run(loop, by_size[dtype_size(dtype)], NULL);
}

const struct elementwise_kernels cpu_elementwise = {
    .cast = cpu_cast,
    .fill = cpu_fill,
    .unary = cpu_unary,
    .unary_back = cpu_unary_back,
    .binary = cpu_binary,
    .where = cpu_where,
};
