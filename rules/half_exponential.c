/* Exponentials are summed in f16, as in a softmax that is written out, without subtracting the
 * largest number first: f16 ends at 65504, which is the exponential of 11. */
#include "rules/engine/engine.h"

#include <math.h>

static const double LARGEST = 11.0; /* exp of it is below 65504 */

enum { MAX_DEPTH = 4 };

/* Whether something was subtracted before, or the sign was turned: it is not known to be large. */
static bool is_lowered(struct check *c, const struct argument *x, int depth)
{
    struct call made;
    if (!depth || !argument_is_tensor(x) || !argument_maker(c, x, &made))
        return false;
    bool lowers = made.family == FAMILY_SUBTRACT || made.callee->values == VALUES_NEG ||
                  made.callee->values == VALUES_RSUB || made.callee->values == VALUES_MINIMUM ||
                  made.callee->values == VALUES_LOG || made.family == FAMILY_CLAMP;
    const struct argument *from = call_argument(&made, ROLE_LEFT);
    from = from ? from : call_argument(&made, ROLE_INPUT);
    return lowers || is_lowered(c, from, depth - 1);
}

static bool is_small(const struct value_range *r)
{
    return r->is_known && r->high <= LARGEST;
}

/* The exponentials that are summed, of which some were left out or weighted; false: none. */
static bool find_power(struct check *c, const struct argument *sum, struct call *out)
{
    struct argument at = *sum;
    for (int n = 0; n < MAX_DEPTH && argument_maker(c, &at, out); n++) {
        bool passes_on = call_is_cast(out) || call_is_view(out) || out->family == FAMILY_MASK ||
                         out->family == FAMILY_MULTIPLY;
        const struct argument *from = call_argument(out, ROLE_LEFT);
        from = from ? from : call_argument(out, ROLE_INPUT);
        if (out->callee->values == VALUES_EXP)
            return true;
        if (!passes_on || !argument_is_tensor(from))
            return false;
        at = *from;
    }
    return false;
}

/* The logarithm of probabilities, of which small ones are 0. */
static void check_logarithm(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    struct call made;
    if (call->callee->values != VALUES_LOG || !argument_is_tensor(x) ||
        argument_dtypes(x) != DTYPE_SET(DTYPE_F16) || !argument_maker(c, x, &made) ||
        made.callee->values != VALUES_SHARES || was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                    "'%s' is f16, in which probabilities below 6e-8 are 0: their logarithm is "
                    "infinite",
                    x->name);
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, DTYPE_SET(DTYPE_F16));
}

/* Whether nothing says that the operand of an exponential in f16 is small. */
static bool may_be_large(struct check *c, const struct call *power, const struct argument *x)
{
    return power->result && power->result->fact.dtypes == DTYPE_SET(DTYPE_F16) &&
           argument_is_tensor(x) && !is_small(&x->seen->fact.range) &&
           !is_lowered(c, x, MAX_DEPTH) && !was_reported(c, power->function, power->inst);
}

static void explain(struct check *c, struct finding *out, const struct argument *x)
{
    out->dtypes = DTYPE_SET(DTYPE_F16);
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* So far beyond 11 that numbers in the middle of the range are, too. */
static const double FAR = 16;

/* Exponentials of numbers that are known by their bounds. Where one of them is the bound, the
 * result is beyond the dtype for certain: another rule says that. */
static void check_bound(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    if (call->callee->values != VALUES_EXP || !call->result || !argument_is_tensor(x) ||
        call->result->fact.dtypes != DTYPE_SET(DTYPE_F16))
        return;
    const struct value_range *r = &x->seen->fact.range;
    if (!r->is_known || !isfinite(range_most(r)) || r->low < 0 || r->high < FAR || r->meets_high ||
        r->high >= dtype_max(DTYPE_F16) || was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' is up to %g: the exponential of anything above 11 is infinite in f16",
                    x->name, r->high);
    explain(c, out, x);
}

/* log(1 + exp(x)), which is x where that is large: the exponential is infinite before. */
static void check_softplus(struct check *c, const struct call *call)
{
    const struct argument *sum = call_argument(call, ROLE_INPUT);
    struct call made, power;
    double number;
    if (call->callee->values != VALUES_LOG && call->callee->values != VALUES_LOG1P)
        return;
    if (call->callee->values == VALUES_LOG) {
        if (!argument_is_tensor(sum) || !argument_maker(c, sum, &made) ||
            made.family != FAMILY_ADD ||
            !argument_number(&made, call_argument(&made, ROLE_RIGHT), &number) || number != 1)
            return;
        sum = call_argument(&made, ROLE_LEFT);
    }
    if (!argument_is_tensor(sum) || !argument_maker(c, sum, &power) ||
        power.callee->values != VALUES_EXP)
        return;
    const struct argument *x = call_argument(&power, ROLE_INPUT);
    if (!may_be_large(c, &power, x))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, power.function, call_span(&power),
                    "the exponential of anything above 11 is infinite in f16, and so is its "
                    "logarithm: softplus has no such limit");
    explain(c, out, x);
}

static void check(struct check *c, const struct call *call)
{
    check_logarithm(c, call);
    check_bound(c, call);
    check_softplus(c, call);
    const struct argument *sum = call_argument(call, ROLE_INPUT);
    struct call power;
    if (call->callee->values != VALUES_SUM || !argument_is_tensor(sum) ||
        !find_power(c, sum, &power))
        return;
    const struct argument *x = call_argument(&power, ROLE_INPUT);
    if (!may_be_large(c, &power, x))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, power.function, call_span(&power),
                                      "the exponential of anything above 11 is infinite in f16: "
                                      "subtract the largest of '%s' first",
                                      x->name);
    explain(c, out, x);
    struct span at = call_span(call);
    finding_place(c, out, "summed by", &at);
}

const struct rule_code rule_half_exponential = {.call = check, .by_case = true};
