/* The calls that made the operands of a call, and the numbers that these are filled with. */
#include "rules/engine/engine.h"

bool argument_maker(struct check *c, const struct argument *x, struct call *out)
{
    return x && x->flow && x->flow->made_count == 1 && step_call(c, x->flow->made[0], out);
}

/* The number that a call has filled the tensor with. */
static bool filled_with(const struct call *c, const struct argument *a, double *number)
{
    struct call made;
    if (!a->flow || a->flow->changed || !argument_maker(c->check, a, &made) ||
        made.family != FAMILY_FILL)
        return false;
    const struct argument *value = call_argument(&made, ROLE_VALUE);
    *number = value ? value->number : 0;
    return value && value->known;
}

bool argument_number(const struct call *c, const struct argument *a, double *number)
{
    if (a && a->known && !argument_is_tensor(a)) {
        *number = a->number;
        return true;
    }
    return argument_is_tensor(a) && filled_with(c, a, number);
}
