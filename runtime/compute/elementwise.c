/* Elementwise ops over one or two operands: the dtype they are computed in, the device, the result.
 * The order of the checks is PyTorch's, since it decides which error a bad call gets. */
#include "runtime/compute/compute.h"

#include <string.h>

#include "runtime/core/hooks.h"

enum result { SAME, REAL, FLAG };

static const struct {
    const char *name;
    unsigned cpu, cuda;
    enum result result;
} unaries[UNARY_COUNT] = {
#define UNARY(name, cpu, cuda, result, ...) [UNARY_##name] = {#name, cpu, cuda, result},
#include "runtime/kernels/unary.def"
#undef UNARY
};

static const struct {
    const char *name;
    unsigned takes;
    enum result result;
} binaries[BINARY_COUNT] = {
#define BINARY(name, takes, result, ...) [BINARY_##name] = {#name, takes, result},
#include "runtime/kernels/binary.def"
#undef BINARY
};

/* The dtype to compute in, for operands with the common dtype d. */
static mc_dtype compute_dtype(enum result result, mc_dtype d)
{
    return result == REAL && !dtype_is_float(d) ? dtype_default() : d;
}

static mc_dtype result_dtype(enum result result, mc_dtype d)
{
    return result == FLAG ? MC_BOOL : compute_dtype(result, d);
}

/* ---- one operand -------------------------------------------------------------------------- */

static void run_unary(enum unary u, mc_tensor *out, mc_tensor *x, double p0, double p1)
{
    struct loop loop;
    loop_over(&loop, 2, (const mc_tensor *const[]){out, x});
    tensor_backend(out)->kernels->elementwise->unary(u, x->dtype, &loop, p0, p1);
}

/* square is x to the power of the number 2, which makes a bool an integer. */
static mc_dtype unary_operand(enum unary u, mc_dtype d)
{
    return u == UNARY_square && d == MC_BOOL ? MC_I64 : d;
}

mc_tensor *op_unary_taking(struct op *op, enum unary u, mc_tensor *x, unsigned takes, double p0,
                           double p1)
{
    if (!x)
        return NULL;
    mc_dtype d = unary_operand(u, x->dtype);
    if (!op_takes(op, d, takes))
        return NULL;
    x = op_convert(op, x, compute_dtype(unaries[u].result, d));
    mc_tensor *out = x ? op_new_like(op, x, result_dtype(unaries[u].result, d)) : NULL;
    if (out)
        run_unary(u, out, x, p0, p1);
    return out;
}

mc_tensor *op_unary_with(struct op *op, enum unary u, mc_tensor *x, double p0, double p1)
{
    unsigned takes = !x ? 0 : is_cuda(x) ? unaries[u].cuda : unaries[u].cpu;
    return op_unary_taking(op, u, x, takes, p0, p1);
}

/* cuda's relu turns -0 into +0, the CPU's keeps it. */
static double relu_zero(enum unary u, const mc_tensor *x)
{
    return u == UNARY_relu && x && is_cuda(x);
}

mc_tensor *op_unary(struct op *op, enum unary u, mc_tensor *x)
{
    return op_unary_with(op, u, x, relu_zero(u, x), 0);
}

static bool castable(struct op *op, mc_dtype result, mc_dtype into)
{
    if (can_cast(result, into))
        return true;
    return op_fail(op, MC_ERROR_CAST, "the result is %s, which cannot be written into %s",
                   dtype_name(result), dtype_name(into));
}

mc_tensor *op_unary_(struct op *op, enum unary u, mc_tensor *x)
{
    mc_dtype d = unary_operand(u, x->dtype);
    enum result r = unaries[u].result;
    if ((r != FLAG && !castable(op, result_dtype(r, d), x->dtype)) ||
        !op_takes(op, d, is_cuda(x) ? unaries[u].cuda : unaries[u].cpu) || !op_writes(op, x))
        return NULL;
    if (r != FLAG) { /* castable, so nothing is converted */
        run_unary(u, x, x, relu_zero(u, x), 0);
        return x;
    }
    return op_copy(op, x, op_unary(op, u, x));
}

/* PyTorch returns the operand itself. */
mc_tensor *op_positive(struct op *op, mc_tensor *x)
{
    return op_takes(op, x->dtype, unaries[UNARY_positive].cpu) ? x : NULL;
}

/* ---- two operands ------------------------------------------------------------------------- */

/* What is known about the operands of a binary op. */
struct pair {
    enum binary b;
    mc_arg x, y;
    mc_arg alpha;    /* y is multiplied by it; none: 1 */
    mc_tensor *into; /* in place, or out=; NULL: a new tensor */
    mc_dtype common;
    mc_dtype compute;
    mc_device device;
};

