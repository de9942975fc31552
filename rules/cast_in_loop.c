/* A cast inside a loop of something that the loop does not change: once before it would do. */
#include "rules/engine/engine.h"

/* The local that the operand is read from; -1: something else. */
static int64_t local_of(const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = &f->insts.items[v];
    if (i->op != IR_LOAD || f->insts.items[i->args[0]].op != IR_LOCAL)
        return -1;
    return f->insts.items[i->args[0]].integer;
}

/* Whether the loop writes to the variable, takes its address, or changes the tensor in place. */
static bool is_changed(struct check *c, const struct call *call, int64_t local)
{
    const struct ir_function *f = call->function;
    const struct code_view *code = code_view(c, f);
    for (int v = 1; v < f->insts.count; v++) {
        if (f->insts.items[v].op != IR_LOCAL || f->insts.items[v].integer != local)
            continue;
        for (int k = 0; k < code->users[v].count; k++) {
            int user = code->users[v].items[k];
            if (f->insts.items[user].op != IR_LOAD && is_in_one_loop(code, call->inst, user))
                return true;
        }
    }
    return false;
}

/* Something in the loop may change the tensor: in place, or in a function of the program's. */
static bool is_written(struct check *c, const struct call *call)
{
    const struct ir_function *f = call->function;
    const struct code_view *code = code_view(c, f);
    for (int n = 1; n < f->insts.count; n++) {
        struct call other;
        if (f->insts.items[n].op != IR_CALL || !is_in_one_loop(code, call->inst, n))
            continue;
        if (!call_view(c, f, n, &other) || call_written(&other))
            return true;
    }
    return false;
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *x = NULL;
    for (int k = 0; k < call->count && !x; k++)
        x = argument_is_tensor(&call->arguments[k]) ? &call->arguments[k] : NULL;
    if (!call_is_cast(call) || !x || !is_in_loop(code_view(c, call->function), call->inst) ||
        alias_kinds(call->result) != 1u << ALIAS_FRESH)
        return;
    int64_t local = local_of(call->function, x->value);
    if (local < 0 || is_changed(c, call, local) || is_written(c, call))
        return;
    struct finding *out =
        say(c, SEVERITY_NOTE, call->function, call_span(call),
            "%s of '%s' is done again in every round of the loop", call->callee->shown, x->name);
    say_mark(c, out, x->span);
}

const struct rule_code rule_cast_in_loop = {.call = check};
