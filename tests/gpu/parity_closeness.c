/* How close a result on cuda must be to that on the CPU, and the comparison.
 *
 * A difference is allowed up to
 *
 *     ulps · eps(result) · |value|  +  slack · √terms · eps(sums) · scale
 *
 * where eps is that of the result's dtype, and of the dtype sums are kept in (f32 for the small
 * floats, else the result's own). The numbers are in the table of allowances, with their reasons.
 *
 * Of terms that are all equal the errors may all have one sign: instead of slack · √terms it is
 * terms · half as many roundings as a term can go through one after another. Sums of ours go
 * through fewer than 64 (steps of a lane or a thread, then halves of halves); a library's order of
 * summation is unknown, and as many as there are terms are the most. */
#include "tests/gpu/parity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The distance of 1 to the next number; 0: the dtype has whole numbers only. */
static const double eps[MC_DTYPE_COUNT] = {
    [MC_F16] = 0x1p-10, [MC_BF16] = 0x1p-7,    [MC_F32] = 0x1p-23,
    [MC_F64] = 0x1p-52, [MC_F8_E4M3] = 0x1p-3, [MC_F8_E5M2] = 0x1p-2,
};

/* The distance of numbers next to 0. */
static const double tiny[MC_DTYPE_COUNT] = {
    [MC_F16] = 0x1p-24,   [MC_BF16] = 0x1p-133,  [MC_F32] = 0x1p-149,
    [MC_F64] = 0x1p-1074, [MC_F8_E4M3] = 0x1p-9, [MC_F8_E5M2] = 0x1p-16,
};

/* clang-format off */
static const struct allowance {
    double ulps, small_ulps;   /* of f32 and f64; of the others */
    double slack, small_slack;
} allowances[] = {
    /* moves, integers, comparisons, and what IEEE 754 defines to the last bit */
    [SAME]    = {0, 0, 0, 0},

    /* The math functions: CUDA states up to 4 ulps, the C library up to 2, a function of ours may
     * combine two. Small floats are computed in f32 and rounded once: one ulp, and that rarely. Of
     * the 2^13 numbers of f32 between two of f16, some 8 on either side of the middle can go both
     * ways, a fifth of a percent; where more differ it is not rounded to nearest. */
    [NEAR]    = {8, 1, 0, 0},

    /* Differences of such functions, normalisations: an error of the larger parts remains where they
     * cancel, so the scale is the largest element of the result, or what is said of the parts. */
    [ROUGH]   = {8, 1.01, 8, 8},

    /* As ROUGH, but the CPU or PyTorch's rules round to the operands' dtype between stages. */
    [STAGED]  = {8, 4, 8, 1},

    /* Sums in another order: errors grow as √terms, each up to eps · a term's magnitude; 4 standard
     * deviations. */
    [SUM]     = {2, 1, 4, 4},

    /* As ROUGH, but all elements may cancel alike: the scale is 1. */
    [SHARES]  = {8, 1.01, 8, 8},

    /* As SUM, and twice that of it: partial sums of products are larger. */
    [PRODUCT] = {2, 1, 8, 8},
};
/* clang-format on */

enum { MOST_ROUNDINGS = 64 };

static bool is_small(mc_dtype d)
{
    return d != MC_F32 && d != MC_F64;
}

static double eps_of_sums(mc_dtype d, enum closeness c)
{
    return is_small(d) && c != STAGED ? eps[MC_F32] : eps[d];
}

static mc_dtype coarser(mc_dtype a, mc_dtype b)
{
    return eps[b] > eps[a] && eps[a] > 0 ? b : a;
}

/* ---- reading -------------------------------------------------------------------------------- */

bool numbers_read(struct numbers *n, mc_tensor *t)
{
    *n = (struct numbers){.dtype = mc_dtype_of(t), .shape = mc_shape_of(t), .count = mc_numel(t)};
    size_t bytes = (size_t)n->count * mc_dtype_size(n->dtype);
    n->data = malloc(bytes + 1);
    return n->data && (!bytes || mc_copy_out(t, n->data, bytes));
}

/* A float with so many bits of exponent and mantissa. */
static double small_float(unsigned bits, int exponent_bits, int mantissa_bits, bool has_infinity)
{
    unsigned mantissa = bits & ((1u << mantissa_bits) - 1);
    unsigned exponent = bits >> mantissa_bits & ((1u << exponent_bits) - 1);
    double sign = bits >> (exponent_bits + mantissa_bits) & 1 ? -1 : 1;
    int bias = (1 << (exponent_bits - 1)) - 1;
    unsigned highest = (1u << exponent_bits) - 1;
    if (exponent == highest && has_infinity)
        return mantissa ? NAN : sign * INFINITY;
    if (exponent == highest && mantissa == (1u << mantissa_bits) - 1)
        return NAN;
    if (!exponent)
        return sign * ldexp(mantissa, 1 - bias - mantissa_bits);
    return sign * ldexp(mantissa + (1u << mantissa_bits), (int)exponent - bias - mantissa_bits);
}

double number_at(const struct numbers *n, int64_t i)
{
    const char *at = (const char *)n->data + (size_t)i * mc_dtype_size(n->dtype);
    union {
        uint8_t u8;
        int8_t i8;
        uint16_t u16;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        float f32;
        double f64;
    } x = {.i64 = 0};
    memcpy(&x, at, mc_dtype_size(n->dtype));
    switch (n->dtype) {
    case MC_BOOL:
    case MC_U8:
        return x.u8;
    case MC_I8:
        return x.i8;
    case MC_I16:
        return x.i16;
    case MC_I32:
        return x.i32;
    case MC_I64:
        return (double)x.i64;
    case MC_F16:
        return small_float(x.u16, 5, 10, true);
    case MC_BF16:
        return small_float(x.u16, 8, 7, true);
    case MC_F8_E4M3:
        return small_float(x.u8, 4, 3, false);
    case MC_F8_E5M2:
        return small_float(x.u8, 5, 2, true);
    case MC_F32:
        return x.f32;
    case MC_F64:
        return x.f64;
    case MC_DTYPE_DEFAULT:
    case MC_DTYPE_COUNT:
        break;
    }
    return NAN;
}

