/* Matrices of any dtype and layout on their way to OpenBLAS: rows are converted to f32 and back,
 * and what it cannot read in place is packed. Part of the CPU's matrix products. */
#include "runtime/kernels/matmul_cpu.h"

#include <limits.h>

#include "runtime/kernels/convert.h"

#ifdef __ARM_NEON
#include <arm_neon.h>
#endif

/* ---- matrices ------------------------------------------------------------------------------ */

int64_t matrix_count(const struct view *v)
{
    int64_t count = 1;
    for (int i = 0; i < v->ndim - 2; i++)
        count *= v->shape[i];
    return count;
}

struct matrix matrix_at(const struct view *v, int64_t index)
{
    int64_t offset = 0;
    for (int i = v->ndim - 3; i >= 0; i--) {
        offset += index % v->shape[i] * v->stride[i];
        index /= v->shape[i];
    }
    return (struct matrix){
        .dtype = v->dtype,
        .data = v->data + offset * (int64_t)dtype_size(v->dtype),
        .rows = v->shape[v->ndim - 2],
        .cols = v->shape[v->ndim - 1],
        .row_step = v->stride[v->ndim - 2],
        .col_step = v->stride[v->ndim - 1],
    };
}

struct matrix matrix_part(struct matrix x, int64_t row, int64_t rows, int64_t col, int64_t cols)
{
    x.data += (row * x.row_step + col * x.col_step) * (int64_t)dtype_size(x.dtype);
    x.rows = rows;
    x.cols = cols;
    return x;
}

struct matrix matrix_transposed(struct matrix x)
{
    struct matrix t = x;
    t.rows = x.cols;
    t.cols = x.rows;
    t.row_step = x.col_step;
    t.col_step = x.row_step;
    return t;
}

/* ---- rows ----------------------------------------------------------------------------------- */

typedef void load_fn(const char *from, int64_t step, int64_t n, void *to);
typedef void store_fn(const void *from, int64_t n, char *to);

/* Loops with unit stride are separate, so that they vectorise. */
#define LOAD(name, type, result, convert)                                                          \
    static void name(const char *from, int64_t step, int64_t n, void *to)                          \
    {                                                                                              \
        const type *restrict x = (const type *)from;                                               \
        result *restrict y = to;                                                                   \
        if (step == 1)                                                                             \
            for (int64_t i = 0; i < n; i++)                                                        \
                y[i] = convert(x[i]);                                                              \
        else                                                                                       \
            for (int64_t i = 0; i < n; i++)                                                        \
                y[i] = convert(x[i * step]);                                                       \
    }
#define STORE(name, result, type, convert)                                                         \
    static void name(const void *from, int64_t n, char *to)                                        \
    {                                                                                              \
        const type *restrict x = from;                                                             \
        result *restrict y = (result *)to;                                                         \
        for (int64_t i = 0; i < n; i++)                                                            \
            y[i] = convert(x[i]);                                                                  \
    }

LOAD(load_f16_any, uint16_t, float, f16_to_f32)
LOAD(load_bf16, uint16_t, float, bf16_to_f32)
LOAD(load_f32, float, float, )
LOAD(load_f64, double, double, )
LOAD(load_f8_e4m3, uint8_t, float, f8_e4m3_to_f32)
LOAD(load_f8_e5m2, uint8_t, float, f8_e5m2_to_f32)
STORE(store_f16_any, uint16_t, float, f32_to_f16)
STORE(store_bf16, uint16_t, float, f32_to_bf16)
STORE(store_f32, float, float, )
STORE(store_f64, double, double, )
STORE(store_f8_e4m3, uint8_t, float, f32_to_f8_e4m3)
STORE(store_f8_e5m2, uint8_t, float, f32_to_f8_e5m2)

#if defined(__ARM_NEON) && defined(__aarch64__)
/* The machine's own conversions round the same way and keep NaN payloads the same way. */
static void load_f16(const char *from, int64_t step, int64_t n, void *to)
{
    int64_t i = 0;
    if (step == 1)
        for (; i + 8 <= n; i += 8) {
            float16x8_t half = vreinterpretq_f16_u16(vld1q_u16((const uint16_t *)from + i));
            vst1q_f32((float *)to + i, vcvt_f32_f16(vget_low_f16(half)));
            vst1q_f32((float *)to + i + 4, vcvt_high_f32_f16(half));
        }
    load_f16_any(from + i * step * 2, step, n - i, (float *)to + i);
}

static void store_f16(const void *from, int64_t n, char *to)
{
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        float16x4_t low = vcvt_f16_f32(vld1q_f32((const float *)from + i));
        float16x8_t half = vcvt_high_f16_f32(low, vld1q_f32((const float *)from + i + 4));
        vst1q_u16((uint16_t *)to + i, vreinterpretq_u16_f16(half));
    }
    store_f16_any((const float *)from + i, n - i, to + i * 2);
}
#else
#define load_f16  load_f16_any
#define store_f16 store_f16_any
#endif

