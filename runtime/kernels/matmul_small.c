/* Products of small matrices on the CPU. OpenBLAS needs microseconds to get going; these sizes are
 * done before, in blocks of 4 rows and 4 vectors whose sums stay in registers. */
#include "runtime/kernels/matmul_cpu.h"

#include <string.h>

#if defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

enum { ROWS = 4, VECTORS = 4 };

typedef float f32_vector __attribute__((vector_size(16)));
typedef double f64_vector __attribute__((vector_size(16)));

#define INLINED static inline __attribute__((always_inline))

/* sum + x * factor, in one instruction where every machine of the kind has it. */
INLINED f32_vector f32_multiply_add(f32_vector sum, f32_vector x, float factor)
{
#if defined(__ARM_NEON) && defined(__aarch64__)
    return (f32_vector)vfmaq_n_f32((float32x4_t)sum, (float32x4_t)x, factor);
#else
    return sum + x * factor;
#endif
}

INLINED f64_vector f64_multiply_add(f64_vector sum, f64_vector x, double factor)
{
#if defined(__ARM_NEON) && defined(__aarch64__)
    return (f64_vector)vfmaq_n_f64((float64x2_t)sum, (float64x2_t)x, factor);
#else
    return sum + x * factor;
#endif
}

/* For each of f32 and f64: c = alpha * a·b + beta * c, where b and c have rows of unit step.
 *   block: rows × vectors of c, both known when compiled
 *   strip: up to 4 rows of c, whole vectors first, then the columns that are left
 *   pack:  b by rows from b by columns */
#define SMALL(name, type)                                                                          \
    struct name {                                                                                  \
        int64_t n, k, a_row, a_col, ldb, ldc;                                                      \
        type alpha, beta;                                                                          \
    };                                                                                             \
                                                                                                   \
    INLINED void name##_block(const struct name *s, const type *a, const type *b, type *c,         \
                              const int rows, const int vectors)                                   \
    {                                                                                              \
        const int lanes = (int)(sizeof(name##_vector) / sizeof(type));                             \
        name##_vector sums[ROWS][VECTORS] = {{{0}}}, x[VECTORS], y;                                \
        for (int64_t k = 0; k < s->k; k++) {                                                       \
            for (int v = 0; v < vectors; v++)                                                      \
                memcpy(&x[v], b + k * s->ldb + v * lanes, sizeof x[v]);                            \
            for (int r = 0; r < rows; r++)                                                         \
                for (int v = 0; v < vectors; v++)                                                  \
                    sums[r][v] =                                                                   \
                        name##_multiply_add(sums[r][v], x[v], a[r * s->a_row + k * s->a_col]);     \
        }                                                                                          \
        for (int r = 0; r < rows; r++)                                                             \
            for (int v = 0; v < vectors; v++) {                                                    \
                type *to = c + r * s->ldc + v * lanes;                                             \
                memcpy(&y, to, sizeof y);                                                          \
                y = s->beta != 0 ? sums[r][v] * s->alpha + y * s->beta : sums[r][v] * s->alpha;    \
                memcpy(to, &y, sizeof y);                                                          \
            }                                                                                      \
    }                                                                                              \
                                                                                                   \
    INLINED void name##_strip(const struct name *s, const type *a, const type *b, type *c,         \
                              const int rows)                                                      \
    {                                                                                              \
        const int lanes = (int)(sizeof(name##_vector) / sizeof(type));                             \
        int64_t j = 0;                                                                             \
        for (; j + lanes * VECTORS <= s->n; j += lanes * VECTORS)                                  \
            name##_block(s, a, b + j, c + j, rows, VECTORS);                                       \
        for (; j + lanes <= s->n; j += lanes)                                                      \
            name##_block(s, a, b + j, c + j, rows, 1);                                             \
        for (; j < s->n; j++)                                                                      \
            for (int r = 0; r < rows; r++) {                                                       \
                type sum = 0, *to = c + r * s->ldc + j;                                            \
                for (int64_t k = 0; k < s->k; k++)                                                 \
                    sum += a[r * s->a_row + k * s->a_col] * b[k * s->ldb + j];                     \
                *to = s->beta != 0 ? sum * s->alpha + *to * s->beta : sum * s->alpha;              \
            }                                                                                      \
    }                                                                                              \
                                                                                                   \
    static void name##_run(const struct name *s, const type *a, const type *b, type *c, int64_t m) \
    {                                                                                              \
        int64_t i = 0;                                                                             \
        for (; i + ROWS <= m; i += ROWS)                                                           \
            name##_strip(s, a + i * s->a_row, b, c + i * s->ldc, ROWS);                            \
        for (; i < m; i++)                                                                         \
            name##_strip(s, a + i * s->a_row, b, c + i * s->ldc, 1);                               \
    }                                                                                              \
                                                                                                   \
    static void name##_pack(const struct product *p, type *to)                                     \
    {                                                                                              \
        const type *b = (const type *)p->b.data;                                                   \
        int64_t k = 0, n = p->n, ld = p->b.ld;                                                     \
        for (; k + 4 <= p->k; k += 4, to += 4 * n)                                                 \
            for (int64_t j = 0; j < n; j++)                                                        \
                for (int64_t i = 0; i < 4; i++)                                                    \
                    to[i * n + j] = b[j * ld + k + i];                                             \
        for (; k < p->k; k++, to += n)                                                             \
            for (int64_t j = 0; j < n; j++)                                                        \
                to[j] = b[j * ld + k];                                                             \
    }                                                                                              \
                                                                                                   \
    static void name##_product(const struct product *p)                                            \
    {                                                                                              \
        type packed[SMALL_PANEL];                                                                  \
        struct name s = {                                                                          \
            .n = p->n,                                                                             \
            .k = p->k,                                                                             \
            .a_row = p->a.transposed ? 1 : p->a.ld,                                                \
            .a_col = p->a.transposed ? p->a.ld : 1,                                                \
            .ldb = p->b.transposed ? p->n : p->b.ld,                                               \
            .ldc = p->ldc,                                                                         \
            .alpha = (type)p->alpha,                                                               \
            .beta = (type)p->beta,                                                                 \
        };                                                                                         \
        if (p->b.transposed)                                                                       \
            name##_pack(p, packed);                                                                \
        name##_run(&s, (const type *)p->a.data,                                                    \
                   p->b.transposed ? packed : (const type *)p->b.data, (type *)p->c, p->m);        \
    }

SMALL(f32, float)
SMALL(f64, double)

/* Few rows or columns are better read as vectors, unless there is next to nothing to do. */
bool product_is_small(int64_t m, int64_t n, int64_t k)
{
    const int64_t most = SMALL_PANEL;
    if (m > most || n > most || k > most || m * k > most || k * n > most || m * n > most)
        return false;
    return m * n * k <= (m >= 2 && n >= 4 ? 64 * 64 * 64 : 64);
}

void product_small(const struct product *p)
{
    if (p->f64)
        f64_product(p);
    else
        f32_product(p);
}
