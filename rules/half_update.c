/* A weight in f16 or bf16 is updated by something times a number that is below the precision of the
 * dtype: the update is mostly rounded away when it is stored, even if it is computed in f32. Or it
 * is multiplied by a number next to 1. */
#include "rules/engine/engine.h"

#include <math.h>
#include <string.h>

/* The smallest relative change that is not rounded away. */
static double step_of(dtype_set dtypes)
{
    return dtypes >> DTYPE_BF16 & 1 ? 0x1p-8 : 0x1p-11;
}

static bool is_sum(const struct call *call)
{
    return call->family == FAMILY_ADD || call->family == FAMILY_SUBTRACT;
}

/* Whether the operand is the state, or a cast of it. */
static bool is_state(struct check *c, const struct argument *x, const struct argument *state)
{
    struct call cast;
    if (!argument_is_tensor(x) || !x->seen->how)
        return false;
    if (x->seen->how == state->seen->how)
        return true;
    if (!argument_maker(c, x, &cast) || cast.family != FAMILY_CAST)
        return false;
    for (int k = 0; k < cast.count; k++)
        if (argument_is_tensor(&cast.arguments[k]) &&
            cast.arguments[k].seen->how == state->seen->how)
            return true;
    return false;
}

/* The sum that is stored, perhaps as a cast of it. */
static bool find_sum(struct check *c, const struct argument *source, struct call *out)
{
    struct call cast;
    if (!argument_maker(c, source, out))
        return false;
    if (call_is_cast(out)) {
        cast = *out;
        if (!argument_maker(c, call_argument(&cast, ROLE_INPUT), out))
            return false;
    }
    return is_sum(out);
}

/* The operand that is added to the state, with the sum whose result is stored; NULL: there is no
 * such sum. */
static const struct argument *change_in(struct check *c, const struct call *call,
                                        const struct argument *state, struct call *sum)
{
    *sum = *call;
    if (call->family == FAMILY_COPY && !find_sum(c, call_argument(call, ROLE_SOURCE), sum))
        return NULL;
    const struct argument *a = call_argument(sum, ROLE_LEFT), *b = call_argument(sum, ROLE_RIGHT);
    if (!is_sum(sum) || !a || !b)
        return NULL;
    return is_state(c, a, state) ? b : is_state(c, b, state) ? a : NULL;
}

/* The known factor of the change; 1: none. */
static double factor_of(struct check *c, const struct call *sum, const struct argument *change)
{
    const struct argument *b = call_argument(sum, ROLE_RIGHT),
                          *alpha = call_argument(sum, ROLE_SCALE);
    struct call product;
    double factor = 1, number;
    if (b && b->param == change->param && argument_number(sum, alpha, &number))
        factor *= number;
    if (!argument_maker(c, change, &product) ||
        !argument_number_in_some_run(&product, call_argument(&product, ROLE_RIGHT), &number))
        return fabs(factor);
    if (product.family == FAMILY_MULTIPLY)
        factor *= number;
    else if (product.family == FAMILY_DIVIDE && number != 0)
        factor /= number;
    return fabs(factor);
}

/* It changes some of the elements only, by their indices. */
static bool is_of_some(const struct flow_call *call)
{
    const struct ir_inst *i = &call->function->insts.items[call->inst];
    return i->op == IR_APPLY && i->integer == PROTOCOL_SETITEM;
}

/* Whether something else is done to the whole tensor in the function: to an average, say. */
static bool is_changed_otherwise(struct check *c, const struct call *call,
                                 const struct argument *state)
{
    for (int i = 0; i < flow_call_count(c->in->flow); i++) {
        const struct flow_call *other = flow_call_at(c->in->flow, i);
        struct call change;
        if (other->function != call->function || other->inst == call->inst || is_of_some(other) ||
            !call_view(c, other->function, other->inst, &change) || !call_written(&change))
            continue;
        const struct argument *to = call_written(&change);
        if (to->value == call->inst || !strcmp(to->name, state->name) ||
            (argument_is_tensor(to) && to->seen->how == state->seen->how))
            return true;
    }
    return false;
}

