/* Gradients are clipped while they are still scaled: the limit then depends on the current scale.
 * Or something is added to them that is not scaled: it is divided by the scale with them. */
#include "rules/engine/engine.h"

#include <string.h>

/* The arguments of the step that follows, "scaler, optimizer"; NULL: there is none. */
static const char *step_arguments(struct check *c, const struct call *clip)
{
    struct call step;
    for (int n = clip->inst + 1; n < clip->function->insts.count; n++) {
        if (clip->function->insts.items[n].op != IR_CALL ||
            !call_view(c, clip->function, (ir_value)n, &step) ||
            (step.callee->effects & SCALED_STEP) != SCALED_STEP || !is_spelled_out(c, &step))
            continue;
        const char *text = text_of(c, call_span(&step));
        size_t name = strlen(pack_written_name(c->in->arena, step.callee));
        return arena_text(c->in->arena, text + name, strlen(text) - name);
    }
    return NULL;
}

/* Where the statement of the call begins on its line; 0: not known. */
static int statement_column(struct check *c, const struct call *call)
{
    struct span whole;
    const char *text;
    return statement_text(c, call_span(call), &whole, &text) ? whole.column : 0;
}

/* Whether the object whose method is called there made what backward was called on: it is a scaler,
 * also where it may be disabled, and only passes on what it is given. */
static bool scales_before(struct check *c, const struct ir_function *f, int step)
{
    const char *scaler = text_of(c, f->insts.items[f->insts.items[step].args[0]].span);
    struct call call;
    for (int n = 1; n < step && scaler; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        const struct ir_inst *loss = i->op == IR_INVOKE ? &f->insts.items[i->args[0]] : NULL;
        const char *on =
            loss && loss->op == IR_INVOKE ? text_of(c, f->insts.items[loss->args[0]].span) : NULL;
        if (on && !strcmp(on, scaler) && call_view(c, f, (ir_value)n, &call) &&
            call.callee->effects & EFFECT_BACKWARD)
            return true;
    }
    return false;
}

static bool is_only_clip(struct check *c, const struct call *clip)
{
    struct call other;
    for (int n = 1; n < clip->function->insts.count; n++)
        if (n != clip->inst && call_view(c, clip->function, (ir_value)n, &other) &&
            other.callee->effects & EFFECT_CLIPS)
            return false;
    return true;
}

/* Whether the step always follows, before the gradients are clipped again: unscaling twice before a
 * step is an error, and a step does it by itself where no clipping was before. */
static bool always_follows(struct check *c, const struct call *clip, ir_value step)
{
    const struct ir_function *f = clip->function;
    const struct ir_inst *stop = &f->insts.items[step];
    return is_only_clip(c, clip) && !path_exists(c, f, clip->inst, 0, is_inst, stop) &&
           !path_exists(c, f, clip->inst, clip->inst, is_inst, stop);
}

/* "scaler.unscale_(optimizer)", of the "scaler.step(optimizer)" that follows at the same depth, or
 * behind the condition under which gradients are clipped; NULL: there is none. */
static const char *unscaling(struct check *c, const struct call *clip, const char *method)
{
    const struct ir_function *f = clip->function;
    const struct code_view *v = code_view(c, f);
    struct call step;
    for (int n = clip->inst + 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op != IR_INVOKE || i->arg_count < 2 || !call_view(c, f, (ir_value)n, &step) ||
            !(step.callee->effects & EFFECT_STEPS) ||
            ((step.callee->effects & SCALED_STEP) != SCALED_STEP && !scales_before(c, f, n)))
            continue;
        const char *scaler = text_of(c, f->insts.items[i->args[0]].span),
                   *optimizer = text_of(c, f->insts.items[i->args[1]].span);
        bool together =
            (v->block[n] == v->block[clip->inst] && i->span.column == statement_column(c, clip)) ||
            always_follows(c, clip, (ir_value)n);
        return scaler && optimizer && together
                   ? arena_printf(c->in->arena, "%s%s%s%s%s%s", scaler, language_of(f)->member,
                                  method, language_of(f)->arguments[0], optimizer,
                                  language_of(f)->arguments[1])
                   : NULL;
    }
    return NULL;
}

static void offer_method(struct check *c, const struct call *clip, struct finding *out)
{
    const char *name = write_function_with(c, clip->callee, EFFECT_UNSCALES, NULL);
    const char *dot = name ? strrchr(name, '.') : NULL;
    const char *text = unscaling(c, clip, dot ? dot + 1 : "unscale_");
    if (text && fix_insert_before(c, out, call_span(clip), text))
        out->fix.what = "unscale the gradients first";
}

/* The same scaler unscales the gradients of the same optimizer first. */
static void offer(struct check *c, const struct call *clip, struct finding *out)
{
    if (is_dynamic(&clip->function->insts.items[clip->inst])) {
        offer_method(c, clip, out);
        return;
    }
    const char *unscale = write_function_with(c, clip->callee, EFFECT_UNSCALES, NULL);
    const char *arguments = unscale ? step_arguments(c, clip) : NULL;
    if (arguments && fix_insert_before(c, out, call_span(clip),
                                       arena_printf(c->in->arena, "%s%s;", unscale, arguments)))
        out->fix.what = "unscale the gradients first";
}

