/* Arithmetic on bytes wraps around: 200 + 100 is 44, 1 - 2 is 255. */
#include "rules/engine/engine.h"

#include <math.h>
#include <string.h>

/* Bytes that were cast from bools are 0 or 1. */
static bool was_bool(struct check *c, const struct argument *a)
{
    struct call cast;
    if (!argument_maker(c, a, &cast))
        return false;
    for (int k = 0; k < cast.count; k++)
        if (argument_dtypes(&cast.arguments[k]) == SET_BOOL)
            return true;
    return false;
}

/* The largest absolute value that is known of its elements; 0: only what the dtype can hold is. */
static double known_most(const struct argument *a)
{
    const struct value_range *r = a->seen ? &a->seen->fact.range : NULL;
    return r && r->is_known ? range_most(r) : 0;
}

/* The tensor that it is, or is a part of. */
static const struct step *whole_of(struct check *c, const struct argument *a)
{
    struct call view;
    bool is_part = argument_maker(c, a, &view) && call_is_view(&view);
    const struct argument *x = is_part ? call_argument(&view, ROLE_INPUT) : NULL;
    return argument_is_tensor(x) && x->seen ? x->seen->how : a->seen ? a->seen->how : NULL;
}

static enum back find_rounding(const struct argument *at, const struct call *made, void *context)
{
    (void)context;
    if (!dtypes_are(argument_dtypes(at), SET_FLOATS))
        return BACK_NO;
    return made->callee->values == VALUES_ROUND ? BACK_YES
           : made->family == FAMILY_CLAMP       ? BACK_GO_ON
                                                : BACK_NO;
}

/* Codes of a quantised tensor: floats that were scaled to the range of bytes, and rounded. */
static bool is_quantised(struct check *c, const struct argument *a)
{
    struct call cast;
    if (!argument_maker(c, a, &cast) || !call_is_cast(&cast))
        return false;
    const struct argument *from = call_argument(&cast, ROLE_INPUT);
    return argument_is_tensor(from) && trace_back(c, from, find_rounding, NULL);
}

/* Whether all that is done with the products is to add them up. */
static bool is_summed(struct check *c, const struct call *call)
{
    const consumer_list *uses = consumers_of(c, call->function, call->inst);
    for (int i = 0; i < uses->count; i++)
        if (uses->items[i].by->callee->values != VALUES_SUM)
            return false;
    return uses->count > 0;
}

/* Products of two tensors: of numbers known to be large, or of the same tensor, which is no mask,
 * or of codes whose products are added up. */
static bool product_wraps(struct check *c, const struct call *call, const struct argument *a,
                          const struct argument *b, double limit)
{
    if (!argument_is_tensor(a) || !argument_is_tensor(b) || was_bool(c, a) || was_bool(c, b))
        return false;
    double x = known_most(a), y = known_most(b);
    if (x && y)
        return x * y > limit;
    bool is_mask = (x && x <= 1) || (y && y <= 1);
    if (is_mask)
        return false;
    if (is_quantised(c, a) && is_quantised(c, b) && is_summed(c, call))
        return true;
    return whole_of(c, a) && whole_of(c, a) == whole_of(c, b);
}

static bool range_of(const struct call *call, const struct argument *a, struct value_range *out)
{
    double number;
    bool is_number = argument_number(call, a, &number);
    if (!is_number && !argument_is_tensor(a))
        return false;
    *out = is_number ? range_of_number(number) : fact_range(&a->seen->fact);
    return out->is_known && isfinite(range_most(out));
}

/* Whether every result is within the dtype, whatever the elements are: as in 255 - x. */
static bool always_fits(const struct call *call, const struct argument *a, const struct argument *b)
{
    enum dtype d = dtype_of_set(call->result->fact.dtypes);
    struct value_range x, y, all = dtype_range(d);
    if (!is_one(call->result->fact.dtypes) || !range_of(call, a, &x) || !range_of(call, b, &y))
        return false;
    struct value_range r = range_binary(call->callee->values, &x, &y, d);
    return r.is_known && !r.may_be_nan && r.low >= all.low && r.high <= all.high;
}

