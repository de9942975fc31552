/* Conversion of every dtype into every other, bit for bit as PyTorch does on the CPU and on cuda,
 * and filling with a number.
 *
 * What is frequent (f32 with f16, bf16, f64) has loops of its own that vectorise; the rest goes
 * element by element through the widest type of its kind, in a loop for each pair. */
#include "runtime/kernels/convert.h"
#include "runtime/kernels/elementwise_cpu.h"
#include "runtime/kernels/loop.h"

#include <string.h>
#ifdef __ARM_NEON
#include <arm_neon.h>
#endif

/* ---- blocks: contiguous runs between f32 and the small floats ------------------------------ */

void block_f16_to_f32(float *restrict to, const uint16_t *restrict from, int64_t n)
{
    int64_t i = 0;
#ifdef __ARM_NEON
    for (; i + 8 <= n; i += 8) {
        float16x8_t h = vreinterpretq_f16_u16(vld1q_u16(from + i));
        vst1q_f32(to + i, vcvt_f32_f16(vget_low_f16(h)));
        vst1q_f32(to + i + 4, vcvt_high_f32_f16(h));
    }
#endif
    for (; i < n; i++)
        to[i] = f16_to_f32(from[i]);
}

void block_f32_to_f16(uint16_t *restrict to, const float *restrict from, int64_t n)
{
    int64_t i = 0;
#ifdef __ARM_NEON
    for (; i + 8 <= n; i += 8) {
        float16x4_t low = vcvt_f16_f32(vld1q_f32(from + i));
        vst1q_u16(to + i, vreinterpretq_u16_f16(vcvt_high_f16_f32(low, vld1q_f32(from + i + 4))));
    }
#endif
    for (; i < n; i++)
        to[i] = f32_to_f16(from[i]);
}

void block_bf16_to_f32(float *restrict to, const uint16_t *restrict from, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = bf16_to_f32(from[i]);
}

#ifdef __ARM_NEON
/* Eight at once, as halves of 16 bits: what stays is raised where what is cut off is above a half,
 * or is a half and what stays is odd. */
static inline uint16x8_t bf16_of_eight(float32x4_t a, float32x4_t b)
{
    uint16x8_t x = vreinterpretq_u16_f32(a), y = vreinterpretq_u16_f32(b);
    uint16x8_t high = vuzp2q_u16(x, y), low = vuzp1q_u16(x, y);
    uint16x8_t odd = vandq_u16(high, vdupq_n_u16(1));
    uint16x8_t up = vcgtq_u16(vqaddq_u16(low, odd), vdupq_n_u16(0x8000)); /* 0 or -1 */
    uint16x8_t number =
        vuzp1q_u16(vreinterpretq_u16_u32(vceqq_f32(a, a)), vreinterpretq_u16_u32(vceqq_f32(b, b)));
    return vornq_u16(vsubq_u16(high, up), number);
}
#endif

void block_f32_to_bf16(uint16_t *restrict to, const float *restrict from, int64_t n)
{
    int64_t i = 0;
#ifdef __ARM_NEON
    for (; i + 32 <= n; i += 32)
        for (int64_t k = i; k < i + 32; k += 8)
            vst1q_u16(to + k, bf16_of_eight(vld1q_f32(from + k), vld1q_f32(from + k + 4)));
#endif
    for (; i < n; i++)
        to[i] = f32_to_bf16(from[i]);
}

void block_to_f32(float *to, const void *from, mc_dtype dtype, int64_t n)
{
    const uint8_t *bytes = from;
    if (dtype == MC_F16)
        block_f16_to_f32(to, from, n);
    else if (dtype == MC_BF16)
        block_bf16_to_f32(to, from, n);
    else if (dtype == MC_F8_E4M3)
        for (int64_t i = 0; i < n; i++)
            to[i] = f8_e4m3_to_f32(bytes[i]);
    else if (dtype == MC_F8_E5M2)
        for (int64_t i = 0; i < n; i++)
            to[i] = f8_e5m2_to_f32(bytes[i]);
    else if (dtype == MC_F32)
        memcpy(to, from, (size_t)n * sizeof *to);
    else
        BUG("block_to_f32 of %s", dtype_name(dtype));
}

