/* Gradients of normalised rows on the CPU: first each row's own gradient, from sums over
 * it, then those of the parameters, from sums over the rows. Everything is contiguous and of one
 * dtype, f32 or f64. */
#include "runtime/kernels/layer_cpu.h"

#include <math.h>

enum { PIECE = 4096, LANES = 16, COLUMNS = 256, ROWS = 256 };

#define REAL      float
#define REAL_SQRT sqrtf
#define NAME(x)   x##_f32
#include "runtime/kernels/norm_back.inc"

#define REAL      double
#define REAL_SQRT sqrt
#define NAME(x)   x##_f64
#include "runtime/kernels/norm_back.inc"

void norm_back_cpu(const struct norm_back *job)
{
    const struct norm *m = job->norm;
    bool wide = job->in.dtype == MC_F64;
    bool own = m->inner == 1 && m->period == 1; /* every element has parameters of its own */
    int64_t params = own ? (m->length + COLUMNS - 1) / COLUMNS : m->period * (m->length / m->inner);
    parallel_for(m->rows, layer_grain(m->length), wide ? rows_f64 : rows_f32, (void *)job);
    if (job->dweight || job->dbias)
        parallel_for(params, layer_grain(m->rows * m->length / params),
                     wide ? params_f64 : params_f32, (void *)job);
}
