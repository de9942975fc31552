/* A path through the training loop does not update the scaler: the next unscaling is an error. Or
 * it updates the scaler although nothing was unscaled, or steps although there is no gradient. */
#include "rules/engine/engine.h"

#include <string.h>

static bool claims(const struct failing *f)
{
    const char *why = f->failure->reason;
    return why == flow_not_updated || why == flow_unscaled_twice || why == flow_not_unscaled ||
           why == flow_not_graded;
}

static const char *message(struct check *c, const struct flow_failure *r)
{
    const char *name = r->callee->shown;
    if (r->reason == flow_not_unscaled)
        return arena_printf(c->in->arena, "%s: no gradients were unscaled since the last update",
                            name);
    if (r->reason == flow_not_graded)
        return arena_printf(c->in->arena, "%s: no parameter has a gradient", name);
    const char *form = r->reason == flow_unscaled_twice
                           ? "%s comes a second time without %s between"
                           : "%s comes after a step without %s";
    return arena_printf(c->in->arena, form, name,
                        write_function_with(c, r->callee, EFFECT_SCALER_UPDATE, "an update"));
}

/* A step or an update in the function; false: there is none, or there are several. */
static bool find_call(struct check *c, const struct ir_function *f, unsigned effects,
                      struct call *out)
{
    int found = 0;
    struct call is;
    for (int n = 1; n < f->insts.count; n++)
        if (f->insts.items[n].op == IR_CALL && call_view(c, f, (ir_value)n, &is) &&
            (is.callee->effects & effects) == effects) {
            *out = is;
            found++;
        }
    return found == 1;
}

/* An update in the branch of the step is moved behind the branch; one that is missing is put behind
 * the step, with the same scaler. */
static void offer(struct check *c, const struct flow_failure *r, struct finding *out)
{
    struct call step, update;
    const char *name = write_function_with(c, r->callee, EFFECT_SCALER_UPDATE, NULL);
    if (!find_call(c, r->function, SCALED_STEP, &step))
        return;
    if (find_call(c, r->function, EFFECT_SCALER_UPDATE, &update)) {
        if (fix_move_behind_block(c, out, call_span(&update)))
            out->fix.what = "update the scaler in every case";
        return;
    }
    const struct ir_inst *call = &step.function->insts.items[step.inst];
    int k = pack_object_argument(step.callee, ROLE_SCALER);
    const char *scaler = k >= 0 && k < call->arg_count
                             ? text_of(c, step.function->insts.items[call->args[k]].span)
                             : NULL;
    if (name && scaler &&
        fix_insert_after(c, out, call_span(&step),
                         arena_printf(c->in->arena, "%s(%s);", name, scaler)))
        out->fix.what = "update the scaler after the step";
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    out->origins.count = 0;
    out->message = message(c, f->failure);
    finding_scaler(c, out, f->failure->changed);
    if (f->failure->reason != flow_not_graded)
        offer(c, f->failure, out);
}

/* In some run: a scaler that is switched off gives back what it was given. */
static bool is_scaled(struct check *c, const struct flow_call *backward)
{
    struct call call, scale;
    const struct flow_value *loss =
        call_view(c, backward->function, backward->inst, &call) && call.count
            ? call.arguments[0].flow
            : NULL;
    for (int k = 0; loss && k < loss->made_count; k++)
        if (step_call(c, loss->made[k], &scale) && scale.callee->effects & EFFECT_SCALES)
            return true;
    return false;
}

static bool is_called_in_loop(struct check *c, const struct ir_function *f)
{
    for (int u = 0; u < c->in->unit_count; u++)
        for (int k = 0; k < c->in->units[u]->functions.count; k++) {
            const struct ir_function *g = c->in->units[u]->functions.items[k];
            for (int n = 1; n < g->insts.count; n++) {
                const struct ir_inst *i = &g->insts.items[n];
                bool calls = i->op == IR_CALL || i->op == IR_INVOKE;
                bool may_be = calls && (!i->name || !*f->name || !strcmp(i->name, f->name));
                if (may_be && !flow_call_of(c->in->flow, g, n) && is_in_loop(code_view(c, g), n))
                    return true;
            }
        }
    return false;
}

/* Whether a loop without iterations leaves out the backward, and not the step: one that need not
 * get to the step in each iteration. */
static bool is_in_loop_before(struct check *c, const struct flow_call *backward,
                              const struct flow_failure *step)
{
    const struct ir_function *f = backward->function;
    if (f == step->function)
        return is_in_loop(code_view(c, f), backward->inst) &&
               path_exists(c, f, backward->inst, backward->inst, is_inst,
                           &f->insts.items[step->inst]);
    return is_in_loop(code_view(c, f), backward->inst) || is_called_in_loop(c, f);
}

/* In some runs no backward came before, since they have no batches. Where no run does one on a
 * scaled loss in a loop, that is not the reason. */
static bool may_have_no_batch(const struct failing *f)
{
    struct check *c = f->check;
    if (f->failure->reason != flow_not_graded || f->failure->always)
        return false;
    for (int i = 0; i < flow_call_count(c->in->flow); i++) {
        const struct flow_call *by = flow_call_at(c->in->flow, i);
        if (by->callee->effects & EFFECT_BACKWARD && is_scaled(c, by) &&
            is_in_loop_before(c, by, f->failure))
            return true;
    }
    return c->in->units[0]->is_dynamic;
}

const struct rule_code rule_scaler_update_skipped = {
    .claims = claims, .refine = refine, .is_guess = may_have_no_batch};
