/* A small number that prevents a zero is itself zero in f16. */
#include "rules/engine/engine.h"

#include <math.h>

/* Parameters that prevent a zero, by family: those that are added or are a lower bound. */
static bool is_guard(const struct call *call, const struct argument *a)
{
    enum param_role role = a->param->role;
    return (call->family == FAMILY_ADD && role == ROLE_RIGHT) ||
           (call->family == FAMILY_FILL && role == ROLE_VALUE) || role == ROLE_MIN;
}

static void check(struct check *c, const struct call *call)
{
    double number;
    if (!call->result || call->result->fact.dtypes != DTYPE_SET(DTYPE_F16))
        return;
    for (int k = 0; k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        if (!is_guard(call, a) || !argument_number(call, a, &number) || number == 0 ||
            fabs(number) > dtype_least(DTYPE_F16) / 2)
            continue;
        struct finding *out = finding_new(
            c, a->value ? SEVERITY_WARNING : SEVERITY_NOTE, call->function, call_span(call),
            a->value ? "%g is zero in f16, whose smallest number is 6e-8"
                     : "the default of %g is zero in f16, whose smallest number is "
                       "6e-8: where all elements are 0, the result is NaN",
            number);
        finding_mark(c, out, a->span);
        origin_add(c, out, "the result", call->result->how, ASPECT_DTYPE,
                   call->result->fact.dtypes);
    }
}

const struct rule_code rule_eps_underflow = {.call = check, .by_case = true};
