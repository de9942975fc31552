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

bool argument_number_in_some_run(const struct call *c, const struct argument *a, double *number)
{
    bool has_one = a && a->seen && !argument_is_tensor(a) && a->seen->number_count == 1;
    if (argument_number(c, a, number))
        return true;
    if (has_one)
        *number = a->seen->numbers[0];
    return has_one;
}

enum { MAX_BACK = 8 };

bool trace_back(struct check *c, const struct argument *x,
                enum back (*visit)(const struct argument *at, const struct call *made,
                                   void *context),
                void *context)
{
    struct argument at = *x;
    struct call made;
    for (int n = 0; n < MAX_BACK && argument_maker(c, &at, &made); n++) {
        enum back how = visit(&at, &made, context);
        const struct argument *left = call_argument(&made, ROLE_LEFT),
                              *from = left ? left : call_argument(&made, ROLE_INPUT);
        if (how != BACK_GO_ON)
            return how == BACK_YES;
        if (!argument_is_tensor(from))
            return false;
        at = *from;
    }
    return false;
}

bool operand_is_result(const struct flow_operand *o, const struct call *of)
{
    return o->how && o->how->inst == of->inst && o->how->function == of->function;
}
