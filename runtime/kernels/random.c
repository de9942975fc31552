/* Random numbers on the CPU: the generator, and what is made of its bits element by element.
 * Numbers are made a chunk at a time into a small buffer and shaped from there in loops that
 * vectorise.
 *
 * The arithmetic is plain (normal.h), so that the same seed gives the same bits with every compiler
 * and C library. */
#include "runtime/core/core.h"
#include "runtime/kernels/random.h"

#include <math.h>
#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF /* gcc does not contract in ISO mode */
#endif
#include "runtime/kernels/normal.h" /* after the pragma, which is for it too */

/* ---- Philox 4x32-10 ----------------------------------------------------------------------- */

enum { ROUNDS = 10, LANES = 64 };
#define MULTIPLIER_0 0xD2511F53u
#define MULTIPLIER_1 0xCD9E8D57u
#define WEYL_0       0x9E3779B9u
#define WEYL_1       0xBB67AE85u

/* LANES blocks at once, word by word in arrays of their own: each round is a loop that vectorises.
 */
static void philox_lanes(uint64_t seed, uint64_t first, uint32_t *restrict out)
{
    uint32_t c0[LANES], c1[LANES], c2[LANES] = {0}, c3[LANES] = {0};
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int l = 0; l < LANES; l++) {
        c0[l] = (uint32_t)(first + (uint64_t)l);
        c1[l] = (uint32_t)((first + (uint64_t)l) >> 32);
    }
    for (int r = 0; r < ROUNDS; r++, k0 += WEYL_0, k1 += WEYL_1)
        for (int l = 0; l < LANES; l++) {
            uint64_t p0 = (uint64_t)MULTIPLIER_0 * c0[l], p1 = (uint64_t)MULTIPLIER_1 * c2[l];
            c0[l] = (uint32_t)(p1 >> 32) ^ c1[l] ^ k0;
            c2[l] = (uint32_t)(p0 >> 32) ^ c3[l] ^ k1;
            c1[l] = (uint32_t)p1;
            c3[l] = (uint32_t)p0;
        }
    for (int l = 0; l < LANES; l++) {
        out[4 * l] = c0[l];
        out[4 * l + 1] = c1[l];
        out[4 * l + 2] = c2[l];
        out[4 * l + 3] = c3[l];
    }
}

void philox_fill(uint64_t seed, uint64_t first, uint32_t *out, int64_t blocks)
{
    uint32_t last[4 * LANES];
    for (; blocks >= LANES; blocks -= LANES, first += LANES, out += 4 * LANES)
        philox_lanes(seed, first, out);
    if (blocks > 0) {
        philox_lanes(seed, first, last);
        memcpy(out, last, (size_t)blocks * 4 * sizeof *out);
    }
}

/* ---- chunks ------------------------------------------------------------------------------- */

enum { CHUNK_BLOCKS = 256, CHUNK = 4 * CHUNK_BLOCKS, GRAIN_CHUNKS = 16 };

struct draw {
    struct rng rng;
    int64_t numel;
    int width; /* 32-bit numbers an element takes */
    char *out;
    const char *in;
    double a, b; /* low and high, mean and std, or a probability */
    int bits;
    int64_t low;
    uint64_t range;
    bool to_ends; /* struct rng: ends */
    uint32_t least;
    atomic_bool bad;
    /* Shapes n elements from position `at` on; numbers holds the n · width of them, and is whole
     * blocks. */
    void (*shape)(struct draw *d, const uint32_t *numbers, int64_t at, int64_t n);
};

/* Of a normal distribution one value in 16,000 is farther than 4 deviations from its mean: the
 * first number of a pair that gives that. */
#define FAR_OUT 1440810u

/* Every eighth number becomes the least one, every eighth the greatest: those of which the lowest
 * bits, which no value in f32 is made of, say so. */
static void push_to_ends(uint32_t *numbers, int64_t n, uint32_t least)
{
    for (int64_t i = 0; i < n; i++) {
        uint32_t which = numbers[i] & 7;
        numbers[i] = which == 0 ? least : which == 1 ? UINT32_MAX : numbers[i];
    }
}

static void draw_chunks(int64_t begin, int64_t end, void *ctx)
{
    struct draw *d = ctx;
    uint32_t numbers[CHUNK];
    int64_t each = CHUNK / d->width;
    for (int64_t c = begin; c < end; c++) {
        int64_t at = c * each, n = d->numel - at < each ? d->numel - at : each;
        philox_fill(d->rng.seed, d->rng.counter + (uint64_t)c * CHUNK_BLOCKS, numbers,
                    (int64_t)random_blocks(n, d->width));
        if (d->to_ends)
            push_to_ends(numbers, n * d->width, d->least);
        d->shape(d, numbers, at, n);
    }
}

