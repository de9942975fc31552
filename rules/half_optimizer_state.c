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

/* Whether it is an average that the optimizer keeps, of whichever parameter. */
static bool is_average(struct check *c, const struct argument *x)
{
    struct call made;
    for (int i = 0; x->flow && i < x->flow->made_count; i++)
        if (step_call(c, x->flow->made[i], &made) && made.family == FAMILY_AVERAGE)
            return true;
    return false;
}

/* An average is cast to half, and was kept in something wider. */
static void check_cast(struct check *c, const struct call *call)
{
    const struct argument *x = call_is_cast(call) ? call_argument(call, ROLE_INPUT) : NULL;
    if (!argument_is_tensor(x) || !call->result ||
        !dtypes_are(call->result->fact.dtypes, SET_HALVES | SET_F8) ||
        (argument_dtypes(x) & (SET_HALVES | SET_F8)) || !is_average(c, x) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' is an average that the optimizer keeps: in %s, small updates and squares "
                    "are rounded away",
                    x->name, dtypes_text(c, call->result->fact.dtypes));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Averages are loaded for parameters whose dtype is narrower: they are cast to it. */
static void check_load(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT),
                          *from = call_argument(call, ROLE_SOURCE);
    if (call->family != FAMILY_AVERAGE || !x || !x->seen || !from || !from->seen)
        return;
    dtype_set to = x->seen->fact.dtypes, of = from->seen->fact.dtypes;
    if (!dtypes_are(to, SET_HALVES) || (of & SET_HALVES) || !dtypes_are(of, SET_FLOATS) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "the averages are %s, and are cast to %s, which the parameters are: small "
                    "updates and squares are rounded away",
                    dtypes_text(c, of), dtypes_text(c, to));
    origin_add(c, out, "a parameter", x->seen->how, ASPECT_DTYPE, to);
    origin_add(c, out, "an average", from->seen->how, ASPECT_DTYPE, of);
}

static void check(struct check *c, const struct call *call)
{
    check_cast(c, call);
    check_load(c, call);
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