/* ---- comparing ------------------------------------------------------------------------------ */

static double largest_of(const struct numbers *n, double below)
{
    double largest = 0;
    for (int64_t i = 0; i < n->count; i++) {
        double x = fabs(number_at(n, i));
        if (isfinite(x) && x <= below && x > largest)
            largest = x;
    }
    return largest;
}

static double scale_of(const struct numbers *cpu, const struct bound *b)
{
    switch (b->closeness) {
    case SAME:
    case NEAR:
        return 0;
    case SUM:
        return b->largest;
    case SHARES:
        return 1;
    case PRODUCT:
        return b->largest * b->largest;
    case ROUGH:
    case STAGED:
        break;
    }
    return fmax(largest_of(cpu, b->ordinary ? ORDINARY : INFINITY), b->parts);
}

/* How many terms' rounding errors are allowed for. */
static double errors_of_sum(const struct bound *b, double slack)
{
    double terms = b->terms ? b->terms : 1;
    double roundings = b->closeness == SUM ? fmin(terms, MOST_ROUNDINGS) : terms;
    double errors = b->alike ? terms * fmax(roundings / 2, slack) : slack * sqrt(terms);
    return errors * fmax(b->magnified, 1);
}

/* How many different values an array of a small float has: all of them, and of those that differ
 * from the element of another array. Equal operands, of which there are many, count once. */
struct variety {
    int64_t all, differing;
};

static struct variety variety_of(const struct numbers *a, const struct numbers *b)
{
    struct variety v = {0, 0};
    size_t size = mc_dtype_size(a->dtype);
    unsigned char *seen = size <= 2 ? calloc(1, 1 << 16) : NULL;
    for (int64_t i = 0; seen && i < a->count; i++) {
        uint16_t x = 0, y = 0;
        memcpy(&x, (const char *)a->data + (size_t)i * size, size);
        memcpy(&y, (const char *)b->data + (size_t)i * size, size);
        double one = number_at(a, i), other = number_at(b, i);
        bool differs = one != other && !(isnan(one) && isnan(other));
        v.all += !(seen[x] & 1);
        v.differing += differs && !(seen[x] & 2);
        seen[x] |= (unsigned char)(differs ? 3 : 1);
    }
    free(seen);
    return v;
}

/* Whether more values differ than can lie so close to the middle of two numbers: one of 500 on
 * average, and what chance adds to that in some of a hundred thousand comparisons. */
static bool are_rounded_otherwise(const struct bound *b, const struct numbers *cpu,
                                  const struct numbers *cuda)
{
    struct variety v = variety_of(cpu, cuda);
    double expected = (double)v.all / 500, most = expected + 6 * sqrt(expected) + 2;
    return b->closeness == NEAR && !b->twice && (double)v.differing > most;
}

static bool same_shape(const struct numbers *a, const struct numbers *b)
{
    return a->shape.ndim == b->shape.ndim &&
           memcmp(a->shape.dims, b->shape.dims, (size_t)a->shape.ndim * sizeof(int64_t)) == 0;
}

/* How far beyond what is allowed; 0: not at all. Where nothing is, zeros have a sign. */
static double excess(double cpu, double cuda, double ulp, double floor)
{
    if ((isnan(cpu) && isnan(cuda)) || (cpu == cuda && (ulp != 0 || signbit(cpu) == signbit(cuda))))
        return 0;
    if (!isfinite(cpu) || !isfinite(cuda))
        return INFINITY;
    double allowed = ulp * fabs(cpu) + floor;
    return fabs(cpu - cuda) > allowed ? fabs(cpu - cuda) / (allowed + 1e-300) : 0;
}

int64_t differ(const struct numbers *cpu, const struct numbers *cuda, const struct bound *bound,
               const char **why)
{
    *why = cpu->dtype != cuda->dtype ? "dtypes" : !same_shape(cpu, cuda) ? "shapes" : NULL;
    if (*why)
        return 0;
    size_t size = mc_dtype_size(cpu->dtype);
    if (memcmp(cpu->data, cuda->data, (size_t)cpu->count * size) == 0)
        return -1;
    const struct allowance *a = &allowances[bound->closeness];
    mc_dtype computed = coarser(cpu->dtype, bound->computed);
    bool small = is_small(computed);
    double ulps = (small ? a->small_ulps : a->ulps) + bound->twice, ulp = ulps * eps[computed];
    double floor = errors_of_sum(bound, small ? a->small_slack : a->slack) *
                       eps_of_sums(computed, bound->closeness) * scale_of(cpu, bound) +
                   ulps * tiny[cpu->dtype];
    int64_t worst = -1;
    double most = 0;
    for (int64_t i = 0; i < cpu->count; i++) {
        if (memcmp((char *)cpu->data + (size_t)i * size, (char *)cuda->data + (size_t)i * size,
                   size) == 0)
            continue;
        double x = number_at(cpu, i), y = number_at(cuda, i);
        /* i64 beyond 2^53 would look alike as doubles */
        double e = !eps[cpu->dtype] ? INFINITY : excess(x, y, ulp, floor);
        if (e > most) {
            most = e;
            worst = i;
        }
    }
    if (worst >= 0 || !small || !are_rounded_otherwise(bound, cpu, cuda))
        return worst;
    *why = "last places of many elements";
    return 0;
}
