/* A product in f16 or bf16 is added to state that is kept in f32: it was rounded, or became zero or
 * infinite, before it was added. */
#include "rules/engine/engine.h"

enum { MAX_DEPTH = 3 };

static bool is_kept(struct check *c, const struct call *call, const struct argument *state)
{
    const struct ir_function *f = call->function;
    if (call_written(call))
        return call_written(call) == state && ir_op_reads(f->insts.items[state->value].op) &&
               is_from_outside(f, state->value);
    ir_value place = call_place(c, call);
    const char *name =
        place && place_outlives(f, place) ? value_name(c->in->arena, f, place) : NULL;
    return name && comes_from_place(c, f, state->value, name, MAX_DEPTH);
}

/* Whether the step made bools, or cast them to another dtype. */
static bool makes_mask(struct check *c, const struct step *made)
{
    struct call cast;
    if (made->fact.dtypes == SET_BOOL)
        return true;
    if (!step_call(c, made, &cast) || !call_is_cast(&cast))
        return false;
    const struct argument *from = call_argument(&cast, ROLE_INPUT);
    return from && argument_dtypes(from) == SET_BOOL;
}

/* Multiplying by 0 or 1 does not round. */
static bool is_mask(struct check *c, const struct argument *x)
{
    bool is = x->flow && x->flow->made_count && x->flow->made_count < FLOW_ALIASES;
    for (int k = 0; is && k < x->flow->made_count; k++)
        is = makes_mask(c, x->flow->made[k]);
    return is || argument_dtypes(x) == SET_BOOL;
}

/* The product of two tensors, neither of them a mask, that the operand is; false: it is none. */
static bool find_product(struct check *c, const struct argument *x, struct call *out)
{
    if (!argument_maker(c, x, out) || out->family != FAMILY_MULTIPLY)
        return false;
    const struct argument *a = call_argument(out, ROLE_LEFT), *b = call_argument(out, ROLE_RIGHT);
    return argument_is_tensor(a) && argument_is_tensor(b) && !is_mask(c, a) && !is_mask(c, b);
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    struct call product;
    if ((call->family != FAMILY_ADD && call->family != FAMILY_SUBTRACT) || !argument_is_tensor(a) ||
        !argument_is_tensor(b))
        return;
    const struct argument *state = argument_dtypes(a) == DTYPE_SET(DTYPE_F32) ? a : b;
    const struct argument *x = state == a ? b : a;
    if (argument_dtypes(state) != DTYPE_SET(DTYPE_F32) ||
        !dtypes_are(argument_dtypes(x), SET_NARROW) || !find_product(c, x, &product) ||
        !is_kept(c, call, state))
        return;
    const struct step *how = half_step(x->flow);
    if (!how)
        return;
    struct span at = call_span(&product);
    bool always = dtypes_are(argument_dtypes(x), SET_HALVES);
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                    "'%s' %s %s, and %s rounded before it is added to state kept in f32", x->name,
                    always ? "is" : "can be", dtypes_text(c, argument_dtypes(x) & SET_HALVES),
                    always ? "was" : "is then");
    out->dtypes = SET_HALVES;
    finding_mark(c, out, x->span);
    finding_place(c, out, "rounded by", &at);
    origin_add(c, out, x->name, how, ASPECT_DTYPE, how->fact.dtypes);
    origin_add_path(c, out, how);
}

const struct rule_code rule_half_increment = {.call = check, .by_case = true};
