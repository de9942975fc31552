/* A tensor is changed in place that may be the very tensor a cast was given: a cast that has
 * nothing to do returns its operand. Whoever else has that sees the change. */
#include "rules/engine/engine.h"

enum { MAX_VIEWS = 8 };

static bool is_view(const struct call *call)
{
    return call->callee->alias == ALIAS_VIEW && !call_written(call);
}

/* The value that a view is of. */
static const struct flow_value *viewed(const struct call *view)
{
    for (int k = 0; k < view->count; k++)
        if (argument_is_tensor(&view->arguments[k]))
            return view->arguments[k].flow;
    return NULL;
}

/* The cast that gave the tensor, or that of which it is a view: as it was, or perhaps so. */
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
        !is_had_by_others(c, cast.function, given->value, step->called) ||
        was_said(c, call->function, cast.inst))
        return;
    struct span at = call_span(&cast);
    struct finding *out = say(c, SEVERITY_WARNING, call->function, call_span(call),
                              "%s may change '%s', which others have: %s returns it as it is "
                              "where there is nothing to cast",
                              call->callee->shown, given->name, cast.callee->shown);
    say_mark(c, out, x->span);
    say_place(c, out, arena_printf(c->in->arena, "%s comes from", x->name), &at);
}

const struct rule_code rule_inplace_on_cast_alias = {.call = check};
