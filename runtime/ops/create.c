/* Creating tensors: filled with one value, or over given memory. Default dtypes are PyTorch's:
 * f32, or that of the given number. */
#include "runtime/ops/ops.h"

#include "runtime/autograd/graph.h"
#include "runtime/core/hooks.h"

/* ---- options ------------------------------------------------------------------------------ */

static bool finish_options(struct op *op, const struct made *made, unsigned set)
{
    if (!dtype_valid(made->dtype))
        return op_fail(op, MC_ERROR_ARGUMENT, "%d is not a dtype", (int)made->dtype);
    if (!backend_of(made->device))
        return op_no_device(op, made->device);
    if (!op_takes(op, made->dtype, set))
        return false;
    if (made->requires_grad && !dtype_is_float(made->dtype))
        return op_fail(op, MC_ERROR_GRAD,
                       "only floating tensors can require grad, this would be %s",
                       dtype_name(made->dtype));
    return true;
}

bool made_as(struct op *op, struct made *made, mc_new_options o, mc_dtype otherwise, unsigned set)
{
    made->dtype = o.dtype == MC_DTYPE_DEFAULT ? otherwise : o.dtype;
    made->device = device_resolve(o.device);
    made->requires_grad = o.requires_grad;
    return op->ok && finish_options(op, made, set);
}

bool made_like(struct op *op, struct made *made, mc_new_options o, const mc_tensor *x, unsigned set)
{
    op_constant(op);
    if (!op->ok)
        return false;
    if (o.device == MC_DEVICE_DEFAULT)
        o.device = tensor_device(x);
    return made_as(op, made, o, x->dtype, set);
}

mc_tensor *made_new(struct op *op, mc_shape shape, const struct made *made)
{
    mc_tensor *t = op_new(op, shape, made->dtype, made->device);
    if (t)
        t->requires_grad = made->requires_grad;
    return t;
}

mc_tensor *made_cast(struct op *op, mc_tensor *x, const struct made *made)
{
    mc_tensor *t = op_cast(op, x, made->dtype);
    if (t)
        t->requires_grad = made->requires_grad;
    return t;
}

bool number_in(struct op *op, mc_arg *a)
{
    if (a->kind == MC_ARG_NONE)
        return op_fail(op, MC_ERROR_ARGUMENT, "a number is missing");
    if (a->kind == MC_ARG_TENSOR)
        *a = op_item(op, a->as.tensor);
    return a->kind != MC_ARG_NONE;
}

/* ---- empty, zeros, ones, full ------------------------------------------------------------- */

static mc_tensor *filled(struct op *op, mc_shape shape, const struct made *made, mc_arg value)
{
    if (!op_number_fits(op, value, made->dtype))
        return NULL;
    return op_fill(op, made_new(op, shape, made), value);
}

/* dtype from the number */
static mc_dtype number_dtype(mc_arg number)
{
    return number.kind == MC_ARG_FLOAT ? dtype_default()
           : number.kind == MC_ARG_INT ? MC_I64
                                       : MC_BOOL;
}

mc_tensor *mc_op_empty(mc_place at, mc_shape shape, mc_new_options options)
{
    OP_BEGIN0(op, "empty", at);
    struct made made;
    bool fine = made_as(&op, &made, options, dtype_default(), SET_ALL);
    return op_end(&op, fine ? made_new(&op, shape, &made) : NULL);
}

