/* A tensor is changed in place that may be the operand of a cast: a cast that has nothing to do
 * returns its operand, so the change is visible elsewhere. */
#include "rules/engine/engine.h"

enum { MAX_VIEWS = 8 };

static bool is_view(const struct call *call)
{
    return call->callee->alias == ALIAS_VIEW && !call_written(call);
}

/* The value behind a view. */
static const struct flow_value *viewed(const struct call *view)
{
    for (int k = 0; k < view->count; k++)
        if (argument_is_tensor(&view->arguments[k]))
            return view->arguments[k].flow;
    return NULL;
}

/* The cast that returned the tensor, or the tensor that it is a view of, possibly unchanged. */
static const struct step *find_cast(struct check *c, const struct flow_value *x, struct call *cast)
{
    for (int depth = 0; x && depth < MAX_VIEWS; depth++) {
        const struct flow_value *below = NULL;
        const struct step *steps[FLOW_ALIASES + 1] = {x->via};
        for (int i = 0; i < x->made_count; i++)
            steps[i + 1] = x->made[i];
        for (int i = 0; i <= x->made_count; i++) {
            if (!step_call(c, steps[i], cast))
                continue;
            if (call_is_cast(cast))
                return steps[i];
            below = is_view(cast) ? viewed(cast) : below;
        }
        x = below;
    }
    return NULL;
}

static const struct argument *given_to(const struct call *cast)
{
    for (int k = 0; k < cast->count; k++)
        if (argument_is_tensor(&cast->arguments[k]))
            return &cast->arguments[k];
    return NULL;
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *x = call_written(call);
    struct call cast;
    const struct step *step = x && x->flow ? find_cast(c, x->flow, &cast) : NULL;
    const struct argument *given = step ? given_to(&cast) : NULL;
    if (!given || !(alias_kinds(cast.result) >> ALIAS_SAME & 1) ||
        !is_shared(c, cast.function, given->value, step->called) ||
        was_reported(c, call->function, cast.inst))
        return;
    struct span at = call_span(&cast);
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s may change '%s', which is used elsewhere: %s returns its operand "
                    "if there is nothing to cast",
                    call->callee->shown, given->name, cast.callee->shown);
    finding_mark(c, out, x->span);
    finding_place(c, out, arena_printf(c->in->arena, "%s comes from", x->name), &at);
}

const struct rule_code rule_inplace_on_cast_alias = {.call = check};
