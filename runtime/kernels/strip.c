/* Loading and storing strips: a table of conversions, each a loop that vectorises when the elements
 * are adjacent. */
#include "runtime/kernels/strip.h"

#include "runtime/kernels/convert.h"
#include "runtime/kernels/elementwise_cpu.h"

typedef void (*load_fn)(void *restrict to, const char *restrict from, int64_t stride, int64_t n);
typedef void (*store_fn)(char *restrict to, int64_t stride, const void *restrict from, int64_t n);

/* ---- loads -------------------------------------------------------------------------------- */

/* v is the element, of C type F; value what becomes of it. */
#define LOAD(name, T, F, value)                                                                    \
    static void name(void *restrict to, const char *restrict from, int64_t stride, int64_t n)      \
    {                                                                                              \
        T *restrict t = to;                                                                        \
        if (stride == (int64_t)sizeof(F))                                                          \
            for (int64_t i = 0; i < n; i++) {                                                      \
                const F v = ((const F *)from)[i];                                                  \
                t[i] = value;                                                                      \
            }                                                                                      \
        else                                                                                       \
            for (int64_t i = 0; i < n; i++) {                                                      \
                const F v = *(const F *)(from + i * stride);                                       \
                t[i] = value;                                                                      \
            }                                                                                      \
    }

/* The sign bit does not make a zero nonzero. */
LOAD(nonzero_8, uint8_t, uint8_t, v != 0)
LOAD(nonzero_16, uint8_t, uint16_t, v != 0)
LOAD(nonzero_32, uint8_t, uint32_t, v != 0)
LOAD(nonzero_64, uint8_t, uint64_t, v != 0)
LOAD(nonzero_f8, uint8_t, uint8_t, (v & 0x7f) != 0)
LOAD(nonzero_half, uint8_t, uint16_t, (v & 0x7fff) != 0)
LOAD(nonzero_f32, uint8_t, uint32_t, (v & 0x7fffffff) != 0)
LOAD(nonzero_f64, uint8_t, uint64_t, v << 1 != 0)

LOAD(i64_bool, int64_t, uint8_t, v != 0)
LOAD(i64_u8, int64_t, uint8_t, v)
LOAD(i64_i8, int64_t, int8_t, v)
LOAD(i64_i16, int64_t, int16_t, v)
LOAD(i64_i32, int64_t, int32_t, v)
LOAD(i64_i64, int64_t, int64_t, v)

LOAD(f32_f16_apart, float, uint16_t, f16_to_f32(v))
LOAD(f32_bf16, float, uint16_t, bf16_to_f32(v))
LOAD(f32_f32, float, float, v)
LOAD(f32_e4m3, float, uint8_t, f8_e4m3_to_f32(v))
LOAD(f32_e5m2, float, uint8_t, f8_e5m2_to_f32(v))

LOAD(f64_f16, double, uint16_t, (double)f16_to_f32(v))
LOAD(f64_bf16, double, uint16_t, (double)bf16_to_f32(v))
LOAD(f64_f32, double, float, (double)v)
LOAD(f64_f64, double, double, v)

static void f32_f16(void *restrict to, const char *restrict from, int64_t stride, int64_t n)
{
    if (stride == 2)
        block_f16_to_f32(to, (const uint16_t *)from, n);
    else
        f32_f16_apart(to, from, stride, n);
}