void block_from_f32(void *to, const float *from, mc_dtype dtype, int64_t n)
{
    uint8_t *bytes = to;
    if (dtype == MC_F16)
        block_f32_to_f16(to, from, n);
    else if (dtype == MC_BF16)
        block_f32_to_bf16(to, from, n);
    else if (dtype == MC_F8_E4M3)
        for (int64_t i = 0; i < n; i++)
            bytes[i] = f32_to_f8_e4m3(from[i]);
    else if (dtype == MC_F8_E5M2)
        for (int64_t i = 0; i < n; i++)
            bytes[i] = f32_to_f8_e5m2(from[i]);
    else if (dtype == MC_F32)
        memcpy(to, from, (size_t)n * sizeof *from);
    else
        BUG("block_from_f32 to %s", dtype_name(dtype));
}

void run_gather(float *to, const char *from, int64_t stride, mc_dtype dtype, int64_t n)
{
    if (stride == (int64_t)dtype_size(dtype))
        block_to_f32(to, from, dtype, n);
    else
        for (int64_t i = 0; i < n; i++)
            block_to_f32(to + i, from + i * stride, dtype, 1);
}

void run_scatter(char *to, int64_t stride, const void *from, mc_dtype dtype, int64_t n)
{
    const uint8_t *flags = from;
    if (dtype == MC_BOOL)
        for (int64_t i = 0; i < n; i++)
            to[i * stride] = (char)flags[i];
    else if (stride == (int64_t)dtype_size(dtype))
        block_from_f32(to, from, dtype, n);
    else
        for (int64_t i = 0; i < n; i++)
            block_from_f32(to + i * stride, (const float *)from + i, dtype, 1);
}

/* ---- one element -------------------------------------------------------------------------- */

/* Integers and bool travel as i64, f64 as double, every other float as f32: PyTorch too narrows f64
 * to f32 before it rounds to a smaller float.
 *
 * All of it is inlined into loops that know their dtypes, where little of it is left: so the dtypes
 * are distinguished by the order of their enum, which the compiler can fold. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE bool is_float(mc_dtype d)
{
    return d >= MC_F16;
}

ALWAYS_INLINE bool is_half(mc_dtype d)
{
    return d == MC_F16 || d == MC_BF16;
}

ALWAYS_INLINE bool is_f8(mc_dtype d)
{
    return d == MC_F8_E4M3 || d == MC_F8_E5M2;
}

ALWAYS_INLINE int64_t load_int(const char *p, mc_dtype d)
{
    int16_t s;
    int32_t i;
    int64_t l;
    switch ((int)d) {
    case MC_BOOL:
        return *(const uint8_t *)p != 0;
    case MC_U8:
        return *(const uint8_t *)p;
    case MC_I8:
        return *(const int8_t *)p;
    case MC_I16:
        memcpy(&s, p, sizeof s);
        return s;
    case MC_I32:
        memcpy(&i, p, sizeof i);
        return i;
    case MC_I64:
        memcpy(&l, p, sizeof l);
        return l;
    }
    return 0;
}

ALWAYS_INLINE void store_int(char *p, mc_dtype d, int64_t v)
{
    int16_t s = (int16_t)v;
    int32_t i = (int32_t)v;
    switch ((int)d) {
    case MC_U8:
    case MC_I8:
        *(uint8_t *)p = (uint8_t)v;
        return;
    case MC_I16:
        memcpy(p, &s, sizeof s);
        return;
    case MC_I32:
        memcpy(p, &i, sizeof i);
        return;
    case MC_I64:
        memcpy(p, &v, sizeof v);
        return;
    }
}

ALWAYS_INLINE float small_to_f32(const char *p, mc_dtype d)
{
    uint16_t half;
    float f;
    if (is_f8(d))
        return d == MC_F8_E4M3 ? f8_e4m3_to_f32(*(const uint8_t *)p)
                               : f8_e5m2_to_f32(*(const uint8_t *)p);
    if (is_half(d)) {
        memcpy(&half, p, sizeof half);
        return d == MC_F16 ? f16_to_f32(half) : bf16_to_f32(half);
    }
    memcpy(&f, p, sizeof f);
    return f;
}

ALWAYS_INLINE void small_from_f32(char *p, float f, mc_dtype d)
{
    if (is_f8(d)) {
        *(uint8_t *)p = d == MC_F8_E4M3 ? f32_to_f8_e4m3(f) : f32_to_f8_e5m2(f);
    } else if (is_half(d)) {
        uint16_t half = d == MC_F16 ? f32_to_f16(f) : f32_to_bf16(f);
        memcpy(p, &half, sizeof half);
    } else {
        memcpy(p, &f, sizeof f);
    }
}

struct cast {
    mc_dtype to, from;
    bool cuda;
};

/* On cuda a NaN widened from f16 (and from e5m2, which passes through it) has all bits but the
 * sign. */