/* The caller decides what is added to the tensor in place: nothing says that these are large. */
static bool is_of_caller(const struct call *call, const struct argument *b)
{
    return call_written(call) && argument_is_tensor(b) && !is_one(argument_dtypes(b));
}

/* Whether the product only moves bits of bytes without a sign to where others are put next to them,
 * as two numbers below 16 are packed into one: these fit. */
static bool is_packed(struct check *c, const struct call *call, double by)
{
    const consumer_list *uses = consumers_of(c, call->function, call->inst);
    if (call->result->fact.dtypes != DTYPE_SET(DTYPE_U8) || by != exp2(floor(log2(fabs(by)))))
        return false;
    for (int i = 0; i < uses->count; i++)
        if (uses->items[i].by->callee->family != FAMILY_BITS)
            return false;
    return uses->count > 0;
}

/* Whether the result can leave the range: differences always, sums of two tensors or with a number,
 * products with two or more. */
static bool can_wrap(struct check *c, const struct call *call, const struct argument *a,
                     const struct argument *b)
{
    double number, limit = dtype_range(dtype_of_set(call->result->fact.dtypes)).high;
    bool known = argument_number(call, b, &number);
    if ((known && number == 0) || is_of_caller(call, b) || always_fits(call, a, b))
        return false;
    if (call->callee->values == VALUES_POW)
        return known && number >= 2 && !was_bool(c, a) && pow(known_most(a), number) > limit;
    switch (call->family) {
    case FAMILY_SUBTRACT:
        return true;
    case FAMILY_ADD:
        return !was_bool(c, a) && (known || (argument_is_tensor(b) && !was_bool(c, b)));
    case FAMILY_MULTIPLY:
        return known ? fabs(number) >= 2 && !was_bool(c, a) && !is_packed(c, call, number)
                     : product_wraps(c, call, a, b, limit);
    default: /* other families do not wrap around */
        return false;
    }
}

/* ---- bools ----------------------------------------------------------------------------------- */

/* Whether the tensor is compared with a number that no bool reaches. */
static bool is_counted(struct check *c, const struct call *call)
{
    const consumer_list *uses = consumers_of(c, call->function, call->inst);
    for (int i = 0; i < uses->count; i++) {
        const struct flow_call *by = uses->items[i].by;
        struct call use;
        double number;
        bool compares = by->callee->values >= VALUES_EQ && by->callee->values <= VALUES_GE;
        if (compares && call_view(c, by->function, by->inst, &use) &&
            argument_number(&use, call_argument(&use, ROLE_RIGHT), &number) && number > 1)
            return true;
    }
    return false;
}

/* Whether the sum is put where one of its operands was, in a loop. */
static bool is_running(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT);
    ir_value place = call_place(c, call);
    const char *to = place ? value_name(c->in->arena, call->function, place) : NULL;
    const char *from = to ? value_name(c->in->arena, call->function, a->value) : NULL;
    bool stays = call_written(call) == a || (from && !strcmp(from, to));
    return stays && is_in_loop(code_view(c, call->function), call->inst);
}

