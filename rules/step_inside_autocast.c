/* An optimizer steps inside an autocast region, which caches the weights that it has cast: they
 * stay as they were before the step. */
#include "rules/engine/engine.h"

static void visit(struct check *c, const struct call *region, const struct call *inside)
{
    if (!(inside->callee->effects & EFFECT_STEPS))
        return;
    struct span at = call_span(region);
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, inside->function, call_span(inside),
                    "%s runs inside an autocast region, which keeps using the old weights",
                    inside->callee->shown);
    finding_place(c, out, "region begins", &at);
}

static void check(struct check *c, const struct call *call)
{
    region_calls(c, call, visit);
    if (is_inside_region(call) && call->callee->effects & EFFECT_STEPS)
        finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                    "%s runs inside an autocast region, which keeps using the old weights",
                    call->callee->shown);
}

const struct rule_code rule_step_inside_autocast = {.call = check};