static bool is_bool(mc_arg a)
{
    return a.kind == MC_ARG_BOOL || (a.kind == MC_ARG_TENSOR && a.as.tensor->dtype == MC_BOOL);
}

/* The device to compute on: cuda if any operand is there. */
static mc_device common_device(const struct pair *p)
{
    mc_tensor *all[] = {p->into, tensor_of(p->x), tensor_of(p->y)};
    mc_device device = MC_CPU;
    for (int i = 0; i < 3 && device == MC_CPU; i++)
        if (all[i])
            device = tensor_device(all[i]);
    return device;
}

static bool wrong_device(struct op *op, const mc_tensor *t, mc_device device)
{
    char name[32];
    return op_fail(op, MC_ERROR_DEVICE, "%s needs one device: %s is on %s, the other operand on %s",
                   op->name, op_operand_name(op, t, name, sizeof name),
                   mc_device_name(tensor_device(t)), mc_device_name(device));
}

/* Whether an operand is on the device; the tensor written to does not count. */
static bool is_common(const struct pair *p)
{
    const mc_tensor *x = tensor_of(p->x), *y = tensor_of(p->y);
    return (x && tensor_device(x) == p->device) || (y && tensor_device(y) == p->device);
}

/* A 0-dim CPU tensor may be combined with cuda tensors; in logical ops only as the second operand.
 */
static bool input_device(struct op *op, const struct pair *p, mc_arg a, bool first)
{
    const mc_tensor *t = tensor_of(a);
    bool logical = p->b >= BINARY_logical_and && p->b <= BINARY_logical_xor;
    if (!t || tensor_device(t) == p->device)
        return true;
    if (t->ndim == 0 && tensor_device(t) == MC_CPU && !(logical && first) && is_common(p))
        return true;
    return wrong_device(op, t, p->device);
}

static bool check_into(struct op *op, const struct pair *p)
{
    enum result r = binaries[p->b].result;
    if (!p->into)
        return true;
    if (tensor_device(p->into) != p->device)
        return wrong_device(op, p->into, p->device);
    return r == FLAG || castable(op, result_dtype(r, p->common), p->into->dtype);
}

/* The only f8 arithmetic: mul on the CPU, unless the second operand is a 0-dim tensor or number. */
static bool f8_mul(const struct pair *p)
{
    const mc_tensor *y = tensor_of(p->y);
    return p->b == BINARY_mul && dtype_is_f8(p->common) && p->device == MC_CPU && y && y->ndim > 0;
}

static bool check_dtypes(struct op *op, const struct pair *p)
{
    return f8_mul(p) || op_takes(op, p->common, binaries[p->b].takes);
}

static bool check_bool_minus(struct op *op, const struct pair *p)
{
    if (p->b != BINARY_sub || (!is_bool(p->x) && !is_bool(p->y)))
        return true;
    return op_fail(op, MC_ERROR_DTYPE, "bool cannot be subtracted: use logical_xor or logical_not");
}

static bool check_alpha(struct op *op, const struct pair *p)
{
    if (p->alpha.kind == MC_ARG_TENSOR)
        return op_fail(op, MC_ERROR_ARGUMENT, "alpha must be a number");
    if (p->alpha.kind == MC_ARG_FLOAT && !dtype_is_float(p->common))
        return op_fail(op, MC_ERROR_DTYPE, "alpha is a float and the operands are %s",
                       dtype_name(p->common));
    if (p->alpha.kind == MC_ARG_BOOL && p->common != MC_BOOL)
        return op_fail(op, MC_ERROR_DTYPE, "alpha is a bool and the operands are %s",
                       dtype_name(p->common));
    return true;
}

static bool pair_shape(struct op *op, const struct pair *p, mc_shape *shape)
{
    const mc_tensor *x = tensor_of(p->x), *y = tensor_of(p->y);
    char a[200], b[200];
    if (x && y) {
        if (tensor_same_shape(x, y))
            *shape = tensor_shape(x);
        else if (!op_broadcast(op, x, y, shape))
            return false;
    } else {
        *shape = tensor_shape(x ? x : y);
    }
    if (!p->into)
        return true;
    bool fits = shape->ndim == p->into->ndim;
    for (int i = 0; fits && i < shape->ndim; i++)
        fits = shape->dims[i] == p->into->shape[i];
    if (fits)
        return true;
    return op_fail(op, MC_ERROR_SHAPE, "the result has the shape %s, the tensor written to %s",
                   shape_describe(shape->ndim, shape->dims, a, sizeof a),
                   shape_describe(p->into->ndim, p->into->shape, b, sizeof b));
}