#define CONSTANT_OP(name, value)                                                                   \
    mc_tensor *mc_op_##name(mc_place at, mc_shape shape, mc_new_options options)                   \
    {                                                                                              \
        OP_BEGIN0(op, #name, at);                                                                  \
        struct made made;                                                                          \
        bool fine = made_as(&op, &made, options, dtype_default(), SET_ALL);                        \
        return op_end(&op, fine ? filled(&op, shape, &made, mc_arg_int(value)) : NULL);            \
    }                                                                                              \
    mc_tensor *mc_op_##name##_like(mc_place at, mc_tensor *x, mc_new_options options)              \
    {                                                                                              \
        OP_BEGIN(op, #name "_like", at, x);                                                        \
        struct made made;                                                                          \
        bool fine = made_like(&op, &made, options, x, SET_ALL);                                    \
        return op_end(&op, fine ? filled(&op, tensor_shape(x), &made, mc_arg_int(value)) : NULL);  \
    }
CONSTANT_OP(zeros, 0)
CONSTANT_OP(ones, 1)

mc_tensor *mc_op_empty_like(mc_place at, mc_tensor *x, mc_new_options options)
{
    OP_BEGIN(op, "empty_like", at, x);
    struct made made;
    bool fine = made_like(&op, &made, options, x, SET_ALL);
    return op_end(&op, fine ? made_new(&op, tensor_shape(x), &made) : NULL);
}

static mc_tensor *full(struct op *op, mc_shape shape, mc_arg value, mc_new_options options)
{
    struct made made;
    if (!number_in(op, &value) || !made_as(op, &made, options, number_dtype(value), SET_ALL))
        return NULL;
    return filled(op, shape, &made, value);
}

mc_tensor *mc_op_full(mc_place at, mc_shape shape, mc_arg value, mc_new_options options)
{
    OP_BEGIN0(op, "full", at);
    return op_end(&op, op_arg(&op, value) ? full(&op, shape, value, options) : NULL);
}

mc_tensor *mc_op_scalar_tensor(mc_place at, mc_arg value, mc_new_options options)
{
    OP_BEGIN0(op, "scalar_tensor", at);
    return op_end(&op, op_arg(&op, value) ? full(&op, (mc_shape){0}, value, options) : NULL);
}

mc_tensor *mc_op_full_like(mc_place at, mc_tensor *x, mc_arg value, mc_new_options options)
{
    OP_BEGIN(op, "full_like", at, x);
    struct made made;
    bool fine =
        op_arg(&op, value) && number_in(&op, &value) && made_like(&op, &made, options, x, SET_ALL);
    return op_end(&op, fine ? filled(&op, tensor_shape(x), &made, value) : NULL);
}

static mc_tensor *eye(struct op *op, int64_t n, const struct made *made)
{
    mc_shape shape = {.ndim = 2, .dims = {n, n}};
    mc_tensor *t = filled(op, shape, made, mc_arg_int(0));
    if (!t || n == 0)
        return t;
    mc_tensor *diagonal = op_view_of(op, t, 1, &n, (int64_t[]){n + 1}, t->offset);
    return op_fill(op, diagonal, mc_arg_int(1)) ? t : NULL;
}

mc_tensor *mc_op_eye(mc_place at, int64_t n, mc_new_options options)
{
    OP_BEGIN0(op, "eye", at);
    struct made made;
    bool fine = made_as(&op, &made, options, dtype_default(), SET_ALL);
    return op_end(&op, fine ? eye(&op, n, &made) : NULL);
}

/* ---- the default dtype ---------------------------------------------------------------------- */

bool mc_op_set_default_dtype(mc_place at, mc_dtype d)
{
    OP_BEGIN0(op, "set_default_dtype", at);
    bool takes = d == MC_F16 || d == MC_BF16 || d == MC_F32 || d == MC_F64;
    if (op.ok && dtype_valid(d))
        op_note_text(&op, "dtype", dtype_name(d));
    if (op.ok && !takes)
        op_fail(&op, MC_ERROR_DTYPE, "only f16, bf16, f32 and f64 can be the default dtype");
    bool done = op.ok && takes;
    if (done)
        dtype_set_default(d);
    op_finish(&op);
    return done;
}

/* ---- memory that is given ----------------------------------------------------------------- */

/* The dtype of the elements at data, and how many bytes of them there are. */
static bool given(struct op *op, const void *data, mc_dtype *element, mc_dtype said, mc_shape shape,
                  size_t *nbytes)
{
    int64_t numel;
    if (*element == MC_DTYPE_DEFAULT)
        *element = said;
    if (*element == MC_DTYPE_DEFAULT)
        return op_fail(op, MC_ERROR_ARGUMENT, "the pointer's type has no dtype: give .dtype");
    if (!dtype_valid(*element) || (said != MC_DTYPE_DEFAULT && !dtype_valid(said)))
        return op_fail(op, MC_ERROR_ARGUMENT, "%d is not a dtype",
                       (int)(dtype_valid(*element) ? said : *element));
    if (shape.ndim < 0 || shape.ndim > MC_MAX_DIMS)
        return op_fail(op, MC_ERROR_SHAPE, "a tensor has 0 to %d dimensions", MC_MAX_DIMS);
    if (!shape_numel(shape.ndim, shape.dims, &numel) ||
        __builtin_mul_overflow((size_t)numel, dtype_size(*element), nbytes))
        return op_fail(op, MC_ERROR_SHAPE, "no array can have this shape");
    if (!data && *nbytes)
        return op_fail(op, MC_ERROR_ARGUMENT, "the data are NULL");
    return true;
}

/* Values are converted where the pointer's type is known and another dtype is requested. */
static mc_tensor *from_array(struct op *op, const void *data, mc_dtype element, mc_shape shape,
                             mc_data_options o)
{
    size_t nbytes;
    struct made made;
    mc_new_options options = {
        .dtype = o.dtype, .device = o.device, .requires_grad = o.requires_grad};
    if (!given(op, data, &element, o.dtype, shape, &nbytes) ||
        !made_as(op, &made, options, element, SET_ALL))
        return NULL;
    mc_tensor *t = op_new(op, shape, element, made.device);
    if (!t)
        return NULL;
    if (nbytes && !tensor_backend(t)->upload(t->storage, 0, data, nbytes))
        return op_fail(op, MC_ERROR_MEMORY, "the copy to %s failed", mc_device_name(made.device));
    return made_cast(op, t, &made);
}

mc_tensor *mc_op_from_array(mc_place at, const void *data, mc_dtype element, mc_shape shape,
                            mc_data_options options)
{
    OP_BEGIN0(op, "from_array", at);
    return op_end(&op, op.ok ? from_array(&op, data, element, shape, options) : NULL);
}

static bool borrowable(struct op *op, const void *data, mc_dtype element, mc_data_options o)
{
    if (o.dtype != MC_DTYPE_DEFAULT && o.dtype != element)
        return op_fail(op, MC_ERROR_DTYPE, "the pointer is to %s, it cannot be taken as %s",
                       dtype_name(element), dtype_name(o.dtype));
    if (device_resolve(o.device) != MC_CPU)
        return op_fail(op, MC_ERROR_DEVICE, "only memory of the CPU can be borrowed");
    if ((uintptr_t)data % dtype_size(element))
        return op_fail(op, MC_ERROR_ARGUMENT, "the data are not aligned for %s",
                       dtype_name(element));
    return true;
}

static mc_tensor *from_blob(struct op *op, void *data, mc_dtype element, mc_shape shape,
                            mc_data_options o)
{
    size_t nbytes;
    struct made made;
    mc_new_options options = {.requires_grad = o.requires_grad};
    if (!given(op, data, &element, o.dtype, shape, &nbytes) || !borrowable(op, data, element, o) ||
        !made_as(op, &made, options, element, SET_ALL))
        return NULL;
    struct storage *storage = storage_borrow(data, nbytes, NULL, o.user);
    if (!storage)
        return op_fail(op, MC_ERROR_MEMORY, "no memory for another tensor");
    mc_tensor *t = op_wrap(op, storage, shape, element);
    if (!t)
        return NULL;
    op_note_number(op, "bytes", (double)nbytes);
    storage->notes->release =
        o.release; /* only now: if a call failed, the data still belong to the caller */
    t->requires_grad = o.requires_grad;
    return t;
}

mc_tensor *mc_op_from_blob(mc_place at, void *data, mc_dtype element, mc_shape shape,
                           mc_data_options options)
{
    OP_BEGIN0(op, "from_blob", at);
    return op_end(&op, op.ok ? from_blob(&op, data, element, shape, options) : NULL);
}
