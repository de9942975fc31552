/* An integer tensor is filled with a number whose fraction is dropped. */
#include "rules/engine/engine.h"

#include <math.h>

/* A quotient of floats, which is no whole number but by chance. */
static bool is_quotient(const struct call *call, const struct argument *value)
{
    const struct ir_inst *i = &call->function->insts.items[value->value];
    return value->value && i->op == IR_BINARY && i->arith == ARITH_DIV && i->type &&
           i->type->kind == TYPE_FLOAT;
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *value = call_argument(call, ROLE_VALUE);
    double number;
    if ((call->family != FAMILY_FILL && call->family != FAMILY_MASK) || !call->result || !value ||
        !dtypes_are(call->result->fact.dtypes, SET_INTS))
        return;
    bool is_known = argument_number(call, value, &number);
    if (!is_known && is_quotient(call, value)) {
        struct finding *out =
            finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                        "the fraction of '%s' is dropped: %s gives %s here", value->name,
                        call->callee->shown, dtypes_text(c, call->result->fact.dtypes));
        finding_mark(c, out, value->span);
        origin_add(c, out, "the result", call->result->how, ASPECT_DTYPE,
                   call->result->fact.dtypes);
    }
    if (!is_known || trunc(number) == number || !isfinite(number))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call), "%g becomes %.0f: %s gives %s here",
        number, trunc(number), call->callee->shown, dtypes_text(c, call->result->fact.dtypes));
    finding_mark(c, out, value->span);
    origin_add(c, out, "the result", call->result->how, ASPECT_DTYPE, call->result->fact.dtypes);
}

const struct rule_code rule_fraction_into_int = {.call = check, .by_case = true};
