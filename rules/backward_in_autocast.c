/* A backward pass inside an autocast region: gradients take the dtypes of the forward operations
 * anyway, and the region only casts what should not be cast. */
#include "rules/engine/engine.h"

static void visit(struct check *c, const struct call *region, const struct call *inside)
{
    if (!(inside->callee->effects & EFFECT_BACKWARD))
        return;
    struct span at = call_span(region);
    struct finding *out = finding_new(c, SEVERITY_WARNING, inside->function, call_span(inside),
                                      "%s runs inside an autocast region", inside->callee->shown);
    finding_place(c, out, "region begins", &at);
}

static void check(struct check *c, const struct call *call)
{
    region_calls(c, call, visit);
    if (is_inside_region(call) && call->callee->effects & EFFECT_BACKWARD)
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s runs inside an autocast region", call->callee->shown);
}

const struct rule_code rule_backward_in_autocast = {.call = check};
