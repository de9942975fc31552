/* A mask made from the largest f16 number: what is added to it can make it infinite. */
#include "rules/engine/engine.h"

#include <math.h>

static const double near = 65000;
/* Half of the distance to the next number f16 would have: a sum that is beyond it becomes infinite.
 */
static const double room = 16;

/* The call that multiplied by such a number. */
static bool is_near(struct check *c, const struct argument *a, struct call *made, double *number)
{
    return argument_is_tensor(a) && argument_maker(c, a, made) && made->family == FAMILY_MULTIPLY &&
           argument_number(made, call_argument(made, ROLE_RIGHT), number) &&
           fabs(*number) >= near && fabs(*number) <= dtype_max(DTYPE_F16);
}

/* Whether numbers are added to the k-th argument that are known to be too large for it. Scores of
 * an attention mostly are not, and whole rows are mostly not masked. */
static bool leaves_no_room(const struct call *call, int k, double number)
{
    for (int i = 0; i < call->count; i++) {
        const struct argument *a = &call->arguments[i];
        if (i == k || !argument_is_tensor(a) || a->param->written)
            continue;
        const struct value_range *r = &a->seen->fact.range;
        if (r->is_known && (number < 0 ? isfinite(r->low) && r->low <= -room
                                       : isfinite(r->high) && r->high >= room))
            return true;
    }
    return false;
}

/* Half of it leaves room. */
static void offer(struct check *c, const struct call *made, struct finding *out)
{
    const struct argument *b = call_argument(made, ROLE_RIGHT);
    const struct written_call at = as_written(made);
    const char *text = text_of(c, b->span);
    if (argument_is_tensor(b) || !text || !is_argument_of(c, &at, b->span))
        return;
    fix_edit(c, out, b->span, arena_printf(c->in->arena, "%s / 2", text));
    out->fix.what = "use half of it";
}

/* The call that filled a mask with such a number, behind views of it and a triangle that was cut
 * out of it. */
static enum back find_filled(const struct argument *at, const struct call *made, void *filled)
{
    double number;
    (void)at;
    if (made->family == FAMILY_MASK || made->family == FAMILY_FILL) {
        *(struct call *)filled = *made;
        bool is_filled = argument_number(made, call_argument(made, ROLE_VALUE), &number) &&
                         fabs(number) >= near && fabs(number) <= dtype_max(DTYPE_F16);
        return is_filled ? BACK_YES : BACK_NO;
    }
    return call_is_view(made) || made->callee->values == VALUES_OR_ZERO ? BACK_GO_ON : BACK_NO;
}

static bool is_filled(struct check *c, const struct argument *a, struct call *made)
{
    return argument_is_tensor(a) && trace_back(c, a, find_filled, made);
}

/* One of two such masks that are added, to each other or to the same: together they are beyond f16.
 */
static bool is_second(struct check *c, const struct call *call, struct call *made)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    const struct argument *mask = is_filled(c, a, made) ? a : is_filled(c, b, made) ? b : NULL;
    const struct argument *other = mask == a ? b : a;
    struct call sum, first;
    if (!mask || !argument_is_tensor(other))
        return false;
    return is_filled(c, other, &first) ||
           (argument_maker(c, other, &sum) && sum.family == FAMILY_ADD &&
            (is_filled(c, call_argument(&sum, ROLE_LEFT), &first) ||
             is_filled(c, call_argument(&sum, ROLE_RIGHT), &first)));
}

/* The sum is an operand of what limits it. */
static bool limits(const struct flow_call *other, const struct call *sum)
{
    enum pack_values what = other->callee->values;
    for (int i = 0; i < other->operand_count; i++)
        if (operand_is_result(&other->operands[i], sum))
            return what == VALUES_MAXIMUM || what == VALUES_CLAMP;
    return false;
}

/* What was infinite is made finite again. */
static bool is_limited(struct check *c, const struct call *sum)
{
    for (int i = 0; i < flow_call_count(c->in->flow); i++)
        if (limits(flow_call_at(c->in->flow, i), sum))
            return true;
    return false;
}

static void check_masks(struct check *c, const struct call *call)
{
    struct call made;
    if (!is_second(c, call, &made) || is_limited(c, call))
        return;
    struct span at = call_span(call);
    struct finding *out = finding_new(c, SEVERITY_WARNING, made.function, call_span(&made),
                                      "two masks of the largest f16 number are added, which is "
                                      "infinite: where both are set, all is lost");
    out->dtypes = DTYPE_SET(DTYPE_F16);
    finding_mark(c, out, call_argument(&made, ROLE_VALUE)->span);
    finding_place(c, out, "added to", &at);
}

static void check(struct check *c, const struct call *call)
{
    struct call made;
    double number;
    if (call->family != FAMILY_ADD || !call->result ||
        call->result->fact.dtypes != DTYPE_SET(DTYPE_F16))
        return;
    check_masks(c, call);
    for (int k = 0; k < call->count; k++) {
        if (!is_near(c, &call->arguments[k], &made, &number))
            continue;
        bool is_sure = leaves_no_room(call, k, number);
        struct span at = call_span(call);
        struct finding *out = finding_new(
            c, is_sure ? SEVERITY_WARNING : SEVERITY_NOTE, made.function, call_span(&made),
            "%g leaves no room in f16: with %g added it is infinite, and a row that is "
            "masked as a whole becomes NaN",
            number, number < 0 ? -room : room);
        out->dtypes = DTYPE_SET(DTYPE_F16);
        finding_mark(c, out, call_argument(&made, ROLE_RIGHT)->span);
        finding_place(c, out, "added to", &at);
        offer(c, &made, out);
        return;
    }
}

const struct rule_code rule_constant_near_limit = {.call = check, .by_case = true};
