/* Whole numbers are summed in f16 or bf16, such as bools and integers that were cast: the sum stops
 * increasing at 2048, or 256. */
#include "rules/engine/engine.h"

#include <math.h>

/* The cast of bools or integers that made the operand; false: none. */
static bool find_count(struct check *c, const struct argument *x, struct call *cast,
                       const struct argument **from)
{
    if (!argument_maker(c, x, cast) || !call_is_cast(cast))
        return false;
    for (int k = 0; k < cast->count; k++) {
        *from = &cast->arguments[k];
        if (argument_is_tensor(*from) && dtypes_are(argument_dtypes(*from), SET_INTS | SET_BOOL))
            return true;
    }
    return false;
}

/* The largest sum of the elements; infinite: not known. What is rounded to the last number that is
 * exact may have been larger. */
static double largest(struct check *c, const struct call *call, const struct argument *x,
                      const struct argument *from)
{
    struct value_range sum = call->result->fact.range;
    int64_t elements = x->seen ? shape_elements(x->seen->fact.shape) : -1;
    double most = range_most(&sum), whole = from ? largest_sum(c, from, elements) : INFINITY;
    return most == exact_up_to(call->result->fact.dtypes) ? whole : fmin(most, whole);
}

/* Integers that differ: the sum of equal ones is mostly exact, but not all sums on the way are. */
static bool is_whole(const struct call *call, const struct argument *x)
{
    const struct value_range *r = x->seen ? &x->seen->fact.range : NULL;
    bool is_running = call->callee->values == VALUES_CUMSUM;
    return r && r->is_known && r->is_whole && (is_running || !range_is_constant(r));
}

enum { OFTEN = 4 };

/* Counts in half, by adding at indices. */
static void check_counts(struct check *c, const struct call *call)
{
    const struct argument *to = call_written(call);
    dtype_set halves = argument_dtypes(to);
    if (!dtypes_are(halves, SET_HALVES) || largest_added(call) <= OFTEN * exact_up_to(halves))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "counts up to %.0f are kept in %s, which is exact only up to %.0f",
                    largest_added(call), dtypes_text(c, halves), exact_up_to(halves));
    finding_mark(c, out, to->span);
    origin_add(c, out, to->name, to->seen->how, ASPECT_DTYPE, halves);
}

/* Ones, times numbers that are 0 or 1: their products count something. */
static bool are_ones(const struct value_range *r)
{
    return range_is_constant(r) && r->low == 1;
}

static bool are_bits(const struct value_range *r)
{
    return r->is_known && r->is_whole && !r->may_be_nan && r->low >= 0 && r->high <= 1;
}

/* Counts as a matrix product, which is computed in half. */
static void check_product(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    dtype_set halves = call->result ? call->result->fact.dtypes : 0;
    if (call->callee->values != VALUES_MATMUL || !argument_is_tensor(a) || !argument_is_tensor(b) ||
        !is_one(halves) || !dtypes_are(halves, SET_HALVES))
        return;
    const struct value_range *x = &a->seen->fact.range, *y = &b->seen->fact.range;
    const struct shape *shape = a->seen->fact.shape;
    int64_t n = shape && shape->count ? shape->dims[shape->count - 1] : -1;
    bool counts = (are_ones(x) && are_bits(y)) || (are_ones(y) && are_bits(x));
    struct value_range all = range_stored(range_of_number((double)n), dtype_of_set(halves));
    bool is_inexact = are_ones(x) && are_ones(y) && all.low != (double)n;
    if (!counts || (double)n <= exact_up_to(halves) || isinf(all.high) || /* half-long-sum */
        (!is_inexact && (double)n <= OFTEN * exact_up_to(halves)) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s counts up to %lld in %s, which is exact only up to %.0f",
                    call->callee->shown, (long long)n, dtypes_text(c, halves), exact_up_to(halves));
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, "the result", call->result->how, ASPECT_DTYPE, halves);
}

/* Along some of its dimensions, of which it is not known how long they are: in f16, few are so long
 * that the sum is not exact. */
static bool is_mostly_short(const struct call *call, double most)
{
    const struct argument *dims = call_argument(call, ROLE_DIM_COUNT);
    return !isfinite(most) && dims && dims->known && dims->number > 0 &&
           call->result->fact.dtypes == DTYPE_SET(DTYPE_F16);
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT), *from = NULL;
    struct call cast;
    check_counts(c, call);
    check_product(c, call);
    if (call->family != FAMILY_SUM || !call->result || !argument_is_tensor(x) ||
        !dtypes_are(call->result->fact.dtypes, SET_HALVES))
        return;
    dtype_set halves = call->result->fact.dtypes;
    bool is_cast = find_count(c, x, &cast, &from);
    double most = largest(c, call, x, is_cast ? from : NULL);
    if (most <= exact_up_to(halves) || (!is_cast && !(is_whole(call, x) && isfinite(most))))
        return;
    struct finding *out =
        is_cast ? finding_new(c, is_mostly_short(call, most) ? SEVERITY_NOTE : SEVERITY_WARNING,
                              call->function, call_span(call),
                              "'%s' was %s and is summed in %s, which is exact only up to %.0f",
                              x->name, dtypes_text(c, argument_dtypes(from)),
                              dtypes_text(c, halves), exact_up_to(halves))
                : finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                              "whole numbers are summed in %s up to %.0f, which is exact only up "
                              "to %.0f",
                              dtypes_text(c, halves), most, exact_up_to(halves));
    finding_mark(c, out, x->span);
    struct span at = call_span(is_cast ? &cast : call);
    if (is_cast)
        finding_place(c, out, "cast by", &at);
    else
        origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

const struct rule_code rule_half_sum = {.call = check, .by_case = true};
