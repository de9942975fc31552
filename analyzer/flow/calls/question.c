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
    for (int d = DEVICE_META; d <= DEVICE_OTHER; d++)
        if (fact->devices >> d & 1)
            found[n++] = packs_value_of_device(f->packs, fn, (enum device)d, 0);
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

uint64_t asked_by(const struct pack_function *fn)
{
    return fn->question == QUESTION_HAS_GPU ? (uint64_t)fn->question : (uint64_t)(uintptr_t)fn;
}

struct value has_gpu(struct flow *f, const struct frame *fr, struct state *s)
{
    static const struct type is_bool = {.kind = TYPE_BOOL};
    struct computation c = computation_of(COMPUTATION_CALL, QUESTION_HAS_GPU, &is_bool);
    return computation_result(f, fr, s, &c);
}

struct value answer(struct flow *f, const struct pack_function *fn, const struct value *of,
                    const struct fact *fact)
{
    struct value v = value_range(INT64_MIN, INT64_MAX);
    struct query *a = arena_one(f->kept, struct query);
    a->question = fn->question;
    a->asker = fn;
    if (of->kind != VALUE_TENSOR)
        return v;
    a->count = of->count;
    memcpy(a->tensors, of->as.tensor, sizeof a->tensors);
    a->from = of->origin;
    int64_t found[DTYPE_END + GPU_LAST + DEVICE_COUNT];
    dtype_set dtypes = fact_dtypes(fact, fn);
    int n = 0;
    dtype_set asked = fn->question == QUESTION_DTYPE_OF ? dtypes & DTYPES_EVERY : 0;
    for (; asked; asked &= asked - 1)
        found[n++] = packs_value_of_dtype(f->packs, fn, (enum dtype)__builtin_ctzll(asked));
    if (fn->question == QUESTION_DEVICE_OF) {
        n = device_numbers(f, fn, fact, found);
        v = n ? v : device_range(fn, fact);
    }
    bool counted = fn->question == QUESTION_NDIM && fact->ranks && !(fact->ranks >> 15);
    for (int d = 0; d < 15 && counted; d++)
        if (fact->ranks >> d & 1 && n < DTYPE_END)
            found[n++] = d;
    bool yes = false, no = false;
    if (fn->question == QUESTION_IS_CUDA) {
        yes = fact->devices >> DEVICE_CUDA & 1;
        no = fact->devices & ~(1u << DEVICE_CUDA);
    } else if (fn->question == QUESTION_IS_FLOATING) {
        yes = dtypes & dtypes_floating();
        no = dtypes & ~dtypes_floating();
    } else if (fn->question == QUESTION_REQUIRES_GRAD) {
        yes = fact->grad & TRI_YES || fact->grad_open;
        no = fact->grad & TRI_NO;
    } else if (fn->question == QUESTION_IS_LEAF) {
        yes = fact->leaf & TRI_YES;
        no = fact->leaf & TRI_NO || fact->grad_open;
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

bool answer_of_dtype(const struct pack_call *call, struct value *out)
{
    const struct query *inner = value_query(&call->choices[0].value);
    int64_t found[VALUE_MAX];
    int n = 0;
    if (call->fn->question != QUESTION_OF_DTYPE || !inner || inner->question != QUESTION_DTYPE_OF)
        return false;
    struct query *q = arena_copy(call->f->kept, inner, sizeof *inner);
    q->question = QUESTION_OF_DTYPE;
    q->asker = call->fn;
    *out = value_range(INT64_MIN, INT64_MAX);
    for (int i = 0; i < call->choices[0].count && n <= VALUE_MAX; i++) {
        int64_t number;
        bool known = pack_number_of_dtype(call->fn, call->choices[0].options[i].dtype, &number);
        int k = 0;
        while (known && k < n && found[k] != number)
            k++;
        if (!known || (k == n && n == VALUE_MAX))
            n = VALUE_MAX + 1;
        else if (k == n)
            found[n++] = number;
    }
    if (n > 0 && n <= VALUE_MAX) {
        out->count = (uint8_t)n;
        memcpy(out->as.number, found, sizeof *found * (size_t)n);
    }
    out->query = q;
    return true;
}

/* Of a tensor from outside, that which a test of the program left is none: each case would have one
 * of its own. */
uint8_t size_unit(const struct fact *fact, bool unknown, const struct step *how)
{
    bool is_one = fact->dtypes && !(fact->dtypes & (fact->dtypes - 1));
    bool is_made = !unknown || (how && how->inst && how->fact.dtypes == fact->dtypes);
    return is_one && is_made ? (uint8_t)__builtin_ctzll(fact->dtypes) : DTYPE_NONE;
}

/* Of a dtype that is passed, or of the tensor. */
uint8_t unit_asked(const struct pack_call *call)
{
    const struct choice *x = &call->choices[0];
    /* In one case of several: the tensor that is read next may be that of another. */
    if (call->fn->question != QUESTION_SIZE_OF || case_is_one_of(call->s))
        return DTYPE_NONE;
    if (x->is_tensor)
        return size_unit(&x->fact, x->unknown, x->how);
    bool is_one = x->count == 1 && x->options[0].kind == OPERAND_DTYPE && !x->unknown;
    return is_one ? (uint8_t)x->options[0].dtype : DTYPE_NONE;
}

/* One of its sizes. */
static bool dim_asked(const struct pack_call *call, const struct fact *x, struct value *out)
{
    int64_t dim = 0;
    int count = x->shape ? x->shape->count : x->extent ? x->extent->count : 0;
    if (!number_exact(&call->choices[1].value, &dim))
        return false;
    dim += dim < 0 ? count : 0;
    if (dim < 0 || dim >= count)
        return false;
    bool is_known = x->shape && x->shape->dims[dim] >= 0;
    if (is_known)
        *out = value_int(x->shape->dims[dim]);
    else if (x->extent)
        *out = amount_value(call->f, &x->extent->dims[dim]);
    return is_known || x->extent;
}

/* The number of its elements, or bytes. */
static bool all_asked(const struct pack_call *call, const struct choice *x, struct value *out)
{
    int64_t each = call->fn->question == QUESTION_NBYTES ? dtypes_bytes(x->fact.dtypes) : 1;
    const struct amount size = {.factor = each};
    struct amount all;
    if (each <= 0 || !amount_of_elements(call->f, &x->fact, x->value.as.tensor[0], &all) ||
        !amount_times(&all, &size))
        return false;
    *out = amount_value(call->f, &all);
    return true;
}

bool size_asked(const struct pack_call *call, struct value *out)
{
    const struct choice *x = &call->choices[0];
    enum question asked = call->fn->question;
    if (!call->f->merges || !x->is_tensor || x->value.kind != VALUE_TENSOR || x->value.count != 1)
        return false;
    if (asked == QUESTION_DIM_SIZE)
        return dim_asked(call, &x->fact, out);
    return (asked == QUESTION_NUMEL || asked == QUESTION_NBYTES) && all_asked(call, x, out);
}
