/* Tensors: a geometry over a storage. Allocating them within an op, and the public queries about
 * them. */
#include "runtime/core/core.h"

#include <stdio.h>
#include <string.h>

#include "runtime/core/backend.h"
#include "runtime/core/hooks.h"
#include "runtime/core/pool.h"

static void header_init(mc_tensor *t, struct storage *storage, mc_dtype dtype)
{
    t->magic = TENSOR_ALIVE;
    atomic_init(&t->refs, 1);
    t->dtype = dtype;
    t->offset = 0;
    t->storage = storage;
    t->requires_grad = false;
    t->role = ROLE_PLAIN;
    t->view = VIEW_NONE;
    t->fn = t->sink = NULL;
    t->group = t->serial = 0;
}

static mc_tensor *header_new(struct op *op, struct storage *storage, mc_dtype dtype)
{
    mc_tensor *t = pool_take(POOL_TENSOR);
    if (!t) {
        storage_unref(storage);
        return op_fail(op, MC_ERROR_MEMORY, "no memory for another tensor");
    }
    header_init(t, storage, dtype);
    t->made = op->at;
    scope_adopt(t);
    return t;
}

mc_tensor *tensor_alias(const mc_tensor *of)
{
    mc_tensor *t = pool_take(POOL_TENSOR);
    if (!t)
        return NULL;
    storage_ref(of->storage);
    header_init(t, of->storage, of->dtype);
    t->owner = NULL;
    t->made = of->made;
    t->ndim = of->ndim;
    t->numel = of->numel;
    t->offset = of->offset;
    memcpy(t->shape, of->shape, sizeof t->shape[0] * (size_t)of->ndim);
    memcpy(t->stride, of->stride, sizeof t->stride[0] * (size_t)of->ndim);
    return t;
}

static void set_contiguous(mc_tensor *t, const mc_shape *shape, int64_t numel)
{
    int64_t stride = 1;
    t->ndim = shape->ndim;
    t->numel = numel;
    for (int i = shape->ndim - 1; i >= 0; i--) {
        t->shape[i] = shape->dims[i];
        t->stride[i] = stride;
        /* The strides of an empty tensor may overflow, and have no meaning. */
        (void)__builtin_mul_overflow(stride, shape->dims[i] > 0 ? shape->dims[i] : 1, &stride);
    }
}

static bool check_shape(struct op *op, const mc_shape *shape, mc_dtype dtype, int64_t *numel)
{
    char text[200];
    size_t nbytes;
    if (shape->ndim < 0 || shape->ndim > MC_MAX_DIMS)
        return op_fail(op, MC_ERROR_SHAPE, "a tensor has 0 to %d dimensions", MC_MAX_DIMS);
    if (!shape_numel(shape->ndim, shape->dims, numel) ||
        __builtin_mul_overflow((size_t)*numel, dtype_size(dtype), &nbytes) || nbytes > PTRDIFF_MAX)
        return op_fail(op, MC_ERROR_SHAPE, "no tensor can have the shape %s",
                       shape_describe(shape->ndim, shape->dims, text, sizeof text));
    return true;
}

void *op_no_device(struct op *op, mc_device device)
{
    const char *why = device == MC_CPU ? NULL : core_hooks.cuda_missing();
    return op_fail(op, MC_ERROR_DEVICE, "there is no device %s here%s%s", mc_device_name(device),
                   why ? ": " : "", why ? why : "");
}

/* "; of its 143.0 GB, 140.1 are used by tensors, 1.2 kept for later ones and 0.9 free" */
static void memory_describe(mc_device device, char *text, size_t size)
{
    const struct backend *b = core_hooks.backend_of(device);
    struct memory_use use;
    text[0] = '\0';
    if (!b->memory)
        return;
    b->memory(device, &use);
    snprintf(text, size,
             "; of its %.2f GB, %.2f are used by tensors, %.2f kept for later ones and %.2f free",
             (double)use.total / 1e9, (double)use.used / 1e9, (double)use.kept / 1e9,
             (double)use.free / 1e9);
}

static void *no_memory(struct op *op, int64_t numel, mc_dtype dtype, mc_device device)
{
    char use[160];
    memory_describe(device, use, sizeof use);
    return op_fail(op, MC_ERROR_MEMORY, "no memory for %lld elements of %s (%lld bytes) on %s%s",
                   (long long)numel, dtype_name(dtype),
                   (long long)numel * (long long)dtype_size(dtype), mc_device_name(device), use);
}

mc_tensor *op_new(struct op *op, mc_shape shape, mc_dtype dtype, mc_device device)
{
    int64_t numel;
    device = device_resolve(device);
    if (!dtype_valid(dtype))
        return op_fail(op, MC_ERROR_ARGUMENT, "%d is not a dtype", (int)dtype);
    if (!core_hooks.backend_of(device))
        return op_no_device(op, device);
    if (!check_shape(op, &shape, dtype, &numel))
        return NULL;
    struct storage *s = storage_new(device, (size_t)numel * dtype_size(dtype));
    if (!s)
        return no_memory(op, numel, dtype, device);
    mc_tensor *t = header_new(op, s, dtype);
    if (t)
        set_contiguous(t, &shape, numel);
    return t;
}

mc_tensor *op_new_like(struct op *op, const mc_tensor *t, mc_dtype dtype)
{
    return op_new(op, tensor_shape(t), dtype, tensor_device(t));
}

