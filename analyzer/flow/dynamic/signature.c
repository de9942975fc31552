/* Calls of what packs describe: the first signature whose arity, labels and sorts fit is called. If
 * several may fit, since a sort is not known, the result is not known. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

/* ---- sorts ----------------------------------------------------------------------------------- */

static bool is_device_text(const char *text)
{
    enum device device;
    uint16_t gpus;
    return device_parse(text, &device, &gpus);
}

static unsigned sort_of_text(const struct value *v)
{
    const char *text = dyn_literal(v);
    return SORT_TEXT | (!text || is_device_text(text) ? SORT_DEVICE : 0);
}

static unsigned sort_of_number(const struct value *v)
{
    if (v->names)
        return v->names == NAMES_DTYPE ? SORT_DTYPE : SORT_DEVICE;
    return v->is_bool ? SORT_BOOL : v->is_real ? SORT_FLOAT : SORT_INT;
}

static unsigned sort_of_container(struct dyn *d, const struct value *v)
{
    values_of all = {0};
    const unsigned any = SORT_TENSORS | SORT_INTS | SORT_NUMBERS;
    if (!container_items(d, v, &all)) {
        struct value one = container_any(d, v);
        unsigned of = sorts_of(d, &one);
        return of == SORT_INT                         ? SORT_INTS
               : of == SORT_TENSOR                    ? SORT_TENSORS
               : of && !(of & ~(unsigned)SORT_NUMBER) ? SORT_NUMBERS
                                                      : any | SORT_OTHER;
    }
    unsigned seen = 0;
    for (int i = 0; i < all.count; i++)
        seen |= sorts_of(d, &all.items[i]);
    if (!all.count)
        return any;
    if (!(seen & ~(unsigned)SORT_INT))
        return SORT_INTS;
    if (seen == SORT_TENSOR)
        return SORT_TENSORS;
    if (!(seen & ~(unsigned)(SORT_NUMBER | SORT_INTS | SORT_NUMBERS)))
        return SORT_NUMBERS;
    return seen & SORT_OTHER && seen != (unsigned)SORT_ANY ? SORT_OTHER : any | SORT_OTHER;
}

/* The dtype that a type of the language stands for; DTYPE_NONE: none. */
static enum dtype dtype_of_class(const struct object *o)
{
    static const struct {
        const char *name;
        enum dtype dtype;
    } types[] = {
        {"builtins.float", DTYPE_F64}, {"builtins.int", DTYPE_I64}, {"builtins.bool", DTYPE_BOOL}};
    for (int i = 0; o->is->kind == DYNAMIC_NAMED && i < COUNT(types); i++)
        if (!strcmp(o->is->name, types[i].name))
            return types[i].dtype;
    return DTYPE_NONE;
}

/* Of an instance of a class of a model file, where it is; NULL: nowhere. */
static const struct value *own_device(struct dyn *d, const struct object *o)
{
    bool is_instance = o->is->kind == DYNAMIC_INSTANCE;
    return is_instance ? dyn_get(d, (struct object *)(uintptr_t)o, "_mc_device") : NULL;
}

static unsigned sort_of_outside(const struct dynamic *is)
{
    const unsigned code = SORT_TENSOR | SORT_TENSORS | SORT_DTYPE | SORT_SLICE;
    if (is->is_text)
        return SORT_TEXT | SORT_DEVICE | (is->is_given ? 0u : SORT_NONE);
    return is->is_data ? SORT_ANY & ~code : SORT_ANY;
}

static unsigned sort_of_object(struct dyn *d, const struct value *v, const struct object *o)
{
    switch (o->is->kind) {
    case DYNAMIC_NAMED:
        return dtype_of_class(o) != DTYPE_NONE ? SORT_DTYPE : SORT_OTHER;
    case DYNAMIC_LIST:
    case DYNAMIC_TUPLE:
        return sort_of_container(d, v);
    case DYNAMIC_SLICE:
        return SORT_SLICE;
    case DYNAMIC_OUTSIDE:
        return sort_of_outside(o->is);
    case DYNAMIC_INSTANCE:
        return own_device(d, o) ? SORT_DEVICE : SORT_OTHER;
    default:
        return SORT_OTHER;
    }
}

