/* Ranges of the elements of what a call makes or changes in place, by what the pack says of its
 * values. Memory that something else can write to, such as that behind a raw pointer, has none. */
#include "analyzer/flow/calls/calls.h"

#include <math.h>

/* ---- operands -------------------------------------------------------------------------------- */

static const struct value_range unknown = {0};

static const struct choice *operand(const struct pack_call *call, enum param_role role)
{
    int i = pack_param_with(call->fn, role);
    return i >= 0 && call->choices[i].used ? &call->choices[i] : NULL;
}

static bool is_number(const struct choice *c)
{
    return c && c->value.kind == VALUE_NUMBER && !c->is_tensor;
}

/* Computations in anything but f64 use numbers as f32. */
static struct value_range range_of_value(const struct value *v, enum dtype d)
{
    if (v->kind != VALUE_NUMBER || (v->is_real && !v->has_real))
        return unknown;
    if (!v->is_real)
        return v->count == 1
                   ? range_of_number((double)v->as.number[0])
                   : range_between((double)value_low(v), (double)value_high(v), true, false);
    bool is_narrow = dtype_range(d).is_known || d == DTYPE_F64;
    return is_narrow ? range_of_number(v->as.real)
                     : range_stored(range_of_number(v->as.real), DTYPE_F32);
}

static struct value_range range_of(const struct choice *c, enum dtype d)
{
    return !c ? unknown : c->is_tensor ? fact_range(&c->fact) : range_of_value(&c->value, d);
}

/* Inside of an autocast region operands are converted first. */
static bool is_converted(const struct pack_call *call)
{
    for (int i = 0; i < DEVICE_COUNT && call->in_region; i++)
        if (call->fn->autocast[i] != AUTOCAST_NONE)
            return true;
    return false;
}

/* Floats are converted to the dtype of the result. */
static struct value_range range_in_region(const struct pack_call *call, const struct choice *c,
                                          enum dtype d)
{
    struct value_range r = range_of(c, d);
    bool is_float = !dtype_range(d).is_known && d != DTYPE_BOOL;
    return c && c->is_tensor && is_float && is_converted(call) ? range_stored(r, d) : r;
}

static struct value_range range_with(const struct pack_call *call, enum param_role role,
                                     enum dtype d)
{
    return range_in_region(call, operand(call, role), d);
}

/* The number passed for the role; false: it is not known. `none`: where it was left out. */
static bool number_with(const struct pack_call *call, enum param_role role, double none,
                        double *out)
{
    const struct choice *c = operand(call, role);
    *out = none;
    if (!c)
        return true;
    if (c->value.kind == VALUE_ADDRESS && !c->value.count) /* nothing was passed */
        return true;
    if (!is_number(c))
        return false;
    struct value_range r = range_of_value(&c->value, DTYPE_F64);
    *out = r.low;
    return range_is_constant(&r);
}

static const struct shape *shape_with(const struct pack_call *call, enum param_role role)
{
    const struct choice *c = operand(call, role);
    return c && c->is_tensor ? c->fact.shape : NULL;
}

/* ---- tensors from numbers -------------------------------------------------------------------- */

static struct value_range counted(const struct pack_call *call)
{
    double start, end, step;
    if (operand(call, ROLE_LENGTH)) {
        bool is_known = number_with(call, ROLE_LENGTH, 0, &end);
        return range_between(0, is_known ? fmax(end - 1, 0) : INFINITY, true, is_known && end > 0);
    }
    bool is_known = number_with(call, ROLE_START, 0, &start);
    is_known &= number_with(call, ROLE_STEP, 1, &step);
    if (!is_known || step == 0)
        return unknown;
    if (!number_with(call, ROLE_END, 0, &end))
        return step > 0 ? range_between(start, INFINITY,
                                        start == trunc(start) && step == trunc(step), false)
                        : unknown;
    double count = ceil((end - start) / step);
    double last = start + (count - 1) * step;
    bool is_whole = start == trunc(start) && step == trunc(step);
    return count < 1 ? unknown
                     : range_between(fmin(start, last), fmax(start, last), is_whole, true);
}

