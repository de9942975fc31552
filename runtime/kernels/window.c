/* Windows over planes on the CPU: unfolding for convolution, pooling, nearest-neighbour scaling. In
 * come contiguous planes of one dtype, out go planes of the same dtype. */
#include "runtime/kernels/layer_cpu.h"

#include <math.h>
#include <string.h>

/* ---- unfold ------------------------------------------------------------------------------- */

struct unfold_job {
    const struct window *w;
    const char *in;
    char *out;
    size_t size; /* of an element */
    int64_t height, width, out_height, out_width;
};

/* to[i] = from[AT] for i < n, AT an expression of i, elements of a size moved as integers. */
#define COPY_AS(T, AT)                                                                             \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            ((T *)to)[i] = ((const T *)from)[AT];                                                  \
        break;                                                                                     \
    }
#define COPY_ELEMENTS(size, AT)                                                                    \
    switch (size) {                                                                                \
    case 1:                                                                                        \
        COPY_AS(uint8_t, AT)                                                                       \
    case 2:                                                                                        \
        COPY_AS(uint16_t, AT)                                                                      \
    case 4:                                                                                        \
        COPY_AS(uint32_t, AT)                                                                      \
    case 8:                                                                                        \
        COPY_AS(uint64_t, AT)                                                                      \
    }

/* n elements, step apart. */
static void copy_step(char *to, const char *from, int64_t n, int64_t step, size_t size)
{
    if (step == 1)
        memcpy(to, from, (size_t)n * size);
    else
        COPY_ELEMENTS(size, i * step)
}

/* One line of output: positions 0 … out_width of the window's column, which is at first for
 * position 0. Those left and right of the input are zeros. */
static void unfold_line(const struct unfold_job *j, char *to, const char *line, int64_t first)
{
    int64_t step = j->w->stride[1], size = (int64_t)j->size;
    int64_t begin = first < 0 ? (-first + step - 1) / step : 0;
    int64_t end = first < j->width ? (j->width - 1 - first) / step + 1 : 0;
    end = end < j->out_width ? end : j->out_width;
    begin = begin < end ? begin : end;
    memset(to, 0, (size_t)(begin * size));
    if (begin < end)
        copy_step(to + begin * size, line + (first + begin * step) * size, end - begin, step,
                  j->size);
    memset(to + end * size, 0, (size_t)((j->out_width - end) * size));
}

/* One element of the window in one channel of one sample, at every position: one output plane. */
static void unfold_plane(const struct unfold_job *j, int64_t index)
{
    const struct window *w = j->w;
    size_t line_bytes = (size_t)j->out_width * j->size;
    char *to = j->out + (size_t)index * (size_t)j->out_height * line_bytes;
    int64_t area = w->size[0] * w->size[1], at = index % area;
    const char *plane = j->in + (size_t)(index / area * j->height * j->width) * j->size;
    int64_t y = at / w->size[1] * w->dilation[0] - w->padding[0];
    int64_t x = at % w->size[1] * w->dilation[1] - w->padding[1];
    for (int64_t oy = 0; oy < j->out_height; oy++, y += w->stride[0], to += line_bytes) {
        if (y < 0 || y >= j->height)
            memset(to, 0, line_bytes);
        else
            unfold_line(j, to, plane + (size_t)(y * j->width) * j->size, x);
    }
}

static void unfold_planes(int64_t begin, int64_t end, void *ctx)
{
    for (int64_t i = begin; i < end; i++)
        unfold_plane(ctx, i);
}

void unfold_cpu(const struct view *out, const struct view *in, const struct window *w)
{
    struct unfold_job job = {.w = w,
                             .in = in->data,
                             .out = out->data,
                             .size = dtype_size(in->dtype),
                             .height = in->shape[2],
                             .width = in->shape[3],
                             .out_height = out->shape[2],
                             .out_width = out->shape[3]};
    parallel_for(out->shape[0] * out->shape[1], layer_grain(job.out_height * job.out_width),
                 unfold_planes, &job);
}

/* ---- pooling ------------------------------------------------------------------------------ */

/* The part of a plane under a window: lines y … y_end, elements x … x_end of each, none empty. */
struct box {
    int64_t width; /* of the plane */
    int64_t y, y_end, x, x_end;
    int64_t count; /* what an average divides by; padding may count */
};

/* A NaN differs from itself, so it is the maximum. */
#define MAX_OF_BOX(T, name)                                                                        \
    static T max_##name(const T *plane, const struct box *b)                                       \
    {                                                                                              \
        T best = plane[b->y * b->width + b->x];                                                    \
        for (int64_t y = b->y; y < b->y_end; y++)                                                  \
            for (int64_t x = b->x; x < b->x_end; x++) {                                            \
                T v = plane[y * b->width + x];                                                     \
                best = v > best || v != v ? v : best;                                              \
            }                                                                                      \
        return best;                                                                               \
    }

/* SUM is wide enough, or wraps. */
#define MEAN_OF_BOX(T, SUM, name)                                                                  \
    static T mean_##name(const T *plane, const struct box *b)                                      \
    {                                                                                              \
        SUM sum = 0;                                                                               \
        for (int64_t y = b->y; y < b->y_end; y++)                                                  \
            for (int64_t x = b->x; x < b->x_end; x++)                                              \
                sum += (SUM)plane[y * b->width + x];                                               \
        return (T)sum / (T)b->count;                                                               \
    }

struct pool_job {
    const struct view *in, *out;
    const struct window *w; /* NULL: adaptive */
};

