/* A function that is asked for a number computes it in place, on a tensor that it was given:
 * whoever called it has another tensor afterwards, and reads it. */
#include "rules/engine/engine.h"

#include <string.h>

/* scale_(x): it works in place, and says so. */
static bool says_so(const struct ir_function *f)
{
    size_t length = strlen(f->name);
    return length && f->name[length - 1] == '_';
}

/* Whole numbers and bools may say whether it went well, of a function that is there for what it
 * changes. */
static bool returns_number(const struct ir_function *f)
{
    const struct type *of = f->type ? f->type->of : NULL;
    return of && of->kind == TYPE_FLOAT;
}

static void find_store(const struct ir_function *f, ir_value user, ir_value address, void *found)
{
    const struct ir_inst *i = &f->insts.items[user];
    *(bool *)found |= i->op != IR_LOAD && (i->op != IR_STORE || i->args[0] == address);
}

/* What the function was given, and not another tensor that it put there meanwhile. */
static bool is_parameter(struct check *c, const struct ir_function *f, ir_value v)
{
    const struct ir_inst *load = &f->insts.items[v];
    const struct ir_inst *at = load->op == IR_LOAD ? &f->insts.items[load->args[0]] : NULL;
    bool changed = false;
    if (!at || at->op != IR_LOCAL || at->integer >= f->param_count)
        return false;
    local_users(c, f, at->integer, find_store, &changed);
    return !changed;
}

/* A call of which nobody takes the result is there for what it changes. */
static bool is_for_its_result(struct check *c, const struct call *call)
{
    return code_view(c, call->function)->users[call->inst].count > 0;
}

static void check(struct check *c, const struct call *call)
{
    const struct ir_function *f = call->function;
    const struct argument *x = call_written(call);
    const struct flow_call *seen = flow_call_of(c->in->flow, f, call->inst);
    if (!x || !seen->called || call->result == NULL || !returns_number(f) || says_so(f) ||
        !is_parameter(c, f, x->value) || !is_for_its_result(c, call) ||
        !is_had_by_others(c, f, x->value, seen->called))
        return;
    struct span at = seen->called->span;
    struct finding *out = say(c, SEVERITY_WARNING, f, call_span(call),
                              "%s changes '%s' itself, which is read again where %s() was called",
                              call->callee->shown, x->name, f->name);
    say_mark(c, out, x->span);
    say_place(c, out, "called at", &at);
}

const struct rule_code rule_inplace_on_argument = {.call = check};