/* Evenly spaced numbers are whole if the first one and the distance are. */
static bool spans_whole(const struct pack_call *call, double start, double end)
{
    double count;
    if (!number_with(call, ROLE_LENGTH, 0, &count) || count < 2 || start != trunc(start))
        return false;
    double step = (end - start) / (count - 1);
    return step == trunc(step) && start + (count - 1) * step == end;
}

static struct value_range spanned(const struct pack_call *call)
{
    enum pack_values what = call->fn->values;
    double start, end;
    if (!number_with(call, ROLE_START, 0, &start) || !number_with(call, ROLE_END, 0, &end) ||
        start > end)
        return unknown;
    return what == VALUES_DRAWN
               ? range_between(start, fmax(end - 1, start), true, false)
               : range_between(start, end, what == VALUES_SPAN && spans_whole(call, start, end),
                               what == VALUES_SPAN);
}

enum { MAX_ELEMENTS = 64 };

/* How many elements an array of the program has, or memory that it allocated; 0: not known, or too
 * many. */
static int64_t element_count(const struct choice *data, const struct loc *array)
{
    const struct object *o = array->object;
    int64_t each = dtypes_bytes(data->fact.dtypes), bytes = fact_bytes(&data->fact);
    int64_t count = 0;
    const struct type *type = loc_type(array);
    if (type && type->kind == TYPE_ARRAY && (!array->parent || !(o->many || o->again)))
        count = type->count;
    else if (!array->parent && o->memory && !o->many && !o->again && each > 0 && bytes > 0)
        count = bytes / each;
    return count <= MAX_ELEMENTS ? count : 0;
}

/* What was stored there; of allocated memory, it must have been. */
static struct value element_value(const struct pack_call *call, const struct loc *array, int64_t i)
{
    const struct loc *at = loc_element(call->f->heap, array, i);
    const struct type *type = loc_type(array);
    const struct value *stored = state_get(call->s, at);
    if (type && type->kind == TYPE_ARRAY)
        return memory_read(call->f, call->fr, call->s, at, type->of);
    return stored && stored->kind == VALUE_NUMBER ? *stored : value_any;
}

/* The elements of an array of the program, or of memory, that are all known. */
static struct value_range data_elements(const struct pack_call *call)
{
    const struct choice *data = operand(call, ROLE_DATA);
    const struct loc *array = data ? call_array(&data->value) : NULL;
    const struct loc *at = array ? data->value.as.loc[0] : NULL;
    bool is_first = at == array || (at && at->element == 0);
    int64_t count = array && is_first ? element_count(data, array) : 0;
    if (call->elements > 0 && call->elements < count) /* the first ones */
        count = call->elements;
    struct value_range all = unknown;
    for (int64_t i = 0; i < count; i++) {
        struct value v = element_value(call, array, i);
        struct value_range one = range_of_value(&v, DTYPE_F64);
        bool is_low = !i || one.low < all.low, is_high = !i || one.high > all.high;
        if (!range_is_constant(&one))
            return unknown;
        struct value_range both = i ? range_either(&all, &one) : one;
        both.meets_low = is_low || all.meets_low;
        both.meets_high = is_high || all.meets_high;
        all = both;
    }
    return all;
}

/* ---- several elements ------------------------------------------------------------------------ */

/* How many elements are reduced to one: of all dimensions, or of some of them. */
static void count_reduced(const struct pack_call *call, double *least, double *most)
{
    const struct shape *shape = shape_with(call, ROLE_INPUT);
    int64_t elements = shape_elements(shape);
    bool gone[SHAPE_MAX];
    *least = 0;
    *most = elements < 0 ? INFINITY : (double)elements;
    if (!shape || !shape_reduced_dims(call, shape->count, gone))
        return;
    *most = 1;
    for (int i = 0; i < shape->count; i++)
        *most *= !gone[i] ? 1 : shape->dims[i] < 0 ? INFINITY : (double)shape->dims[i];
    if (isfinite(*most))
        *least = *most;
    else if (isnan(*most)) /* of no elements, and of who knows how many */
        *most = INFINITY;
}

/* Positions in the dimensions that are reduced to one, or in all. */
static struct value_range indices(const struct pack_call *call)
{
    double least, most;
    count_reduced(call, &least, &most);
    return range_between(0, most > 0 ? most - 1 : INFINITY, true, false);
}

