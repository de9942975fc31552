/* Indices of u8 are taken for a mask, not for numbers. */
#include "rules/engine/engine.h"

static void check(struct check *c, const struct call *call)
{
    const struct argument *index = call_argument(call, "index");
    if ((call->family != FAMILY_PICK && call->family != FAMILY_PUT) ||
        argument_dtypes(index) != DTYPE_SET(DTYPE_U8))
        return;
    struct finding *out = say(c, SEVERITY_WARNING, call->function, call_span(call),
                              "'%s' is u8, so %s takes it for a mask and not for indices",
                              index->name, call->callee->shown);
    say_mark(c, out, index->span);
    origin_add(c, out, index->name, index->seen->how, ASPECT_DTYPE, argument_dtypes(index));
}

const struct rule_code rule_byte_index = {.call = check};
