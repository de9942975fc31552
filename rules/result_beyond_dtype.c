/* A result that is infinite though its operands are finite: no number of the dtype is as large.
 * Only where some element is so in every run, or where the bounds of two factors are so far beyond
 * that numbers well within them are, too. */
#include "rules/engine/engine.h"

#include <math.h>

static bool can_overflow(enum pack_values what)
{
    return what == VALUES_ADD || what == VALUES_SUB || what == VALUES_MUL ||
           what == VALUES_SQUARE || what == VALUES_POW || what == VALUES_EXP ||
           what == VALUES_EXP2 || what == VALUES_EXPM1 || what == VALUES_DIV ||
           what == VALUES_SUM || what == VALUES_CUMSUM || what == VALUES_MATMUL;
}

/* Whether an element is infinite in every run. */
static bool is_infinite(const struct value_range *r)
{
    bool all = r->low == INFINITY || r->high == -INFINITY;
    bool some = (r->meets_high && isinf(r->high)) || (r->meets_low && isinf(r->low));
    return r->is_known && r->low <= r->high && (all || some);
}

/* Whether all operands are numbers of the dtype; a constant that is none is another rule's. */
static bool are_finite(const struct call *call, enum dtype d)
{
    double number;
    for (int k = 0; k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        if (argument_is_tensor(a) && !a->param->written && isinf(range_most(&a->seen->fact.range)))
            return false;
        if (!argument_is_tensor(a) && a->param->role == ROLE_RIGHT &&
            argument_number(call, a, &number) && !(fabs(number) <= dtype_max(d)))
            return false;
    }
    return true;
}

static const struct argument *first_tensor(const struct call *call)
{
    for (int k = 0; k < call->count; k++)
        if (argument_is_tensor(&call->arguments[k]))
            return &call->arguments[k];
    return NULL;
}

/* What is divided by 0 is infinite in any dtype. */
static bool may_divide_by_zero(const struct call *call)
{
    const struct argument *by = call_argument(call, ROLE_RIGHT);
    double number;
    if (call->callee->values != VALUES_DIV)
        return false;
    if (!argument_is_tensor(by))
        return !argument_number(call, by, &number) || number == 0;
    const struct value_range *r = &by->seen->fact.range;
    return !r->is_known || (r->low <= 0 && r->high >= 0);
}

/* Ones that are too many: half-long-sum. */
static bool is_count(const struct call *call, const struct argument *x)
{
    bool sums = call->callee->values == VALUES_SUM || call->callee->values == VALUES_CUMSUM ||
                call->callee->values == VALUES_MATMUL;
    return sums && range_most(&x->seen->fact.range) <= 1;
}

/* The largest number of a factor that is known by its bounds; 0: it is not known, or is a bound of
 * the dtype. */
static double bound_of(const struct argument *x, double limit)
{
    const struct value_range *r = argument_is_tensor(x) ? &x->seen->fact.range : NULL;
    bool is_bound = r && r->is_known && !r->may_be_nan && range_most(r) < limit / 2;
    return is_bound ? range_most(r) : 0;
}

/* A tensor minus itself is 0, whatever its bounds. */
static bool is_difference(struct check *c, const struct argument *x)
{
    struct call made;
    return argument_maker(c, x, &made) && made.family == FAMILY_SUBTRACT;
}

static bool is_squaring(const struct call *call)
{
    const struct argument *power = call_argument(call, ROLE_RIGHT);
    double number;
    return call->callee->values == VALUES_SQUARE ||
           (call->callee->values == VALUES_POW && power && argument_number(call, power, &number) &&
            number == 2);
}

/* Beyond the limit so often: numbers in the middle of their ranges are, too. */
static const double FAR = 4;

/* The product of two factors of f16 that are known by their bounds, such as the sides of a box, or
 * the square of one. */
static void check_product(struct check *c, const struct call *call)
{
    double limit = dtype_max(DTYPE_F16);
    bool is_square = is_squaring(call);
    const struct argument *a = is_square ? first_tensor(call) : call_argument(call, ROLE_LEFT),
                          *b = is_square ? a : call_argument(call, ROLE_RIGHT);
    if ((!is_square && call->callee->values != VALUES_MUL) ||
        call->result->fact.dtypes != DTYPE_SET(DTYPE_F16))
        return;
    double most = bound_of(a, limit) * bound_of(b, limit);
    if (most < FAR * limit || (is_square && is_difference(c, a)) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "'%s' is up to %g and '%s' up to %g: their product, up to %g, is infinite in %s beyond %g",
        a->name, range_most(&a->seen->fact.range), b->name, range_most(&b->seen->fact.range), most,
        dtype_word(DTYPE_F16), limit);
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
}

static void check(struct check *c, const struct call *call)
{
    dtype_set dtypes = call->result ? call->result->fact.dtypes : 0;
    if (!can_overflow(call->callee->values) || !is_one(dtypes) || !dtypes_are(dtypes, SET_FLOATS))
        return;
    enum dtype d = dtype_of_set(dtypes);
    if (d == DTYPE_F64) /* ranges are rounded up in it */
        return;
    const struct argument *x = first_tensor(call);
    if (!x || is_count(call, x) || may_divide_by_zero(call) ||
        !is_infinite(&call->result->fact.range) || !are_finite(call, d) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "%s of numbers up to %g is infinite in %s, whose largest "
                                      "number is %g",
                                      call->callee->shown, range_most(&x->seen->fact.range),
                                      dtype_word(d), dtype_max(d));
    finding_mark(c, out, x->span);
    origin_add(c, out, "the result", call->result->how, ASPECT_DTYPE, dtypes);
}

static void check_all(struct check *c, const struct call *call)
{
    check(c, call);
    if (call->result)
        check_product(c, call);
}

const struct rule_code rule_result_beyond_dtype = {.call = check_all, .by_case = true};