/* Multiplied by a number so close to 1 that every product is rounded to what it was. */
static void check_factor(struct check *c, const struct call *call)
{
    const struct argument *written = call_written(call), *x = call_argument(call, ROLE_LEFT),
                          *state = written                            ? written
                                   : x && takes_its_place(c, call, x) ? x
                                                                      : NULL;
    double number;
    if (call->family != FAMILY_MULTIPLY || !state || !argument_is_tensor(state) ||
        !state->seen->how || !dtypes_are(argument_dtypes(state), SET_HALVES) ||
        !argument_number(call, call_argument(call, ROLE_RIGHT), &number))
        return;
    double change = fabs(1 - number);
    if (change == 0 || change > step_of(argument_dtypes(state)) / 2 ||
        is_changed_otherwise(c, call, state))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "'%s' is %s, where a product with 1 %c %g is rounded to what it was", state->name,
        dtypes_text(c, argument_dtypes(state)), number < 1 ? '-' : '+', change);
    finding_mark(c, out, state->span);
    origin_add(c, out, state->name, state->seen->how, ASPECT_DTYPE, argument_dtypes(state));
}

/* An optimizer without averages, of weights in half: those with averages are half-optimizer-state.
 */
static void check_optimizer(struct check *c, const struct call *call)
{
    int held = call->callee->holds;
    const struct argument *w = held >= 0 && held < call->count ? &call->arguments[held] : NULL,
                          *rate = call_argument(call, ROLE_RATE),
                          *momentum = call_argument(call, ROLE_MOMENTUM);
    double number;
    if (!w || !w->seen || w->seen->unknown || !dtypes_are(w->seen->fact.dtypes, SET_HALVES) ||
        !momentum || (momentum->value && !(momentum->known && momentum->number == 0)) || !rate ||
        !argument_number(call, rate, &number) || number <= 0 ||
        number > step_of(w->seen->fact.dtypes))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_NOTE, call->function, call_span(call),
        "the parameters are %s, where steps of %g times the gradient are mostly rounded "
        "away",
        dtypes_text(c, w->seen->fact.dtypes), number);
    origin_add(c, out, "a parameter", w->seen->how, ASPECT_DTYPE, w->seen->fact.dtypes);
}

enum { FEW_STEPS = 16, FAR_BELOW = 4 };

/* The same small number is added again and again to numbers between known bounds: most of them stay
 * what they are, where all steps together would change them. */
static void check_steps(struct check *c, const struct call *call)
{
    const struct argument *state = call_written(call);
    const struct step *made = state && is_sum(call) ? sum_beginning(call, state) : NULL;
    dtype_set dtypes = argument_dtypes(state);
    double number, times = made ? times_added(c, call, made) : 0;
    if (times < FEW_STEPS || !is_one(dtypes) || !dtypes_are(dtypes, SET_HALVES) ||
        !argument_number(call, call_argument(call, ROLE_RIGHT), &number) || number == 0)
        return;
    const struct flow_value *first = flow_value_of(c->in->flow, made->function, made->inst);
    const struct value_range *r = first ? &first->fact.range : &state->seen->fact.range;
    double middle = (fabs(r->low) + fabs(r->high)) / 2 * step_of(dtypes);
    if (!r->is_known || !isfinite(middle) || range_is_constant(r) ||
        fabs(number) * FAR_BELOW > middle || fabs(number) * times < FAR_BELOW * middle ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "'%s' is %s, with numbers from %.4g to %.4g, where steps of %g are mostly rounded away, "
        "%.0f times",
        state->name, dtypes_text(c, dtypes), r->low, r->high, number, times);
    finding_mark(c, out, state->span);
    origin_add(c, out, state->name, made, ASPECT_DTYPE, dtypes);
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *state = call_written(call);
    struct call sum;
    check_steps(c, call);
    check_factor(c, call);
    check_optimizer(c, call);
    if ((!is_sum(call) && call->family != FAMILY_COPY) || !state || !argument_is_tensor(state) ||
        !state->seen->how || !dtypes_are(argument_dtypes(state), SET_HALVES))
        return;
    const struct argument *change = change_in(c, call, state, &sum);
    double factor = change && argument_is_tensor(change) ? factor_of(c, &sum, change) : 1;
    if (factor == 0 || factor > step_of(argument_dtypes(state)))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                    "'%s' is %s, where updates scaled by %g are mostly rounded away", state->name,
                    dtypes_text(c, argument_dtypes(state)), factor);
    finding_mark(c, out, state->span);
    origin_add(c, out, state->name, state->seen->how, ASPECT_DTYPE, argument_dtypes(state));
}

const struct rule_code rule_half_update = {.call = check, .by_case = true};
