/* The operands of a call of what a pack describes: devices and dtypes by their names, lists and
 * sizes as the op takes them, and what is left out. */
#include "analyzer/flow/dynamic/bound_call.h"

#include <string.h>

static struct value device_value(enum device device, int gpu)
{
    struct value v = value_int(device == DEVICE_CPU     ? FIRST_CPU
                               : device == DEVICE_META  ? NUMBER_META
                               : device == DEVICE_OTHER ? NUMBER_OTHER
                                                        : FIRST_CUDA + gpu);
    v.names = NAMES_DEVICE;
    return v;
}

bool device_of_text(struct dyn *d, const char *text, struct value *out)
{
    enum device device;
    uint16_t gpus;
    int gpu = 0;
    (void)d;
    if (!device_parse(text, &device, &gpus))
        return false;
    while (gpus > 1 && !(gpus >> gpu & 1))
        gpu++;
    *out = device_value(device, gpu);
    return true;
}

static struct value device_any(void)
{
    struct value v = value_any;
    v.names = NAMES_DEVICE;
    return v;
}

static bool names_device(const struct object *o)
{
    return o->is->kind == DYNAMIC_OUTSIDE && (o->is->is_text || o->is->is_data);
}

/* A device by its name or number. */
static bool as_device(struct value *v, const void *context)
{
    struct dyn *d = (struct dyn *)(uintptr_t)context;
    const char *text = dyn_literal(v), *beginning = dyn_beginning(v);
    const struct object *o = dyn_object(v);
    int64_t n;
    const struct value *own = o ? own_device(d, o) : NULL;
    if (text)
        return device_of_text(d, text, v);
    if (own) {
        *v = *own;
        return true;
    }
    if (o && names_device(o)) {
        *v = device_any();
        return true;
    }
    if (beginning && !strncmp(beginning, "cuda", 4)) {
        *v = value_range(FIRST_CUDA, LAST_CUDA);
        v->names = NAMES_DEVICE;
        return true;
    }
    if (v->kind == VALUE_NUMBER && !v->names && !v->is_real) {
        *v = number_exact(v, &n) && n >= 0 && n <= LAST_CUDA - FIRST_CUDA
                 ? device_value(DEVICE_CUDA, (int)n)
                 : value_range(FIRST_CUDA, LAST_CUDA);
        v->names = NAMES_DEVICE;
        return true;
    }
    return false;
}

static struct value device_by_text(struct dyn *d, const char *text, void *context)
{
    struct value v = device_any();
    (void)context;
    device_of_text(d, text, &v);
    return v;
}

struct value device_of(struct dyn *d, const struct value *v)
{
    struct value one = *v;
    struct object *o = dyn_object(v);
    if (v->kind == VALUE_GUARDED)
        return guard_map(d->p->s, v, as_device, d);
    if (o && names_device(o))
        return outside_by_text(d, o, device_by_text, NULL, device_any());
    as_device(&one, d);
    return one;
}

static struct value value_of_operand(const struct operand *o, const struct pack_param *p)
{
    switch (o->kind) {
    case OPERAND_DTYPE:
        return value_int(o->dtype);
    case OPERAND_DEVICE:
        return device_value(o->device, 0);
    case OPERAND_BOOL: {
        struct value v = value_int(o->number != 0);
        v.is_bool = true;
        return o->known ? v : value_any;
    }
    case OPERAND_INT:
        return o->known ? value_int((int64_t)o->number) : value_any;
    case OPERAND_FLOAT:
        return o->known ? value_real(o->number) : value_unknown_real();
    case OPERAND_ABSENT:
    case OPERAND_TENSOR:
    case OPERAND_BUFFER:
        break;
    }
    bool is_null = p->kind == OPERAND_TENSOR || p->also_number || p->kind == OPERAND_BUFFER;
    return is_null ? value_null() : p->kind == OPERAND_FLOAT ? value_real(0) : value_int(0);
}

static struct value count_of(struct dyn *d, const struct arguments *a, int first, bool is_rest)
{
    const struct value *v = &a->values[first];
    unsigned sorts = sorts_of(d, v);
    int count = 0;
    if (sorts == SORT_NONE)
        return value_int(0);
    if (sorts & SORT_INT && !(sorts & SORT_INTS)) {
        for (int i = first; i < a->count && !a->labels[i] && is_rest; i++)
            count++;
        if (is_rest && a->has_more)
            return value_range(count, INT32_MAX);
        return value_int(is_rest ? count : 1);
    }
    int64_t length = container_length(d, v);
    return length >= 0 ? value_int(length) : value_range(0, INT32_MAX);
}