unsigned sorts_of(struct dyn *d, const struct value *v)
{
    if (v->kind == VALUE_GUARDED) {
        unsigned all = 0;
        value_list each = guard_values(d->p->f->scratch, d->p->s, v);
        for (int i = 0; i < each.count; i++)
            all |= sorts_of(d, each.items[i]);
        return all;
    }
    if (v->kind == VALUE_TENSOR)
        return SORT_TENSOR;
    if (v->kind == VALUE_NUMBER)
        return sort_of_number(v);
    if (dyn_is_none(v))
        return SORT_NONE;
    if (dyn_is_text(v))
        return sort_of_text(v);
    const struct object *o = dyn_object(v);
    if (v->kind == VALUE_ANY && v->names == NAMES_DEVICE)
        return SORT_DEVICE;
    return o ? sort_of_object(d, v, o) : SORT_ANY;
}

/* ---- which signature fits -------------------------------------------------------------------- */

enum fit { FITS_NOT, FITS_PERHAPS, FITS };

/* What a parameter of these sorts takes. */
static unsigned taken(const struct signature_param *p)
{
    unsigned sorts = p->sorts;
    if (sorts & SORT_FLOAT)
        sorts |= SORT_INT | SORT_BOOL;
    if (sorts & SORT_INT)
        sorts |= SORT_BOOL;
    if (sorts & SORT_DEVICE)
        sorts |= SORT_INT;
    if (sorts & SORT_INTS && (p->is_rest || p->is_count))
        sorts |= SORT_INT;
    if (p->is_optional)
        sorts |= SORT_NONE;
    if (p->word_count)
        sorts |= SORT_TEXT;
    return sorts;
}

enum { MIXED_NUMBER = 1, MIXED_TENSOR = 2, MIXED_OTHER = 4 };

/* What is among the elements of nested lists. Tensors that are wider than a float, or are not known
 * to be single numbers, are others. */
static unsigned mixture_of(struct dyn *d, const struct value *v, dtype_set narrow)
{
    values_of all = {0};
    unsigned seen = 0;
    if (v->kind == VALUE_NUMBER && !v->names && !v->is_bool)
        return MIXED_NUMBER;
    if (v->kind == VALUE_TENSOR && v->count == 1) {
        const struct tensor *t = state_tensor(d->p->s, v->as.tensor[0]);
        bool is_one = t && !t->cases && !t->unknown && t->fact.zero_dim == TRI_YES;
        return is_one && t->fact.dtypes && !(t->fact.dtypes & ~narrow) ? MIXED_TENSOR : MIXED_OTHER;
    }
    if ((!dyn_is(v, DYNAMIC_LIST) && !dyn_is(v, DYNAMIC_TUPLE)) || !container_items(d, v, &all))
        return MIXED_OTHER;
    for (int i = 0; i < all.count && !(seen & MIXED_OTHER); i++)
        seen |= mixture_of(d, &all.items[i], narrow);
    return seen;
}

/* Numbers of the language next to scalars of the library, whose dtype the former decide: a float is
 * f64 for NumPy, and of the default dtype for torch. */
static bool is_mixed(struct dyn *d, const struct signature *s, const struct value *v)
{
    dtype_set narrow = DTYPE_BIT(DTYPE_F32) | DTYPE_BIT(DTYPE_U8) | DTYPE_BIT(DTYPE_I16) |
                       DTYPE_BIT(DTYPE_I32) | DTYPE_BIT(DTYPE_I64);
    if (s->makes && strcmp(s->makes, "Tensor") != 0)
        narrow |= DTYPE_BIT(DTYPE_F16) | DTYPE_BIT(DTYPE_F64);
    return mixture_of(d, v, narrow) == (MIXED_NUMBER | MIXED_TENSOR);
}

