/* A moving average in f16 or bf16 whose steps are below the precision of the dtype: it stops
 * moving. */
#include "rules/engine/engine.h"

#include <math.h>
#include <string.h>

/* The smallest relative step that is not rounded away. */
static double step_of(dtype_set dtypes)
{
    return dtypes >> DTYPE_BF16 & 1 ? 0x1p-8 : 0x1p-11;
}

/* An average that takes this part of the way each time moves until a quarter of the way is left. */
static double part_of(dtype_set dtypes)
{
    return 4 * step_of(dtypes);
}

/* The number that the operand was multiplied by; 0: it was not. */
static double factor_of(struct check *c, const struct argument *x)
{
    struct call product;
    double number;
    if (!argument_is_tensor(x) || !argument_maker(c, x, &product) ||
        product.family != FAMILY_MULTIPLY ||
        !argument_number_in_some_run(&product, call_argument(&product, ROLE_RIGHT), &number))
        return 0;
    return number;
}

/* The first step of an average that begins with zeros loses nothing: as long as it is seen with
 * nothing else in it, there is no second one. */
static bool is_first_step(const struct argument *state)
{
    const struct value_range *r = &state->seen->fact.range;
    return range_is_constant(r) && r->low == 0;
}

/* An average that is written out: old times 0.999, plus new times 0.001. */
static void check_sum(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    dtype_set dtypes = call->result ? call->result->fact.dtypes : 0;
    if (call->family != FAMILY_ADD || !dtypes_are(dtypes, SET_HALVES))
        return;
    double x = factor_of(c, a), y = factor_of(c, b), step = fmin(x, y);
    if (step <= 0 || fabs(x + y - 1) > 1e-6 || step > part_of(dtypes))
        return;
    const struct argument *state = x > y ? a : b;
    if (is_first_step(state))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "the average is %s, where steps of %g are mostly rounded away: it stops moving",
                    dtypes_text(c, dtypes), step);
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    if (state->seen && state->seen->how)
        origin_add(c, out, state->name, state->seen->how, ASPECT_DTYPE, dtypes);
}

/* The number that the tensor was multiplied by in place, and by nothing else since; 0: it was not.
 */
static double factor_before(struct check *c, const struct argument *state)
{
    const struct step *changed = state->flow && state->flow->changed ? state->flow->changed
                                 : state->seen                       ? state->seen->changed
                                                                     : NULL;
    struct call product;
    double number;
    if (!changed || !step_call(c, changed, &product) || product.family != FAMILY_MULTIPLY ||
        !argument_number_in_some_run(&product, call_argument(&product, ROLE_RIGHT), &number))
        return 0;
    return number;
}

/* The same in place: times 0.999, then plus 0.001 times something. */
static void check_in_place(struct check *c, const struct call *call)
{
    const struct argument *state = call_written(call), *b = call_argument(call, ROLE_RIGHT);
    dtype_set dtypes = argument_dtypes(state);
    double kept, alpha;
    if (call->family != FAMILY_ADD || !state || !dtypes_are(dtypes, SET_HALVES))
        return;
    kept = factor_before(c, state);
    if (!argument_number(call, call_argument(call, ROLE_SCALE), &alpha))
        alpha = factor_of(c, b);
    if (alpha <= 0 || alpha > part_of(dtypes) || fabs(kept + alpha - 1) > 1e-6)
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "'%s' is %s, where steps of %g are mostly rounded away: the average stops moving",
        state->name, dtypes_text(c, dtypes), alpha);
    finding_mark(c, out, state->span);
    origin_add(c, out, state->name, state->seen->how, ASPECT_DTYPE, dtypes);
}

/* ---- parts that are not known ---------------------------------------------------------------- */

/* Whether both are written alike, so that they are the same number. */
static bool is_same(struct check *c, const struct ir_function *f, ir_value a, ir_value b)
{
    const char *x = a ? text_of(c, inst_at(f, a)->span) : NULL;
    const char *y = b ? text_of(c, inst_at(f, b)->span) : NULL;
    return x && y && !strcmp(x, y);
}

/* Whether it is written as 1 minus the other, which is not known. */
static bool is_rest(struct check *c, const struct call *call, const struct argument *part,
                    const struct argument *kept)
{
    const struct ir_function *f = call->function;
    const struct ir_inst *i = part && part->value ? inst_at(f, part->value) : NULL;
    double number;
    return i && kept && kept->value && !argument_number(call, part, &number) && i->op == IR_APPLY &&
           i->integer == PROTOCOL_SUB && i->arg_count == 2 &&
           inst_at(f, i->args[0])->op == IR_INT && inst_at(f, i->args[0])->integer == 1 &&
           is_same(c, f, i->args[1], kept->value);
}