/* One operand for the kernel: a tensor of the computed dtype on the device, or a number. */
struct operand {
    mc_tensor *tensor;
    uint64_t number;
    bool is_f32; /* the number stays a float though computing is in a half */
};

static bool number_of(struct op *op, mc_tensor *t, mc_arg *number)
{
    mc_tensor *wide = op_cast(op, t, dtype_is_float(t->dtype) ? MC_F64 : MC_I64);
    int64_t bits = 0;
    if (!wide || !tensor_backend(wide)->download(&bits, wide->storage,
                                                 (size_t)wide->offset * sizeof bits, sizeof bits))
        return false;
    *number = mc_arg_int(bits);
    if (dtype_is_float(t->dtype)) {
        number->kind = MC_ARG_FLOAT;
        memcpy(&number->as.f, &bits, sizeof bits);
    }
    return true;
}

/* Whether a number is rounded to a half first: always in fmod and remainder; in add and sub if it
 * is a CPU tensor and the second operand. */
static bool rounds_number(const struct pair *p, const mc_tensor *t)
{
    if (p->b == BINARY_fmod || p->b == BINARY_remainder)
        return true;
    return t && p->device == MC_CPU && (p->b == BINARY_add || p->b == BINARY_sub);
}

static bool prepare(struct op *op, const struct pair *p, mc_arg a, bool second, struct operand *out)
{
    mc_tensor *t = tensor_of(a);
    bool half = dtype_is_half(p->compute);
    bool scalar =
        !t || (t->ndim == 0 && tensor_device(t) == MC_CPU && (half || p->device != MC_CPU));
    *out = (struct operand){0};
    if (!scalar) {
        out->tensor = op_convert(op, t, p->compute);
        return out->tensor != NULL;
    }
    if (t && !number_of(op, t, &a))
        return false;
    out->is_f32 = half && second && !rounds_number(p, t);
    number_to_bytes(a, out->is_f32 ? MC_F32 : p->compute, &out->number);
    return true;
}

static bool run_binary(struct op *op, const struct pair *p, mc_tensor *out, struct operand *x,
                       struct operand *y)
{
    struct loop loop;
    loop_over(&loop, 3, (const mc_tensor *const[]){out, x->tensor, y->tensor});
    loop.number[1] = x->number;
    loop.number[2] = y->number;
    op_note_numbers(op, p->x, p->y);
    bool done =
        tensor_backend(out)->kernels->elementwise->binary(p->b, p->compute, &loop, y->is_f32);
    if (!done && !tensor_backend(out)->is_cuda)
        return op_fail(op, MC_ERROR_VALUE, "integer division by zero");
    return true;
}

/* x to the power of the number 0 or 1 is a fill or a copy, for every dtype. */
static mc_tensor *trivial_pow(struct op *op, const struct pair *p, mc_tensor *out)
{
    double e = p->y.kind == MC_ARG_FLOAT ? p->y.as.f : (double)p->y.as.i;
    return e == 0 ? op_fill(op, out, mc_arg_int(1)) : op_copy(op, out, tensor_of(p->x));
}

static bool is_trivial_pow(const struct pair *p)
{
    double e = p->y.kind == MC_ARG_FLOAT ? p->y.as.f : (double)p->y.as.i;
    return p->b == BINARY_pow && tensor_of(p->x) && p->y.kind != MC_ARG_TENSOR &&
           (e == 0 || e == 1);
}

static bool exponent_fits(struct op *op, const struct pair *p)
{
    bool number = p->b == BINARY_pow && p->y.kind != MC_ARG_TENSOR && !is_trivial_pow(p);
    return !number || op_number_fits(op, p->y, p->compute);
}

static bool negative_int_pow(struct op *op, const struct pair *p)
{
    if (p->b != BINARY_pow || dtype_is_float(p->common) || p->y.kind != MC_ARG_INT ||
        p->y.as.i >= 0)
        return false;
    op_fail(op, MC_ERROR_VALUE, "an integer cannot be raised to a negative integer power");
    return true;
}

/* Computed into a new tensor and copied if dtypes differ or the result would overwrite an operand.
 */
