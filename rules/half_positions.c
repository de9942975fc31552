/* Positions, indices or counts in f16 or bf16: above 2048, or 256, they are no longer exact. */
#include "rules/engine/engine.h"

static void tell(struct check *c, const struct call *call, const struct call *counting)
{
    uint16_t dtypes = call->result->fact.dtypes;
    struct span from = call_span(counting);
    if (largest_position(counting) <= exact_up_to(dtypes)) /* known to stay small */
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "whole numbers beyond %.0f are not exact in %s",
                                      exact_up_to(dtypes), dtypes_text(c, dtypes));
    if (counting->inst != call->inst || counting->function != call->function)
        finding_place(c, out, "counted by", &from);
}

static void check(struct check *c, const struct call *call)
{
    struct call counting;
    if (!call->result || !dtypes_are(call->result->fact.dtypes, SET_HALVES))
        return;
    if (call->family == FAMILY_POSITIONS) {
        tell(c, call, call);
        return;
    }
    for (int k = 0; k < call->count && call_is_cast(call); k++) {
        const struct argument *a = &call->arguments[k];
        bool wide = argument_is_tensor(a) && !(argument_dtypes(a) & (SET_HALVES | SET_F8));
        if (wide && positions_call(c, a->flow, &counting)) {
            tell(c, call, &counting);
            return;
        }
    }
}

const struct rule_code rule_half_positions = {.call = check, .by_case = true};