/* The product of the function that made the operand; false: none did. */
static bool find_product(struct check *c, const struct call *call, const struct argument *x,
                         struct call *out)
{
    return argument_is_tensor(x) && argument_maker(c, x, out) && out->family == FAMILY_MULTIPLY &&
           out->function == call->function;
}

/* Old times a number, plus new times what is left of 1. */
static bool is_average(struct check *c, const struct call *call)
{
    const struct argument *state = call_written(call), *b = call_argument(call, ROLE_RIGHT),
                          *scale = call_argument(call, ROLE_SCALE);
    const struct step *changed = state && state->flow ? state->flow->changed : NULL;
    struct call kept, added;
    if (state && (!changed || !step_call(c, changed, &kept) || kept.family != FAMILY_MULTIPLY ||
                  kept.function != call->function))
        return false;
    if (!state && !find_product(c, call, call_argument(call, ROLE_LEFT), &kept))
        return false;
    const struct argument *by = call_argument(&kept, ROLE_RIGHT);
    if (scale && scale->value)
        return is_rest(c, call, scale, by);
    return find_product(c, call, b, &added) &&
           (is_rest(c, call, call_argument(&added, ROLE_RIGHT), by) ||
            (!state && is_rest(c, call, by, call_argument(&added, ROLE_RIGHT))));
}

/* A moving average in half, by a part of which nothing is known: where it is small, the average
 * stops moving. */
static void check_unknown(struct check *c, const struct call *call)
{
    dtype_set dtypes = call->result ? call->result->fact.dtypes : 0;
    if (call->family != FAMILY_ADD || !dtypes_are(dtypes, SET_HALVES) ||
        !is_dynamic(inst_at(call->function, call->inst)) || !is_average(c, call) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                                      "the average is %s: where it takes less than %g of what is "
                                      "new, that is mostly rounded away",
                                      dtypes_text(c, dtypes), part_of(dtypes));
    const struct argument *state = call_written(call);
    state = state ? state : call_argument(call, ROLE_LEFT);
    if (state->seen && state->seen->how)
        origin_add(c, out, state->name, state->seen->how, ASPECT_DTYPE, dtypes);
}

/* ---- parts that become smaller --------------------------------------------------------------- */

/* Plus the n-th part of the way to each number: after as many rounds as the dtype can count, that
 * part is rounded away. */
static void check_mean(struct check *c, const struct call *call)
{
    const struct argument *state = call_written(call), *b = call_argument(call, ROLE_RIGHT);
    state = state ? state : call_argument(call, ROLE_LEFT);
    dtype_set dtypes = argument_dtypes(state);
    if (call->family != FAMILY_ADD || !argument_is_tensor(state) || !argument_is_tensor(b) ||
        !dtypes_are(dtypes, SET_HALVES) || !is_part_of_way(c, b, state))
        return;
    const struct step *made = sum_beginning(call, state);
    double times = made ? times_added(c, call, made) : 0;
    if (times < 2 * exact_up_to(dtypes) || was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "'%s' is %s, and changes by ever smaller parts, %.0f times: below %g they are mostly "
        "rounded away",
        state->name, dtypes_text(c, dtypes), times, step_of(dtypes));
    finding_mark(c, out, state->span);
    origin_add(c, out, state->name, state->seen->how, ASPECT_DTYPE, dtypes);
}

static void check(struct check *c, const struct call *call)
{
    check_sum(c, call);
    check_mean(c, call);
    check_in_place(c, call);
    check_unknown(c, call);
    const struct argument *state = call_argument(call, ROLE_LEFT),
                          *weight = call_argument(call, ROLE_WEIGHT);
    double number;
    dtype_set dtypes = argument_dtypes(state);
    if (call->family != FAMILY_LERP || !state || !dtypes_are(dtypes, SET_HALVES) ||
        !argument_number(call, weight, &number) || number == 0 || fabs(number) > part_of(dtypes))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "'%s' is %s, where steps of %g are mostly rounded away: the average stops moving",
        state->name, dtypes_text(c, dtypes), number);
    finding_mark(c, out, state->span);
    finding_mark(c, out, weight->span);
    origin_add(c, out, state->name, state->seen->how, ASPECT_DTYPE, dtypes);
}

const struct rule_code rule_half_average = {.call = check, .by_case = true};
