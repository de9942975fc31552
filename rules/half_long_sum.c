/* A sum of so many elements that even ones would overflow f16. */
#include "rules/engine/engine.h"

#include <math.h>

enum { ENOUGH = 65504, MANY = 8192 };

/* The dimension, counted from the last; 0: not known. */
static int64_t dimension(const struct argument *a, int back)
{
    const struct shape *shape = a && a->seen ? a->seen->fact.shape : NULL;
    return shape && shape->count >= back && shape->dims[shape->count - back] > 0
               ? shape->dims[shape->count - back]
               : 0;
}

/* The last dimension of the matrix that was transposed. */
static int64_t turned(const struct call *call, const struct argument *b)
{
    struct call view;
    if (!argument_is_tensor(b) || !argument_maker(call->check, b, &view) ||
        view.family != FAMILY_TRANSPOSE)
        return 0;
    return dimension(call_argument(&view, ROLE_INPUT), 1);
}

/* The size of the dimension that the call goes along; 0: not known. */
static int64_t along(const struct call *call, const struct shape *shape)
{
    const struct argument *dim = call_argument(call, ROLE_DIM);
    int at = dim && dim->known ? (int)dim->number : SHAPE_MAX;
    at += at < 0 ? shape->count : 0;
    return at >= 0 && at < shape->count && shape->dims[at] > 0 ? shape->dims[at] : 0;
}

/* How many elements are summed for each element of the result; 0: not known. */
static int64_t summed(const struct call *call)
{
    if (call->family == FAMILY_MATMUL) {
        int64_t n = dimension(call_argument(call, ROLE_LEFT), 1);
        n = n ? n : dimension(call_argument(call, ROLE_RIGHT), 2);
        return n ? n : turned(call, call_argument(call, ROLE_RIGHT));
    }
    const struct argument *x = call_argument(call, ROLE_INPUT),
                          *dims = call_argument(call, ROLE_DIM_COUNT);
    const struct shape *shape = x && x->seen ? x->seen->fact.shape : NULL;
    if (call->callee->values == VALUES_CUMSUM)
        return shape ? along(call, shape) : 0;
    int64_t all = shape_elements(shape), left = shape_elements(call->result->fact.shape);
    if (dims && dims->known && dims->number == 0)
        left = 1;
    return all > 0 && left > 0 ? all / left : 0;
}

/* Whether an operand was scaled down before. */
static bool is_divided(const struct call *call)
{
    for (int k = 0; k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        struct call made;
        double by;
        if (!argument_is_tensor(a) || !argument_maker(call->check, a, &made) ||
            !argument_number(&made, call_argument(&made, ROLE_RIGHT), &by))
            continue;
        if ((made.family == FAMILY_DIVIDE && fabs(by) > 1) ||
            (made.family == FAMILY_MULTIPLY && fabs(by) < 1))
            return true;
    }
    return false;
}

static enum back find_loss(const struct argument *at, const struct call *made, void *context)
{
    (void)at;
    (void)context;
    if (made->family == FAMILY_LOSS || made->family == FAMILY_CLASS_LOSS)
        return BACK_YES;
    bool passes_on = call_is_cast(made) || call_is_view(made) || made->family == FAMILY_MULTIPLY ||
                     made->family == FAMILY_MASK;
    return passes_on ? BACK_GO_ON : BACK_NO;
}

/* A loss, or what a mask left of one, behind casts. */
static bool is_loss(struct check *c, const struct argument *x)
{
    return trace_back(c, x, find_loss, NULL);
}

/* A sum of numbers that are not negative, and not known to be small: losses, say. */
static bool may_be_too_many(const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    bool sums = call->callee->values == VALUES_SUM || call->callee->values == VALUES_CUMSUM;
    if (!sums || summed(call) < MANY || !argument_is_tensor(x))
        return false;
    struct value_range r = x->seen->fact.range;
    return r.is_known ? r.low >= 0 && range_most(&r) * (double)summed(call) > ENOUGH
                      : is_loss(call->check, x);
}

static void check(struct check *c, const struct call *call)
{
    bool sums = call->family == FAMILY_MATMUL || call->family == FAMILY_SUM;
    if (!sums || !call->result || call->result->fact.dtypes != DTYPE_SET(DTYPE_F16) ||
        is_divided(call) || (summed(call) < ENOUGH && !may_be_too_many(call)))
        return;
    bool is_certain = summed(call) >= ENOUGH;
    struct finding *out =
        is_certain ? finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                 "%lld elements are summed in f16, whose largest number is 65504",
                                 (long long)summed(call))
                   : finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                                 "%lld elements are summed in f16: it is infinite if they are "
                                 "above %.3g on average",
                                 (long long)summed(call), ENOUGH / (double)summed(call));
    for (int k = 0; k < call->count; k++)
        if (argument_is_tensor(&call->arguments[k]))
            finding_mark(c, out, call->arguments[k].span);
}

const struct rule_code rule_half_long_sum = {.call = check, .by_case = true};