static enum fit fit_one(struct dyn *d, const struct signature *s, const struct signature_param *p,
                        const struct value *v)
{
    unsigned has = sorts_of(d, v), takes = taken(p);
    if (p->param < 0 && p->sorts == (unsigned)SORT_ANY)
        return FITS;
    if (p->depth >= 0 && is_mixed(d, s, v))
        return FITS;
    if (!(has & takes))
        return FITS_NOT;
    /* A text fits as a device if it is one, and as a text. */
    bool is_exact = !(has & (has - 1)) || has == (SORT_TEXT | SORT_DEVICE);
    return is_exact || !(has & ~takes) ? FITS : FITS_PERHAPS;
}

/* The parameter that the argument is for; -1: none. rest: how many the last one took. */
static int param_for(const struct signature *s, const struct arguments *a, int argument, int *next)
{
    if (a->labels[argument]) {
        for (int k = 0; k < s->param_count; k++)
            if (!strcmp(s->params[k].name, a->labels[argument]))
                return k;
        return -1;
    }
    if (*next < s->param_count && !s->params[*next].is_keyword_only) {
        int k = *next;
        *next += !s->params[k].is_rest;
        return k;
    }
    return -1;
}

enum { SORT_LISTS = SORT_INTS | SORT_TENSORS | SORT_NUMBERS };

/* Whether it can be one of several arguments of one parameter: not where it can only be a list of
 * all of them. */
static bool may_be_one(struct dyn *d, const struct signature_param *p, const struct value *v)
{
    return sorts_of(d, v) & taken(p) & ~(unsigned)SORT_LISTS;
}

/* How the arguments fit, and which is for which parameter. */
static enum fit fit_all(struct dyn *d, const struct signature *s, const struct arguments *a,
                        int *argument_of)
{
    enum fit fit = FITS;
    int next = 0;
    for (int k = 0; k < s->param_count; k++)
        argument_of[k] = -1;
    for (int i = 0; i < a->count; i++) {
        int k = param_for(s, a, i, &next);
        if (k < 0)
            return FITS_NOT;
        enum fit one = fit_one(d, s, &s->params[k], &a->values[i]);
        if (one == FITS_NOT)
            return FITS_NOT;
        if (argument_of[k] < 0)
            argument_of[k] = i;
        else if (!s->params[k].is_rest || !may_be_one(d, &s->params[k], &a->values[i]))
            return FITS_NOT;
        fit = one < fit ? one : fit;
    }
    for (int k = 0; k < s->param_count; k++)
        if (argument_of[k] < 0 && !s->params[k].is_optional && !s->params[k].is_rest) {
            if (!a->has_more)
                return FITS_NOT;
            fit = FITS_PERHAPS;
        }
    return a->has_more ? FITS_PERHAPS : fit;
}

/* ---- operands -------------------------------------------------------------------------------- */

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

/* A call that fits. */
struct bound_call {
    struct dyn *d;
    const struct signature *signature;
    struct value bound[PACK_MAX_PARAMS];
    ir_value from[PACK_MAX_PARAMS];
    const char *names[PACK_MAX_PARAMS]; /* in a model file */
    struct value sizes[SHAPE_MAX];
    int size_count;
    struct value_range listed; /* of the numbers in lists that it is given */
    const struct state *before;
    bool is_handled;      /* the program handles what it raises */
    struct object *tuple; /* that it returns; NULL: none */
    const struct frame *shown;
    ir_value inst;
};

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
    bool is_case = v.kind == VALUE_GUARDED && is_number && !(taken(p) & SORT_NONE);
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
        v = widest(d, &v, is_mixed(d, c->signature, &v), &depth);
        c->bound[p->depth] = value_int(depth);
    }
    if (p->param < 0)
        return;
    const struct pack_param *to = &fn->params[p->param];
    if (is_left_out)
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

static void bind_all(struct bound_call *c, const struct arguments *a, const int *argument_of)
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

/* ---- the call -------------------------------------------------------------------------------- */

/* What is called in a model file is shown as a part of the program's own call, but is another place
 * each time. */
