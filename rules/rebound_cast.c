/* A cast is put into a variable that nobody reads again: a parameter, or the variable of a loop.
 * The tensor that the caller, or the array, has stays as it is. */
#include "rules/engine/engine.h"

/* The variable that the result is put into, by its index; -1: none. */
static int64_t variable_of(struct check *c, const struct call *call)
{
    const struct ir_function *f = call->function;
    const struct code_view *code = code_view(c, f);
    for (int k = 0; k < code->users[call->inst].count; k++) {
        const struct ir_inst *user = &f->insts.items[code->users[call->inst].items[k]];
        if (user->op == IR_STORE && user->args[1] == call->inst &&
            f->insts.items[user->args[0]].op == IR_LOCAL)
            return f->insts.items[user->args[0]].integer;
    }
    return -1;
}

/* The operand was read from the same variable. */
static const struct argument *rebound(const struct call *call, int64_t variable)
{
    const struct ir_function *f = call->function;
    for (int k = 0; k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        const struct ir_inst *i = &f->insts.items[a->value];
        if (argument_is_tensor(a) && i->op == IR_LOAD &&
            f->insts.items[i->args[0]].op == IR_LOCAL &&
            f->insts.items[i->args[0]].integer == variable)
            return a;
    }
    return NULL;
}

static void check(struct check *c, const struct call *call)
{
    if (!call_is_cast(call) || flow_use_of(c->in->flow, call->function, call->inst) != USE_KEPT)
        return;
    int64_t variable = variable_of(c, call);
    const struct argument *x = variable >= 0 ? rebound(call, variable) : NULL;
    if (!x)
        return;
    struct finding *out =
        say(c, SEVERITY_WARNING, call->function, call_span(call),
            "only the variable '%s' becomes another tensor: %s keeps the old one", x->name,
            variable < call->function->param_count ? "the caller" : "where it was read from");
    say_mark(c, out, x->span);
}

const struct rule_code rule_rebound_cast = {.call = check};
