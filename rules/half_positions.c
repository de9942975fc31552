/* Positions, indices or counts in f16 or bf16: beyond 2048, or 256, they are rounded to each other.
 */
#include "rules/engine/engine.h"

/* Up to where every whole number is exact. */
static double exact_up_to(uint16_t dtypes)
{
    return dtypes >> DTYPE_BF16 & 1 ? 256 : 2048;
}

/* The call that counts, behind casts. */
static bool counting_call(struct check *c, const struct flow_value *v, struct call *out)
{
    for (int n = 0; n < 8 && v && v->made_count == 1; n++) {
        if (!step_call(c, v->made[0], out))
            return false;
        if (out->family == FAMILY_ORDINAL)
            return true;
        if (!call_is_cast(out))
            return false;
        v = NULL;
        for (int k = 0; k < out->count && !v; k++)
            v = argument_is_tensor(&out->arguments[k]) ? out->arguments[k].flow : NULL;
    }
    return false;
}

/* Known to stay small. */
static bool is_small(const struct call *counting, uint16_t dtypes)
{
    const struct argument *end = call_argument(counting, "end");
    end = end ? end : call_argument(counting, "n");
    return end && end->known && end->number <= exact_up_to(dtypes);
}

static void tell(struct check *c, const struct call *call, const struct call *counting)
{
    uint16_t dtypes = call->result->fact.dtypes;
    struct span from = call_span(counting);
    if (is_small(counting, dtypes))
        return;
    struct finding *out = say(c, SEVERITY_WARNING, call->function, call_span(call),
                              "whole numbers beyond %.0f are not exact in %s", exact_up_to(dtypes),
                              say_dtypes(c, dtypes));
    if (counting->inst != call->inst || counting->function != call->function)
        say_place(c, out, "counted by", &from);
}

static void check(struct check *c, const struct call *call)
{
    struct call counting;
    if (!call->result || !dtypes_are(call->result->fact.dtypes, SET_HALVES))
        return;
    if (call->family == FAMILY_ORDINAL) {
        tell(c, call, call);
        return;
    }
    for (int k = 0; k < call->count && call_is_cast(call); k++) {
        const struct argument *a = &call->arguments[k];
        bool wide = argument_is_tensor(a) && !(argument_dtypes(a) & (SET_HALVES | SET_F8));
        if (wide && counting_call(c, a->flow, &counting)) {
            tell(c, call, &counting);
            return;
        }
    }
}

const struct rule_code rule_half_positions = {.call = check};