/* The sum of bools is a bool: whether one of them is true, not how many are. */
static void check_bools(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    if (call->family != FAMILY_ADD || !call->result || call->result->fact.dtypes != SET_BOOL ||
        argument_dtypes(a) != SET_BOOL || argument_dtypes(b) != SET_BOOL ||
        !(is_counted(c, call) || is_running(c, call)))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s of bools is a bool: true plus true is true, not 2", call->callee->shown);
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* A sum that is kept in bytes, of so many that it need not fit. */
static void check_sum(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    dtype_set dtypes = call->result ? call->result->fact.dtypes : 0;
    bool sums = call->callee->values == VALUES_SUM || call->callee->values == VALUES_CUMSUM;
    int64_t elements = sums ? elements_summed(call) : 0;
    if (!sums || !argument_is_tensor(x) || !is_one(dtypes) ||
        !dtypes_are(dtypes, DTYPE_SET(DTYPE_U8) | DTYPE_SET(DTYPE_I8)))
        return;
    struct value_range each = fact_range(&x->seen->fact), all = dtype_range(dtype_of_set(dtypes));
    /* How many is often not known, but that there are at least two. */
    double most = range_most(&each) * (double)(elements < 1 ? 2 : elements);
    if (most <= all.high)
        return;
    const char *many = elements < 1
                           ? "elements"
                           : arena_printf(c->in->arena, "%lld elements", (long long)elements);
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "a sum of %s, each up to %g, wraps around in %s: it holds no more than %.0f",
                    many, range_most(&each), dtypes_text(c, dtypes), all.high);
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

enum { OFTEN = 4 };

/* How large a sum of so many products usually is, of numbers anywhere between their bounds: those
 * of both signs partly cancel out. 0: nothing is known of them. */
static double usual_sum(const struct argument *a, const struct argument *b, int64_t n)
{
    const struct value_range *x = &a->seen->fact.range, *y = &b->seen->fact.range;
    if (!x->is_known || !y->is_known || n < 1)
        return 0;
    double most = range_most(x) * range_most(y);
    bool same_sign = (x->low >= 0 || x->high <= 0) && (y->low >= 0 || y->high <= 0);
    return same_sign ? most / 4 * (double)n : most / 3 * sqrt((double)n);
}

/* A matrix product of bytes is summed in bytes. */
static void check_product(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    dtype_set dtypes = call->result ? call->result->fact.dtypes : 0;
    if (call->callee->values != VALUES_MATMUL || !argument_is_tensor(a) || !argument_is_tensor(b) ||
        !is_one(dtypes) || !dtypes_are(dtypes, DTYPE_SET(DTYPE_U8) | DTYPE_SET(DTYPE_I8)))
        return;
    const struct shape *shape = a->seen->fact.shape;
    int64_t n = shape && shape->count ? shape->dims[shape->count - 1] : -1;
    double limit = dtype_range(dtype_of_set(dtypes)).high;
    bool are_constant =
        range_is_constant(&a->seen->fact.range) && range_is_constant(&b->seen->fact.range);
    double most =
        are_constant ? range_met(&a->seen->fact.range) * range_met(&b->seen->fact.range) * (double)n
                     : usual_sum(a, b, n);
    if (n < 1 || most <= (are_constant ? limit : OFTEN * limit))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s of bytes wraps around: sums of %s%.0f are kept in %s", call->callee->shown,
                    are_constant ? "" : "about ", most, dtypes_text(c, dtypes));
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
}

/* Counts in bytes, by adding at indices: so many that some need not fit. */
static void check_counts(struct check *c, const struct call *call)
{
    const struct argument *to = call_written(call);
    dtype_set dtypes = argument_dtypes(to);
    if (!is_one(dtypes) || !dtypes_are(dtypes, DTYPE_SET(DTYPE_U8) | DTYPE_SET(DTYPE_I8)) ||
        largest_added(call) <= OFTEN * dtype_range(dtype_of_set(dtypes)).high)
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "counts up to %.0f wrap around in %s: it holds no more than %.0f", largest_added(call),
        dtypes_text(c, dtypes), dtype_range(dtype_of_set(dtypes)).high);
    finding_mark(c, out, to->span);
    origin_add(c, out, to->name, to->seen->how, ASPECT_DTYPE, dtypes);
}

/* Squares of one operand. */
static void check_square(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    dtype_set dtypes = call->result ? call->result->fact.dtypes : 0;
    if (call->family != FAMILY_SQUARE || !argument_is_tensor(x) || !is_one(dtypes) ||
        !dtypes_are(dtypes, DTYPE_SET(DTYPE_U8) | DTYPE_SET(DTYPE_I8)) || was_bool(c, x))
        return;
    struct value_range r = fact_range(&x->seen->fact), all = dtype_range(dtype_of_set(dtypes));
    if (range_most(&r) * range_most(&r) <= all.high)
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "%s of bytes wraps around: the result is %s",
                                      call->callee->shown, dtypes_text(c, dtypes));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* ---- bits and signs -------------------------------------------------------------------------- */

