/* Queries about a tensor, such as its dtype: the answer is a number that remembers the tensor, so
 * that a branch on it refines the fact. */
#include "analyzer/flow/calls/calls.h"

#include <string.h>

/* The numbers of the devices that it can be on; 0: too many. */
static int device_numbers(struct flow *f, const struct pack_function *fn, const struct fact *fact,
                          int64_t *found)
{
    int n = 0;
    uint16_t gpus = fact_gpus(fact);
    if (fact->devices >> DEVICE_CPU & 1)
        found[n++] = packs_value_of_device(f->packs, fn, DEVICE_CPU, 0);
    for (int i = 0; i < GPU_LAST; i++)
        if (gpus >> i & 1)
            found[n++] = packs_value_of_device(f->packs, fn, DEVICE_CUDA, i);
    return gpus >> GPU_LAST & 1 ? 0 : n;
}

static struct value device_range(const struct pack_function *fn, const struct fact *fact)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (int d = 0; d < DEVICE_COUNT; d++) {
        int64_t first, last;
        if (!(fact->devices >> d & 1) || !packs_values_of_device(fn, (enum device)d, &first, &last))
            continue;
        low = first < low ? first : low;
        high = last > high ? last : high;
    }
    return low <= high ? value_range(low, high) : value_range(INT64_MIN, INT64_MAX);
}

struct value rank_answer(const struct fact *fact)
{
    struct value v = value_range(0, INT32_MAX);
    int64_t found[VALUE_MAX];
    int n = 0;
    bool is_counted = fact->ranks && !(fact->ranks >> 15);
    for (int d = 0; d < 15 && is_counted && n <= VALUE_MAX; d++)
        if (fact->ranks >> d & 1 && n++ < VALUE_MAX)
            found[n - 1] = d;
    if (n > 0 && n <= VALUE_MAX) {
        v.count = (uint8_t)n;
        memcpy(v.as.number, found, sizeof *found * (size_t)n);
    }
    return v;
}

struct value answer(struct flow *f, const struct pack_function *fn, const struct choice *c)
{
    struct value v = value_range(INT64_MIN, INT64_MAX);
    struct query *a = arena_one(f->kept, struct query);
    a->question = fn->question;
    a->asker = fn;
    if (c->value.kind != VALUE_TENSOR)
        return v;
    a->count = c->value.count;
    memcpy(a->tensors, c->value.as.tensor, sizeof a->tensors);
    int64_t found[DTYPE_COUNT + GPU_LAST];
    int n = 0;
    for (int d = 1; d < DTYPE_COUNT && fn->question == QUESTION_DTYPE_OF; d++)
        if (c->fact.dtypes >> d & 1)
            found[n++] = packs_value_of_dtype(f->packs, fn, (enum dtype)d);
    if (fn->question == QUESTION_DEVICE_OF) {
        n = device_numbers(f, fn, &c->fact, found);
        v = n ? v : device_range(fn, &c->fact);
    }
    bool counted = fn->question == QUESTION_NDIM && c->fact.ranks && !(c->fact.ranks >> 15);
    for (int d = 0; d < 15 && counted; d++)
        if (c->fact.ranks >> d & 1 && n < DTYPE_COUNT)
            found[n++] = d;
    bool yes = false, no = false;
    if (fn->question == QUESTION_IS_CUDA) {
        yes = c->fact.devices >> DEVICE_CUDA & 1;
        no = c->fact.devices >> DEVICE_CPU & 1;
    } else if (fn->question == QUESTION_IS_FLOATING) {
        yes = c->fact.dtypes & DTYPES_FLOATING;
        no = c->fact.dtypes & ~DTYPES_FLOATING;
    } else if (fn->question == QUESTION_REQUIRES_GRAD) {
        yes = c->fact.grad & TRI_YES || c->fact.grad_open;
        no = c->fact.grad & TRI_NO;
    } else if (fn->question == QUESTION_IS_LEAF) {
        yes = c->fact.leaf & TRI_YES;
        no = c->fact.leaf & TRI_NO || c->fact.grad_open;
    }
    if (no)
        found[n++] = 0;
    if (yes)
        found[n++] = 1;
    if (n > 0 && n <= VALUE_MAX) {
        v.count = (uint8_t)n;
        memcpy(v.as.number, found, sizeof *found * (size_t)n);
    }
    v.query = a;
    return v;
}

bool size_asked(const struct pack_call *call, struct value *out)
{
    const struct choice *x = &call->choices[0];
    const struct shape *shape = x->is_tensor && x->value.count == 1 ? x->fact.shape : NULL;
    int64_t dim = 0, size = -1;
    if (!call->f->merges || !shape)
        return false;
    if (call->fn->question == QUESTION_NUMEL)
        size = shape_elements(shape);
    if (call->fn->question == QUESTION_DIM_SIZE && number_exact(&call->choices[1].value, &dim)) {
        dim += dim < 0 ? shape->count : 0;
        size = dim >= 0 && dim < shape->count ? shape->dims[dim] : -1;
    }
    *out = value_int(size);
    return size >= 0;
}
