/* What is kept in f32 from call to call is added to, and what is added is a product in f16 or bf16:
 * it was rounded, or became zero or infinite, before it got to where there is room for it. */
#include "rules/engine/engine.h"

#include <string.h>

enum { MAX_DEPTH = 3 };

/* It is there after the function returned: no variable of its own. */
static bool outlives(const struct ir_function *f, ir_value place)
{
    ir_value base = value_behind(f, place);
    while (f->insts.items[base].op == IR_FIELD || f->insts.items[base].op == IR_ELEMENT)
        base = value_behind(f, f->insts.items[base].args[0]);
    return f->insts.items[base].op != IR_LOCAL && is_from_outside(f, place);
}

/* Whether the value is what was at the place before, or was computed from that. */
static bool comes_from(struct check *c, const struct ir_function *f, ir_value v, const char *place,
                       int depth)
{
    v = value_within(c, f, v);
    const struct ir_inst *i = &f->insts.items[v];
    if (i->op == IR_LOAD) {
        const char *name = value_name(c->in->arena, f, i->args[0]);
        return name && !strcmp(name, place);
    }
    for (int k = 0; i->op == IR_CALL && depth && k < i->arg_count; k++)
        if (comes_from(c, f, i->args[k], place, depth - 1))
            return true;
    return false;
}

static bool is_kept(struct check *c, const struct call *call, const struct argument *state)
{
    const struct ir_function *f = call->function;
    if (call_written(call))
        return call_written(call) == state && f->insts.items[state->value].op == IR_LOAD &&
               is_from_outside(f, state->value);
    ir_value place = call_place(c, call);
    const char *name = place && outlives(f, place) ? value_name(c->in->arena, f, place) : NULL;
    return name && comes_from(c, f, state->value, name, MAX_DEPTH);
}

/* Whether the step made bools, or cast them. */
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

/* What is multiplied by 0 or 1 is not rounded. */
static bool is_mask(struct check *c, const struct argument *x)
{
    bool is = x->flow && x->flow->made_count && x->flow->made_count < FLOW_ALIASES;
    for (int k = 0; is && k < x->flow->made_count; k++)
        is = makes_mask(c, x->flow->made[k]);
    return is || argument_dtypes(x) == SET_BOOL;
}

/* The product that the operand is, of two tensors with digits; false: it is none. */
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
    const struct step *how = half_way(x->flow);
    if (!how)
        return;
    struct span at = call_span(&product);
    bool always = dtypes_are(argument_dtypes(x), SET_HALVES);
    struct finding *out =
        say(c, SEVERITY_NOTE, call->function, call_span(call),
            "'%s' %s %s, and %s rounded before it is added to what is kept in f32", x->name,
            always ? "is" : "can be", say_dtypes(c, argument_dtypes(x) & SET_HALVES),
            always ? "was" : "is then");
    say_mark(c, out, x->span);
    say_place(c, out, "rounded by", &at);
    origin_add(c, out, x->name, how, ASPECT_DTYPE, how->fact.dtypes);
    origin_add_way(c, out, how);
}

const struct rule_code rule_half_increment = {.call = check};