static struct value widest(struct dyn *d, const struct value *v, bool mixed, int *depth);

/* One number for all that it can be, if they are of one kind, and lists equally deep. */
static struct value widest_of_cases(struct dyn *d, const struct value *v, bool mixed, int *depth)
{
    value_list each = guard_values(d->p->f->scratch, d->p->s, v);
    struct value all = value_any;
    for (int i = 0; i < each.count; i++) {
        int deep;
        struct value one = widest(d, each.items[i], mixed, &deep);
        if (one.kind != VALUE_NUMBER || one.names ||
            (i && (one.is_real != all.is_real || one.is_bool != all.is_bool || deep != *depth)))
            return *depth = deep, value_any;
        int64_t low = !i || value_low(&one) < value_low(&all) ? value_low(&one) : value_low(&all);
        int64_t high =
            !i || value_high(&one) > value_high(&all) ? value_high(&one) : value_high(&all);
        bool is_bool = one.is_bool;
        all = one.is_real ? value_unknown_real() : value_range(low, high);
        all.is_bool = is_bool;
        *depth = deep;
    }
    return all;
}

/* A number of the widest kind among the elements of nested lists, and how deep these are. */
static struct value widest(struct dyn *d, const struct value *v, bool mixed, int *depth)
{
    values_of all = {0};
    struct value most = value_any;
    int64_t low = INT64_MIN, high = INT64_MAX; /* of integers that are all known */
    *depth = 0;
    if (v->kind == VALUE_GUARDED)
        return widest_of_cases(d, v, mixed, depth);
    if (mixed && v->kind == VALUE_TENSOR) {
        const dtype_set floats = DTYPE_BIT(DTYPE_F16) | DTYPE_BIT(DTYPE_F32) | DTYPE_BIT(DTYPE_F64);
        return state_tensor(d->p->s, v->as.tensor[0])->fact.dtypes & floats ? value_unknown_real()
                                                                            : dyn_unknown_int();
    }
    if (!dyn_is(v, DYNAMIC_LIST) && !dyn_is(v, DYNAMIC_TUPLE))
        return *v;
    int below = 0;
    if (!container_items(d, v, &all)) {
        struct value one = container_any(d, v);
        most = widest(d, &one, mixed, &below);
        if (most.kind == VALUE_NUMBER && !most.is_real) {
            low = value_low(&most);
            high = value_high(&most);
        }
    }
    for (int i = 0; i < all.count; i++) {
        int deep;
        struct value one = widest(d, &all.items[i], mixed, &deep);
        bool is_more = one.kind == VALUE_NUMBER &&
                       (most.kind != VALUE_NUMBER || (one.is_real && !most.is_real) ||
                        (most.is_bool && !one.is_bool));
        if (one.kind != VALUE_NUMBER)
            return *depth = 1 + deep, value_any;
        most = is_more ? one : most;
        below = deep > below ? deep : below;
        if (!one.is_real) {
            low = !i || value_low(&one) < low ? value_low(&one) : low;
            high = !i || value_high(&one) > high ? value_high(&one) : high;
        }
    }
    *depth = 1 + below;
    if (most.kind == VALUE_NUMBER && most.is_real)
        return value_unknown_real();
    if (most.kind == VALUE_NUMBER) {
        struct value any = most.is_bool ? value_range(0, 1) : value_range(low, high);
        any.is_bool = most.is_bool;
        return any;
    }
    return all.count || most.kind == VALUE_NUMBER ? most : value_unknown_real(); /* [] */
}

static void note_sizes(struct bound_call *c, const struct arguments *a, int first, bool is_rest)
{
    values_of all = {0};
    const struct value *v = &a->values[first];
    c->size_count = 0;
    if (is_rest && a->has_more) {
        c->size_count = -1;
    } else if (dyn_object(v) && container_items(c->d, v, &all)) {
        for (int i = 0; i < all.count && i < SHAPE_MAX; i++)
            c->sizes[c->size_count++] = all.items[i];
        if (all.count > SHAPE_MAX)
            c->size_count = -1;
    } else if (v->kind == VALUE_NUMBER) {
        c->sizes[c->size_count++] = *v;
        for (int i = first + 1; is_rest && i < a->count && !a->labels[i]; i++)
            if (c->size_count < SHAPE_MAX)
                c->sizes[c->size_count++] = a->values[i];
    } else {
        c->size_count = -1;
    }
}

