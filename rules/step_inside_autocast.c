/* An optimizer steps inside an autocast region, which caches the weights that it has cast: they
 * stay as they were before the step. So they do where a loop updates them by hand. */
#include "rules/engine/engine.h"

/* A weight is updated in a loop that the region is around: it is cast and cached before. */
static bool updates(struct check *c, const struct call *region, const struct call *inside)
{
    const struct argument *w = call_written(inside);
    const struct fact *f = argument_is_tensor(w) ? &w->seen->fact : NULL;
    bool changes = inside->family == FAMILY_ADD || inside->family == FAMILY_SUBTRACT ||
                   inside->family == FAMILY_COPY;
    const struct code_view *code = code_view(c, inside->function);
    return f && changes && f->grad == TRI_YES && f->leaf == TRI_YES &&
           f->dtypes == DTYPE_SET(DTYPE_F32) && inside->function == region->function &&
           is_in_loop(code, inside->inst) && !is_in_one_loop(code, region->inst, inside->inst);
}

static void visit(struct check *c, const struct call *region, const struct call *inside)
{
    if (!(inside->callee->effects & EFFECT_STEPS) && !updates(c, region, inside))
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
