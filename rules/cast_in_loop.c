/* A cast inside a loop whose operand the loop does not change: it could be done once before the
 * loop. */
#include "rules/engine/engine.h"

struct loop {
    const struct code_view *code;
    ir_value in; /* an instruction in the loop */
    bool changes;
};

static void see_use(const struct ir_function *f, ir_value user, enum variable_use how,
                    void *context)
{
    struct loop *l = context;
    (void)f;
    l->changes |= how != VARIABLE_READ && is_in_one_loop(l->code, l->in, user);
}

/* Whether the loop writes to the variable or takes its address. */
static bool is_changed(struct check *c, const struct call *call, int64_t variable)
{
    struct loop l = {code_view(c, call->function), call->inst, false};
    variable_users(c, call->function, variable, see_use, &l);
    return l.changes;
}

/* What goes on with a loop, and arithmetic of numbers, calls nothing of the program's. */
static bool may_call(const struct ir_inst *i)
{
    bool goes_on =
        i->op == IR_APPLY && (i->integer == PROTOCOL_MORE || i->integer == PROTOCOL_NEXT);
    return i->op == IR_CALL || i->op == IR_INVOKE || (i->op == IR_APPLY && !goes_on);
}

/* The loop may change the tensor: in place, or in a function that it calls. */
static bool is_written(struct check *c, const struct call *call)
{
    const struct ir_function *f = call->function;
    const struct code_view *code = code_view(c, f);
    for (int b = 0; b < f->blocks.count; b++)
        for (int k = 0;
             code->loop[b] == code->loop[code->block[call->inst]] && k < f->blocks.items[b].count;
             k++) {
            struct call other;
            ir_value n = f->blocks.items[b].insts[k];
            if (may_call(&f->insts.items[n]) &&
                (!call_view(c, f, n, &other) || call_written(&other)))
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
    int64_t variable = variable_read(c, call->function, x->value);
    if (variable < 0 || is_changed(c, call, variable) || is_written(c, call))
        return;
    struct finding *out = finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                                      "%s of '%s' is repeated in every iteration of the loop",
                                      call->callee->shown, x->name);
    finding_mark(c, out, x->span);
}

const struct rule_code rule_cast_in_loop = {.call = check, .by_case = true};