/* Of a list of numbers, or of lists, all of which are as long as the first. */
static void note_lengths(struct bound_call *c, const struct value *list)
{
    struct value v = *list;
    c->size_count = 0;
    while (dyn_is(&v, DYNAMIC_LIST) || dyn_is(&v, DYNAMIC_TUPLE)) {
        values_of all = {0};
        if (c->size_count == SHAPE_MAX || !container_items(c->d, &v, &all) || !all.count) {
            c->size_count = -1;
            return;
        }
        c->sizes[c->size_count++] = value_int(all.count);
        v = all.items[0];
    }
}

/* A layer has at least one feature: nobody passes 0 for how many there are. */
static void learn_sizes(struct bound_call *c)
{
    struct path *p = c->d->p;
    if (!p->fr->code->unit->module || !p->f->merges)
        return;
    for (int i = 0; i < c->size_count; i++)
        if (value_is_initial(&c->sizes[i]) && unseen_is_assumed(c->d, FLOW_ASSUMED_SIZE))
            guard_learn(p->s, c->sizes[i].test->of->origin, ARITH_GE, 1);
}

static struct value number_of_word(const struct signature_param *p, const struct value *v)
{
    const char *text = dyn_literal(v);
    const struct object *o = dyn_object(v);
    if (!text && o && o->is->kind == DYNAMIC_NAMED) /* torch.cuda.LongTensor itself, or its name */
        text = o->is->name;
    for (int i = 0; text && i < p->word_count; i++)
        if (!strcmp(p->words[i].text, text))
            return value_int((int64_t)p->words[i].number);
    return text || dyn_is_text(v) ? value_any : *v;
}

static bool as_tensor_if(struct value *v, struct dyn *d, bool is_sure)
{
    struct object *o = dyn_object(v);
    if (!o || o->is->kind != DYNAMIC_OUTSIDE)
        return false;
    *v = o->is->is_data ? value_any : outside_tensor(d, o, is_sure);
    return true;
}

static bool as_tensor(struct value *v, const void *context)
{
    return as_tensor_if(v, (struct dyn *)(uintptr_t)context, true);
}

/* Where a number could be passed, too. */
static bool as_perhaps_tensor(struct value *v, const void *context)
{
    return as_tensor_if(v, (struct dyn *)(uintptr_t)context, false);
}

/* A dtype by its name or by a type of the language. */
static bool as_dtype(struct value *v, const void *context)
{
    const struct bound_call *c = context;
    const char *text = dyn_literal(v);
    const struct object *o = dyn_object(v);
    enum dtype dtype = o && !dyn_is_text(v) ? dtype_of_class(o) : DTYPE_NONE;
    if (text)
        signature_dtype(c->d->p->f->packs, c->signature, text, &dtype);
    if (dtype == DTYPE_NONE && !dyn_is_text(v))
        return false;
    *v = dtype == DTYPE_NONE ? value_any : dtype_value(c->d, dtype);
    return true;
}

static struct value dtype_of(const struct bound_call *c, struct value v)
{
    if (v.kind == VALUE_GUARDED)
        return guard_map(c->d->p->s, &v, as_dtype, c);
    as_dtype(&v, c);
    return v;
}

/* What is from outside becomes what the parameter takes. */
static struct value converted(struct dyn *d, const struct pack_param *p, struct value v)
{
    bool is_device = p->kind == OPERAND_DEVICE, is_tensor = p->kind == OPERAND_TENSOR && !p->many;
    if (!is_device && !is_tensor)
        return dyn_is(&v, DYNAMIC_OUTSIDE) ? value_any : v;
    if (v.kind == VALUE_GUARDED)
        return guard_map(d->p->s, &v,
                         is_device        ? as_device
                         : p->also_number ? as_perhaps_tensor
                                          : as_tensor,
                         d);
    if (is_device)
        return device_of(d, &v);
    (p->also_number ? as_perhaps_tensor : as_tensor)(&v, d);
    return v;
}

/* All arguments that are for *tensors, as one tuple, unless they are passed as a list. */
static struct value rest_of(struct dyn *d, const struct arguments *a, int first)
{
    int count = 0;
    while (first + count < a->count && !a->labels[first + count])
        count++;
    if (count == 1 && sorts_of(d, &a->values[first]) & SORT_LISTS)
        return a->values[first];
    return a->has_more ? value_any : container_make(d, DYNAMIC_TUPLE, &a->values[first], count);
}

static bool makes_of_nothing(const struct pack_function *fn)
{
    for (int i = 0; i < fn->param_count; i++)
        if (fn->params[i].kind == OPERAND_TENSOR && !fn->params[i].also_number)
            return false;
    return true;
}

/* Where none was set, it is the CPU. */
static bool as_default(struct value *v, const void *context)
{
    (void)context;
    for (int i = 0; v->kind == VALUE_NUMBER && i < v->count; i++)
        v->as.number[i] = v->as.number[i] ? v->as.number[i] : FIRST_CPU;
    return true;
}

