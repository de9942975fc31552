/* The result of a cast, or an update, is assigned to a variable that is never read again: a
 * parameter, a loop variable, or a copy of a record. The caller's tensor, or the one in the array,
 * stays as it is. */
#include "rules/engine/engine.h"

#include <string.h>

/* The variable that the place is, or is a part of; -1: none. */
static int64_t variable_of(struct check *c, const struct ir_function *f, ir_value place)
{
    while (place && f->insts.items[place].op == IR_FIELD)
        place = f->insts.items[place].args[0];
    if (place && variable_set(c, f, place) >= 0)
        return variable_set(c, f, place);
    return place && f->insts.items[place].op == IR_LOCAL ? f->insts.items[place].integer : -1;
}

/* The operand was read from the same place. */
static const struct argument *rebound(struct check *c, const struct call *call, ir_value place)
{
    const char *name = value_name(c->in->arena, call->function, place);
    for (int k = 0; k < call->count && name; k++) {
        const struct argument *a = &call->arguments[k];
        const char *from =
            argument_is_tensor(a) ? value_name(c->in->arena, call->function, a->value) : NULL;
        if (from && !strcmp(from, name))
            return a;
    }
    return NULL;
}

enum { MAX_CASTS = 4 };

/* The operand of the first of several casts, one after the other. */
static const struct argument *rebound_before(struct check *c, const struct call *call,
                                             ir_value place, struct call *first)
{
    *first = *call;
    for (int n = 0; n < MAX_CASTS && call_is_cast(first); n++) {
        const struct argument *x = rebound(c, first, place);
        struct call last = *first;
        const struct argument *from = call_argument(&last, ROLE_INPUT);
        if (x || !from || !argument_maker(c, from, first) || first->function != call->function)
            return x;
    }
    return NULL;
}

/* The element of an iteration, or a part of one. */
static bool is_element(const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = &f->insts.items[v];
    while (i->op == IR_APPLY && i->arg_count && i->integer != PROTOCOL_NEXT)
        i = &f->insts.items[i->args[0]];
    return i->op == IR_APPLY && i->integer == PROTOCOL_NEXT;
}

/* Of a dynamic language: a parameter or a variable of a loop. Others name what nothing else may
 * hold. */
static bool holds_copy(struct check *c, const struct ir_function *f, int64_t variable)
{
    bool is_any = variable < f->param_count;
    for (int n = 1; n < f->insts.count && !is_any; n++) {
        ir_value v = variable_set(c, f, n) == variable ? ir_written(&f->insts.items[n]) : 0;
        is_any = v && is_element(f, v);
    }
    return is_any;
}

enum { MAX_DEPTH = 8 };

/* Whether the value was computed from what the variable holds. */
static bool is_computed_from(struct check *c, const struct ir_function *f, ir_value v,
                             int64_t variable, int depth)
{
    v = value_within(c, f, v);
    const struct ir_inst *i = &f->insts.items[v];
    if (!v || !depth)
        return false;
    if (variable_read(c, f, v) >= 0)
        return variable_read(c, f, v) == variable;
    bool passes = flow_call_of(c->in->flow, f, v) || i->op == IR_ATTR;
    for (int k = 0; passes && k < i->arg_count; k++)
        if (is_computed_from(c, f, i->args[k], variable, depth - 1))
            return true;
    return false;
}

/* Whether it is there for what it does to its arguments: it returns nothing. */
static bool returns_nothing(const struct ir_function *f)
{
    for (int n = 1; n < f->insts.count; n++)
        if (f->insts.items[n].op == IR_RETURN && f->insts.items[n].arg_count &&
            f->insts.items[f->insts.items[n].args[0]].op != IR_NULL)
            return false;
    return true;
}

/* In a dynamic language: the variable of a loop, or a parameter of a function that returns nothing,
 * set to something that was computed from the tensor that it was, as an update of each parameter of
 * a model. */
static void check_update(struct check *c, const struct call *call)
{
    const struct ir_function *f = call->function;
    ir_value place = call_place(c, call);
    int64_t variable = place ? variable_set(c, f, place) : -1;
    bool is_parameter = variable >= 0 && variable < f->param_count;
    if (variable < 0 || (is_parameter && !returns_nothing(f)) ||
        !argument_is_tensor(&call->arguments[0]) || !call->result ||
        !is_dynamic(&f->insts.items[call->inst]) || call_written(call) ||
        flow_use_of(c->in->flow, f, call->inst) != USE_KEPT || !holds_copy(c, f, variable) ||
        !is_computed_from(c, f, call->inst, variable, MAX_DEPTH))
        return;
    finding_new(c, SEVERITY_WARNING, f, call_span(call),
                "only the variable becomes another tensor: %s keeps the old one, and nothing uses "
                "the new one",
                is_parameter ? "the caller" : "where it was read from");
}

static void check(struct check *c, const struct call *call)
{
    if (!call_is_cast(call)) {
        check_update(c, call);
        return;
    }
    ir_value place = call_place(c, call);
    int64_t variable = variable_of(c, call->function, place);
    struct call first;
    const struct argument *x = variable >= 0 ? rebound_before(c, call, place, &first) : NULL;
    bool is_dynamic_call = is_dynamic(&call->function->insts.items[call->inst]);
    if (x && is_dynamic_call && !holds_copy(c, call->function, variable))
        return;
    if (!x || flow_use_of(c->in->flow, call->function, call->inst) != USE_KEPT)
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "only the variable '%s' becomes another tensor: %s keeps the old one", x->name,
        variable < call->function->param_count ? "the caller" : "where it was read from");
    finding_mark(c, out, x->span);
}

const struct rule_code rule_rebound_cast = {.call = check};
