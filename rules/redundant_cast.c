/* A cast of a tensor that was just made with that dtype and device: it never has an effect, or only
 * that of a copy, in a library whose casts always make one. */
#include "rules/engine/engine.h"

#include <string.h>

/* Whether the maker is in a function that this one calls. */
static bool is_made_below(const struct call *call, const struct step *made)
{
    for (const struct frame_place *at = made->called; at; at = at->outer)
        if (at->caller == call->function)
            return true;
    return false;
}

/* Whether the function itself decided the dtype, or, where every cast costs a copy, one that it
 * calls: a cast of a parameter may be needed by other callers. */
static bool is_decided_here(const struct call *call, const struct argument *x)
{
    const struct step *made = x->flow && x->flow->made_count == 1 ? x->flow->made[0] : NULL;
    bool is_here = made && (made->function == call->function ||
                            (call->callee->alias == ALIAS_FRESH && is_made_below(call, made)));
    return is_here && made->inst && !x->seen->unknown && is_one(argument_dtypes(x));
}

static bool has_device(const struct pack_function *f)
{
    for (int i = 0; i < f->param_count; i++)
        if (f->params[i].kind == OPERAND_DEVICE)
            return true;
    return false;
}

/* The cast always makes a tensor, with another dtype or not: nothing else can change. */
static bool only_copies(const struct call *call, const struct argument *x)
{
    return call->callee->alias == ALIAS_FRESH && !has_device(call->callee) &&
           call->result->fact.dtypes == argument_dtypes(x);
}

static bool returns_operand(const struct call *call, const struct argument *x)
{
    return alias_kinds(call->result) == 1u << ALIAS_SAME && is_one(argument_devices(x));
}

/* Made in a default that the program has set, which it may set again. */
static bool is_by_setting(struct check *c, const struct argument *x)
{
    struct call made;
    const struct argument *dtype =
        argument_maker(c, x, &made) ? call_argument(&made, ROLE_DTYPE) : NULL;
    return dtype && !dtype->value && argument_dtypes(x) != DTYPE_SET(DTYPE_F32) &&
           dtypes_are(argument_dtypes(x), SET_FLOATS);
}

/* Removes the call, but for its operand. */
static void offer(struct check *c, const struct call *call, const struct argument *x,
                  struct finding *out)
{
    const struct written_call at = {call->function, call->inst, call->callee};
    if (is_dynamic(&call->function->insts.items[call->inst])) {
        if (!is_in_autocast(call) && !is_by_setting(c, x) && fix_unwrap(c, out, call, x)) {
            out->fix.what = arena_printf(c->in->arena, "leave out %s", call->callee->shown);
            out->fix.safe = true;
        }
        return;
    }
    struct span before = call_span(call), behind = before;
    if (!is_argument_of(c, &at, x->span))
        return;
    before.end_line = x->span.line;
    before.end_column = x->span.column;
    behind.line = x->span.end_line;
    behind.column = x->span.end_column;
    fix_edit(c, out, before, "");
    fix_edit(c, out, behind, "");
    out->fix.what = arena_printf(c->in->arena, "leave out %s", call->callee->shown);
    out->fix.safe = !only_copies(call, x);
}

/* A computed dtype or device may differ in another run. */
static bool is_written_down(const struct call *call)
{
    for (int k = 0; k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        bool chosen = a->param->kind == OPERAND_DTYPE || a->param->kind == OPERAND_DEVICE;
        if (chosen && a->value && !is_literal(call, a))
            return false;
    }
    return true;
}

static bool is_given(const struct call *call, enum param_role role)
{
    const struct argument *a = call_argument(call, role);
    return a && a->value;
}

/* The call moves: it is given a device, or named after one. */
static bool is_move(struct check *c, const struct call *call)
{
    const char *shown = call->callee->shown;
    enum device named;
    uint16_t gpus;
    return is_given(call, ROLE_DEVICE) ||
           device_parse(arena_printf(c->in->arena, "%.*s", (int)strcspn(shown, "("), shown), &named,
                        &gpus);
}

static bool is_known(const struct call *call, ir_value value)
{
    for (int k = 0; k < call->count; k++)
        if (call->arguments[k].value == value)
            return true;
    return false;
}

/* By name, and nothing is known of what it does, such as another order in memory. */
static bool is_given_more(const struct call *call)
{
    const struct ir_inst *i = &call->function->insts.items[call->inst];
    for (int k = 0; k < i->arg_count && i->labels; k++)
        if (i->labels[k] && strcmp(i->labels[k], LABEL_CONST) != 0 && !is_known(call, i->args[k]))
            return true;
    return false;
}

/* What the call makes of a tensor, which this one is already: a dtype, a device or both. */
static const char *asked_for(struct check *c, const struct call *call, const struct argument *x)
{
    const char *dtype = dtypes_text(c, argument_dtypes(x));
    unsigned devices = argument_devices(x);
    if (!is_one(devices) || !is_move(c, call))
        return dtype;
    const char *device = device_name((enum device)__builtin_ctz(devices));
    return is_given(call, ROLE_DTYPE) ? arena_printf(c->in->arena, "%s on %s", dtype, device)
                                      : arena_printf(c->in->arena, "on %s", device);
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *x = NULL;
    struct call maker;
    for (int k = 0; k < call->count && !x; k++)
        x = argument_is_tensor(&call->arguments[k]) ? &call->arguments[k] : NULL;
    if (!call_is_cast(call) || !x || !call->result ||
        !(returns_operand(call, x) || only_copies(call, x)) || !is_decided_here(call, x) ||
        !step_call(c, x->flow->made[0], &maker) || !is_written_down(call) || is_given_more(call) ||
        flow_use_of(c->in->flow, call->function, call->inst) == USE_NONE)
        return;
    if (!call_is_cast(&maker) && !call_is_factory(&maker))
        return;
    struct span made = call_span(&maker);
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, call->function, call_span(call), "'%s' is %s already: %s %s",
                    x->name, asked_for(c, call, x), call->callee->shown,
                    only_copies(call, x) ? "only copies it" : "does nothing");
    finding_mark(c, out, x->span);
    finding_place(c, out, "made by", &made);
    offer(c, call, x, out);
}

const struct rule_code rule_redundant_cast = {.call = check};
