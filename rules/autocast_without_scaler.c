/* A loss that was computed in f16 on a GPU, by autocast, goes backward as it is, in a program whose
 * gradient scaler, if it has one, scales none: gradients are f16 there, and small ones become zero.
 */
#include "rules/engine/engine.h"

#include <string.h>

enum { MAX_DEPTH = 8 };

/* Whether something in the program has one of the effects. */
static bool has_effect(struct check *c, unsigned effects)
{
    for (int i = 0; i < flow_call_count(c->in->flow); i++)
        if (flow_call_at(c->in->flow, i)->callee->effects & effects)
            return true;
    return false;
}

static bool invokes_scale(const struct ir_function *f)
{
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op == IR_INVOKE && !strcmp(i->name, "scale"))
            return true;
    }
    return false;
}

/* Whether the program has a scaler, and asks something to scale, in code that may not be reached.
 */
static bool has_scaler(struct check *c)
{
    if (has_effect(c, EFFECT_SCALES))
        return true;
    bool scales = false;
    for (int u = 0; u < c->in->unit_count && !scales; u++)
        for (int k = 0; k < c->in->units[u]->functions.count && !scales; k++)
            scales = invokes_scale(c->in->units[u]->functions.items[k]);
    return scales && has_effect(c, EFFECT_SCALER_NEW);
}

/* In some runs at least: whether there is a GPU is rarely known. A region that may be bf16 instead
 * is chosen with care. */
static bool is_cast_by_region(struct check *c, const struct call *made)
{
    const struct flow_call *seen = flow_call_of(c->in->flow, made->function, made->inst);
    const struct flow_value *v = made->result;
    dtype_set region = seen ? seen->autocast[DEVICE_CUDA] & SET_FLOATS : 0;
    return region == DTYPE_SET(DTYPE_F16) && v && v->fact.dtypes & DTYPE_SET(DTYPE_F16) &&
           v->fact.devices & 1u << DEVICE_CUDA && v->fact.grad == TRI_YES;
}

/* The call in a region that computed in f16 what was made there. Operands are those of all cases:
 * in code of a library, they have no names. */
static bool find_half(struct check *c, const struct step *made, int depth, struct call *out)
{
    const struct flow_call *seen =
        made && made->inst ? flow_call_of(c->in->flow, made->function, made->inst) : NULL;
    if (!depth || !seen || !step_call(c, made, out))
        return false;
    if (is_cast_by_region(c, out))
        return true;
    for (int k = 0; k < seen->operand_count; k++)
        if (seen->operands[k].kind == OPERAND_TENSOR &&
            find_half(c, seen->operands[k].how, depth - 1, out))
            return true;
    return false;
}

/* It is multiplied by a number, which may be meant to scale the gradients. */
static bool is_scaled_by_hand(struct check *c, const struct argument *loss)
{
    struct call made;
    double number;
    return argument_maker(c, loss, &made) && made.family == FAMILY_MULTIPLY &&
           !(argument_number(&made, call_argument(&made, ROLE_RIGHT), &number) && number <= 1);
}

static void check(struct check *c, const struct call *call)
{
    struct call half;
    if (!(call->callee->effects & EFFECT_BACKWARD) || !call->count ||
        !is_dynamic(&call->function->insts.items[call->inst]) ||
        !argument_is_tensor(&call->arguments[0]) || is_scaled_by_hand(c, &call->arguments[0]) ||
        has_scaler(c) || !has_effect(c, EFFECT_STEPS) ||
        !find_half(c, call->arguments[0].seen->how, MAX_DEPTH, &half) ||
        was_reported(c, call->function, call->inst))
        return;
    struct span at = call_span(&half);
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                    "gradients are f16 where autocast computed in f16, and no scaler makes them "
                    "larger: those below %.0e are zero",
                    dtype_least(DTYPE_F16));
    finding_mark(c, out, call->arguments[0].span);
    finding_place(c, out, "computed in f16", &at);
}

const struct rule_code rule_autocast_without_scaler = {.call = check, .by_case = true};