static const struct frame *frame_shown(struct dyn *d, ir_value *inst)
{
    struct flow *f = d->p->f;
    const struct frame *fr = d->p->fr;
    ir_value at = *inst;
    const struct frame *shown = frame_in_program(fr, &at);
    int nth = d->calls++; /* one instruction may make several */
    if (shown == fr && !nth)
        return fr;
    struct frame *one = arena_copy(f->scratch, shown, sizeof *shown);
    struct key key = key_of_index(KEY_SHOWN, fr->context, (uint64_t)*inst, nth);
    uintptr_t context = (uintptr_t)key_map_get(f->contexts, key);
    if (!context)
        key_map_put(f->contexts, key, (void *)(context = ++f->context_count));
    one->context = context;
    one->regs = fr->regs;
    *inst = at;
    return one;
}

/* Whether the program handles what is raised here. */
static bool is_handled(const struct frame *fr, int block)
{
    for (; fr; fr = fr->outer) {
        int handler = fr->code->fn->blocks.items[block].catch;
        if (handler && ir_handles(fr->code->fn, handler))
            return true;
        block = fr->outer && fr->call ? fr->outer->code->block_of[fr->call] : 0;
    }
    return false;
}

/* The call failed: whoever handles exceptions goes on from there. */
static void raise_in_case(struct bound_call *c, struct state *s)
{
    struct flow *f = c->d->p->f;
    if (!c->d->p->raised || (f->options.past_errors && !c->is_handled))
        return;
    struct cases *k = s->cases;
    struct state *after = state_fork_counted(f, s);
    diagram care = k->care;
    cases_end(after, c->before, k);
    state_narrow(after, care);
    after->past = c->before->past;
    after->ends = false;
    struct path q = *c->d->p;
    q.s = after;
    struct dyn own = *c->d;
    own.p = &q;
    raise_named(&own, "RuntimeError");
}

static bool call_in_case(struct path *p, void *context, struct exit_state *e)
{
    struct bound_call *c = context;
    struct value bound[PACK_MAX_PARAMS];
    for (int i = 0; i < c->signature->fn->param_count; i++)
        bound[i] =
            c->bound[i].kind == VALUE_GUARDED ? *guard_read(p->s, &c->bound[i]) : c->bound[i];
    struct pack_call call = {.f = p->f,
                             .fr = c->shown,
                             .s = e->state,
                             .inst = c->inst,
                             .fn = c->signature->fn,
                             .args = bound,
                             .arg_count = 0,
                             .bound = bound,
                             .is_hidden = c->shown->code != p->fr->code,
                             .from = c->from,
                             .names = c->names,
                             .sizes = c->sizes,
                             .size_count = c->size_count,
                             .listed = c->listed};
    call.is_caught = c->is_handled;
    bool returns =
        run_pack_call(&call, &e->value) && !(c->is_handled && e->state->past && !c->before->past);
    if (!returns || (call.may_fail && c->is_handled))
        raise_in_case(c, e->state);
    return returns;
}

static bool set_names(struct value *v, const void *names)
{
    bool is_number = v->kind == VALUE_NUMBER;
    if (is_number)
        v->names = *(const uint8_t *)names;
    return is_number;
}

static bool set_bool(struct value *v, const void *context)
{
    (void)context;
    bool is_number = v->kind == VALUE_NUMBER && !v->is_real;
    v->is_bool |= is_number;
    return is_number;
}

/* A number that a question has as its answer, as the language has it. */
static struct value as_answer(struct dyn *d, const struct pack_function *fn, struct value v)
{
    uint8_t names = fn->question == QUESTION_DTYPE_OF    ? NAMES_DTYPE
                    : fn->question == QUESTION_DEVICE_OF ? NAMES_DEVICE
                                                         : NAMES_NOTHING;
    bool is_bool = fn->question == QUESTION_IS_CUDA || fn->question == QUESTION_IS_FLOATING ||
                   fn->question == QUESTION_REQUIRES_GRAD || fn->question == QUESTION_IS_LEAF ||
                   fn->question == QUESTION_SAME_STORAGE;
    if (names && v.kind == VALUE_GUARDED)
        return guard_map(d->p->s, &v, set_names, &names);
    if (is_bool && v.kind == VALUE_GUARDED)
        return guard_map(d->p->s, &v, set_bool, NULL);
    if (v.kind == VALUE_NUMBER) {
        v.names = names;
        v.is_bool |= is_bool;
    }
    return v;
}

