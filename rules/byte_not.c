/* The bitwise not of a mask of bytes: ~1 is 254, which is as true as 255. Of one of other integers
 * it is -1 or -2. */
#include "rules/engine/engine.h"

/* Integers that are all 0 or 1. */
static bool is_mask(const struct argument *x)
{
    const struct value_range *r = &x->seen->fact.range;
    return is_one(argument_dtypes(x)) && dtypes_are(argument_dtypes(x), SET_INTS) && r->is_known &&
           r->low >= 0 && r->high == 1;
}

/* Whether only some of its bits are used. */
static bool is_masked(struct check *c, const struct call *call)
{
    const consumer_list *uses = consumers_of(c, call->function, call->inst);
    for (int i = 0; i < uses->count; i++)
        if (uses->items[i].by->callee->family == FAMILY_BITS)
            return true;
    return false;
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    if (call->family != FAMILY_NOT || !argument_is_tensor(x))
        return;
    bool is_byte = argument_dtypes(x) == DTYPE_SET(DTYPE_U8);
    if (!is_byte && (!is_mask(x) || is_masked(c, call)))
        return;
    struct finding *out =
        is_byte ? finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                              "the bitwise not of u8 gives 255 for 0 and 254 for 1: both are true")
                : finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                              "the bitwise not of %s gives -1 for 0 and -2 for 1: both are true",
                              dtypes_text(c, argument_dtypes(x)));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
    fix_argument(c, out, call, x, DTYPE_BOOL);
}

const struct rule_code rule_byte_not = {.call = check, .by_case = true};
