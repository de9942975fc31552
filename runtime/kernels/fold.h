/* Folds: many values reduced to one by a step that can be done in any order. Each exists for
 * values and results of f32, f64, i64, and for bytes that are 0 or 1 counted in i64, as two loops:
 * over a row (many values into one result) and over columns (each value into its own result). */
#ifndef RUNTIME_FOLD_H
#define RUNTIME_FOLD_H

#include "runtime/core/core.h"

/* clang-format off */
enum fold_kind {
    FOLD_SUM,       /* of numbers and bytes */
    FOLD_PROD,      /* of numbers: */
    FOLD_MIN,
    FOLD_MAX,
    FOLD_ABS,       /* of floats: sum of |v| */
    FOLD_SQUARE,    /* sum of v² */
    FOLD_DEVIATION, /* sum of (v - centre)² */
    FOLD_POWER,     /* sum of |v|^power */
    FOLD_ABS_MIN,
    FOLD_ABS_MAX,
    FOLD_COUNT
};
/* clang-format on */

enum { FOLD_ROWS = 4 };

struct fold {
    size_t size; /* of a result, bytes */
    /* results[0 … n) = what an empty fold gives */
    void (*start)(void *results, int64_t n);
    /* *result accumulates n values; *centre and power for the kinds that use them */
    void (*row)(void *result, const void *values, int64_t n, const void *centre, double power);
    /* results[i] accumulates values[i], with centre[i] */
    void (*columns)(void *results, const void *values, int64_t n, const void *centre, double power);
    /* the same for FOLD_ROWS rows of values */
    void (*columns_of_rows)(void *results, const void *const *values, int64_t n, const void *centre,
                            double power);
    /* results[i] accumulates others[i], another result */
    void (*join)(void *results, const void *others, int64_t n);
};

/* values: MC_BOOL (results are i64), MC_I64, MC_F32 or MC_F64. */
const struct fold *fold_of(enum fold_kind kind, mc_dtype values);

/* A long fold as short ones: the result of 32 steps is added one level up, so that rounding errors
 * grow with the logarithm of the number of values. */
enum { CASCADE_LEVELS = 5, CASCADE_STEPS = 32, CASCADE_WIDTH = 1024 };

struct cascade {
    const struct fold *fold;
    int64_t width, steps;
    int used; /* levels in use */
    _Alignas(64) char level[CASCADE_LEVELS][CASCADE_WIDTH * 8];
};

void cascade_begin(struct cascade *c, const struct fold *fold, int64_t width);
/* Where the next step accumulates: call cascade_step after each. */
static inline void *cascade_results(struct cascade *c)
{
    return c->level[0];
}
void cascade_step(struct cascade *c);
void cascade_end(struct cascade *c, void *results);

#endif