static bool set_class(struct tensor *t, void *class)
{
    t->class = class;
    return true;
}

void tensor_set_class(struct dyn *d, const struct value *v, const char *class)
{
    value_list all = guard_values(d->p->f->scratch, d->p->s, v);
    for (int i = 0; i < all.count; i++)
        for (int k = 0; all.items[i]->kind == VALUE_TENSOR && k < all.items[i]->count; k++) {
            struct tensor *t = state_tensor_own(d->p->s, all.items[i]->as.tensor[k]);
            if (t && t->cases) { /* in each of them */
                int id = t->id;
                *t = guard_map_tensor(d->p->s, t, set_class, (void *)(uintptr_t)class);
                t->id = id;
            }
            if (t)
                t->class = class;
        }
}

/* A tuple of the result and of what the op wrote, or a list of unknown length. */
static struct value members_of(struct bound_call *c, struct value result)
{
    struct dyn *d = c->d;
    struct heap *h = d->p->f->heap;
    const struct signature *s = c->signature;
    struct value items[PACK_MAX_RESULTS];
    for (int i = 0; i < s->member_count; i++) {
        int64_t at = s->result == RESULT_LIST ? ELEMENT_ANY : s->members[i];
        const struct value *v = c->tuple && s->members[i]
                                    ? state_get(d->p->s, loc_element(h, loc_root(h, c->tuple), at))
                                    : NULL;
        if (!v && c->tuple && s->result == RESULT_LIST)
            v = state_get(d->p->s, loc_element(h, loc_root(h, c->tuple), 0));
        items[i] = s->members[i] == 0 ? result : v ? *v : value_any;
    }
    if (s->result == RESULT_LIST)
        return container_of_any(d, DYNAMIC_TUPLE, &items[0]);
    if (s->result == RESULT_PLAIN)
        return items[0];
    struct value all = container_make(d, DYNAMIC_TUPLE, items, s->member_count);
    for (int i = 0; s->fields && i < s->member_count; i++)
        dyn_put(d, dyn_object(&all), s->fields[i], items[i]);
    return all;
}

/* The name by which callers pass the parameter of the op; NULL: none does. */
static const char *passed_as(const struct signature *s, int param)
{
    for (int i = 0; i < s->param_count; i++)
        if (s->params[i].param == param)
            return s->params[i].name;
    return NULL;
}

/* The operands are not those of what is shown: a variable, or a member of an object. */
static void name_operands(struct bound_call *c, const struct ir_function *fn)
{
    for (int i = 0; i < PACK_MAX_PARAMS; i++) {
        const struct ir_inst *from = c->from[i] ? &fn->insts.items[c->from[i]] : NULL;
        if (from && from->op == IR_GET && *fn->locals.items[from->integer].name)
            c->names[i] = fn->locals.items[from->integer].name;
        else if (from && from->op == IR_ATTR)
            c->names[i] = from->name;
        else
            c->names[i] = passed_as(c->signature, i);
        c->from[i] = 0;
    }
}

static bool call_bound(struct dyn *d, struct bound_call *c, struct value *out)
{
    exit_list exits = {0};
    const struct signature *s = c->signature;
    gradients_before(s->fn, d->p->s);
    c->before = d->p->s;
    c->is_handled = is_handled(d->p->fr, d->p->block);
    c->inst = d->n;
    c->shown = frame_shown(d, &c->inst);
    if (c->shown->code != d->p->fr->code)
        name_operands(c, d->p->fr->code->fn);
    code_prepare(d->p->f, (struct code *)(uintptr_t)c->shown->code);
    call_by_cases(d->p, call_in_case, c, &exits);
    if (!exits.count)
        return false;
    int at = exits.count > 1 && exits.items[0].state->past ? 1 : 0;
    d->p->s = exits.items[at].state;
    *out = as_answer(d, s->fn, exits.items[at].value);
    if (out->kind == VALUE_NOTHING)
        *out = value_null();
    if (strcmp(s->makes ? s->makes : "Tensor", "Tensor") != 0)
        tensor_set_class(d, out, s->makes);
    if (s->result != RESULT_PLAIN || s->members[0])
        *out = members_of(c, *out);
    d->p->s->guarded |= out->kind == VALUE_GUARDED;
    return true;
}

