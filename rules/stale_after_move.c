/* A tensor is used after it was moved: the move made a new tensor, and this is the old one. A call
 * that needs one device fails; an in-place change does not reach the new tensor; and an optimizer
 * that was given the old one never sees a gradient. */
#include "rules/engine/engine.h"

#include <string.h>

static bool claims(const struct failing *f)
{
    return failing_pattern(f) == PATTERN_STALE;
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    const struct failing_operand *old = failing_on(f, DEVICE_CPU);
    struct call move;
    if (!failing_move(f, old, &move))
        return;
    struct span at = call_span(&move);
    finding_place(c, out, "moved, as another", &at);
}

/* Whether the result is stored where the operand was read from. */
static bool replaces(struct check *c, const struct call *move, const struct argument *x)
{
    const struct ir_function *f = move->function;
    const struct code_view *code = code_view(c, f);
    const char *from = value_name(c->in->arena, f, x->value);
    for (int k = 0; k < code->users[move->inst].count && from; k++) {
        const struct ir_inst *user = &f->insts.items[code->users[move->inst].items[k]];
        const char *to = user->op == IR_STORE && user->args[1] == move->inst
                             ? value_name(c->in->arena, f, user->args[0])
                             : NULL;
        if (to && !strcmp(from, to))
            return true;
    }
    return false;
}

static bool find_move(struct check *c, const struct step *how, struct call *move)
{
    const conversion_list *l = conversions_of(c, how);
    for (int i = 0; i < l->count; i++) {
        if (!call_view(c, l->items[i]->function, l->items[i]->inst, move) ||
            alias_kinds(move->result) != 1u << ALIAS_FRESH)
            continue;
        for (int k = 0; k < move->count; k++)
            if (argument_is_tensor(&move->arguments[k]) && move->arguments[k].seen->how == how &&
                replaces(c, move, &move->arguments[k]))
                return true;
    }
    return false;
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *x = call_written(call);
    struct call move;
    if (!x || x->seen->unknown || !x->seen->moved || !x->seen->moved->inst ||
        !find_move(c, x->seen->moved, &move) ||
        (move.function == call->function && !comes_after(c, &move, call)))
        return;
    struct span at = call_span(&move);
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s changes the old tensor: '%s' was replaced by the result of %s",
                    call->callee->shown, x->name, move.callee->shown);
    finding_mark(c, out, x->span);
    finding_place(c, out, "replaced by", &at);
}

/* A view of this tensor, such as the detached one, or a copy. */
static bool is_form_of(const struct consumer *use)
{
    const struct pack_function *fn = use->by->callee;
    return fn->alias_of == use->operand ? fn->alias == ALIAS_VIEW : fn->family == FAMILY_CLONE;
}

enum { MAX_FORMS = 4 };

/* A cast or move that made another tensor of this one, or of a view of it. */
static bool find_copy(struct check *c, const struct step *how, int forms, struct call *move)
{
    const conversion_list *l = conversions_of(c, how);
    for (int i = 0; i < l->count; i++)
        if (call_view(c, l->items[i]->function, l->items[i]->inst, move) &&
            alias_kinds(move->result) == 1u << ALIAS_FRESH)
            return true;
    const consumer_list *uses =
        how->inst && forms < MAX_FORMS ? consumers_of(c, how->function, how->inst) : NULL;
    for (int i = 0; uses && i < uses->count; i++) {
        const struct flow_call *by = uses->items[i].by;
        const struct flow_value *form =
            is_form_of(&uses->items[i]) ? flow_value_of(c->in->flow, by->function, by->inst) : NULL;
        if (form && form->how && form->how != how && find_copy(c, form->how, forms + 1, move))
            return true;
    }
    return false;
}

enum { MAX_BACK = 6 };

/* Whether what was made there becomes a leaf by itself; it may also take the place of the data of
 * the parameter, which then is still what the optimizer holds. */
static bool becomes_leaf(struct check *c, const struct step *how)
{
    const consumer_list *uses = consumers_of(c, how->function, how->inst);
    for (int i = 0; i < uses->count; i++)
        if (uses->items[i].by->callee->effects & EFFECT_REQUIRE_GRAD)
            return true;
    return false;
}

/* The cast, or another copy, of a parameter that the tensor was made by; false: none. */
static bool find_copied(struct check *c, const struct step *how, struct call *copy)
{
    struct call made;
    bool is_copy = false;
    if (!step_call(c, how, &made) || !becomes_leaf(c, how))
        return false;
    for (int n = 0; n < MAX_BACK; n++) {
        const struct argument *from = call_argument(&made, ROLE_INPUT);
        bool passes = made.callee->values == VALUES_SAME || call_is_cast(&made);
        if (!passes || !argument_is_tensor(from))
            return false;
        if (!is_copy && (call_is_cast(&made) || made.family == FAMILY_CLONE)) {
            *copy = made;
            is_copy = true;
        }
        const struct fact *of = &from->seen->fact;
        if (is_copy && of->grad & TRI_YES && of->leaf & TRI_YES)
            return true;
        struct call last = made;
        if (!argument_maker(c, call_argument(&last, ROLE_INPUT), &made))
            return false;
    }
    return false;
}

/* The optimizer holds copies of parameters. */
static void report_copy(struct check *c, const struct flow_untrained *idle, const struct call *copy)
{
    struct call step;
    if (!call_view(c, idle->function, idle->inst, &step) || !is_selected(c, copy->function) ||
        was_reported(c, copy->function, copy->inst))
        return;
    struct span at = call_span(&step);
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, copy->function, call_span(copy),
                    "%s makes another tensor of the parameter: the optimizer holds it, and no "
                    "backward reaches it",
                    copy->callee->shown);
    finding_place(c, out, "steps", &at);
}

static void check_steps(struct check *c)
{
    for (int i = 0; i < flow_untrained_count(c->in->flow); i++) {
        const struct flow_untrained *idle = flow_untrained_at(c->in->flow, i);
        struct call step, move;
        if (flow_is_untrained(c->in->flow, idle) && find_copied(c, idle->how, &move)) {
            report_copy(c, idle, &move);
            continue;
        }
        if (!flow_is_untrained(c->in->flow, idle) || !is_selected(c, idle->function) ||
            !call_view(c, idle->function, idle->inst, &step) ||
            !find_copy(c, idle->how, 0, &move) || was_reported(c, idle->function, idle->inst))
            continue;
        struct span at = call_span(&move);
        struct finding *out =
            finding_new(c, SEVERITY_WARNING, idle->function, call_span(&step),
                        "%s: what the optimizer holds never gets a gradient: %s replaced it",
                        step.callee->shown, move.callee->shown);
        finding_place(c, out, "it was made", &idle->how->span);
        finding_place(c, out, "replaced by", &at);
        origin_add_condition(c, out, &at, move.result->how ? move.result->how->when : NULL);
    }
}

const struct rule_code rule_stale_after_move = {
    .claims = claims, .refine = refine, .call = check, .program = check_steps};