mc_tensor *op_view_of(struct op *op, const mc_tensor *of, int ndim, const int64_t *shape,
                      const int64_t *stride, int64_t offset)
{
    storage_ref(of->storage);
    mc_tensor *t = header_new(op, of->storage, of->dtype);
    if (!t)
        return NULL;
    t->ndim = ndim;
    t->offset = offset;
    t->numel = 1;
    for (int i = 0; i < ndim; i++) {
        t->shape[i] = shape[i];
        t->stride[i] = stride[i];
        (void)__builtin_mul_overflow(t->numel, shape[i],
                                     &t->numel); /* an overflow is followed by a 0 */
    }
    return t;
}

mc_tensor *op_wrap(struct op *op, struct storage *storage, mc_shape shape, mc_dtype dtype)
{
    int64_t numel;
    if (!check_shape(op, &shape, dtype, &numel)) {
        storage_unref(storage);
        return NULL;
    }
    mc_tensor *t = header_new(op, storage, dtype);
    if (t)
        set_contiguous(t, &shape, numel);
    return t;
}

bool op_dim(struct op *op, int64_t *dim, int ndim)
{
    int64_t range = ndim ? ndim : 1;
    if (*dim < -range || *dim >= range)
        return op_fail(op, MC_ERROR_SHAPE, "dimension %lld of a tensor with %d", (long long)*dim,
                       ndim);
    if (*dim < 0)
        *dim += range;
    return true;
}

bool tensor_is_contiguous(const mc_tensor *t)
{
    int64_t stride = 1;
    if (t->numel == 0)
        return true;
    for (int i = t->ndim - 1; i >= 0; i--) {
        if (t->shape[i] != 1 && t->stride[i] != stride)
            return false;
        stride *= t->shape[i];
    }
    return true;
}

bool tensor_same_shape(const mc_tensor *a, const mc_tensor *b)
{
    if (a->ndim != b->ndim)
        return false;
    for (int i = 0; i < a->ndim; i++)
        if (a->shape[i] != b->shape[i])
            return false;
    return true;
}

/* ---- public queries: any pointer is allowed, except a wild one ----------------------------- */

static bool alive(const mc_tensor *x)
{
    return x && x->magic == TENSOR_ALIVE;
}

mc_dtype mc_dtype_of(const mc_tensor *x)
{
    return alive(x) ? x->dtype : MC_DTYPE_DEFAULT;
}

mc_device mc_device_of(const mc_tensor *x)
{
    return alive(x) ? tensor_device(x) : MC_DEVICE_DEFAULT;
}

int mc_ndim(const mc_tensor *x)
{
    return alive(x) ? x->ndim : -1;
}

static int64_t ask_dim(mc_place at, const char *name, const mc_tensor *x, int64_t dim, bool stride)
{
    OP_BEGIN(op, name, at, (mc_tensor *)x);
    bool there = op.ok && dim >= -x->ndim && dim < x->ndim;
    if (op.ok && !there)
        op_fail(&op, MC_ERROR_SHAPE, "dimension %lld of a tensor with %d", (long long)dim, x->ndim);
    int64_t d = there && dim < 0 ? dim + x->ndim : dim;
    op_finish(&op);
    return !there ? INT64_MIN : stride ? x->stride[d] : x->shape[d];
}

int64_t mc_op_size(mc_place at, const mc_tensor *x, int64_t dim)
{
    return ask_dim(at, "size", x, dim, false);
}

int64_t mc_op_stride(mc_place at, const mc_tensor *x, int64_t dim)
{
    return ask_dim(at, "stride", x, dim, true);
}

int64_t mc_numel(const mc_tensor *x)
{
    return alive(x) ? x->numel : -1;
}

mc_shape mc_shape_of(const mc_tensor *x)
{
    return alive(x) ? tensor_shape(x) : (mc_shape){.ndim = -1};
}

size_t mc_nbytes(const mc_tensor *x)
{
    return alive(x) ? (size_t)x->numel * dtype_size(x->dtype) : 0;
}

bool mc_is_contiguous(const mc_tensor *x)
{
    return alive(x) && tensor_is_contiguous(x);
}

bool mc_is_floating_point(const mc_tensor *x)
{
    return alive(x) && dtype_is_float(x->dtype);
}

bool mc_is_cuda(const mc_tensor *x)
{
    return alive(x) && tensor_backend(x)->is_cuda;
}

bool mc_is_same_storage(const mc_tensor *a, const mc_tensor *b)
{
    return alive(a) && alive(b) && a->storage == b->storage;
}

static bool dtype_expected(unsigned dtypes, mc_dtype d)
{
    return dtypes < MC_DTYPE_BIT(0) ? dtypes == (unsigned)d : (dtypes & MC_DTYPE_BIT(d)) != 0;
}

bool mc_op_expect(mc_place at, const mc_tensor *x, const char *name, unsigned dtypes,
                  mc_device device)
{
    OP_BEGIN(op, "MC_EXPECT", at, (mc_tensor *)x);
    op_note_text(&op, "expression", name);
    if (op.ok && !dtype_expected(dtypes, x->dtype))
        op_fail(&op, MC_ERROR_CONTRACT, "%s is %s, which is not expected here", name,
                dtype_name(x->dtype));
    else if (op.ok && device != MC_ANY_DEVICE && device_resolve(device) != tensor_device(x))
        op_fail(&op, MC_ERROR_CONTRACT, "%s is on %s, %s is expected here", name,
                mc_device_name(tensor_device(x)), mc_device_name(device));
    bool held = op.ok;
    op_finish(&op);
    return held;
}

void mc_op_reveal(mc_place at, const mc_tensor *x, const char *name)
{
    char text[256];
    fprintf(stderr, "%s:%d: %s: %s\n", at.file, at.line, name,
            alive(x) ? tensor_describe(x, text, sizeof text)
            : x      ? "freed"
                     : "NULL");
}