ALWAYS_INLINE float load_f32(const char *p, const struct cast *c)
{
    float f = small_to_f32(p, c->from);
    bool fixed = c->cuda && (c->from == MC_F16 || (c->from == MC_F8_E5M2 && !is_f8(c->to)));
    return fixed && f != f ? f32_from_bits(0x7fffffff) : f;
}

/* A NaN in a half: cuda has one pattern; the CPU's bf16 has another when it comes from a small
 * float. */
ALWAYS_INLINE void store_f32(char *p, const struct cast *c, float f)
{
    bool small = c->from != MC_F32 && c->from != MC_F64;
    if (f != f && c->cuda && is_half(c->to))
        memcpy(p, &(uint16_t){0x7fff}, 2);
    else if (f != f && small && c->to == MC_BF16)
        memcpy(p, &(uint16_t){0x7fc0}, 2);
    else
        small_from_f32(p, f, c->to);
}

/* cuda converts to 64 bits in one instruction and to narrower integers through a saturating 32. */
ALWAYS_INLINE int64_t to_int_cuda(double f, const struct cast *c)
{
    mc_dtype to = c->to;
    if (to == MC_I64)
        return f != f ? INT64_MIN : f64_to_i64_saturating(f);
    if (to == MC_I32 && f != f)
        return c->from == MC_F64 ? INT32_MIN : 0;
    if (to == MC_U8)
        return f != f ? 0 : f64_to_i64_saturating(f);
    return f != f ? 0 : f >= 0x1p31 ? INT32_MAX : f <= -0x1p31 ? INT32_MIN : (int32_t)f;
}

ALWAYS_INLINE int64_t to_int_cpu(double f, mc_dtype to)
{
    return to == MC_I64 || to == MC_U8 ? f64_to_i64(f) : f64_to_i32(f);
}

ALWAYS_INLINE void store_float(char *to, const struct cast *c, double wide, float narrow)
{
    if (c->to == MC_F64)
        memcpy(to, &wide, sizeof wide);
    else if (c->to == MC_BOOL)
        *(uint8_t *)to = wide != 0;
    else if (is_float(c->to))
        store_f32(to, c, narrow);
    else
        store_int(to, c->to, c->cuda ? to_int_cuda(wide, c) : to_int_cpu(wide, c->to));
}

ALWAYS_INLINE void cast_one(char *to, const char *from, const struct cast *c)
{
    if (c->from == MC_F64) {
        double d;
        memcpy(&d, from, sizeof d);
        store_float(to, c, d, (float)d);
    } else if (is_float(c->from)) {
        float f = load_f32(from, c);
        store_float(to, c, f, f);
    } else {
        int64_t i = load_int(from, c->from);
        if (c->to == MC_BOOL)
            *(uint8_t *)to = i != 0;
        else if (is_float(c->to))
            store_float(to, c, (double)i, (float)i);
        else
            store_int(to, c->to, i);
    }
}

/* A loop for each pair of dtypes. */
#define CAST_TO(TO, FROM)                                                                          \
    case TO:                                                                                       \
        for (int64_t i = 0; i < n; i++)                                                            \
            cast_one(data[0] + i * stride[0], data[1] + i * stride[1],                             \
                     &(struct cast){TO, FROM, cuda});                                              \
        return;

