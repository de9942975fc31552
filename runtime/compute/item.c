/* The single value of a one-element tensor, fetched from its device. */
#include "runtime/compute/compute.h"

#include "runtime/kernels/convert.h"

union value {
    bool b;
    uint8_t u8;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint16_t bits16;
    float f32;
    double f64;
};

static mc_arg number_of(const union value *v, mc_dtype dtype)
{
    switch (dtype) {
    case MC_BOOL:
        return mc_arg_bool(v->u8 != 0);
    case MC_U8:
        return mc_arg_int(v->u8);
    case MC_I8:
        return mc_arg_int(v->i8);
    case MC_I16:
        return mc_arg_int(v->i16);
    case MC_I32:
        return mc_arg_int(v->i32);
    case MC_I64:
        return mc_arg_int(v->i64);
    case MC_F16:
        return mc_arg_float(f16_to_f32(v->bits16));
    case MC_BF16:
        return mc_arg_float(bf16_to_f32(v->bits16));
    case MC_F32:
        return mc_arg_float(v->f32);
    case MC_F64:
        return mc_arg_float(v->f64);
    case MC_F8_E4M3:
        return mc_arg_float(f8_e4m3_to_f32(v->u8));
    case MC_F8_E5M2:
        return mc_arg_float(f8_e5m2_to_f32(v->u8));
    case MC_DTYPE_DEFAULT:
    case MC_DTYPE_COUNT:
        break;
    }
    return (mc_arg){.kind = MC_ARG_NONE};
}

mc_arg op_item(struct op *op, mc_tensor *x)
{
    const mc_arg none = {.kind = MC_ARG_NONE};
    union value v = {.i64 = 0};
    size_t size = x ? dtype_size(x->dtype) : 0;
    if (!x)
        return none;
    if (x->numel != 1) {
        op_fail(op, MC_ERROR_SHAPE, "x has %lld elements, not one", (long long)x->numel);
        return none;
    }
    if (!tensor_backend(x)->download(&v, x->storage, (size_t)x->offset * size, size)) {
        op_fail(op, MC_ERROR_MEMORY, "the copy to the host failed");
        return none;
    }
    return number_of(&v, x->dtype);
}
