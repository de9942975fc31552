/* The bitwise not of a mask of bytes: ~1 is 254, which is as true as 255. */
#include "rules/engine/engine.h"

static void check(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    if (call->family != FAMILY_NOT || argument_dtypes(x) != DTYPE_SET(DTYPE_U8))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "the bitwise not of u8 gives 255 for 0 and 254 for 1: both are true");
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
    fix_argument(c, out, call, x, DTYPE_BOOL);
}

const struct rule_code rule_byte_not = {.call = check, .by_case = true};
