/* Gradients of softmax and its logarithm: of the gradient g and the result y along one
 * dimension,
 *     softmax      y (g - Σ g y)
 *     log_softmax  g - e^y Σ g
 * All three tensors are contiguous, seen as (outer, n, inner). Rows (inner 1) are read twice, a
 * strip at a time; otherwise neighbouring columns go together. */
#include <math.h>

#include "runtime/kernels/elementwise_cpu.h"
#include "runtime/kernels/reduce_cpu.h"
#include "runtime/kernels/strip.h"

enum { GRAIN = 8192, LANES = 16, COLUMNS = 256 };

struct job {
    enum softmax kind;
    const struct view *out, *grad, *y;
    int64_t n, inner;
    int64_t parts; /* pieces of COLUMNS columns that inner is split into */
};

static const char *at(const struct view *v, int64_t i)
{
    return v->data + i * (int64_t)dtype_size(v->dtype);
}

#define REAL       float
#define REAL_DTYPE MC_F32
#define REAL_EXP   expf
#define NAME(x)    x##_f32
#include "runtime/kernels/softmax_back.inc"

#define REAL       double
#define REAL_DTYPE MC_F64
#define REAL_EXP   exp
#define NAME(x)    x##_f64
#include "runtime/kernels/softmax_back.inc"

static void run(int64_t begin, int64_t end, void *ctx)
{
    const struct job *j = ctx;
    bool wide = j->y->dtype == MC_F64;
    for (int64_t i = begin; i < end; i++) {
        if (j->inner == 1)
            (wide ? row_f64 : row_f32)(j, i);
        else
            (wide ? columns_f64 : columns_f32)(j, i / j->parts, i % j->parts);
    }
}

void cpu_softmax_back(enum softmax kind, const struct view *out, const struct view *grad,
                      const struct view *y, int dim)
{
    struct job j = {.kind = kind, .out = out, .grad = grad, .y = y, .inner = 1};
    int64_t outer = 1;
    if (y->numel == 0)
        return;
    j.n = y->ndim ? y->shape[dim] : 1;
    for (int i = 0; i < y->ndim; i++)
        *(i < dim ? &outer : &j.inner) *= i == dim ? 1 : y->shape[i];
    j.parts = (j.inner + COLUMNS - 1) / COLUMNS;
    int64_t width = j.inner < COLUMNS ? j.inner : COLUMNS;
    parallel_for(outer * j.parts, GRAIN / (j.n * width) + 1, run, &j);
}