static int bits_of(enum dtype d)
{
    double values = dtype_range(d).high - dtype_range(d).low + 1;
    return (int)round(log2(values));
}

/* Bits that are moved beyond the last one of the dtype: all of them, or those of some element in
 * every run. */
static void check_shift(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_LEFT),
                          *by = call_argument(call, ROLE_RIGHT);
    dtype_set dtypes = call->result ? call->result->fact.dtypes : 0;
    double number;
    if (call->callee->values != VALUES_LEFT_SHIFT || !argument_is_tensor(x) || !is_one(dtypes) ||
        !dtypes_are(dtypes, SET_INTS) || !argument_number(call, by, &number) || number < 1)
        return;
    enum dtype d = dtype_of_set(dtypes);
    struct value_range each = fact_range(&x->seen->fact), n = range_of_number(number),
                       moved = range_binary(VALUES_LEFT_SHIFT, &each, &n, d);
    bool are_all = number >= bits_of(d),
         is_some = x->seen->fact.range.is_known && range_met(&moved) > dtype_range(d).high;
    if (!are_all && !is_some)
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s by %.0f loses bits: the result is %s, which has %d", call->callee->shown,
                    number, dtypes_text(c, dtypes), bits_of(d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
    fix_argument(c, out, call, x, d == DTYPE_I32 ? DTYPE_I64 : DTYPE_I32);
}

/* The smallest integer has no counterpart: 128 is no i8. */
static void check_sign(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    dtype_set dtypes = call->result ? call->result->fact.dtypes : 0;
    if ((call->callee->values != VALUES_ABS && call->callee->values != VALUES_NEG) ||
        !argument_is_tensor(x) || !is_one(dtypes) ||
        !dtypes_are(dtypes, SET_INTS & ~DTYPE_SET(DTYPE_U8)))
        return;
    const struct value_range *r = &x->seen->fact.range;
    double least = dtype_range(dtype_of_set(dtypes)).low;
    if (!r->is_known || !r->meets_low || r->low != least)
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s of %.0f is %.0f again: %s holds no more than %.0f", call->callee->shown,
                    least, least, dtypes_text(c, dtypes), -least - 1);
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
    fix_argument(c, out, call, x, DTYPE_I64);
}

/* ---- samples of 16 bits ---------------------------------------------------------------------- */

static bool is_made_wider(struct check *c, const struct ir_function *f, ir_value inst)
{
    const consumer_list *uses = consumers_of(c, f, inst);
    for (int i = 0; i < uses->count; i++) {
        const struct flow_call *by = uses->items[i].by;
        const struct flow_value *to = flow_value_of(c->in->flow, by->function, by->inst);
        bool converts = by->callee->family == FAMILY_CAST || by->callee->family == FAMILY_DIVIDE;
        if (by->callee->family == FAMILY_MEAN || by->callee->values == VALUES_FLOOR_DIVIDE)
            return true;
        if (converts && to && dtypes_are(to->fact.dtypes, SET_FLOATS))
            return true;
    }
    return false;
}

/* Whether the result, or the tensor that it was put into, is divided or becomes floats: what is
 * computed with it was meant to be wider. */
static bool is_used_wider(struct check *c, const struct call *call)
{
    const struct argument *to = call_written(call);
    const struct step *how = argument_is_tensor(to) ? to->seen->how : NULL;
    return is_made_wider(c, call->function, call->inst) ||
           (how && how->inst && is_made_wider(c, how->function, how->inst));
}

/* The largest absolute value of what is added to, or multiplied by, the other operand. */
static double most_of(const struct call *call, const struct argument *a)
{
    double number;
    if (argument_number(call, a, &number))
        return fabs(number);
    struct value_range r = argument_is_tensor(a) ? fact_range(&a->seen->fact) : range_of_number(0);
    return range_most(&r);
}