/* Products of numbers between 0 and 1 are not larger than these. */
static struct value_range shares_multiplied(const struct pack_call *call, enum dtype d)
{
    struct value_range x = range_with(call, ROLE_INPUT, d);
    if (!x.is_known || x.low < 0 || x.high > 1)
        return unknown;
    return (struct value_range){.low = x.is_whole ? x.low : 0,
                                .high = x.high,
                                .is_known = true,
                                .is_whole = x.is_whole,
                                .may_be_nan = x.may_be_nan};
}

/* The first ones, up to all: the bounds are those of the first sum and of the last. */
static struct value_range cumulated(const struct pack_call *call, enum dtype d)
{
    const struct shape *shape = shape_with(call, ROLE_INPUT);
    struct value_range x = range_with(call, ROLE_INPUT, d);
    double dim = 0, most = INFINITY;
    if (shape && number_with(call, ROLE_DIM, 0, &dim)) {
        dim += dim < 0 ? shape->count : 0;
        most = dim >= 0 && dim < shape->count && shape->dims[(int)dim] > 0
                   ? (double)shape->dims[(int)dim]
                   : INFINITY;
    }
    double least = isfinite(most) ? most : 1;
    struct value_range last = range_sum(&x, least, most, d), all = range_either(&x, &last);
    struct value_range end = range_stored(last, d);
    if (range_is_constant(&x) && isfinite(most)) {
        all.meets_low = true;
        all.meets_high = true;
    } else if (isfinite(most) && range_is_constant(&end) && all.is_known) { /* beyond the dtype */
        all.meets_low |= last.low < x.low;
        all.meets_high |= last.high > x.high;
    }
    return all;
}

/* The size that a product sums over; infinite: not known. */
static double inner_size(const struct pack_call *call)
{
    const struct shape *a = shape_with(call, ROLE_LEFT), *b = shape_with(call, ROLE_RIGHT);
    int64_t size = a && a->count ? a->dims[a->count - 1] : -1;
    if (size < 0 && b && b->count)
        size = call->fn->shape.rule == SHAPE_LINEAR ? b->dims[b->count - 1]
               : b->count > 1                       ? b->dims[b->count - 2]
                                                    : b->dims[0];
    return size < 0 ? INFINITY : (double)size;
}

/* Whether something else is added to the product: a bias, what it is accumulated in. */
static bool is_added_to(const struct pack_call *call)
{
    int factors = 0;
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        const struct pack_param *p = call_param(call->fn, i);
        bool is_out = p->written && !p->required;
        factors += call->choices[i].is_tensor && !is_out;
    }
    return factors > 2;
}

static struct value_range multiplied(const struct pack_call *call, enum dtype d)
{
    struct value_range a = range_with(call, ROLE_LEFT, d), b = range_with(call, ROLE_RIGHT, d);
    struct value_range each = range_binary(VALUES_MUL, &a, &b, d);
    double size = inner_size(call);
    return is_added_to(call) ? unknown : range_sum(&each, isfinite(size) ? size : 0, size, d);
}

static bool is_element(enum param_role role)
{
    return role == ROLE_NONE || role == ROLE_INPUT || role == ROLE_LEFT || role == ROLE_RIGHT ||
           role == ROLE_VALUE || role == ROLE_SOURCE;
}

/* Elements of any operand. */
static struct value_range either(const struct pack_call *call, enum dtype d)
{
    struct value_range all = unknown;
    bool is_first = true;
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        const struct choice *c = &call->choices[i];
        enum param_role role = call_param(call->fn, i)->role;
        if (!is_element(role) || (!c->is_tensor && (role == ROLE_NONE || !is_number(c))))
            continue;
        struct value_range one = range_in_region(call, c, d);
        all = is_first ? one : range_either(&all, &one);
        is_first = false;
    }
    all.is_single &= range_is_constant(&all); /* one operand may stand for several tensors */
    return range_some(all);
}

