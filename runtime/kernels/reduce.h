/* Kernels that bring values together: reductions, scans, softmax, sorting, and the pick of class
 * losses.
 *
 * Views have as many dimensions as in. Shapes are equal, except along the dimensions that a kernel
 * works on, as it says. Outputs overlap nothing. */
#ifndef RUNTIME_REDUCE_H
#define RUNTIME_REDUCE_H

#include "runtime/kernels/view.h"

/* clang-format off */
enum reduce {       /* in's dtype          out's dtype */
    REDUCE_SUM,     /* all but f8          the same; f32 from a half; i64 from an integer, bool */
    REDUCE_MEAN,    /* f16 bf16 f32 f64    the same, or f32 from a half */
    REDUCE_PROD,    /* as for sum */
    REDUCE_MIN,     /* all but f8          the same */
    REDUCE_MAX,
    REDUCE_ALL,     /* any                 bool or u8 */
    REDUCE_ANY,
    REDUCE_NONZERO, /* any                 i64 */
    REDUCE_VAR,     /* f16 bf16 f32 f64    the same; p is taken from the count */
    REDUCE_STD,
    REDUCE_NORM,    /* f16 bf16 f32 f64    the same; p is the exponent, ±INFINITY too, not 0 */
    REDUCE_COUNT
};
/* clang-format on */

enum softmax { SOFTMAX, LOG_SOFTMAX, LOGSUMEXP };

struct nll {
    struct view loss, scale;   /* (n, d) out: -weight · in, and weight; both 0 where ignored */
    struct view in;            /* (n, classes, d), f32 or f64, as are loss, scale and weight */
    struct view target;        /* (n, d), i64 */
    const struct view *weight; /* (classes); NULL: all 1 */
    int64_t ignore;
};

struct reduce_kernels {
    /* out is 1 along the dimensions whose bit is in over. An empty reduction gives what the op's
     * definition says: 0, 1, NaN, or the last value of the order for min and max. */
    void (*reduce)(enum reduce op, struct view out, struct view in, unsigned over, double p);
    /* index (i64) = where in the reduced dimensions, counted in their order, value first occurs in
     * in; a NaN value finds the first NaN. index and value are 1 along over, and contiguous. */
    void (*find)(struct view index, struct view in, struct view value, unsigned over);
    /* Along dim; f16, bf16, f32 or f64, out the same or f32 from a half. LOGSUMEXP: out is 1
     * there. */
    void (*softmax)(enum softmax kind, struct view out, struct view in, int dim);
    /* The gradient of SOFTMAX and LOG_SOFTMAX: out = the operand's gradient, from the result y and
     * its gradient, all contiguous; f16, bf16, f32 or f64. */
    void (*softmax_back)(enum softmax kind, const struct view *out, const struct view *grad,
                         const struct view *y, int dim);
    /* Running sums or products along dim; any dtype but f8. out is of the same, or i64 from an
     * integer or bool. */
    void (*scan)(enum reduce op, struct view out, struct view in, int dim);
    /* The first values.shape[dim] of each row along dim once it is sorted, and their positions;
     * equal values stay in order; NaN is greater than all. False: out of memory. */
    bool (*sort)(struct view values, struct view indices, struct view in, int dim, bool descending);
    /* The lower median along dim, or the first NaN; values and indices are 1 there. False: no
     * memory. */
    bool (*median)(struct view values, struct view indices, struct view in, int dim);
    /* False: *bad is a target that is no class. */
    bool (*nll)(const struct nll *nll, int64_t *bad);
};

extern const struct reduce_kernels cpu_reduce;

#endif