/* Sums and products of samples that can be as large as the dtype allows; sums with a number are
 * offsets, which are small. */
static void check_shorts(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    bool adds = call->family == FAMILY_ADD, multiplies = call->family == FAMILY_MULTIPLY;
    if (!(adds || multiplies) || !call->result ||
        call->result->fact.dtypes != DTYPE_SET(DTYPE_I16) || !argument_is_tensor(a) ||
        (adds && !argument_is_tensor(b)) || was_bool(c, a) ||
        (argument_is_tensor(b) && was_bool(c, b)))
        return;
    double limit = dtype_range(DTYPE_I16).high, x = most_of(call, a), y = most_of(call, b);
    bool are_full = x >= limit && (argument_is_tensor(b) ? y >= limit : y >= 2);
    bool are_large = adds && known_most(a) && known_most(b) && x + y > limit;
    are_large |= adds && x >= limit && argument_is_tensor(b) && 2 * known_most(b) > limit;
    if ((!are_full && !are_large) || !is_used_wider(c, call))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "%s of i16 wraps around: it holds no more than %.0f",
                                      call->callee->shown, limit);
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
    fix_argument(c, out, call, a->param->written ? NULL : a, DTYPE_I32);
}

/* Squares of such samples, also as a power. */
static void check_squared_shorts(struct check *c, const struct call *call)
{
    bool is_power = call->callee->values == VALUES_POW;
    const struct argument *x = call_argument(call, is_power ? ROLE_LEFT : ROLE_INPUT);
    double limit = dtype_range(DTYPE_I16).high, number;
    if ((call->family != FAMILY_SQUARE && !is_power) || !call->result ||
        call->result->fact.dtypes != DTYPE_SET(DTYPE_I16) || !argument_is_tensor(x) ||
        was_bool(c, x) || most_of(call, x) < limit || !is_used_wider(c, call) ||
        (is_power &&
         (!argument_number(call, call_argument(call, ROLE_RIGHT), &number) || number < 2)))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "%s of i16 wraps around: it holds no more than %.0f, the "
                                      "square of %.0f",
                                      call->callee->shown, limit, floor(sqrt(limit)));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
    fix_argument(c, out, call, x->param->written ? NULL : x, DTYPE_I32);
}

/* Bytes that are known to reach the largest one, and an integer that is not known. */
static void check_offset(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    dtype_set dtypes = call->result ? call->result->fact.dtypes : 0;
    double number;
    if (call->family != FAMILY_ADD || dtypes != DTYPE_SET(DTYPE_U8) || !argument_is_tensor(a) ||
        !b || !b->seen || b->seen->kind != OPERAND_INT || argument_number(call, b, &number) ||
        was_bool(c, a) || known_most(a) < dtype_range(DTYPE_U8).high)
        return;
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                    "'%s' has bytes up to 255, and a sum of bytes wraps around: the result is %s",
                    a->name, dtypes_text(c, dtypes));
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
    fix_argument(c, out, call, a->param->written ? NULL : a, DTYPE_I64);
}

static void check(struct check *c, const struct call *call)
{
    check_sum(c, call);
    check_offset(c, call);
    check_product(c, call);
    check_square(c, call);
    check_bools(c, call);
    check_counts(c, call);
    check_shorts(c, call);
    check_squared_shorts(c, call);
    check_shift(c, call);
    check_sign(c, call);
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    dtype_set bytes = DTYPE_SET(DTYPE_U8) | DTYPE_SET(DTYPE_I8);
    if (!call->result || !dtypes_are(call->result->fact.dtypes, bytes) || !a || !b ||
        !can_wrap(c, call, a, b))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s of bytes wraps around: the result is %s", call->callee->shown,
                    dtypes_text(c, call->result->fact.dtypes));
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
    const struct argument *wider =
        argument_is_tensor(b) && b->seen->fact.zero_dim != TRI_YES ? b : a;
    fix_argument(c, out, call, wider->param->written ? NULL : wider, DTYPE_I64);
}

const struct rule_code rule_byte_arithmetic = {.call = check, .by_case = true};