#define CAST_FROM(FROM)                                                                            \
    static void from_##FROM(char *const *data, const int64_t *stride, int64_t n, const void *ctx)  \
    {                                                                                              \
        const bool cuda = ((const struct cast *)ctx)->cuda;                                        \
        switch ((int)((const struct cast *)ctx)->to) {                                             \
            CAST_TO(MC_BOOL, FROM)                                                                 \
            CAST_TO(MC_U8, FROM)                                                                   \
            CAST_TO(MC_I8, FROM)                                                                   \
            CAST_TO(MC_I16, FROM)                                                                  \
            CAST_TO(MC_I32, FROM)                                                                  \
            CAST_TO(MC_I64, FROM)                                                                  \
            CAST_TO(MC_F16, FROM)                                                                  \
            CAST_TO(MC_BF16, FROM)                                                                 \
            CAST_TO(MC_F32, FROM)                                                                  \
            CAST_TO(MC_F64, FROM)                                                                  \
            CAST_TO(MC_F8_E4M3, FROM)                                                              \
            CAST_TO(MC_F8_E5M2, FROM)                                                              \
        }                                                                                          \
    }

/* clang-format off */
CAST_FROM(MC_BOOL) CAST_FROM(MC_U8) CAST_FROM(MC_I8) CAST_FROM(MC_I16) CAST_FROM(MC_I32)
CAST_FROM(MC_I64) CAST_FROM(MC_F16) CAST_FROM(MC_BF16) CAST_FROM(MC_F32) CAST_FROM(MC_F64)
CAST_FROM(MC_F8_E4M3) CAST_FROM(MC_F8_E5M2)

static const inner_fn from_any[MC_DTYPE_COUNT] = {
    [MC_BOOL] = from_MC_BOOL, [MC_U8] = from_MC_U8, [MC_I8] = from_MC_I8, [MC_I16] = from_MC_I16,
    [MC_I32] = from_MC_I32, [MC_I64] = from_MC_I64, [MC_F16] = from_MC_F16,
    [MC_BF16] = from_MC_BF16, [MC_F32] = from_MC_F32, [MC_F64] = from_MC_F64,
    [MC_F8_E4M3] = from_MC_F8_E4M3, [MC_F8_E5M2] = from_MC_F8_E5M2,
};
/* clang-format on */

static void inner_any(char *const *data, const int64_t *stride, int64_t n, const void *ctx)
{
    from_any[((const struct cast *)ctx)->from](data, stride, n, ctx);
}

/* ---- the frequent pairs ------------------------------------------------------------------- */

#define CONTIGUOUS(T, F) (stride[0] == sizeof(T) && stride[1] == sizeof(F))

#define FAST_CAST(name, T, F, block)                                                               \
    static void name(char *const *data, const int64_t *stride, int64_t n, const void *ctx)         \
    {                                                                                              \
        if (CONTIGUOUS(T, F))                                                                      \
            block((T *)data[0], (const F *)data[1], n);                                            \
        else                                                                                       \
            inner_any(data, stride, n, ctx);                                                       \
    }

#define PLAIN_BLOCK(name, T, F)                                                                    \
    static void name(T *restrict to, const F *restrict from, int64_t n)                            \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            to[i] = (T)from[i];                                                                    \
    }

PLAIN_BLOCK(block_f64_to_f32, float, double)
PLAIN_BLOCK(block_f32_to_f64, double, float)
PLAIN_BLOCK(block_i64_to_f32, float, int64_t)
PLAIN_BLOCK(block_i32_to_f32, float, int32_t)
PLAIN_BLOCK(block_i32_to_i64, int64_t, int32_t)
PLAIN_BLOCK(block_i64_to_i32, int32_t, int64_t)

static void block_bool_to_f32(float *restrict to, const uint8_t *restrict from, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = from[i] != 0 ? 1.0f : 0.0f;
}