static struct value_range interpolated(const struct pack_call *call, enum dtype d)
{
    struct value_range a = range_with(call, ROLE_LEFT, d), b = range_with(call, ROLE_RIGHT, d);
    double weight;
    bool is_between = number_with(call, ROLE_WEIGHT, 0, &weight) && weight >= 0 && weight <= 1;
    struct value_range all = range_either(&a, &b),
                       pad = range_between(0x1p-20, 0x1p-20, false, false);
    if (!is_between || !all.is_known)
        return unknown;
    pad.low = -0x1p-10 * range_most(&all);
    pad.high = -pad.low;
    all.is_whole = all.meets_low = all.meets_high = false;
    return range_binary(VALUES_ADD, &all, &pad, d);
}

static struct value_range clamped(const struct pack_call *call, enum dtype d)
{
    struct value_range x = range_with(call, ROLE_INPUT, d);
    const struct choice *low = operand(call, ROLE_MIN), *high = operand(call, ROLE_MAX);
    bool has_low = low && (low->is_tensor || is_number(low));
    bool has_high = high && (high->is_tensor || is_number(high));
    struct value_range min = range_of(low, d), max = range_of(high, d);
    return range_clamped(&x, has_low ? &min : NULL, has_high ? &max : NULL);
}

/* Whether every element of one meets every element of the other: in each dimension, one of them has
 * a single one. */
static bool pairs_all(const struct pack_call *call)
{
    const struct shape *a = shape_with(call, ROLE_LEFT), *b = shape_with(call, ROLE_RIGHT);
    for (int i = 1; a && b && (i <= a->count || i <= b->count); i++) {
        int64_t m = i <= a->count ? a->dims[a->count - i] : 1,
                n = i <= b->count ? b->dims[b->count - i] : 1;
        if (m < 1 || n < 1 || (m > 1 && n > 1))
            return false;
    }
    return a && b;
}

/* The bounds of sums and differences of all pairs are met where those of both operands are. */
static struct value_range met_by_pairs(const struct pack_call *call, struct value_range r,
                                       const struct value_range *a, const struct value_range *b)
{
    bool adds = call->fn->values == VALUES_ADD, subtracts = call->fn->values == VALUES_SUB;
    if (!r.is_known || !r.is_whole || !(adds || subtracts) || !pairs_all(call))
        return r;
    r.meets_low |= a->meets_low && (adds ? b->meets_low : b->meets_high);
    r.meets_high |= a->meets_high && (adds ? b->meets_high : b->meets_low);
    return r;
}

/* An operand of another dtype is converted first, so that a large integer is infinite in f16; a
 * tensor without dimensions may be used as the number that it is. */
static struct value_range range_converted(const struct pack_call *call, enum param_role role,
                                          enum dtype d)
{
    const struct choice *c = operand(call, role);
    struct value_range r = range_in_region(call, c, d);
    if (!c || !c->is_tensor || c->fact.dtypes == DTYPE_BIT(d) || !r.is_known)
        return r;
    struct value_range as_stored = range_stored(r, d);
    return range_join(&r, &as_stored);
}

/* Whether both are one tensor, and not one that stands for several. */
static bool is_same_twice(const struct pack_call *call)
{
    const struct choice *a = operand(call, ROLE_LEFT), *b = operand(call, ROLE_RIGHT);
    bool are_single = a && b && a->value.kind == VALUE_TENSOR && b->value.kind == VALUE_TENSOR &&
                      a->value.count == 1 && b->value.count == 1 &&
                      a->value.as.tensor[0] == b->value.as.tensor[0];
    const struct tensor *t = are_single ? state_tensor(call->s, a->value.as.tensor[0]) : NULL;
    return t && !t->several;
}

/* The right operand, multiplied before it is added or subtracted. */
static struct value_range of_two(const struct pack_call *call, enum dtype d)
{
    struct value_range a = range_converted(call, ROLE_LEFT, d),
                       b = range_converted(call, ROLE_RIGHT, d);
    const struct choice *scale = operand(call, ROLE_SCALE);
    if (is_number(scale)) {
        struct value_range by = range_of(scale, d);
        b = range_binary(VALUES_MUL, &b, &by, d);
        return range_binary(call->fn->values, &a, &b, d);
    }
    if (call->fn->values == VALUES_MUL && is_same_twice(call))
        return range_unary(VALUES_SQUARE, &a, d);
    return met_by_pairs(call, range_binary(call->fn->values, &a, &b, d), &a, &b);
}