/* A new tensor is made on the default device, if one was set. */
static struct value left_out(struct dyn *d, const struct pack_function *fn,
                             const struct operand *otherwise, const struct pack_param *to)
{
    if (to->kind == OPERAND_DEVICE && otherwise->kind == OPERAND_ABSENT && makes_of_nothing(fn)) {
        struct value v = default_device(d->p->f, d->p->s);
        bool is_set = v.kind != VALUE_NUMBER || v.count != 1 || v.as.number[0];
        if (v.kind == VALUE_GUARDED)
            return guard_map(d->p->s, &v, as_default, NULL);
        if (is_set && as_default(&v, NULL))
            return v;
    }
    return value_of_operand(otherwise, to);
}

/* None where a number has to be is another error than one of dtypes: there, nothing is known. */
static struct value without_none(struct dyn *d, const struct signature_param *p,
                                 const struct pack_param *to, struct value v)
{
    bool is_number = to->kind == OPERAND_INT || to->kind == OPERAND_FLOAT;
    bool is_case = v.kind == VALUE_GUARDED && is_number && !(signature_takes(p) & SORT_NONE);
    return is_case ? guard_map(d->p->s, &v, none_is_any, NULL) : v;
}

static void bind_param(struct bound_call *c, const struct arguments *a, int k, int argument)
{
    const struct signature_param *p = &c->signature->params[k];
    const struct pack_function *fn = c->signature->fn;
    struct dyn *d = c->d;
    if (p->param < 0 && p->depth < 0)
        return;
    struct value v = argument < 0 ? value_null() : a->values[argument];
    bool is_left_out = argument < 0 || (dyn_is_none(&v) && p->is_optional);
    if (p->depth >= 0 && !is_left_out) {
        int depth;
        note_lengths(c, &v);
        c->listed = container_range(d, &v);
        v = widest(d, &v, signature_mixes(d, c->signature, &v), &depth);
        c->bound[p->depth] = value_int(depth);
    }
    if (p->param < 0)
        return;
    const struct pack_param *to = &fn->params[p->param];
    bool is_unknown_count = is_left_out && p->is_count && p->is_rest && a->has_more;
    if (is_unknown_count) /* zeros(*x.shape) */
        v = value_range(0, INT32_MAX);
    else if (is_left_out)
        v = left_out(d, fn, &p->otherwise, to);
    else if (p->is_count)
        v = count_of(d, a, argument, p->is_rest);
    else if (p->word_count)
        v = number_of_word(p, &v);
    else if (p->is_rest && to->many)
        v = rest_of(d, a, argument);
    else
        v = converted(d, to,
                      to->kind == OPERAND_DTYPE ? dtype_of(c, v) : without_none(d, p, to, v));
    if (p->is_negated && v.kind == VALUE_NUMBER) {
        struct value zero = value_int(0);
        v = compare_values(d->p->f->kept, ARITH_EQ, &v, &zero);
        v.is_bool = true;
    }
    if (!is_left_out && p->is_count) {
        note_sizes(c, a, argument, p->is_rest);
        learn_sizes(c);
    }
    c->bound[p->param] = v;
    c->from[p->param] = argument >= 0 ? a->from[argument] : 0;
    if (to->many && to->count >= 0) {
        int64_t length = container_length(d, &v);
        c->bound[to->count] = length >= 0 ? value_int(length) : value_any;
    }
}

/* The results of the op that are written are members of a tuple. */
static void bind_outs(struct bound_call *c)
{
    const struct pack_function *fn = c->signature->fn;
    struct dyn *d = c->d;
    for (int i = 0; i < fn->param_count; i++) {
        if (!fn->params[i].out)
            continue;
        if (!c->tuple)
            c->tuple = dyn_new(d, DYNAMIC_TUPLE, NULL);
        const struct loc *root = loc_root(d->p->f->heap, c->tuple);
        c->bound[i] = value_of_loc(
            fn->params[i].many ? root : loc_element(d->p->f->heap, root, fn->params[i].result));
    }
}

void signature_bind(struct bound_call *c, const struct arguments *a, const int *argument_of)
{
    const struct pack_function *fn = c->signature->fn;
    const struct operand absent = {.kind = OPERAND_ABSENT};
    for (int i = 0; i < fn->param_count; i++) {
        c->bound[i] = value_of_operand(&absent, &fn->params[i]);
        c->from[i] = 0;
    }
    c->size_count = -1;
    c->listed = (struct value_range){0};
    for (int k = 0; k < c->signature->param_count; k++)
        bind_param(c, a, k, argument_of[k]);
    bind_outs(c);
}
