/* Reading tensors: host pointers, copies, single values. Pointers are given only to memory that
 * the host may read; PyTorch checks the device before anything else. */
#include "runtime/compute/compute.h"

#include <math.h>

#include "runtime/kernels/convert.h"
#include "runtime/core/hooks.h"

/* ---- pointers ----------------------------------------------------------------------------- */

static bool host_reads(struct op *op, const mc_tensor *x)
{
    if (tensor_device(x) != MC_CPU)
        return op_fail(op, MC_ERROR_DEVICE, "x is on %s, where the host cannot read: move it first",
                       mc_device_name(tensor_device(x)));
    return true;
}

static void *typed_pointer(struct op *op, mc_tensor *x, mc_dtype dtype)
{
    if (!host_reads(op, x))
        return NULL;
    if (x->dtype != dtype)
        return op_fail(op, MC_ERROR_DTYPE, "x is %s, but a pointer to %s was requested",
                       dtype_name(x->dtype), dtype_name(dtype));
    if (!tensor_is_contiguous(x))
        return op_fail(op, MC_ERROR_SHAPE, "x is not contiguous: its elements are not adjacent");
    op_note_pointer(op, x);
    return tensor_bytes(x);
}

#define DATA_OP(name, type, dtype)                                                                 \
    type *mc_op_##name(mc_place at, mc_tensor *x)                                                  \
    {                                                                                              \
        OP_BEGIN(op, #name, at, x);                                                                \
        op_note_text(&op, "asked", dtype_name(dtype));                                             \
        type *data = op.ok ? typed_pointer(&op, x, dtype) : NULL;                                  \
        op_finish(&op);                                                                            \
        return data;                                                                               \
    }
DATA_OP(data_bool, bool, MC_BOOL)
DATA_OP(data_u8, uint8_t, MC_U8)
DATA_OP(data_i8, int8_t, MC_I8)
DATA_OP(data_i16, int16_t, MC_I16)
DATA_OP(data_i32, int32_t, MC_I32)
DATA_OP(data_i64, int64_t, MC_I64)
DATA_OP(data_f16, uint16_t, MC_F16)
DATA_OP(data_bf16, uint16_t, MC_BF16)
DATA_OP(data_f32, float, MC_F32)
DATA_OP(data_f64, double, MC_F64)
DATA_OP(data_f8_e4m3, uint8_t, MC_F8_E4M3)
DATA_OP(data_f8_e5m2, uint8_t, MC_F8_E5M2)

void *mc_op_data(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "data", at, x);
    void *data = op.ok && host_reads(&op, x) ? tensor_bytes(x) : NULL;
    if (data)
        op_note_pointer(&op, x);
    op_finish(&op);
    return data;
}

void *mc_op_data_ptr(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "data_ptr", at, x);
    char *address = op.ok ? x->storage->address : NULL;
    if (address) {
        address += (size_t)x->offset * dtype_size(x->dtype);
        op_note_pointer(&op, x);
    }
    op_finish(&op);
    return address;
}

/* ---- copies ------------------------------------------------------------------------------- */

static bool copy_out(struct op *op, mc_tensor *x, void *to, size_t bytes)
{
    size_t size = dtype_size(x->dtype), all = (size_t)x->numel * size;
    if (bytes != all)
        return op_fail(op, MC_ERROR_ARGUMENT, "x takes %zu bytes, there is room for %zu", all,
                       bytes);
    if (!to && all)
        return op_fail(op, MC_ERROR_ARGUMENT, "there is nowhere to copy to");
    if (!all)
        return true;
    mc_tensor *whole = op_contiguous(op, x);
    if (!whole)
        return false;
    if (!tensor_backend(whole)->download(to, whole->storage, (size_t)whole->offset * size, all))
        return op_fail(op, MC_ERROR_MEMORY, "the copy to the host failed");
    return true;
}

bool mc_op_copy_out(mc_place at, mc_tensor *x, void *to, size_t bytes)
{
    OP_BEGIN(op, "copy_out", at, x);
    op_note_number(&op, "bytes", (double)bytes);
    bool done = op.ok && copy_out(&op, x, to, bytes);
    op_finish(&op);
    return done;
}

/* ---- single values ------------------------------------------------------------------------ */

static mc_arg item(mc_place at, const char *name, mc_tensor *x, bool as_int)
{
    OP_BEGIN(op, name, at, x);
    mc_arg v = op.ok ? op_item(&op, x) : (mc_arg){.kind = MC_ARG_NONE};
    if (as_int && v.kind == MC_ARG_FLOAT && !(v.as.f >= -0x1p63 && v.as.f < 0x1p63)) {
        op_fail(&op, MC_ERROR_OVERFLOW, "%g does not fit i64", v.as.f);
        v.kind = MC_ARG_NONE;
    }
    op_finish(&op);
    return v;
}

/* NaN after an error. */
double mc_op_item(mc_place at, mc_tensor *x)
{
    mc_arg v = item(at, "item", x, false);
    return v.kind == MC_ARG_FLOAT ? v.as.f : v.kind == MC_ARG_NONE ? NAN : (double)v.as.i;
}

/* A float is truncated. 0 after an error. */
int64_t mc_op_item_int(mc_place at, mc_tensor *x)
{
    mc_arg v = item(at, "item_int", x, true);
    return v.kind == MC_ARG_FLOAT ? (int64_t)v.as.f : v.kind == MC_ARG_NONE ? 0 : v.as.i;
}

mc_arg mc_op_item_arg(mc_place at, mc_tensor *x)
{
    return item(at, "item_arg", x, false);
}