FAST_CAST(inner_f16_f32, float, uint16_t, block_f16_to_f32)
FAST_CAST(inner_bf16_f32, float, uint16_t, block_bf16_to_f32)
FAST_CAST(inner_f32_f16, uint16_t, float, block_f32_to_f16)
FAST_CAST(inner_f32_bf16, uint16_t, float, block_f32_to_bf16)
FAST_CAST(inner_f64_f32, float, double, block_f64_to_f32)
FAST_CAST(inner_f32_f64, double, float, block_f32_to_f64)
FAST_CAST(inner_i64_f32, float, int64_t, block_i64_to_f32)
FAST_CAST(inner_i32_f32, float, int32_t, block_i32_to_f32)
FAST_CAST(inner_i32_i64, int64_t, int32_t, block_i32_to_i64)
FAST_CAST(inner_i64_i32, int32_t, int64_t, block_i64_to_i32)
FAST_CAST(inner_bool_f32, float, uint8_t, block_bool_to_f32)

/* On cuda a NaN in f16 or bf16 has other bits: those pairs are fast on the CPU alone. */
static const struct {
    mc_dtype to, from;
    inner_fn inner;
    bool cuda_too;
} fast[] = {
    /* clang-format off */
    {MC_F32, MC_F16, inner_f16_f32, false},   {MC_F32, MC_BF16, inner_bf16_f32, true},
    {MC_F16, MC_F32, inner_f32_f16, false},  {MC_BF16, MC_F32, inner_f32_bf16, false},
    {MC_F32, MC_F64, inner_f64_f32, true},   {MC_F64, MC_F32, inner_f32_f64, true},
    {MC_F32, MC_I64, inner_i64_f32, true},   {MC_F32, MC_I32, inner_i32_f32, true},
    {MC_I64, MC_I32, inner_i32_i64, true},   {MC_I32, MC_I64, inner_i64_i32, true},
    {MC_F32, MC_BOOL, inner_bool_f32, true},
    /* clang-format on */
};

/* ---- same dtype: bytes are moved ----------------------------------------------------------- */

#define COPY_BYTES(T)                                                                              \
    static void copy_##T(char *const *data, const int64_t *stride, int64_t n, const void *ctx)     \
    {                                                                                              \
        (void)ctx;                                                                                 \
        if (CONTIGUOUS(T, T))                                                                      \
            memmove(data[0], data[1], (size_t)n * sizeof(T));                                      \
        else                                                                                       \
            for (int64_t i = 0; i < n; i++)                                                        \
                memcpy(data[0] + i * stride[0], data[1] + i * stride[1], sizeof(T));               \
    }

COPY_BYTES(uint8_t)
COPY_BYTES(uint16_t)
COPY_BYTES(uint32_t)
COPY_BYTES(uint64_t)

static inner_fn copy_of_size(size_t size)
{
    return size == 1   ? copy_uint8_t
           : size == 2 ? copy_uint16_t
           : size == 4 ? copy_uint32_t
                       : copy_uint64_t;
}

static inner_fn choose(const struct cast *c)
{
    if (c->to == c->from)
        return copy_of_size(dtype_size(c->to));
    for (size_t i = 0; i < sizeof fast / sizeof *fast; i++)
        if (fast[i].to == c->to && fast[i].from == c->from && (fast[i].cuda_too || !c->cuda))
            return fast[i].inner;
    return inner_any;
}

void cpu_cast(mc_dtype to, mc_dtype from, const struct loop *loop, bool cuda)
{
    struct cast c = {to, from, cuda};
    loop_run(loop, choose(&c), &c);
}

/* ---- fill --------------------------------------------------------------------------------- */

void number_to_bytes(mc_arg value, mc_dtype dtype, void *bytes)
{
    bool real = value.kind == MC_ARG_FLOAT;
    struct cast c = {.to = dtype, .from = real ? MC_F64 : MC_I64};
    cast_one(bytes, real ? (const char *)&value.as.f : (const char *)&value.as.i, &c);
}

void cpu_fill(mc_dtype dtype, const struct loop *loop, mc_arg value)
{
    struct loop l = *loop;
    l.count = 2;
    l.data[1] = NULL;
    number_to_bytes(value, dtype, &l.number[1]);
    memset(l.stride[1], 0, sizeof l.stride[1]);
    loop_run(&l, copy_of_size(dtype_size(dtype)), NULL);
}
