/* Positions and counts: the calls that make them, and how large they can get. */
#include "rules/engine/engine.h"

#include <math.h>

bool positions_call(struct check *c, const struct flow_value *v, struct call *out)
{
    for (int n = 0; n < 8 && v && v->made_count == 1; n++) {
        if (!step_call(c, v->made[0], out))
            return false;
        if (out->family == FAMILY_POSITIONS)
            return true;
        if (!call_is_cast(out))
            return false;
        v = NULL;
        for (int k = 0; k < out->count && !v; k++)
            v = argument_is_tensor(&out->arguments[k]) ? out->arguments[k].flow : NULL;
    }
    return false;
}

double exact_up_to(dtype_set dtypes)
{
    return dtypes >> DTYPE_BF16 & 1 ? 256 : 2048;
}

/* The absolute value of the number; 0 if it was left out, infinite if it is not known. */
static double far(const struct argument *a)
{
    if (!a || !a->value)
        return 0;
    return a->known ? fabs(a->number) : INFINITY;
}

double largest_position(const struct call *counting)
{
    const struct argument *end = call_argument(counting, ROLE_END),
                          *x = call_argument(counting, ROLE_INPUT);
    if (end)
        return fmax(far(end), far(call_argument(counting, ROLE_START)));
    if (argument_is_tensor(x)) { /* positions in it, or a count */
        int64_t elements = x->seen ? shape_elements(x->seen->fact.shape) : -1;
        return elements >= 0 ? (double)elements : INFINITY;
    }
    const struct argument *n = call_argument(counting, ROLE_LENGTH);
    return n ? far(n) : INFINITY;
}

/* The largest value of the dtype, if that is small enough to matter. */
static double dtype_up_to(dtype_set dtypes)
{
    return dtypes_are(dtypes, SET_BOOL)                                               ? 1
           : dtypes_are(dtypes, SET_BOOL | DTYPE_BIT(DTYPE_I8))                       ? 128
           : dtypes_are(dtypes, SET_BOOL | DTYPE_BIT(DTYPE_I8) | DTYPE_BIT(DTYPE_U8)) ? 255
                                                                                      : INFINITY;
}

/* How many numbers it makes at most; infinite: not known. */
static double counted_elements(const struct call *counting)
{
    const struct argument *x = call_argument(counting, ROLE_INPUT),
                          *step = call_argument(counting, ROLE_STEP);
    if (argument_is_tensor(x) && x->seen &&
        x->seen->fact.shape) /* nonzero: one for each dimension */
        return largest_position(counting) * fmax(1, x->seen->fact.shape->count);
    double from = far(call_argument(counting, ROLE_START));
    return step && step->value ? INFINITY : largest_position(counting) + from;
}

double largest_sum(struct check *c, const struct argument *whole, int64_t elements)
{
    struct call counting;
    double each = dtype_up_to(argument_dtypes(whole)),
           n = elements < 0 ? INFINITY : (double)elements;
    if (positions_call(c, whole->flow, &counting)) {
        bool from_zero =
            call_argument(&counting, ROLE_END) && !far(call_argument(&counting, ROLE_START));
        double most = largest_position(&counting);
        each = fmin(each, from_zero ? most / 2 : most); /* 0, 1, 2, …: half of it on average */
        n = fmin(n, counted_elements(&counting));
    }
    return each && n ? each * n : 0;
}

/* How often it adds: as many elements as there are, of one number as many as there are indices. */
static int64_t elements_added(const struct call *call)
{
    const struct argument *source = call_argument(call, ROLE_SOURCE),
                          *index = call_argument(call, ROLE_INDEX);
    const struct argument *of = argument_is_tensor(source) ? source : index;
    return argument_is_tensor(of) ? shape_elements(of->seen->fact.shape) : -1;
}

/* The range of what is added each time; false: not known. */
static bool range_added(const struct call *call, struct value_range *out)
{
    const struct argument *source = call_argument(call, ROLE_SOURCE);
    double number;
    if (argument_number(call, source, &number))
        *out = range_of_number(number);
    else if (argument_is_tensor(source))
        *out = source->seen->fact.range;
    else
        return false;
    return out->is_known && out->is_whole && out->low >= 0 && isfinite(range_most(out));
}

double largest_added(const struct call *call)
{
    struct value_range each;
    if (call->callee->values != VALUES_ADDED_AT || !range_added(call, &each))
        return 0;
    int64_t elements = elements_added(call);
    const struct argument *to = call_written(call);
    const struct step *made = to ? sum_beginning(call, to) : NULL;
    double times = made ? times_added(call->check, call, made) : 0;
    return elements > 0 ? range_most(&each) * (double)elements * fmax(times, 1) : 0;
}

/* The size of the dimension that a running sum goes along; 0: not known. */
static int64_t elements_along(const struct call *call, const struct shape *shape)
{
    const struct argument *dim = call_argument(call, ROLE_DIM);
    int at = shape && dim && dim->known ? (int)dim->number : SHAPE_MAX;
    at += shape && at < 0 ? shape->count : 0;
    return shape && at >= 0 && at < shape->count && shape->dims[at] > 0 ? shape->dims[at] : 0;
}

int64_t elements_summed(const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT),
                          *dims = call_argument(call, ROLE_DIM_COUNT);
    if (call->callee->values == VALUES_CUMSUM)
        return argument_is_tensor(x) ? elements_along(call, x->seen->fact.shape) : 0;
    int64_t all = argument_is_tensor(x) ? shape_elements(x->seen->fact.shape) : -1,
            left = call->result ? shape_elements(call->result->fact.shape) : -1;
    if (dims && dims->known && dims->number == 0)
        left = 1;
    return all > 0 && left > 0 ? all / left : 0;
}
