/* Asks every rule: about each failure, to find the one whose matter it is; about each call that was
 * reached; about the program. */
#include "rules/engine/engine.h"

#include <string.h>

/* ---- failures ------------------------------------------------------------------------------- */

static const struct rule *fallback_of(enum error_kind kind)
{
    for (int i = 0; i < RULE_COUNT; i++)
        if (rules[i].run->fallback == kind)
            return &rules[i];
    BUG("no rule for errors of kind %s", error_kind_name(kind));
}

/* Of those that are general, or of those that are not. */
static const struct rule *claiming(const struct failing *f, bool general)
{
    const struct rule *found = NULL;
    for (int i = 0; i < RULE_COUNT; i++) {
        const struct rule_code *run = rules[i].run;
        if (run->general != general || !run->claims || !run->claims(f))
            continue;
        if (found)
            BUG("both %s and %s claim '%s'", found->name, rules[i].name, f->message);
        found = &rules[i];
    }
    return found;
}

static const struct rule *rule_of(const struct failing *f)
{
    const struct rule *r = claiming(f, false);
    r = r ? r : claiming(f, true);
    return r ? r : fallback_of(f->failure->kind);
}

/* Whether what is known of the operand came from outside: a parameter that nobody fills, a file. */
static bool is_told_by_nobody(struct check *c, const struct failing_operand *o, enum aspect aspect)
{
    unsigned set = aspect == ASPECT_DTYPE ? o->fact.dtypes : o->fact.devices;
    if (is_one(set))
        return false;
    const struct step *s =
        step_deciding(c, o->how, aspect, aspect == ASPECT_DTYPE ? set : fact_places(&o->fact));
    return !s || !s->inst || (aspect == ASPECT_DTYPE && set == DTYPES_ALL);
}

/* That the operands differ may belong to no run where two of them can be several things at once:
 * what one is may go with what the other is. */
static bool is_blurred(const struct failing *f, enum aspect aspect)
{
    int several = 0;
    for (int k = 0; k < f->count; k++) {
        const struct fact *is = &f->operands[k].fact;
        several +=
            f->operands[k].blamed && !is_one(aspect == ASPECT_DTYPE ? is->dtypes : is->devices);
    }
    return several > 1;
}

/* Whether gradients are meant or not is known of no operand: what is said of them is a guess. */
static bool is_grad_unknown(const struct failing *f)
{
    enum error_kind kind = f->failure->kind;
    bool known = !f->count || f->failure->always;
    if (kind != ERROR_GRAD && kind != ERROR_LEAF)
        return false;
    for (int k = 0; k < f->count; k++) {
        const struct fact *is = &f->operands[k].fact;
        bool meant =
            f->operands[k].blamed &&
            (kind == ERROR_GRAD || f->operands[k].param->written || f->operands[k].param->many);
        bool grad_known = is->grad != TRI_MAYBE && !is->grad_open;
        known |= meant && grad_known && (kind == ERROR_GRAD || is->leaf != TRI_MAYBE);
    }
    return !known;
}

/* An operand that could be much because nobody says what it is: that the call fails in this way for
 * some of that says nothing, be it that it always fails in another. */
static bool is_guess(struct check *c, const struct failing *f)
{
    enum aspect aspect = f->failure->kind == ERROR_DEVICE ? ASPECT_DEVICE : ASPECT_DTYPE;
    bool outside = f->failure->kind == ERROR_SHAPE || is_blurred(f, aspect);
    for (int k = 0; k < f->count; k++)
        outside |= f->operands[k].blamed && is_told_by_nobody(c, &f->operands[k], aspect);
    return (outside && !failing_surely(f)) || is_grad_unknown(f);
}

/* It follows from another failure, which is told: one that follows from none, or the first of those
 * that follow from each other. */
static bool is_consequence(struct check *c, const struct flow_failure *r)
{
    const struct flow_failure *behind = failure_behind(c, r);
    if (!behind)
        return false;
    for (int i = 0; i < flow_failure_count(c->in->flow); i++) {
        const struct flow_failure *f = flow_failure_at(c->in->flow, i);
        if (f == behind)
            return true;
        if (f == r)
            return failure_behind(c, behind) != r;
    }
    return false;
}