static struct value_range or_zero(struct value_range x)
{
    struct value_range zero = range_of_number(0);
    return range_some(range_either(&x, &zero));
}

/* Between fixed bounds; of operands that can be NaN, that too. */
static struct value_range within(const struct pack_call *call, double low, double high)
{
    struct value_range r = range_between(low, high, call->fn->within.is_whole, false);
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++)
        if (call->choices[i].is_tensor) {
            struct value_range x = fact_range(&call->choices[i].fact);
            r.may_be_nan |= isinf(range_most(&x));
        }
    return r;
}

/* ---- the result ------------------------------------------------------------------------------ */

static struct value_range computed(const struct pack_call *call, enum dtype d)
{
    struct value_range x;
    double least, most;
    switch (call->fn->values) {
    case VALUES_UNKNOWN:
    case VALUES_ANY:
    case VALUES_ADDED_AT:
    case VALUES_COUNTS:
    case VALUES_COUNT_OF:
        return unknown;
    case VALUES_WITHIN:
        return within(call, call->fn->within.low, call->fn->within.high);
    case VALUES_SHARES:
        return within(call, 0, 1);
    case VALUES_SAME:
        return range_with(call, ROLE_INPUT, d);
    case VALUES_SOME:
        return range_some(range_with(call, ROLE_INPUT, d));
    case VALUES_EITHER:
        return either(call, d);
    case VALUES_OR_ZERO:
        return or_zero(range_with(call, ROLE_INPUT, d));
    case VALUES_SOURCE:
        return range_with(call, ROLE_SOURCE, d);
    case VALUES_DATA:
        return data_elements(call);
    case VALUES_FILL:
        return call->listed.is_known ? call->listed : range_with(call, ROLE_VALUE, DTYPE_F64);
    case VALUES_ZEROS:
    case VALUES_ONES:
        return range_of_number(call->fn->values == VALUES_ONES);
    case VALUES_COUNT:
        return counted(call);
    case VALUES_SPAN:
    case VALUES_BETWEEN:
    case VALUES_DRAWN:
        return spanned(call);
    case VALUES_INDEX:
        return indices(call);
    case VALUES_NEG:
    case VALUES_ABS:
    case VALUES_SQUARE:
    case VALUES_SQRT:
    case VALUES_EXP:
    case VALUES_LOG:
    case VALUES_EXP2:
    case VALUES_EXPM1:
    case VALUES_LOG1P:
    case VALUES_SIGMOID:
    case VALUES_TANH:
    case VALUES_RELU:
    case VALUES_FLOOR:
    case VALUES_CEIL:
    case VALUES_ROUND:
    case VALUES_TRUNC:
        x = range_with(call, ROLE_INPUT, d);
        return range_unary(call->fn->values, &x, d);
    case VALUES_ADD:
    case VALUES_SUB:
    case VALUES_RSUB:
    case VALUES_MUL:
    case VALUES_DIV:
    case VALUES_FLOOR_DIVIDE:
    case VALUES_REMAINDER:
    case VALUES_POW:
    case VALUES_LEFT_SHIFT:
    case VALUES_MAXIMUM:
    case VALUES_MINIMUM:
    case VALUES_EQ:
    case VALUES_NE:
    case VALUES_LT:
    case VALUES_LE:
    case VALUES_GT:
    case VALUES_GE:
        return of_two(call, d);
    case VALUES_LERP:
        return interpolated(call, d);
    case VALUES_CLAMP:
        return clamped(call, d);
    case VALUES_CUMSUM:
        return cumulated(call, d);
    case VALUES_CUMPROD:
        return shares_multiplied(call, d);
    case VALUES_SUM:
        x = range_with(call, ROLE_INPUT, d);
        count_reduced(call, &least, &most);
        return range_sum(&x, least, most, d);
    case VALUES_MEAN:
        x = range_with(call, ROLE_INPUT, d);
        return range_mean(&x, d);
    case VALUES_MATMUL:
        return multiplied(call, d);
    }
    return unknown;
}