static const struct {
    load_fn *load;
    store_fn *store;
} rows[MC_DTYPE_COUNT] = {
    [MC_F16] = {load_f16, store_f16},
    [MC_BF16] = {load_bf16, store_bf16},
    [MC_F32] = {load_f32, store_f32},
    [MC_F64] = {load_f64, store_f64},
    [MC_F8_E4M3] = {load_f8_e4m3, store_f8_e4m3},
    [MC_F8_E5M2] = {load_f8_e5m2, store_f8_e5m2},
};

void row_load(mc_dtype dtype, const char *from, int64_t step, int64_t n, void *to)
{
    rows[dtype].load(from, step, n, to);
}

void row_store(mc_dtype dtype, const void *from, int64_t n, char *to)
{
    rows[dtype].store(from, n, to);
}

/* ---- panels --------------------------------------------------------------------------------- */

/* Rows that are worth a thread's while to convert. */
static int64_t row_grain(int64_t cols)
{
    return most(1, (1 << 16) / most(cols, 1));
}

/* How OpenBLAS would read lines of elements side by side, one line after the other: the distance of
 * lines, or 0 where it cannot. A step between one element and nothing says nothing. */
static int line_step(int64_t lines, int64_t step, int64_t elements, int64_t element_step)
{
    if (elements > 1 && element_step != 1)
        return 0;
    if (lines <= 1)
        return (int)least(most(elements, 1), INT_MAX);
    return step >= most(elements, 1) && step <= INT_MAX ? (int)step : 0;
}

static int row_ld(const struct matrix *x)
{
    return line_step(x->rows, x->row_step, x->cols, x->col_step);
}

static int col_ld(const struct matrix *x)
{
    return line_step(x->cols, x->col_step, x->rows, x->row_step);
}

bool panel_in_place(const struct matrix *x)
{
    return (x->dtype == MC_F32 || x->dtype == MC_F64) && (row_ld(x) || col_ld(x));
}

struct conversion {
    struct matrix x;
    char *dense;
};

static void load_pieces(int64_t begin, int64_t end, void *ctx)
{
    const struct conversion *v = ctx;
    int64_t step = v->x.row_step * (int64_t)dtype_size(v->x.dtype);
    int64_t width = v->x.cols * (int64_t)compute_size(v->x.dtype);
    for (int64_t i = begin; i < end; i++)
        row_load(v->x.dtype, v->x.data + i * step, v->x.col_step, v->x.cols, v->dense + i * width);
}

static void store_pieces(int64_t begin, int64_t end, void *ctx)
{
    const struct conversion *v = ctx;
    int64_t step = v->x.row_step * (int64_t)dtype_size(v->x.dtype);
    int64_t width = v->x.cols * (int64_t)compute_size(v->x.dtype);
    for (int64_t i = begin; i < end; i++)
        row_store(v->x.dtype, v->dense + i * width, v->x.cols, v->x.data + i * step);
}

void rows_load(struct matrix x, void *to)
{
    struct conversion v = {.x = x, .dense = to};
    parallel_for(x.rows, row_grain(x.cols), load_pieces, &v);
}

void rows_store(struct matrix x, void *from)
{
    struct conversion v = {.x = x, .dense = from};
    parallel_for(x.rows, row_grain(x.cols), store_pieces, &v);
}

/* Packed along the smaller step, which reads memory in order. */
struct panel panel_of(struct matrix x, void *room)
{
    bool blas_reads = x.dtype == MC_F32 || x.dtype == MC_F64;
    if (blas_reads && row_ld(&x))
        return (struct panel){x.data, row_ld(&x), false};
    if (blas_reads && col_ld(&x))
        return (struct panel){x.data, col_ld(&x), true};
    bool transposed = x.cols == 1 || (x.rows > 1 && x.row_step < x.col_step);
    rows_load(transposed ? matrix_transposed(x) : x, room);
    return (struct panel){room, (int)(transposed ? x.rows : x.cols), transposed};
}

/* ---- room ----------------------------------------------------------------------------------- */

bool room_take(struct room *room, int64_t count, size_t size)
{
    size_t nbytes;
    *room = (struct room){0};
    if (count == 0)
        return true;
    if (__builtin_mul_overflow((size_t)count, size, &nbytes))
        return false;
    room->bytes = memory_alloc(nbytes, &room->capacity);
    return room->bytes != NULL;
}

void room_give(struct room *room)
{
    if (room->bytes)
        memory_free(room->bytes, room->capacity);
}