/* The weight that the gradient is of, or noise: neither is scaled. */
static bool is_not_scaled(struct check *c, const struct argument *x, const struct call *read)
{
    const struct argument *weight = call_argument(read, ROLE_INPUT);
    struct call made;
    if (!argument_is_tensor(x) || !x->seen->how)
        return false;
    if (argument_is_tensor(weight) && x->seen->how == weight->seen->how)
        return true;
    if (!argument_maker(c, x, &made))
        return false;
    bool scales =
        made.family == FAMILY_MULTIPLY && !argument_is_tensor(call_argument(&made, ROLE_RIGHT));
    return made.family == FAMILY_RANDOM ||
           (scales && is_not_scaled(c, call_argument(&made, ROLE_LEFT), read));
}

/* A penalty or noise is added to a gradient, to which nothing else was done. */
static void check_added(struct check *c, const struct call *call)
{
    const struct argument *to = call_written(call), *x = call_argument(call, ROLE_RIGHT);
    struct call read;
    if ((call->family != FAMILY_ADD && call->family != FAMILY_SUBTRACT) ||
        !argument_is_tensor(to) || to->seen->changed || !argument_maker(c, to, &read))
        return;
    const struct flow_call *seen = flow_call_of(c->in->flow, read.function, read.inst);
    if (!seen || seen->gradients != GRADIENTS_SCALED || !is_not_scaled(c, x, &read) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "'%s' is added to gradients that are still scaled, and divided by the scale with them: %s "
        "must come first",
        x->name, write_function_with(c, call->callee, EFFECT_UNSCALES, "unscaling"));
    finding_mark(c, out, x->span);
    if (seen->graded)
        finding_place(c, out, "gradients come from", &seen->graded->span);
    finding_scaler(c, out, seen->scaler);
}

/* Whether the call multiplies or divides, in place, a gradient that was read as the other one. */
static bool scales_gradient(struct check *c, const struct call *call, const struct call *other)
{
    const struct argument *to = call_written(call);
    struct call read;
    if ((call->family != FAMILY_MULTIPLY && call->family != FAMILY_DIVIDE) ||
        !argument_is_tensor(to) || !argument_maker(c, to, &read) || read.callee != other->callee)
        return false;
    const struct flow_call *seen = flow_call_of(c->in->flow, read.function, read.inst);
    return seen && !(seen->gradients & GRADIENTS_UNSCALED);
}

/* Whether gradients are made smaller further down in the function: they are clipped by hand. */
static bool is_clipped_after(struct check *c, const struct call *norm, const struct call *read)
{
    struct call call;
    for (int n = norm->inst + 1; n < norm->function->insts.count; n++)
        if (norm->function->insts.items[n].op == IR_CALL &&
            call_view(c, norm->function, (ir_value)n, &call) && scales_gradient(c, &call, read))
            return true;
    return false;
}

/* The norm of a gradient is read, and compared with a limit or written to a log. */
static void check_norm(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    struct call norm, read;
    if (call->callee->returns_tensor || is_query(call->callee) || !argument_is_tensor(x) ||
        !argument_maker(c, x, &norm) || norm.callee->values == VALUES_SAME)
        return;
    const struct argument *of = call_argument(&norm, ROLE_INPUT);
    if (!argument_is_tensor(of) || of->seen->changed || !argument_maker(c, of, &read))
        return;
    const struct flow_call *seen = flow_call_of(c->in->flow, read.function, read.inst);
    if (!seen || seen->gradients != GRADIENTS_SCALED || was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, is_clipped_after(c, call, &read) ? SEVERITY_WARNING : SEVERITY_NOTE, call->function,
        call_span(call), "%s is computed from gradients that are still scaled", norm.callee->shown);
    finding_mark(c, out, x->span);
    if (seen->graded)
        finding_place(c, out, "gradients come from", &seen->graded->span);
    finding_scaler(c, out, seen->scaler);
}

static void check(struct check *c, const struct call *call)
{
    check_added(c, call);
    check_norm(c, call);
    const struct flow_call *seen = flow_call_of(c->in->flow, call->function, call->inst);
    if (!(call->callee->effects & EFFECT_CLIPS) || !seen || !(seen->gradients & GRADIENTS_SCALED))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "%s is applied to gradients that are still scaled: %s must come first", call->callee->shown,
        write_function_with(c, call->callee, EFFECT_UNSCALES, "unscaling"));
    if (seen->graded)
        finding_place(c, out, "gradients come from", &seen->graded->span);
    finding_scaler(c, out, seen->scaler);
    offer(c, call, out);
}

const struct rule_code rule_clip_before_unscale = {.call = check};