/* As it is stored in each of the dtypes. */
static struct value_range stored(const struct pack_call *call, dtype_set dtypes)
{
    struct value_range all = unknown;
    bool is_first = true;
    for (dtype_set left = dtypes & DTYPES_EVERY; left; left &= left - 1) {
        int d = __builtin_ctzll(left);
        struct value_range one = range_stored(computed(call, (enum dtype)d), (enum dtype)d);
        all = is_first ? one : range_join(&all, &one);
        is_first = false;
    }
    return all;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Someone else may write to it whenever code runs that is not here. */
static bool is_open(const struct tensor *t)
{
    return t->exposed || !t->how || !t->how->inst;
}

struct overwritten {
    struct value_range with;
    bool as_whole;
    bool exposed;
};

/* As the dtypes of the tensor hold it: in another case than the one at hand they may be others. */
static struct value_range held(struct value_range r, dtype_set dtypes)
{
    struct value_range all = r;
    for (dtype_set left = dtypes & DTYPES_EVERY; left; left &= left - 1) {
        struct value_range one = range_stored(r, (enum dtype)__builtin_ctzll(left));
        all = range_join(&all, &one);
    }
    return range_is_constant(&r) && range_is_constant(&all) ? r : all;
}

static bool overwrite(struct tensor *t, void *what)
{
    const struct overwritten *o = what;
    struct value_range with = held(o->with, t->fact.dtypes);
    struct value_range before = t->fact.range;
    bool was = t->exposed;
    t->exposed |= o->exposed;
    if (is_open(t))
        t->fact.range = unknown;
    else if (o->as_whole && !t->several)
        t->fact.range = with;
    else
        t->fact.range = range_either(&before, &with);
    return was != t->exposed || !range_is_same(&before, &t->fact.range);
}

/* Beyond the cases that are told apart, one stands for all that is left, where it may be several
 * things still: each of them is changed. */
static void overwrite_at(struct state *s, int i, struct overwritten o)
{
    bool is_read = s->cases && state_tensor_raw(s, i)->cases;
    struct tensor t = is_read ? *state_tensor_own_at(s, i) : *state_tensor_raw(s, i);
    if (t.cases)
        *state_tensor_write(s, i) = guard_map_tensor(s, &t, overwrite, &o);
    else if (overwrite(&t, &o))
        *state_tensor_write(s, i) = t;
}

/* Of one that was overwritten as a whole, and has all of its memory: the other lies in it. */
static bool is_inside(const struct tensor *t, const struct tensor *of)
{
    return tensor_storage(of) == of->id && !of->several && !of->cases && !t->cases && !t->perhaps &&
           tensor_shares(t, of) == TRI_YES;
}

/* Of a tensor that is one of several: whether any of them may. */
static bool may_share(struct arena *a, const struct state *s, const struct tensor *t,
                      const struct tensor *of)
{
    if (!t->cases)
        return tensor_shares(t, of) != TRI_NO;
    tensor_list all = guard_tensors(a, s, t);
    bool may = false;
    for (int i = 0; i < all.count; i++)
        may |= tensor_shares(all.items[i], of) != TRI_NO;
    return may;
}

/* The tensor, and all that may share its memory. */
static void overwrite_shared(struct arena *a, struct state *s, int id, struct overwritten o)
{
    const struct tensor *found = state_tensor(s, id);
    struct tensor of = found ? *found : (struct tensor){.id = id};
    for (int i = 0; found && i < s->tensors.count; i++) {
        const struct tensor *t = state_tensor_raw(s, i);
        bool is_itself = t->id == id;
        struct overwritten part = {o.with, o.as_whole && (is_itself || is_inside(t, &of)),
                                   o.exposed};
        if (!is_itself)
            part.with = range_some(part.with);
        if (is_itself || may_share(a, s, t, &of))
            overwrite_at(s, i, part);
    }
}

static dtype_set promoted(dtype_set left, dtype_set right)
{
    dtype_set all = 0;
    for (dtype_set a = left; a; a &= a - 1)
        for (dtype_set b = right; b; b &= b - 1) {
            enum dtype d =
                promote_dtypes((enum dtype)__builtin_ctzll(a), (enum dtype)__builtin_ctzll(b));
            all |= d == DTYPE_NONE ? 0 : DTYPE_BIT(d);
        }
    return all;
}

/* The dtypes in which two operands are computed whose result goes into a tensor that is neither.
 * One without dimensions may count less than the other, so both are possible then. 0: not known. */
static dtype_set computed_in(const struct pack_call *call)
{
    const struct choice *a = operand(call, ROLE_LEFT), *b = operand(call, ROLE_RIGHT);
    if (!a || !b || !a->is_tensor || !b->is_tensor)
        return a && a->is_tensor && is_number(b) && !b->value.is_real
                   ? a->fact.dtypes & DTYPES_EVERY
                   : 0;
    dtype_set left = a->fact.dtypes & DTYPES_EVERY, right = b->fact.dtypes & DTYPES_EVERY;
    bool may_be_scalar = a->fact.zero_dim != TRI_NO || b->fact.zero_dim != TRI_NO;
    return promoted(left, right) | (may_be_scalar ? left | right : 0);
}

/* What a call writes to an operand: its result, computed in the dtype of what is read, and then
 * stored. */
static struct value_range written_to(const struct pack_call *call, int i)
{
    dtype_set into = call->choices[i].fact.dtypes & DTYPES_EVERY;
    dtype_set in = operand(call, ROLE_LEFT) != &call->choices[i] ? computed_in(call) : 0;
    return in ? held(stored(call, in), into) : stored(call, into);
}

static void overwrite_operand(const struct pack_call *call, int i, bool exposed)
{
    const struct value *v = &call->choices[i].value;
    for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++) {
        struct overwritten o = {unknown, v->count == 1, exposed};
        if (!exposed)
            o.with = written_to(call, i);
        overwrite_shared(call->f->scratch, call->s, v->as.tensor[k], o);
    }
}