static bool is_gpu_told(const struct failing *f)
{
    bool told = false;
    for (int k = 0; k < f->count; k++)
        told |= f->operands[k].is.device == DEVICE_CUDA && gpus_are_apart(f->operands[k].is.gpus);
    return told;
}

static void add_origins(struct check *c, const struct failing *f, struct finding *out)
{
    bool device = f->failure->kind == ERROR_DEVICE;
    enum aspect aspect = is_gpu_told(f) ? ASPECT_GPU : ASPECT_DEVICE;
    bool handed_in = false;
    for (int k = 0; k < f->count; k++) {
        const struct failing_operand *o = &f->operands[k];
        if (!o->blamed)
            continue;
        say_mark(c, out, o->span);
        handed_in |= is_from_outside(f->failure->function, o->value);
        if (device && o->is.device < DEVICE_COUNT)
            origin_add(c, out, o->name, o->how, aspect, operand_places(&o->is));
        else if (o->is.dtype)
            origin_add(c, out, o->name, o->how, ASPECT_DTYPE, 1u << o->is.dtype);
    }
    const struct flow_call *call =
        flow_call_of(c->in->flow, f->failure->function, f->failure->inst);
    if (handed_in && call && call->several)
        origin_add_call(c, out, f->failure->called);
}

/* What a run would come to if another call had not failed before is no more than worth knowing. */
static enum severity severity_of(const struct flow_failure *r)
{
    return r->past ? SEVERITY_NOTE : r->always ? SEVERITY_ERROR : SEVERITY_WARNING;
}

bool is_asked_about(const struct check *c, const struct ir_function *f)
{
    const struct check_watch *w = c->in->watch;
    return !w || w->about(w->context, f);
}

/* That a call fails on some path is no news where it is not known whether a run takes that. Ranks
 * are the weakest case: what is looked up by its name has the rank of all that is kept there. */
static bool is_uncertain(const struct flow_failure *r)
{
    return r->unknown || ((r->blurred || r->kind == ERROR_SHAPE) && !r->always);
}

static void check_failure(struct check *c, const struct flow_failure *r)
{
    struct failing f;
    if (is_uncertain(r) || !is_asked_about(c, r->function))
        return;
    failing_view(c, r, &f);
    c->rule = rule_of(&f);
    if (f.impossible || is_guess(c, &f) || is_consequence(c, r) || !c->selected[c->rule - rules])
        return;
    struct finding *out = say(c, severity_of(r), r->function,
                              r->function->insts.items[r->inst].span, "%s", f.message);
    out->failure = r;
    out->past = r->past;
    add_origins(c, &f, out);
    if (c->rule->run->refine)
        c->rule->run->refine(c, &f, out);
    if (r->past)
        out->message =
            arena_printf(c->in->arena, "%s, once what fails before it is mended", out->message);
}

/* ---- facts ---------------------------------------------------------------------------------- */

static void check_call(struct check *c, const struct call *call)
{
    for (int i = 0; i < RULE_COUNT; i++)
        if (c->selected[i] && rules[i].run->call) {
            c->rule = &rules[i];
            rules[i].run->call(c, call);
        }
}

static void check_calls(struct check *c)
{
    struct call call;
    for (int i = 0; i < flow_call_count(c->in->flow); i++) {
        const struct flow_call *seen = flow_call_at(c->in->flow, i);
        if (is_asked_about(c, seen->function) && call_view(c, seen->function, seen->inst, &call))
            check_call(c, &call);
    }
}

static void check_program(struct check *c)
{
    for (int i = 0; i < RULE_COUNT; i++)
        if (c->selected[i] && rules[i].run->program) {
            c->rule = &rules[i];
            rules[i].run->program(c);
        }
}

void rules_check(const struct check_input *in, const bool *selected, finding_list *out)
{
    struct check c = {.in = in,
                      .selected = selected,
                      .out = out,
                      .codes = map_new(in->arena),
                      .said = map_new(in->arena)};
    failures_index(&c);
    for (int i = 0; i < flow_failure_count(in->flow); i++)
        check_failure(&c, flow_failure_at(in->flow, i));
    check_calls(&c);
    check_program(&c);
}
