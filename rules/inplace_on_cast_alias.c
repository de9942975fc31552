/* A tensor is changed in place that may be the very tensor a cast was given: a cast that has
 * nothing to do returns its operand. Whoever else has that sees the change. */
#include "rules/engine/engine.h"

/* What the cast was given: from outside the function, so that somebody else has it. */
static const struct argument *given_to(const struct call *cast)
{
    for (int k = 0; k < cast->count; k++)
        if (argument_is_tensor(&cast->arguments[k]) &&
            is_from_outside(cast->function, cast->arguments[k].value))
            return &cast->arguments[k];
    return NULL;
}

/* The cast that gave the tensor: as it was, or perhaps so. */
static bool find_cast(struct check *c, const struct call *call, const struct flow_value *x,
                      struct call *cast)
{
    const struct step *steps[FLOW_ALIASES + 1] = {x->via};
    for (int i = 0; i < x->made_count; i++)
        steps[i + 1] = x->made[i];
    for (int i = 0; i <= x->made_count; i++)
        if (steps[i] && steps[i]->function == call->function && step_call(c, steps[i], cast) &&
            call_is_cast(cast))
            return true;
    return false;
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *x = call_written(call);
    struct call cast;
    if (!x || !x->flow || !find_cast(c, call, x->flow, &cast))
        return;
    const struct argument *given = given_to(&cast);
    struct span at = call_span(&cast);
    if (!given || !(alias_kinds(cast.result) >> ALIAS_SAME & 1))
        return;
    struct finding *out = say(c, SEVERITY_WARNING, call->function, call_span(call),
                              "%s may change '%s', which the caller has: %s returns it as it is "
                              "where there is nothing to cast",
                              call->callee->shown, given->name, cast.callee->shown);
    say_mark(c, out, x->span);
    say_place(c, out, arena_printf(c->in->arena, "%s comes from", x->name), &at);
}

const struct rule_code rule_inplace_on_cast_alias = {.call = check};
