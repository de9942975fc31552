/* Bools or integers are cast to f16 or bf16 and then summed: the sum stops increasing at 2048, or
 * 256. */
#include "rules/engine/engine.h"

static void check(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    struct call cast;
    if (call->family != FAMILY_SUM || !call->result ||
        !dtypes_are(call->result->fact.dtypes, SET_HALVES) || !argument_maker(c, x, &cast) ||
        !call_is_cast(&cast))
        return;
    uint16_t halves = call->result->fact.dtypes;
    int64_t elements = x->seen ? shape_elements(x->seen->fact.shape) : -1;
    for (int k = 0; k < cast.count; k++) {
        const struct argument *from = &cast.arguments[k];
        if (!argument_is_tensor(from) || !dtypes_are(argument_dtypes(from), SET_INTS | SET_BOOL))
            continue;
        if (largest_sum(c, from, elements) <= exact_up_to(halves)) /* known to stay small */
            return;
        struct span at = call_span(&cast);
        struct finding *out = finding_new(
            c, SEVERITY_WARNING, call->function, call_span(call),
            "'%s' was %s and is summed in %s, which is exact only up to %.0f", x->name,
            dtypes_text(c, argument_dtypes(from)), dtypes_text(c, halves), exact_up_to(halves));
        finding_mark(c, out, x->span);
        finding_place(c, out, "cast by", &at);
        return;
    }
}

const struct rule_code rule_half_sum = {.call = check, .by_case = true};
