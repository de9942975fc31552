/* What is written in place goes to a copy that nobody looks at: that of a cast, or of a reshape
 * that could not be a view. */
#include "rules/engine/engine.h"

static void check(struct check *c, const struct call *call)
{
    bool may_copy = call->callee->returns_tensor && (call->callee->alias == ALIAS_MAYBE_SAME ||
                                                     call->callee->alias == ALIAS_MAYBE_VIEW);
    unsigned kinds = alias_kinds(call->result), copies = 1u << ALIAS_FRESH;
    if (!may_copy || !(kinds & (copies | 1u << ALIAS_MAYBE_VIEW | 1u << ALIAS_MAYBE_SAME)) ||
        flow_use_of(c->in->flow, call->function, call->inst) != USE_WRITTEN)
        return;
    bool always = kinds == copies;
    struct finding *out =
        say(c, SEVERITY_WARNING, call->function, call_span(call),
            "what is written here %s: %s %s a copy", always ? "is lost" : "may be lost",
            call->callee->shown, always ? "gives" : "can give");
    for (int k = 0; k < call->count; k++)
        if (argument_is_tensor(&call->arguments[k]))
            say_mark(c, out, call->arguments[k].span);
}

const struct rule_code rule_lost_write = {.call = check};
