/* Creating tensors of regular values: arange, linspace and logspace, windows, the indices of
 * triangles. Counts are checked before memory is allocated; values come from one ramp kernel each.
 */
#include "runtime/ops/ops.h"

#include <math.h>

#include "runtime/compute/indexing.h"

/* ---- ramps -------------------------------------------------------------------------------- */

/* The dtype a float result is computed in: halves are rounded once, from f32. */
static mc_dtype work_dtype(mc_dtype dtype)
{
    return dtype_is_half(dtype) ? MC_F32 : dtype;
}

static bool not_negative(struct op *op, int64_t n, const char *what)
{
    if (n < 0)
        return op_fail(op, MC_ERROR_ARGUMENT, "%s is negative: %lld", what, (long long)n);
    return true;
}

/* ---- arange ------------------------------------------------------------------------------- */

struct range {
    mc_arg start, end, step;
};

static double as_double(mc_arg a)
{
    return a.kind == MC_ARG_FLOAT ? a.as.f : (double)a.as.i;
}

/* Truncated. */
static bool to_int(struct op *op, mc_arg *a)
{
    if (a->kind == MC_ARG_FLOAT) {
        if (!op_number_fits(op, *a, MC_I64))
            return false;
        a->as.i = (int64_t)a->as.f;
    }
    a->kind = MC_ARG_INT;
    return true;
}

static void *wrong_way(struct op *op, const struct range *r)
{
    return op_fail(op, MC_ERROR_ARGUMENT, "steps of %g do not lead from %g to %g",
                   as_double(r->step), as_double(r->start), as_double(r->end));
}

/* In i64, exactly. */
static bool count_ints(struct op *op, const struct range *r, int64_t *count)
{
    bool up = r->step.as.i > 0;
    uint64_t start = (uint64_t)r->start.as.i, end = (uint64_t)r->end.as.i;
    uint64_t distance = up ? end - start : start - end;
    uint64_t step = up ? (uint64_t)r->step.as.i : 0 - (uint64_t)r->step.as.i;
    if (up ? r->end.as.i < r->start.as.i : r->end.as.i > r->start.as.i)
        return wrong_way(op, r);
    uint64_t n = distance / step + (distance % step != 0);
    if (n > INT64_MAX)
        return op_fail(op, MC_ERROR_SHAPE, "a range of more elements than can be counted");
    *count = (int64_t)n;
    return true;
}

static bool count_floats(struct op *op, const struct range *r, int64_t *count)
{
    double start = as_double(r->start), end = as_double(r->end), step = as_double(r->step);
    if (!isfinite(start) || !isfinite(end))
        return op_fail(op, MC_ERROR_ARGUMENT, "there is no range from %g to %g", start, end);
    double n = ceil((end - start) / step);
    if (step > 0 ? end < start : end > start)
        return wrong_way(op, r);
    if (!(n < 0x1p63))
        return op_fail(op, MC_ERROR_SHAPE, "a range of more elements than can be counted");
    *count = (int64_t)n;
    return true;
}

/* Converts the numbers to the kind that the dtype computes in, and counts. As in PyTorch, i64
 * truncates all three before counting, other integers only start and step. */
static bool prepare_range(struct op *op, struct range *r, mc_dtype dtype, int64_t *count)
{
    struct range asked = *r;
    bool ints = !dtype_is_float(dtype);
    if (ints && (!to_int(op, &r->start) || !to_int(op, &r->step)))
        return false;
    if (dtype == MC_I64 && !to_int(op, &r->end))
        return false;
    double step = as_double(r->step);
    if (!(step > 0 || step < 0))
        return op_fail(op, MC_ERROR_ARGUMENT, "a step of %g never reaches the end",
                       as_double(asked.step));
    if (!ints) {
        r->start = mc_arg_float(as_double(r->start));
        r->step = mc_arg_float(step);
    }
    return dtype == MC_I64 ? count_ints(op, r, count) : count_floats(op, &asked, count);
}

static mc_tensor *arange(struct op *op, struct range r, mc_new_options options)
{
    int64_t count = 0;
    struct made made;
    if (!number_in(op, &r.start) || !number_in(op, &r.end) || !number_in(op, &r.step))
        return NULL;
    bool floats =
        r.start.kind == MC_ARG_FLOAT || r.end.kind == MC_ARG_FLOAT || r.step.kind == MC_ARG_FLOAT;
    if (!made_as(op, &made, options, floats ? dtype_default() : MC_I64, SET_INT | SET_FLOAT) ||
        !prepare_range(op, &r, made.dtype, &count))
        return NULL;
    mc_dtype work = dtype_is_float(made.dtype) ? work_dtype(made.dtype) : MC_I64;
    return made_cast(op, op_ramp(op, count, r.start, r.step, work, made.device), &made);
}

