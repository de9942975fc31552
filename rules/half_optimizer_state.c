/* An optimizer keeps its averages in the dtype of its parameters, which is f16 or bf16: small
 * updates are rounded away. */
#include "rules/engine/engine.h"

#include <math.h>

/* Plain gradient descent keeps no state. */
static bool keeps_state(const struct call *call)
{
    const struct argument *momentum = call_argument(call, ROLE_MOMENTUM);
    return !momentum || (momentum->value && !(momentum->known && momentum->number == 0));
}

/* What is added to a divisor is zero in f16, and so is that where the gradients are small. */
static void check_divisor(struct check *c, const struct call *call, const struct argument *params)
{
    const struct argument *eps = call_argument(call, ROLE_MIN);
    double number;
    bool is_known = eps && argument_number(call, eps, &number),
         is_f16 = params->seen->fact.dtypes == DTYPE_SET(DTYPE_F16);
    bool is_zero = is_f16 && is_known && fabs(number) <= dtype_least(DTYPE_F16) / 2;
    if (is_f16 && eps && !is_zero)
        return;
    struct finding *out =
        is_zero ? finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                              "the parameters are f16, and so is what the optimizer computes with "
                              "them: its eps of %g is zero there, so that it can divide by zero",
                              number)
                : finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                              "the parameters are %s, and so are the averages that the optimizer "
                              "keeps: small updates are rounded away",
                              dtypes_text(c, params->seen->fact.dtypes));
    origin_add(c, out, "a parameter", params->seen->how, ASPECT_DTYPE, params->seen->fact.dtypes);
}

static void check(struct check *c, const struct call *call)
{
    int held = call->callee->holds;
    const struct argument *params = held >= 0 && held < call->count ? &call->arguments[held] : NULL;
    const struct argument *state = call_argument(call, ROLE_STATE_DTYPE);
    if (!params || !params->seen || params->seen->unknown ||
        !dtypes_are(params->seen->fact.dtypes, SET_HALVES) || (state && state->value) ||
        !keeps_state(call))
        return;
    if (!state) {
        check_divisor(c, call, params);
        return;
    }
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "the parameters are %s, and so are the averages that %s keeps",
                    dtypes_text(c, params->seen->fact.dtypes), call->callee->shown);
    origin_add(c, out, "a parameter", params->seen->how, ASPECT_DTYPE, params->seen->fact.dtypes);
    if (fix_option(c, out, call, ROLE_STATE_DTYPE, write_dtype(call->callee, DTYPE_F32)))
        out->fix.what = "keep the averages in f32";
}

const struct rule_code rule_half_optimizer_state = {.call = check, .by_case = true};
