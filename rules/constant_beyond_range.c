/* A number beyond the range of f16 or bf16 is combined with tensors of it: the result is infinite.
 */
#include "rules/engine/engine.h"

#include <math.h>

static bool is_combined(enum op_family f)
{
    return f == FAMILY_ADD || f == FAMILY_SUBTRACT || f == FAMILY_MULTIPLY;
}

/* Quotients by a number beyond f16, or products with one over it: 0, unless they are large. A
 * product by 0 is meant to be 0. */
static void check_vanishing(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    double number, most = 1 / dtype_least(DTYPE_F16);
    bool divides = call->family == FAMILY_DIVIDE, multiplies = call->family == FAMILY_MULTIPLY;
    if ((!divides && !multiplies) || !call->result || !argument_is_tensor(x) ||
        call->result->fact.dtypes != DTYPE_SET(DTYPE_F16) || !argument_number(call, b, &number) ||
        !isfinite(number) || (multiplies && number == 0) ||
        fabs(divides ? number : 1 / number) < most || x->seen->fact.range.low > 1)
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s by %g is 0 in f16 for all below %.3g: its smallest number is 6e-8",
                    divides ? "a quotient" : "a product", number,
                    dtype_least(DTYPE_F16) / 2 * fabs(divides ? number : 1 / number));
    finding_mark(c, out, b->span);
    origin_add(c, out, "the result", call->result->how, ASPECT_DTYPE, call->result->fact.dtypes);
}

/* Integers are compared in their own dtype, in which another number wraps around. */
static void check_compared(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    bool compares = call->callee->values >= VALUES_EQ && call->callee->values <= VALUES_GE;
    double number;
    if (!compares || !argument_is_tensor(x) || argument_is_tensor(b) ||
        !is_one(argument_dtypes(x)) || !dtypes_are(argument_dtypes(x), SET_INTS) ||
        !argument_number(call, b, &number) || number != trunc(number))
        return;
    struct value_range all = dtype_range(dtype_of_set(argument_dtypes(x)));
    if (number >= all.low && number <= all.high)
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%.0f is beyond %s, which holds %.0f to %.0f: it wraps around before it is "
                    "compared",
                    number, dtypes_text(c, argument_dtypes(x)), all.low, all.high);
    finding_mark(c, out, b->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Elements are chosen from a tensor in f16 and a number beyond it. A negative one is a mask, for
 * which infinity does as well. */
static void check_chosen(struct check *c, const struct call *call)
{
    const struct argument *both[] = {call_argument(call, ROLE_LEFT),
                                     call_argument(call, ROLE_RIGHT)};
    double number;
    if (call->family != FAMILY_MASK || call->callee->values != VALUES_EITHER || !call->result ||
        call->result->fact.dtypes != DTYPE_SET(DTYPE_F16) || call_fails(call))
        return;
    for (int k = 0; k < 2; k++) {
        if (!both[k] || argument_is_tensor(both[k]) || !argument_number(call, both[k], &number) ||
            !isfinite(number) || number <= dtype_max(DTYPE_F16))
            continue;
        struct finding *out = finding_new(
            c, SEVERITY_WARNING, call->function, call_span(call),
            "%g is beyond f16, whose largest number is 65504: it becomes infinite", number);
        finding_mark(c, out, both[k]->span);
        origin_add(c, out, "the result", call->result->how, ASPECT_DTYPE,
                   call->result->fact.dtypes);
    }
}

/* Infinities are replaced by a number that is infinite in f16, too. */
static void check_replaced(struct check *c, const struct call *call)
{
    const struct argument *both[] = {call_argument(call, ROLE_MIN), call_argument(call, ROLE_MAX)};
    double number;
    if (call->family != FAMILY_FINITE || !call->result ||
        call->result->fact.dtypes != DTYPE_SET(DTYPE_F16))
        return;
    for (int k = 0; k < 2; k++) {
        if (!both[k] || !argument_number(call, both[k], &number) || !isfinite(number) ||
            fabs(number) <= dtype_max(DTYPE_F16) || was_reported(c, call->function, call->inst))
            continue;
        struct finding *out = finding_new(
            c, SEVERITY_WARNING, call->function, call_span(call),
            "%g is beyond f16, whose largest number is 65504: what it replaces stays infinite",
            number);
        finding_mark(c, out, both[k]->span);
        origin_add(c, out, "the result", call->result->how, ASPECT_DTYPE,
                   call->result->fact.dtypes);
    }
}

/* Numbers are used as f32 and the result is rounded; a zero-dimensional tensor is rounded first. */
static void check(struct check *c, const struct call *call)
{
    const struct argument *b = call_argument(call, ROLE_RIGHT);
    double number;
    check_vanishing(c, call);
    check_compared(c, call);
    check_chosen(c, call);
    check_replaced(c, call);
    dtype_set halves = call->result ? call->result->fact.dtypes : 0;
    if (!is_combined(call->family) || !is_one(halves) || !dtypes_are(halves, SET_HALVES) ||
        !argument_number(call, b, &number) || !isfinite(number) ||
        fabs(number) <= dtype_max(dtype_of_set(halves)))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%g is beyond %s, whose largest number is %g: the result becomes infinite",
                    number, dtype_word(dtype_of_set(halves)), dtype_max(dtype_of_set(halves)));
    finding_mark(c, out, b->span);
    origin_add(c, out, "the result", call->result->how, ASPECT_DTYPE, call->result->fact.dtypes);
    if (!is_dynamic(&call->function->insts.items[call->inst]))
        fix_argument(c, out, call, call_argument(call, ROLE_LEFT), DTYPE_F32);
    else if (is_literal(call, b) && call->family == FAMILY_MULTIPLY && fix_limit(c, out, call, b))
        out->fix.what = arena_printf(c->in->arena, "use the %s number of its dtype",
                                     number < 0 ? "lowest" : "largest");
}

const struct rule_code rule_constant_beyond_range = {.call = check, .by_case = true};
