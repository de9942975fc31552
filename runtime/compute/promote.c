/* PyTorch's promotion of dtypes, and the checks that ops share. */
#include "runtime/compute/compute.h"

#include <math.h>

/* The dtype that holds both; XX where PyTorch has none. Rows and columns in the order of mc_dtype.
 * clang-format off */
enum {
    XX = MC_DTYPE_DEFAULT,
    B = MC_BOOL,
    U = MC_U8,
    I1 = MC_I8,
    I2 = MC_I16,
    I4 = MC_I32,
    I8 = MC_I64,
    H = MC_F16,
    BF = MC_BF16,
    F = MC_F32,
    D = MC_F64,
    E4 = MC_F8_E4M3,
    E5 = MC_F8_E5M2
};
static const unsigned char promotion[MC_DTYPE_COUNT][MC_DTYPE_COUNT] = {
    /*            none bool  u8  i8  i16  i32  i64  f16 bf16  f32  f64 e4m3 e5m2 */
    /* none */ {XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX},
    /* bool */ {XX, B, U, I1, I2, I4, I8, H, BF, F, D, XX, XX},
    /* u8   */ {XX, U, U, I2, I2, I4, I8, H, BF, F, D, XX, XX},
    /* i8   */ {XX, I1, I2, I1, I2, I4, I8, H, BF, F, D, XX, XX},
    /* i16  */ {XX, I2, I2, I2, I2, I4, I8, H, BF, F, D, XX, XX},
    /* i32  */ {XX, I4, I4, I4, I4, I4, I8, H, BF, F, D, XX, XX},
    /* i64  */ {XX, I8, I8, I8, I8, I8, I8, H, BF, F, D, XX, XX},
    /* f16  */ {XX, H, H, H, H, H, H, H, F, F, D, XX, XX},
    /* bf16 */ {XX, BF, BF, BF, BF, BF, BF, F, BF, F, D, XX, XX},
    /* f32  */ {XX, F, F, F, F, F, F, F, F, F, D, XX, XX},
    /* f64  */ {XX, D, D, D, D, D, D, D, D, D, D, XX, XX},
    /* e4m3 */ {XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, E4, XX},
    /* e5m2 */ {XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, E5},
};
/* clang-format on */

mc_dtype promote(mc_dtype a, mc_dtype b)
{
    return dtype_valid(a) && dtype_valid(b) ? (mc_dtype)promotion[a][b] : MC_DTYPE_DEFAULT;
}

/* bool < integer < floating */
static int kind_of(mc_dtype d)
{
    return dtype_is_float(d) ? 2 : dtype_is_int(d) ? 1 : 0;
}

static mc_dtype number_dtype(mc_arg number)
{
    return number.kind == MC_ARG_FLOAT ? dtype_default()
           : number.kind == MC_ARG_INT ? MC_I64
                                       : MC_BOOL;
}

/* 2: a tensor with dimensions, 1: a 0-dim tensor, 0: a number. */
static int rank_of(mc_arg a)
{
    return a.kind != MC_ARG_TENSOR ? 0 : a.as.tensor->ndim ? 2 : 1;
}

static mc_dtype dtype_of_arg(mc_arg a)
{
    return a.kind == MC_ARG_TENSOR ? a.as.tensor->dtype : number_dtype(a);
}

/* A lower category counts only if its kind is higher. */
static mc_dtype with_lower(mc_dtype high, mc_dtype low)
{
    return kind_of(high) >= kind_of(low) ? high : promote(high, low);
}

mc_dtype result_type_of(int count, const mc_arg *args)
{
    mc_dtype by_rank[3] = {MC_DTYPE_DEFAULT}, all = MC_DTYPE_DEFAULT;
    bool any[3] = {false}, begun = false;
    for (int i = 0; i < count; i++) {
        int rank = rank_of(args[i]);
        mc_dtype d = dtype_of_arg(args[i]);
        by_rank[rank] = any[rank] ? promote(by_rank[rank], d) : d;
        any[rank] = true;
    }
    for (int rank = 2; rank >= 0; rank--) {
        if (!any[rank])
            continue;
        if (by_rank[rank] == MC_DTYPE_DEFAULT || (begun && all == MC_DTYPE_DEFAULT))
            return MC_DTYPE_DEFAULT;
        all = begun ? with_lower(all, by_rank[rank]) : by_rank[rank];
        begun = true;
    }
    return all;
}