/* clang-format off */
static const load_fn loads[MC_DTYPE_COUNT][MC_DTYPE_COUNT] = {
    [MC_BOOL] = {[MC_BOOL] = nonzero_8, [MC_U8] = nonzero_8, [MC_I8] = nonzero_8,
                 [MC_I16] = nonzero_16, [MC_I32] = nonzero_32, [MC_I64] = nonzero_64,
                 [MC_F16] = nonzero_half, [MC_BF16] = nonzero_half, [MC_F32] = nonzero_f32,
                 [MC_F64] = nonzero_f64, [MC_F8_E4M3] = nonzero_f8, [MC_F8_E5M2] = nonzero_f8},
    [MC_I64]  = {[MC_BOOL] = i64_bool, [MC_U8] = i64_u8, [MC_I8] = i64_i8, [MC_I16] = i64_i16,
                 [MC_I32] = i64_i32, [MC_I64] = i64_i64},
    [MC_F32]  = {[MC_F16] = f32_f16, [MC_BF16] = f32_bf16, [MC_F32] = f32_f32,
                 [MC_F8_E4M3] = f32_e4m3, [MC_F8_E5M2] = f32_e5m2},
    [MC_F64]  = {[MC_F16] = f64_f16, [MC_BF16] = f64_bf16, [MC_F32] = f64_f32, [MC_F64] = f64_f64},
};
/* clang-format on */

const void *strip_load(void *buffer, mc_dtype computed, const char *from, mc_dtype dtype,
                       int64_t stride, int64_t n)
{
    if (dtype == computed && dtype != MC_BOOL && (stride == (int64_t)dtype_size(dtype) || n == 1))
        return from;
    if (!loads[computed][dtype])
        BUG("no strip of %s from %s", dtype_name(computed), dtype_name(dtype));
    loads[computed][dtype](buffer, from, stride, n);
    return buffer;
}

/* ---- stores ------------------------------------------------------------------------------- */

#define STORE(name, T, F, value)                                                                   \
    static void name(char *restrict to, int64_t stride, const void *restrict from, int64_t n)      \
    {                                                                                              \
        const F *restrict f = from;                                                                \
        if (stride == (int64_t)sizeof(T))                                                          \
            for (int64_t i = 0; i < n; i++) {                                                      \
                const F v = f[i];                                                                  \
                ((T *)to)[i] = value;                                                              \
            }                                                                                      \
        else                                                                                       \
            for (int64_t i = 0; i < n; i++) {                                                      \
                const F v = f[i];                                                                  \
                *(T *)(to + i * stride) = value;                                                   \
            }                                                                                      \
    }

STORE(bool_i64, uint8_t, int64_t, v != 0)
STORE(int8_i64, uint8_t, int64_t, (uint8_t)v)
STORE(i16_i64, uint16_t, int64_t, (uint16_t)v)
STORE(i32_i64, uint32_t, int64_t, (uint32_t)v)
STORE(to_i64, int64_t, int64_t, v)

STORE(f16_f32_apart, uint16_t, float, f32_to_f16(v))
STORE(bf16_of_f32, uint16_t, float, f32_to_bf16(v))
STORE(to_f32, float, float, v)

STORE(f16_f64, uint16_t, double, f32_to_f16((float)v))
STORE(bf16_f64, uint16_t, double, f32_to_bf16((float)v))
STORE(f32_f64, float, double, (float)v)
STORE(to_f64, double, double, v)

static void f16_of_f32(char *restrict to, int64_t stride, const void *restrict from, int64_t n)
{
    if (stride == 2)
        block_f32_to_f16((uint16_t *)to, from, n);
    else
        f16_f32_apart(to, stride, from, n);
}

/* clang-format off */
static const store_fn stores[MC_DTYPE_COUNT][MC_DTYPE_COUNT] = {
    [MC_I64] = {[MC_BOOL] = bool_i64, [MC_U8] = int8_i64, [MC_I8] = int8_i64, [MC_I16] = i16_i64,
                [MC_I32] = i32_i64, [MC_I64] = to_i64},
    [MC_F32] = {[MC_F16] = f16_of_f32, [MC_BF16] = bf16_of_f32, [MC_F32] = to_f32},
    [MC_F64] = {[MC_F16] = f16_f64, [MC_BF16] = bf16_f64, [MC_F32] = f32_f64, [MC_F64] = to_f64},
};
/* clang-format on */

void strip_store(char *to, mc_dtype dtype, int64_t stride, const void *from, mc_dtype computed,
                 int64_t n)
{
    if (!stores[computed][dtype])
        BUG("no strip of %s into %s", dtype_name(computed), dtype_name(dtype));
    stores[computed][dtype](to, stride, from, n);
}