/* ---- by the pack's own name ------------------------------------------------------------------ */

struct plain_call {
    struct bound_call how;
    const struct pack_function *fn;
    const struct value *args, *returns;
    int count;
};

static bool plain_in_case(struct path *p, void *context, struct exit_state *e)
{
    struct plain_call *c = context;
    struct value args[8];
    for (int i = 0; i < c->count && i < COUNT(args); i++)
        args[i] = c->args[i].kind == VALUE_GUARDED ? *guard_read(p->s, &c->args[i]) : c->args[i];
    struct pack_call call = {.f = p->f,
                             .fr = c->how.shown,
                             .s = e->state,
                             .inst = c->how.inst,
                             .fn = c->fn,
                             .args = args,
                             .arg_count = c->count,
                             .is_hidden = c->how.shown->code != p->fr->code,
                             .returns = c->returns};
    bool returns = run_pack_call(&call, &e->value);
    if (!returns)
        raise_in_case(&c->how, e->state);
    return returns;
}

/* That does exactly this; of those that clear gradients, the one of what an object holds. */
static const struct pack_function *function_with(const struct pack_set *packs, unsigned effects)
{
    const struct pack_function *fn;
    for (int at = 0; (fn = packs_next_effective(packs, &at));)
        if (fn->effects == effects && (effects != EFFECT_ZERO_GRAD || pack_held_argument(fn) >= 0))
            return fn;
    return NULL;
}

bool function_call(struct dyn *d, unsigned effects, const struct value *args, int count,
                   const struct value *returns, struct value *out)
{
    exit_list exits = {0};
    struct plain_call c = {.fn = function_with(d->p->f->packs, effects),
                           .args = args,
                           .returns = returns,
                           .count = count,
                           .how = {.d = d, .before = d->p->s, .inst = d->n}};
    *out = value_any;
    if (!c.fn)
        return true;
    c.how.shown = frame_shown(d, &c.how.inst);
    gradients_before(c.fn, d->p->s);
    call_by_cases(d->p, plain_in_case, &c, &exits);
    if (!exits.count)
        return false;
    int at = exits.count > 1 && exits.items[0].state->past ? 1 : 0;
    d->p->s = exits.items[at].state;
    *out = exits.items[at].value;
    return true;
}

/* ---- by signature ---------------------------------------------------------------------------- */

/* The first that fits; NULL: none, or it is not known which. */
static const struct signature *fitting(struct dyn *d, const struct signature *all, int count,
                                       const struct arguments *a, int *argument_of)
{
    const struct signature *found = NULL;
    int own[DYN_ARGUMENTS], perhaps = 0;
    for (int i = 0; i < count; i++) {
        enum fit fit = all[i].param_count <= DYN_ARGUMENTS ? fit_all(d, &all[i], a, own) : FITS_NOT;
        if (fit == FITS_NOT)
            continue;
        perhaps += fit == FITS_PERHAPS;
        if (fit == FITS || !found) { /* one that takes anything stands for all before it */
            memcpy(argument_of, own, sizeof own);
            found = &all[i];
        }
        if (fit == FITS)
            return found;
    }
    return perhaps > 1 ? NULL : found;
}

static bool fits_any(struct dyn *d, const struct signature *all, int count,
                     const struct arguments *a)
{
    int own[DYN_ARGUMENTS];
    for (int i = 0; i < count; i++)
        if (all[i].param_count <= DYN_ARGUMENTS && fit_all(d, &all[i], a, own) != FITS_NOT)
            return true;
    return false;
}