static mc_tensor *finish(struct op *op, const struct pair *p, mc_shape shape)
{
    mc_dtype result = result_dtype(binaries[p->b].result, p->common);
    struct operand x, y;
    bool direct = p->into && p->into->dtype == result;
    mc_tensor *out = direct ? p->into : op_new(op, shape, result, p->device);
    if (!out)
        return NULL;
    if (is_trivial_pow(p)) {
        if (!trivial_pow(op, p, out))
            return NULL;
    } else {
        if (!prepare(op, p, p->x, false, &x) || !prepare(op, p, p->y, true, &y))
            return NULL;
        if (direct) {
            x.tensor = op_apart(op, out, x.tensor);
            y.tensor = op_apart(op, out, y.tensor);
        }
        if (!op->ok || !run_binary(op, p, out, &x, &y))
            return NULL;
    }
    return p->into && !direct ? op_copy(op, p->into, out) : out;
}

static double value_of(mc_arg number)
{
    return number.kind == MC_ARG_FLOAT ? number.as.f : (double)number.as.i;
}

/* y times alpha, in that dtype. */
static mc_arg times_alpha(struct op *op, const struct pair *p, mc_dtype dtype)
{
    mc_tensor *t = tensor_of(p->y);
    if (dtype == MC_BOOL)
        return value_of(p->alpha) != 0 ? p->y : mc_arg_bool(false);
    if (t)
        return mc_arg_tensor(
            op_binary(op, BINARY_mul, mc_arg_tensor(op_convert(op, t, dtype)), p->alpha));
    if (p->y.kind == MC_ARG_FLOAT || p->alpha.kind == MC_ARG_FLOAT)
        return mc_arg_float(value_of(p->y) * value_of(p->alpha));
    return mc_arg_int((int64_t)((uint64_t)p->y.as.i * (uint64_t)p->alpha.as.i));
}

/* Halves are computed in f32 and rounded once. */
static mc_tensor *finish_scaled(struct op *op, const struct pair *p)
{
    mc_dtype wide = dtype_is_half(p->compute) ? MC_F32 : p->compute;
    mc_arg y = times_alpha(op, p, wide);
    mc_tensor *x = op->ok ? op_convert(op, tensor_of(p->x), wide) : NULL;
    mc_tensor *sum = x ? op_binary(op, p->b, mc_arg_tensor(x), y) : NULL;
    sum = op_cast(op, sum, p->common);
    return p->into && sum ? op_copy(op, p->into, sum) : sum;
}

mc_tensor *op_scaled_into(struct op *op, enum binary b, mc_arg x, mc_arg y, mc_arg alpha,
                          mc_tensor *into)
{
    struct pair p = {.b = b, .x = x, .y = y, .alpha = alpha, .into = into};
    mc_shape shape;
    if (!tensor_of(x) && !tensor_of(y))
        return op_fail(op, MC_ERROR_ARGUMENT, "%s needs a tensor among its operands", op->name);
    if (!check_bool_minus(op, &p) || !pair_shape(op, &p, &shape))
        return NULL;
    p.common = result_type(x, y);
    p.device = common_device(&p);
    if (p.common == MC_DTYPE_DEFAULT)
        return op_fail(op, MC_ERROR_DTYPE, "%s: these dtypes have no common one", op->name);
    p.compute = compute_dtype(binaries[b].result, p.common);
    if (!check_into(op, &p) || !input_device(op, &p, x, true) || !input_device(op, &p, y, false))
        return NULL;
    if (!check_alpha(op, &p) || (!is_trivial_pow(&p) && !check_dtypes(op, &p)) ||
        negative_int_pow(op, &p) || !exponent_fits(op, &p))
        return NULL;
    if (into && !op_writes(op, into))
        return NULL;
    return alpha.kind == MC_ARG_NONE ? finish(op, &p, shape) : finish_scaled(op, &p);
}

mc_tensor *op_binary_into(struct op *op, enum binary b, mc_arg x, mc_arg y, mc_tensor *into)
{
    return op_scaled_into(op, b, x, y, (mc_arg){0}, into);
}

mc_tensor *op_binary(struct op *op, enum binary b, mc_arg x, mc_arg y)
{
    return op_binary_into(op, b, x, y, NULL);
}

mc_tensor *op_binary_(struct op *op, enum binary b, mc_tensor *self, mc_arg y)
{
    return self ? op_binary_into(op, b, mc_arg_tensor(self), y, self) : NULL;
}

mc_tensor *op_fill(struct op *op, mc_tensor *x, mc_arg value)
{
    struct loop loop;
    (void)op;
    if (!x)
        return NULL;
    loop_over(&loop, 1, (const mc_tensor *const[]){x});
    tensor_backend(x)->kernels->elementwise->fill(x->dtype, &loop, value);
    return x;
}