mc_tensor *mc_op_arange(mc_place at, mc_arg end, mc_arange_options o)
{
    OP_BEGIN0(op, "arange", at);
    struct range r = {.start = o.start, .end = end, .step = o.step};
    if (r.start.kind == MC_ARG_NONE)
        r.start = mc_arg_int(0);
    if (r.step.kind == MC_ARG_NONE)
        r.step = mc_arg_int(1);
    mc_new_options options = {.dtype = o.dtype, .device = o.device};
    bool fine = op_arg(&op, end) && op_arg(&op, o.start) && op_arg(&op, o.step);
    return op_end(&op, fine ? arange(&op, r, options) : NULL);
}

/* ---- linspace, logspace ------------------------------------------------------------------- */

static mc_tensor *linspace(struct op *op, double start, double end, int64_t steps, double base,
                           const struct made *made)
{
    bool ints = !dtype_is_float(made->dtype);
    if (!not_negative(op, steps, "the number of steps") ||
        (ints && (!op_number_fits(op, mc_arg_float(start), made->dtype) ||
                  !op_number_fits(op, mc_arg_float(end), made->dtype))))
        return NULL;
    mc_shape shape = {.ndim = 1, .dims = {steps}};
    mc_tensor *t = op_new(op, shape, ints ? MC_F64 : work_dtype(made->dtype), made->device);
    if (!t)
        return NULL;
    struct view v = view_of(t);
    index_kernels_of(t)->linspace(&v, ints ? trunc(start) : start, ints ? trunc(end) : end, base);
    return made_cast(op, t, made);
}

mc_tensor *mc_op_linspace(mc_place at, double start, double end, int64_t steps,
                          mc_new_options options)
{
    OP_BEGIN0(op, "linspace", at);
    struct made made;
    bool fine = made_as(&op, &made, options, dtype_default(), SET_INT | SET_FLOAT);
    return op_end(&op, fine ? linspace(&op, start, end, steps, 0, &made) : NULL);
}

mc_tensor *mc_op_logspace(mc_place at, double start, double end, int64_t steps,
                          mc_new_options options)
{
    OP_BEGIN0(op, "logspace", at);
    struct made made;
    bool fine = made_as(&op, &made, options, dtype_default(), SET_INT | SET_FLOAT);
    return op_end(&op, fine ? linspace(&op, start, end, steps, 10, &made) : NULL);
}

/* ---- windows ------------------------------------------------------------------------------ */

/* The periodic window, PyTorch's default: ½ - ½ cos(2πi / n). */
static mc_tensor *hann_window(struct op *op, int64_t n, const struct made *made)
{
    if (!not_negative(op, n, "the window's length"))
        return NULL;
    double turn = n > 1 ? 2 * 3.14159265358979323846 / (double)n : 0;
    mc_arg start = mc_arg_float(n == 1 ? 3.14159265358979323846 : 0);
    mc_tensor *angle = op_ramp(op, n, start, mc_arg_float(turn), MC_F64, made->device);
    mc_tensor *wave = angle ? op_unary(op, UNARY_cos, angle) : NULL;
    return made_cast(op, op_tf(op, BINARY_add, op_tf(op, BINARY_mul, wave, -0.5), 0.5), made);
}

mc_tensor *mc_op_hann_window(mc_place at, int64_t n, mc_new_options options)
{
    OP_BEGIN0(op, "hann_window", at);
    struct made made;
    bool fine = made_as(&op, &made, options, dtype_default(), SET_FLOAT);
    return op_end(&op, fine ? hann_window(&op, n, &made) : NULL);
}

/* ---- the indices of triangles ------------------------------------------------------------- */

static mc_tensor *triangle_indices(struct op *op, int64_t rows, int64_t cols,
                                   mc_new_options options, bool upper)
{
    struct made made;
    mc_shape shape = {.ndim = 2, .dims = {rows, cols}};
    if (!made_as(op, &made, options, MC_I64, BIT(MC_I32) | BIT(MC_I64)) ||
        !not_negative(op, rows, "the number of rows") ||
        !not_negative(op, cols, "the number of columns"))
        return NULL;
    mc_tensor *all = op_fill(op, op_new(op, shape, MC_BOOL, made.device), mc_arg_bool(true));
    mc_tensor *places = op_nonzero(op, op_triangle(op, all, 0, upper));
    mc_tensor *t = op_contiguous(op, op_transpose(op, places, 0, 1));
    return made_cast(op, t, &made);
}

mc_tensor *mc_op_tril_indices(mc_place at, int64_t rows, int64_t cols, mc_new_options options)
{
    OP_BEGIN0(op, "tril_indices", at);
    return op_end(&op, triangle_indices(&op, rows, cols, options, false));
}

mc_tensor *mc_op_triu_indices(mc_place at, int64_t rows, int64_t cols, mc_new_options options)
{
    OP_BEGIN0(op, "triu_indices", at);
    return op_end(&op, triangle_indices(&op, rows, cols, options, true));
}