static bool is_of_class(struct dyn *d, const struct value *v, const char *class)
{
    return v->kind == VALUE_TENSOR && !strcmp(dyn_method_class(d, v), class);
}

/* Arguments without dimensions become numbers; others: only those that are not of the class of the
 * first one, a tensor. */
static void take_as_numbers(struct dyn *d, struct arguments *a, bool others)
{
    for (int i = others; i < a->count; i++) {
        const struct value *v = &a->values[i];
        const struct tensor *t = v->kind == VALUE_TENSOR && v->count == 1
                                     ? state_tensor(d->p->s, v->as.tensor[0])
                                     : NULL;
        if (!t || t->fact.zero_dim != TRI_YES || (others && is_of_class(d, v, "Tensor")))
            continue;
        bool is_whole = !(t->fact.dtypes & DTYPES_GRADED);
        a->values[i] = is_whole ? dyn_unknown_int() : value_unknown_real();
    }
}

/* What has no dimensions passes for a number: where no tensor is taken, and with tensors of another
 * class. */
static void pass_as_numbers(struct dyn *d, const struct signature *all, int count,
                            struct arguments *a)
{
    if (a->count > 1 && is_of_class(d, &a->values[0], "Tensor"))
        take_as_numbers(d, a, true);
    if (!fits_any(d, all, count, a))
        take_as_numbers(d, a, false);
}

static bool run_fitting(struct dyn *d, const struct signature *all, int count,
                        const struct arguments *given, struct value *out);

/* The same call with one of several lists, which may have other lengths and elements. */
struct list_call {
    const struct signature *all;
    int count, argument;
    struct arguments given;
};

static bool run_with_list(struct dyn *d, const struct value *one, void *context, struct value *out)
{
    struct list_call own = *(const struct list_call *)context;
    own.given.values[own.argument] = *one;
    return run_fitting(d, own.all, own.count, &own.given, out);
}

static bool is_list(const struct value *v, const void *context)
{
    (void)context;
    return dyn_is_sequence(v);
}

static bool run_fitting(struct dyn *d, const struct signature *all, int count,
                        const struct arguments *given, struct value *out)
{
    int argument_of[DYN_ARGUMENTS];
    for (int i = 0; i < given->count && !d->p->s->cases; i++) {
        const struct value *v = &given->values[i];
        if (v->kind == VALUE_GUARDED && guard_any(d->p->s, v, is_list, NULL))
            return dyn_each(d, v, run_with_list, &(struct list_call){all, count, i, *given}, out);
    }
    struct arguments own = *given;
    for (int i = 0; i < own.count; i++)
        own.values[i] = record_as_tuple(d, &given->values[i]);
    pass_as_numbers(d, all, count, &own);
    const struct arguments *a = &own;
    const struct signature *s = fitting(d, all, count, a, argument_of);
    if (!s) {
        *out = call_unknown(d, a);
        return true;
    }
    struct bound_call *c = arena_one(d->p->f->scratch, struct bound_call);
    c->d = d;
    c->signature = s;
    bind_all(c, a, argument_of);
    return call_bound(d, c, out);
}

bool signature_call(struct dyn *d, const char *name, const struct arguments *a, bool *found,
                    struct value *out)
{
    int count = 0;
    const struct signature *all = packs_signatures(d->p->f->packs, name, &count);
    *found = all && count && !all->is_attribute;
    *out = value_any;
    return *found ? run_fitting(d, all, count, a, out) : true;
}

bool signature_attribute(struct dyn *d, const char *name, const struct value *self, bool *found,
                         struct value *out)
{
    int count = 0;
    const struct signature *all = packs_signatures(d->p->f->packs, name, &count);
    const struct ir_inst *i = &d->p->fr->code->fn->insts.items[d->n];
    struct arguments a = {0};
    *found = all && count && all->is_attribute;
    argument_add_from(&a, NULL, *self, i->op == IR_ATTR || i->op == IR_INVOKE ? i->args[0] : 0);
    return *found ? run_fitting(d, all, count, &a, out) : true;
}