mc_dtype result_type(mc_arg a, mc_arg b)
{
    return result_type_of(2, (const mc_arg[]){a, b});
}

bool can_cast(mc_dtype from, mc_dtype to)
{
    return kind_of(from) <= kind_of(to);
}

bool op_takes(struct op *op, mc_dtype dtype, unsigned set)
{
    if (set & BIT(dtype))
        return true;
    return op_fail(op, MC_ERROR_DTYPE, "%s does not take %s", op->name, dtype_name(dtype));
}

bool op_same_device(struct op *op, int count, mc_tensor *const *tensors)
{
    const mc_tensor *first = NULL;
    char a[32], b[32];
    for (int i = 0; i < count; i++) {
        if (!tensors[i])
            continue;
        if (!first)
            first = tensors[i];
        else if (tensor_device(first) != tensor_device(tensors[i]))
            return op_fail(op, MC_ERROR_DEVICE, "%s needs one device: %s is on %s, %s is on %s",
                           op->name, op_operand_name(op, first, a, sizeof a),
                           mc_device_name(tensor_device(first)),
                           op_operand_name(op, tensors[i], b, sizeof b),
                           mc_device_name(tensor_device(tensors[i])));
    }
    return true;
}

bool op_same_dtype(struct op *op, int count, mc_tensor *const *tensors)
{
    const mc_tensor *first = NULL;
    char a[32], b[32];
    for (int i = 0; i < count; i++) {
        if (!tensors[i])
            continue;
        if (!first)
            first = tensors[i];
        else if (first->dtype != tensors[i]->dtype)
            return op_fail(op, MC_ERROR_DTYPE, "%s needs one dtype: %s is %s, %s is %s", op->name,
                           op_operand_name(op, first, a, sizeof a), dtype_name(first->dtype),
                           op_operand_name(op, tensors[i], b, sizeof b),
                           dtype_name(tensors[i]->dtype));
    }
    return true;
}

/* Compared with the largest finite value; infinities and NaN are accepted if the dtype has them. */
static bool float_fits(double v, mc_dtype d)
{
    static const double largest[MC_DTYPE_COUNT] = {
        [MC_F16] = 65504,   [MC_BF16] = 0x1.fep127, [MC_F32] = 0x1.fffffep127,
        [MC_F8_E4M3] = 448, [MC_F8_E5M2] = 57344,
    };
    return !isfinite(v) ? d != MC_F8_E4M3 || isnan(v) : largest[d] == 0 || fabs(v) <= largest[d];
}

/* Unsigned dtypes accept negative integers, which wrap, as in PyTorch; a float must be between the
 * smallest and the largest value. */
static bool int_fits(double v, mc_dtype d, bool is_float)
{
    double bits = (double)(dtype_size(d) * 8);
    double top = d == MC_U8 ? 256 : ldexp(1, (int)bits - 1);
    if (is_float && d != MC_I64)
        return v <= top - 1 && v >= (d == MC_U8 ? 0 : -top);
    return v < top && v > (d == MC_U8 ? -256 : -top - 1);
}

bool op_number_fits(struct op *op, mc_arg number, mc_dtype dtype)
{
    double v = number.kind == MC_ARG_FLOAT ? number.as.f : (double)number.as.i;
    if (dtype == MC_BOOL || (dtype == MC_I64 && number.kind != MC_ARG_FLOAT) ||
        (dtype_is_float(dtype) ? float_fits(v, dtype)
                               : int_fits(v, dtype, number.kind == MC_ARG_FLOAT)))
        return true;
    return op_fail(op, MC_ERROR_OVERFLOW, "%g does not fit %s", v, dtype_name(dtype));
}

/* ---- the public side ---------------------------------------------------------------------- */

mc_dtype mc_promote_types(mc_dtype a, mc_dtype b)
{
    return promote(a, b);
}

bool mc_can_cast(mc_dtype from, mc_dtype to)
{
    return dtype_valid(from) && dtype_valid(to) && can_cast(from, to);
}

mc_dtype mc_op_result_type(mc_place at, mc_tensor *a, mc_arg b)
{
    OP_BEGIN(op, "result_type", at, a);
    op_arg(&op, b);
    mc_dtype d = op.ok ? result_type(mc_arg_tensor(a), b) : MC_DTYPE_DEFAULT;
    if (op.ok && d == MC_DTYPE_DEFAULT)
        op_fail(&op, MC_ERROR_DTYPE, "these dtypes have no common one");
    op_finish(&op);
    return d;
}
