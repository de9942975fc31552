/* The folds of every type, and the cascade that keeps long ones accurate. */
#include "runtime/kernels/fold.h"

#include <math.h>

enum { LANE_STEPS = 32 };

#define V          float
#define R          float
#define NAME(x)    x##_f32
#define ADD(a, b)  ((a) + (b))
#define MUL(a, b)  ((a) * (b))
#define IS_NAN(v)  ((v) != (v))
#define LOWEST     (-INFINITY)
#define HIGHEST    INFINITY
#define REAL_ABS   fabsf
#define REAL_POW   powf
#define REAL_FOLDS 1
#include "runtime/kernels/fold.inc"

#define V          double
#define R          double
#define NAME(x)    x##_f64
#define ADD(a, b)  ((a) + (b))
#define MUL(a, b)  ((a) * (b))
#define IS_NAN(v)  ((v) != (v))
#define LOWEST     (-(double)INFINITY)
#define HIGHEST    ((double)INFINITY)
#define REAL_ABS   fabs
#define REAL_POW   pow
#define REAL_FOLDS 1
#include "runtime/kernels/fold.inc"

/* Integers wrap. */
#define V         int64_t
#define R         int64_t
#define NAME(x)   x##_i64
#define ADD(a, b) ((int64_t)((uint64_t)(a) + (uint64_t)(b)))
#define MUL(a, b) ((int64_t)((uint64_t)(a) * (uint64_t)(b)))
#define IS_NAN(v) 0
#define LOWEST    INT64_MIN
#define HIGHEST   INT64_MAX
#include "runtime/kernels/fold.inc"

#define V          uint8_t
#define R          int64_t
#define NAME(x)    x##_bytes
#define ADD(a, b)  ((a) + (b))
#define COUNT_FOLD 1
#include "runtime/kernels/fold.inc"

/* clang-format off */
static const struct fold *const folds[FOLD_COUNT][MC_DTYPE_COUNT] = {
    [FOLD_SUM]       = {[MC_I64] = &sum_i64, [MC_F32] = &sum_f32, [MC_F64] = &sum_f64,
                        [MC_BOOL] = &sum_bytes},
    [FOLD_PROD]      = {[MC_I64] = &prod_i64, [MC_F32] = &prod_f32, [MC_F64] = &prod_f64},
    [FOLD_MIN]       = {[MC_I64] = &min_i64, [MC_F32] = &min_f32, [MC_F64] = &min_f64},
    [FOLD_MAX]       = {[MC_I64] = &max_i64, [MC_F32] = &max_f32, [MC_F64] = &max_f64},
    [FOLD_ABS]       = {[MC_F32] = &abs_f32, [MC_F64] = &abs_f64},
    [FOLD_SQUARE]    = {[MC_F32] = &square_f32, [MC_F64] = &square_f64},
    [FOLD_DEVIATION] = {[MC_F32] = &deviation_f32, [MC_F64] = &deviation_f64},
    [FOLD_POWER]     = {[MC_F32] = &power_f32, [MC_F64] = &power_f64},
    [FOLD_ABS_MIN]   = {[MC_F32] = &abs_min_f32, [MC_F64] = &abs_min_f64},
    [FOLD_ABS_MAX]   = {[MC_F32] = &abs_max_f32, [MC_F64] = &abs_max_f64},
};
/* clang-format on */

const struct fold *fold_of(enum fold_kind kind, mc_dtype values)
{
    if (!folds[kind][values])
        BUG("no fold %d of %s", (int)kind, dtype_name(values));
    return folds[kind][values];
}

/* ---- cascade ------------------------------------------------------------------------------ */

void cascade_begin(struct cascade *c, const struct fold *fold, int64_t width)
{
    c->fold = fold;
    c->width = width;
    c->steps = 0;
    c->used = 1;
    fold->start(c->level[0], width);
}

/* Level k is full after 32^(k+1) steps, and is then added to the next. */
void cascade_step(struct cascade *c)
{
    int64_t steps = ++c->steps;
    for (int k = 0; k + 1 < CASCADE_LEVELS && steps % CASCADE_STEPS == 0; k++) {
        if (c->used == k + 1) {
            c->fold->start(c->level[k + 1], c->width);
            c->used++;
        }
        c->fold->join(c->level[k + 1], c->level[k], c->width);
        c->fold->start(c->level[k], c->width);
        steps /= CASCADE_STEPS;
    }
}

void cascade_end(struct cascade *c, void *results)
{
    for (int k = 0; k < c->used; k++)
        c->fold->join(results, c->level[k], c->width);
}
