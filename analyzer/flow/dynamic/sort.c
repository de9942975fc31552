/* What values are to signatures, and how arguments fit one. */
#include "analyzer/flow/dynamic/bound_call.h"

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
    const unsigned of_numbers = SORT_NUMBER | SORT_INTS | SORT_NUMBERS;
    if (!container_items(d, v, &all)) {
        struct value one = container_any(d, v);
        unsigned of = sorts_of(d, &one);
        return of == SORT_INT              ? SORT_INTS
               : of == SORT_TENSOR         ? SORT_TENSORS
               : of && !(of & ~of_numbers) ? SORT_NUMBERS
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
    if (!(seen & ~of_numbers))
        return SORT_NUMBERS;
    return seen & SORT_OTHER && seen != (unsigned)SORT_ANY ? SORT_OTHER : any | SORT_OTHER;
}

enum dtype dtype_of_class(const struct object *o)
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

const struct value *own_device(struct dyn *d, const struct object *o)
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

unsigned signature_takes(const struct signature_param *p)
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

bool signature_mixes(struct dyn *d, const struct signature *s, const struct value *v)
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
    unsigned has = sorts_of(d, v), takes = signature_takes(p);
    if (p->is_pointwise && (!dyn_literal(v) || !equation_is_pointwise(dyn_literal(v))))
        return FITS_NOT;
    if (p->param < 0 && p->sorts == (unsigned)SORT_ANY)
        return FITS;
    if (p->depth >= 0 && signature_mixes(d, s, v))
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

/* Whether it can be one of several arguments of one parameter: not where it can only be a list of
 * all of them. */
static bool may_be_one(struct dyn *d, const struct signature_param *p, const struct value *v)
{
    return sorts_of(d, v) & signature_takes(p) & ~(unsigned)SORT_LISTS;
}

enum fit signature_fits(struct dyn *d, const struct signature *s, const struct arguments *a,
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