static void draw_all(struct draw *d)
{
    int64_t each = CHUNK / d->width;
    parallel_for(d->numel / each + (d->numel % each != 0), GRAIN_CHUNKS, draw_chunks, d);
}

/* Two 32-bit numbers as one. */
static inline uint64_t wide(const uint32_t *numbers, int64_t i)
{
    return (uint64_t)numbers[2 * i + 1] << 32 | numbers[2 * i];
}

static inline double unit_f64(uint64_t r)
{
    return (double)(int64_t)(r >> 11) * 0x1p-53;
}

/* ---- uniform ------------------------------------------------------------------------------ */

/* A sum that rounds up to high is turned back to low. */
static void shape_uniform_f32(struct draw *d, const uint32_t *numbers, int64_t at, int64_t n)
{
    float *out = (float *)d->out + at;
    const float low = (float)d->a, high = (float)d->b, width = (float)(d->b - d->a);
    const float unit = (float)ldexp(1, -d->bits);
    const int shift = 32 - d->bits;
    for (int64_t i = 0; i < n; i++) {
        float v = low + (float)(int32_t)(numbers[i] >> shift) * unit * width;
        out[i] = v < high ? v : low;
    }
}

static void shape_uniform_f64(struct draw *d, const uint32_t *numbers, int64_t at, int64_t n)
{
    double *out = (double *)d->out + at;
    for (int64_t i = 0; i < n; i++) {
        double v = d->a + unit_f64(wide(numbers, i)) * (d->b - d->a);
        out[i] = v < d->b ? v : d->a;
    }
}

static void cpu_uniform(const struct view *out, double low, double high, int bits, struct rng rng)
{
    bool f64 = out->dtype == MC_F64;
    struct draw d = {.rng = rng, .numel = out->numel, .width = f64 ? 2 : 1, .out = out->data};
    d.a = low;
    d.b = high;
    d.bits = bits;
    d.shape = f64 ? shape_uniform_f64 : shape_uniform_f32;
    d.to_ends = rng.ends;
    draw_all(&d);
}

/* ---- normal ------------------------------------------------------------------------------- */

double random_log(double u)
{
    return log_f64(u);
}

/* Elements 2i and 2i + 1 are a pair; a last one alone leaves its partner out. u is never 0. */
static void shape_normal_f32(struct draw *d, const uint32_t *numbers, int64_t at, int64_t n)
{
    float pair[CHUNK], *out = (float *)d->out + at;
    const float mean = (float)d->a, std = (float)d->b;
    for (int64_t i = 0; i < (n + 1) / 2; i++) {
        float u = ((float)(int32_t)(numbers[2 * i] >> 8) + 0.5f) * 0x1p-24f;
        float v = (float)(int32_t)(numbers[2 * i + 1] >> 8) * 0x1p-24f;
        float cosine, sine, radius = sqrtf(-2 * log_f32(u));
        turn_f32(v, &cosine, &sine);
        pair[2 * i] = radius * cosine;
        pair[2 * i + 1] = radius * sine;
    }
    for (int64_t i = 0; i < n; i++)
        out[i] = pair[i] * std + mean;
}

static void shape_normal_f64(struct draw *d, const uint32_t *numbers, int64_t at, int64_t n)
{
    double pair[CHUNK / 2], *out = (double *)d->out + at;
    const double mean = d->a, std = d->b;
    for (int64_t i = 0; i < (n + 1) / 2; i++) {
        double u = unit_f64(wide(numbers, 2 * i)) + 0x1p-54, v = unit_f64(wide(numbers, 2 * i + 1));
        double cosine, sine, radius = sqrt(-2 * log_f64(u));
        turn_f64(v, &cosine, &sine);
        pair[2 * i] = radius * cosine;
        pair[2 * i + 1] = radius * sine;
    }
    for (int64_t i = 0; i < n; i++)
        out[i] = pair[i] * std + mean;
}

static void cpu_normal(const struct view *out, double mean, double std, struct rng rng)
{
    bool f64 = out->dtype == MC_F64;
    struct draw d = {.rng = rng, .numel = out->numel, .width = f64 ? 2 : 1, .out = out->data};
    d.a = mean;
    d.b = std;
    d.shape = f64 ? shape_normal_f64 : shape_normal_f32;
    d.least = FAR_OUT;
    d.to_ends = rng.ends;
    draw_all(&d);
}

/* ---- integers ----------------------------------------------------------------------------- */

