/* From tensors to the loop that kernels run over: broadcasting becomes stride 0, dimensions are
 * merged where possible, and memory that is both read and written is detected. */
#include "runtime/compute/compute.h"

#include <string.h>

#include "runtime/core/hooks.h"

static int64_t stride_at(const mc_tensor *t, int from_last)
{
    int d = t->ndim - 1 - from_last;
    return d < 0 || t->shape[d] == 1 ? 0 : t->stride[d] * (int64_t)dtype_size(t->dtype);
}

/* Whether dimension d (outer) and the innermost one so far can be merged. */
static bool joins(const struct loop *l, const int64_t *outer)
{
    int inner = l->ndim - 1;
    for (int k = 0; k < l->count; k++)
        if (outer[k] != l->stride[k][inner] * l->shape[inner])
            return false;
    return true;
}

static void reverse(struct loop *l)
{
    for (int i = 0, j = l->ndim - 1; i < j; i++, j--) {
        int64_t shape = l->shape[i];
        l->shape[i] = l->shape[j];
        l->shape[j] = shape;
        for (int k = 0; k < l->count; k++) {
            int64_t stride = l->stride[k][i];
            l->stride[k][i] = l->stride[k][j];
            l->stride[k][j] = stride;
        }
    }
}

/* Dimensions are collected innermost first, then reversed. A NULL tensor is a number. */
void loop_over(struct loop *l, int count, const mc_tensor *const *tensors)
{
    const mc_tensor *out = tensors[0];
    l->count = count;
    l->ndim = 0;
    l->numel = out->numel;
    for (int k = 0; k < count; k++)
        l->data[k] = tensors[k] ? tensor_bytes(tensors[k]) : NULL;
    for (int i = 0; i < out->ndim; i++) {
        int64_t size = out->shape[out->ndim - 1 - i], outer[LOOP_MAX];
        if (size == 1)
            continue;
        for (int k = 0; k < count; k++)
            outer[k] = tensors[k] ? stride_at(tensors[k], i) : 0;
        if (l->ndim && joins(l, outer)) {
            l->shape[l->ndim - 1] *= size;
            continue;
        }
        for (int k = 0; k < count; k++)
            l->stride[k][l->ndim] = outer[k];
        l->shape[l->ndim++] = size;
    }
    reverse(l);
}

bool op_can_write(struct op *op, const mc_tensor *x)
{
    for (int i = 0; i < x->ndim; i++)
        if (x->shape[i] > 1 && x->stride[i] == 0)
            return op_fail(
                op, MC_ERROR_ARGUMENT,
                "elements of the tensor written to share memory (it was expanded): clone it first");
    return true;
}

/* A saved tensor shares this memory: the name of this op is needed for the error. */
static void note_change(struct op *op, struct storage *s)
{
    struct notes *notes = storage_notes(s);
    if (!notes) {
        op_fail(op, MC_ERROR_MEMORY, "no memory for a note");
        return;
    }
    notes->changed_by = op->name;
    notes->changed_at = op->at;
}

void op_wrote(struct op *op, mc_tensor *x)
{
    atomic_fetch_add_explicit(&x->storage->version, 1, memory_order_relaxed);
    op->wrote = true;
    if (atomic_load_explicit(&x->storage->aliases, memory_order_relaxed))
        note_change(op, x->storage);
    op_note_write(op, x);
}

bool op_writes(struct op *op, mc_tensor *x)
{
    if (op_can_write(op, x))
        op_wrote(op, x);
    return op->ok;
}

/* The first and last byte of t in its storage. */
static void extent(const mc_tensor *t, int64_t *first, int64_t *last)
{
    int64_t size = (int64_t)dtype_size(t->dtype), low = t->offset, high = t->offset;
    for (int i = 0; i < t->ndim; i++) {
        int64_t reach = (t->shape[i] - 1) * t->stride[i];
        if (reach < 0)
            low += reach;
        else
            high += reach;
    }
    *first = low * size;
    *last = high * size + size - 1;
}

static bool same_elements(const mc_tensor *a, const mc_tensor *b)
{
    if (a->offset != b->offset || a->dtype != b->dtype || !tensor_same_shape(a, b))
        return false;
    for (int i = 0; i < a->ndim; i++)
        if (a->shape[i] != 1 && a->stride[i] != b->stride[i])
            return false;
    return true;
}

mc_tensor *op_apart(struct op *op, const mc_tensor *x, mc_tensor *y)
{
    int64_t x0, x1, y0, y1;
    if (!y || x->storage != y->storage || !x->numel || !y->numel || same_elements(x, y))
        return y;
    extent(x, &x0, &x1);
    extent(y, &y0, &y1);
    return x1 < y0 || y1 < x0 ? y : op_clone(op, y);
}