/* It gives out the memory of an operand, or keeps it to write to it later. */
static bool exposes(const struct pack_function *fn, int i)
{
    return (fn->returns_buffer && fn->alias_of == i && fn->alias != ALIAS_FRESH) ||
           fn->effects & EFFECT_SETS_GRAD;
}

static bool is_made_here(const struct pack_call *call, const struct tensor *t)
{
    return t->how && t->how->inst == call->inst && t->how->function == call->fr->code->fn;
}

/* A view of memory that is open is, too. */
static bool is_of_open(const struct pack_call *call, const struct outcomes *g)
{
    bool shares = call->fn->alias != ALIAS_FRESH && g->aliases != 1u << ALIAS_FRESH;
    int of = shares ? call->fn->alias_of : -1;
    const struct value *v = of >= 0 ? &call->choices[of].value : &value_nothing;
    bool open = of >= 0 && v->kind != VALUE_TENSOR && !call->choices[of].is_tensor &&
                call->choices[of].is_buffer;
    for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++) {
        const struct tensor *t = state_tensor(call->s, v->as.tensor[k]);
        open |= !t || is_open(t);
    }
    return open;
}

static bool is_operand(const struct pack_call *call, int id)
{
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        const struct value *v = &call->choices[i].value;
        for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++)
            if (v->as.tensor[k] == id)
                return true;
    }
    return false;
}

void values_assign(const struct pack_call *call, const struct outcomes *g,
                   const struct value *result)
{
    bool open = call->fn->values == VALUES_UNKNOWN || is_of_open(call, g);
    for (int k = 0; result->kind == VALUE_TENSOR && k < result->count; k++) {
        struct tensor *t = is_operand(call, result->as.tensor[k])
                               ? NULL
                               : state_tensor_own(call->s, result->as.tensor[k]);
        if (!t || !is_made_here(call, t))
            continue;
        t->exposed = open;
        struct pack_call of = *call;
        of.elements = shape_elements(t->fact.shape);
        t->fact.range = open ? unknown : stored(&of, t->fact.dtypes);
    }
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        if (call_param(call->fn, i)->written && call->choices[i].is_tensor)
            overwrite_operand(call, i, false);
        if (exposes(call->fn, i))
            overwrite_operand(call, i, true);
    }
}