/* The high half of a 64 by 64 bit product. */
static inline uint64_t multiply_high(uint64_t a, uint64_t b)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (uint32_t)middle;
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* A random number of 32 or 64 bits, read as a fraction of 1, times range. */
#define SHAPE_INTEGERS(T)                                                                          \
    static void integers_##T(struct draw *d, const uint32_t *numbers, int64_t at, int64_t n)       \
    {                                                                                              \
        T *out = (T *)d->out + at;                                                                 \
        const uint64_t low = (uint64_t)d->low, range = d->range;                                   \
        if (d->width == 1)                                                                         \
            for (int64_t i = 0; i < n; i++)                                                        \
                out[i] = (T)(int64_t)(low + (numbers[i] * range >> 32));                           \
        else                                                                                       \
            for (int64_t i = 0; i < n; i++)                                                        \
                out[i] = (T)(int64_t)(low + multiply_high(wide(numbers, i), range));               \
    }

SHAPE_INTEGERS(bool)
SHAPE_INTEGERS(uint8_t)
SHAPE_INTEGERS(int8_t)
SHAPE_INTEGERS(int16_t)
SHAPE_INTEGERS(int32_t)
SHAPE_INTEGERS(int64_t)
SHAPE_INTEGERS(float)
SHAPE_INTEGERS(double)

static void cpu_integers(const struct view *out, int64_t low, uint64_t range, struct rng rng)
{
    static void (*const by_dtype[MC_DTYPE_COUNT])(struct draw *, const uint32_t *, int64_t,
                                                  int64_t) = {
        [MC_BOOL] = integers_bool,   [MC_U8] = integers_uint8_t,  [MC_I8] = integers_int8_t,
        [MC_I16] = integers_int16_t, [MC_I32] = integers_int32_t, [MC_I64] = integers_int64_t,
        [MC_F32] = integers_float,   [MC_F64] = integers_double};
    struct draw d = {.rng = rng, .numel = out->numel, .out = out->data, .low = low, .range = range};
    d.width = range >> 32 ? 2 : 1;
    d.shape = by_dtype[out->dtype];
    d.to_ends = rng.ends;
    draw_all(&d);
}

/* ---- bernoulli, dropout ------------------------------------------------------------------- */

static void shape_bernoulli_f32(struct draw *d, const uint32_t *numbers, int64_t at, int64_t n)
{
    const float *p = (const float *)d->in + at;
    float *out = (float *)d->out + at;
    bool good = true;
    for (int64_t i = 0; i < n; i++) {
        good &= (p[i] >= 0) & (p[i] <= 1);
        out[i] = (float)(int32_t)(numbers[i] >> 8) * 0x1p-24f < p[i] ? 1.0f : 0.0f;
    }
    if (!good)
        atomic_store(&d->bad, true);
}

static void shape_bernoulli_f64(struct draw *d, const uint32_t *numbers, int64_t at, int64_t n)
{
    const double *p = (const double *)d->in + at;
    double *out = (double *)d->out + at;
    bool good = true;
    for (int64_t i = 0; i < n; i++) {
        good &= (p[i] >= 0) & (p[i] <= 1);
        out[i] = unit_f64(wide(numbers, i)) < p[i] ? 1 : 0;
    }
    if (!good)
        atomic_store(&d->bad, true);
}

static bool cpu_bernoulli(const struct view *out, const struct view *p, struct rng rng)
{
    bool f64 = out->dtype == MC_F64;
    struct draw d = {.rng = rng, .numel = out->numel, .width = f64 ? 2 : 1, .out = out->data};
    d.in = p->data;
    d.shape = f64 ? shape_bernoulli_f64 : shape_bernoulli_f32;
    draw_all(&d);
    return !atomic_load(&d.bad);
}

/* A dropped element is multiplied by 0, so that NaN and infinity are not hidden. */
#define SHAPE_DROPOUT(T)                                                                           \
    static void dropout_##T(struct draw *d, const uint32_t *numbers, int64_t at, int64_t n)        \
    {                                                                                              \
        const T *x = (const T *)d->in + at, scale = (T)(1 / (1 - d->a));                           \
        T *out = (T *)d->out + at;                                                                 \
        const uint32_t threshold = (uint32_t)d->range;                                             \
        for (int64_t i = 0; i < n; i++)                                                            \
            out[i] = x[i] * (numbers[i] >= threshold ? scale : 0);                                 \
    }

SHAPE_DROPOUT(float)
SHAPE_DROPOUT(double)

static void cpu_dropout(const struct view *out, const struct view *x, double p, struct rng rng)
{
    struct draw d = {.rng = rng, .numel = out->numel, .width = 1, .out = out->data, .in = x->data};
    d.a = p;
    d.range = (uint64_t)(p * 0x1p32);
    d.shape = out->dtype == MC_F64 ? dropout_double : dropout_float;
    draw_all(&d);
}

const struct random_kernels cpu_random = {
    .uniform = cpu_uniform,
    .normal = cpu_normal,
    .integers = cpu_integers,
    .bernoulli = cpu_bernoulli,
    .dropout = cpu_dropout,
    .permutation = cpu_permutation,
    .multinomial = cpu_multinomial,
};