struct span window_span(const struct window *w, int axis, int64_t size, int64_t out, int64_t at)
{
    if (!w) {
        struct span s = {.begin = at * size / out, .end = ((at + 1) * size + out - 1) / out};
        s.count = s.end - s.begin;
        return s;
    }
    int64_t begin = at * w->stride[axis] - w->padding[axis];
    int64_t end = begin + w->size[axis];
    struct span s = {begin, end, end - begin};
    s.begin = begin < 0 ? 0 : begin;
    s.end = end < size ? end : size;
    return s;
}

static struct span span_at(const struct pool_job *j, int axis, int64_t at)
{
    return window_span(j->w, axis, j->in->shape[1 + axis], j->out->shape[1 + axis], at);
}

#define POOL_PLANE(T, way, name)                                                                   \
    static void way##_plane_##name(const struct pool_job *j, int64_t plane)                        \
    {                                                                                              \
        const int64_t *size = j->in->shape, *out = j->out->shape;                                  \
        const T *from = (const T *)j->in->data + plane * size[1] * size[2];                        \
        T *to = (T *)j->out->data + plane * out[1] * out[2];                                       \
        for (int64_t oy = 0; oy < out[1]; oy++) {                                                  \
            struct span y = span_at(j, 0, oy);                                                     \
            for (int64_t ox = 0; ox < out[2]; ox++) {                                              \
                struct span x = span_at(j, 1, ox);                                                 \
                struct box b = {size[2], y.begin, y.end, x.begin, x.end, y.count * x.count};       \
                *to++ = way##_##name(from, &b);                                                    \
            }                                                                                      \
        }                                                                                          \
    }

/* clang-format off */
#define POOL_MAX(T, name)       MAX_OF_BOX(T, name)       POOL_PLANE(T, max, name)
#define POOL_MEAN(T, SUM, name) MEAN_OF_BOX(T, SUM, name) POOL_PLANE(T, mean, name)

POOL_MAX(uint8_t, u8)
POOL_MAX(int8_t,  i8)
POOL_MAX(int16_t, i16)
POOL_MAX(int32_t, i32)
POOL_MAX(int64_t, i64)
POOL_MAX(float,   f32)
POOL_MAX(double,  f64)
POOL_MEAN(int64_t, uint64_t, i64)
POOL_MEAN(float,   float,    f32)
POOL_MEAN(double,  double,   f64)

typedef void pool_plane(const struct pool_job *job, int64_t plane);

static pool_plane *const pool_planes[][MC_DTYPE_COUNT] = {
    [POOLING_MAX] = {[MC_U8]  = max_plane_u8,  [MC_I8]  = max_plane_i8,  [MC_I16] = max_plane_i16,
                     [MC_I32] = max_plane_i32, [MC_I64] = max_plane_i64, [MC_F32] = max_plane_f32,
                     [MC_F64] = max_plane_f64},
    [POOLING_AVG] = {[MC_I64] = mean_plane_i64, [MC_F32] = mean_plane_f32,
                     [MC_F64] = mean_plane_f64},
};
/* clang-format on */

struct pool_work {
    struct pool_job job;
    pool_plane *plane;
};

static void pool_some(int64_t begin, int64_t end, void *ctx)
{
    const struct pool_work *work = ctx;
    for (int64_t i = begin; i < end; i++)
        work->plane(&work->job, i);
}

void pool_cpu(enum pooling kind, const struct view *out, const struct view *in,
              const struct window *w)
{
    struct pool_work work = {{in, out, w}, pool_planes[kind][in->dtype]};
    if (!work.plane)
        BUG("no pooling of %s", dtype_name(in->dtype));
    parallel_for(in->shape[0], layer_grain(in->shape[1] * in->shape[2]), pool_some, &work);
}

void adaptive_avg_pool_cpu(const struct view *out, const struct view *in)
{
    pool_cpu(POOLING_AVG, out, in, NULL);
}

/* ---- nearest neighbour --------------------------------------------------------------------- */

enum { COLUMNS = 512 }; /* whose positions are computed at once */

struct nearest_job {
    const struct view *in, *out;
    const float *step;
    size_t size;
};

/* In f32, as PyTorch does, except for the two ratios that need no rounding. */
int64_t nearest_at(int64_t at, int64_t size, int64_t out, float step)
{
    if (out == size)
        return at;
    if (out == 2 * size)
        return at / 2;
    float from = floorf((float)at * step);
    return from < (float)(size - 1) ? (int64_t)from : size - 1;
}

static void copy_listed(char *to, const char *from, int64_t n, const int64_t *at, size_t size)
{
    COPY_ELEMENTS(size, at[i])
}

/* Columns x … x + n of the lines begin … end, counted over all planes. */
static void nearest_columns(const struct nearest_job *j, int64_t begin, int64_t end, int64_t x,
                            int64_t n)
{
    const int64_t *in = j->in->shape, *out = j->out->shape;
    int64_t at[COLUMNS];
    for (int64_t i = 0; i < n; i++)
        at[i] = nearest_at(x + i, in[2], out[2], j->step[1]);
    for (int64_t i = begin; i < end; i++) {
        int64_t y = i / out[1] * in[1] + nearest_at(i % out[1], in[1], out[1], j->step[0]);
        copy_listed(j->out->data + (size_t)(i * out[2] + x) * j->size,
                    j->in->data + (size_t)(y * in[2]) * j->size, n, at, j->size);
    }
}

static void nearest_lines(int64_t begin, int64_t end, void *ctx)
{
    const struct nearest_job *j = ctx;
    int64_t width = j->out->shape[2];
    for (int64_t x = 0; x < width; x += COLUMNS)
        nearest_columns(j, begin, end, x, width - x < COLUMNS ? width - x : COLUMNS);
}

void nearest_cpu(const struct view *out, const struct view *in, const float step[2])
{
    struct nearest_job job = {in, out, step, dtype_size(in->dtype)};
    parallel_for(out->shape[0] * out->shape[1], layer_grain(out->shape[2]), nearest_lines, &job);
}
