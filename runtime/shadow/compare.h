/* A result compared with its shadow. */
#ifndef RUNTIME_SHADOW_COMPARE_H
#define RUNTIME_SHADOW_COMPARE_H

#include "runtime/core/core.h"
#include "runtime/kernels/view.h"

/* Errors are over elements that are finite in both. An element is broken if it is infinite or NaN
 * and its shadow is not that. */
struct difference {
    double error; /* the largest |real - wide| */
    double scale; /* the largest |wide| */
    bool unequal; /* some element is broken, or an integer differs */
    /* the rest: see explain() */
    int64_t broken, differing, zeros; /* zeros: 0 instead of something else */
    int64_t worst;                    /* an index in the order of the elements; -1: none */
    double real, wide;                /* the values there; */
    int64_t real_int, wide_int;       /* for integers, these */
    bool integral;                    /* every wide value is an integer below 2^53 */
    bool is_uniform;                  /* all wide values are the same, which is this: */
    double first;
    int64_t merged; /* elements that equal the one before, and should not */
};

/* real is in host memory. Only error, scale and unequal are set. */
struct difference compare(const struct view *real, const struct view *wide);
/* All of it, slowly. Shadow values that are infinite or NaN where the real ones are not become the
 * real ones. */
struct difference explain(const struct view *real, const struct view *wide);

static inline double relative(const struct difference *d)
{
    return d->error == 0 ? 0 : d->scale == 0 ? 1e300 : d->error / d->scale;
}

/* Row by row: f is called with contiguous copies of at most ROW elements, real ones in f64 or i64
 * and their shadow values; changed shadow values are written back. */
enum { ROW = 1024 };
typedef void (*row_fn)(const void *real, void *wide, int64_t n, int64_t first, void *ctx);
void rows(const struct view *real, const struct view *wide, row_fn f, void *ctx);

#endif
