/* A variable is a new tensor on one way and somebody else's on the other, and is then changed in
 * place: on the second way that somebody sees it. */
#include "rules/engine/engine.h"

/* What is put into the variable: by somebody else's, by calls that make something new. */
struct ways {
    ir_value others, made;
};

static bool makes_new(struct check *c, const struct ir_function *f, ir_value v)
{
    struct call call;
    if (f->insts.items[v].op != IR_CALL)
        return false;
    if (!call_view(c, f, v, &call)) /* a function of the program's */
        return f->insts.items[v].name && !packs_find(c->in->packs, f->insts.items[v].name);
    return call.result && !(alias_kinds(call.result) & ~(1u << ALIAS_FRESH)) &&
           call.family != FAMILY_CLONE;
}

static void find_ways(struct check *c, const struct ir_function *f, int64_t local, struct ways *w)
{
    const struct code_view *code = code_view(c, f);
    for (int v = 1; v < f->insts.count; v++) {
        if (f->insts.items[v].op != IR_LOCAL || f->insts.items[v].integer != local)
            continue;
        for (int k = 0; k < code->users[v].count; k++) {
            const struct ir_inst *user = &f->insts.items[code->users[v].items[k]];
            if (user->op != IR_STORE || user->args[0] != v)
                continue;
            ir_value put = value_behind(f, user->args[1]);
            if (makes_new(c, f, put))
                w->made = put;
            else if (f->insts.items[put].op == IR_LOAD && is_from_outside(f, put))
                w->others = put;
        }
    }
}

static void check(struct check *c, const struct call *call)
{
    const struct ir_function *f = call->function;
    const struct argument *x = call_written(call);
    const struct ir_inst *load = x ? &f->insts.items[x->value] : NULL;
    struct ways w = {0};
    if (!load || load->op != IR_LOAD || f->insts.items[load->args[0]].op != IR_LOCAL ||
        f->insts.items[load->args[0]].integer < f->param_count)
        return;
    find_ways(c, f, f->insts.items[load->args[0]].integer, &w);
    if (!w.others || !w.made)
        return;
    struct span others = f->insts.items[w.others].span, made = f->insts.items[w.made].span;
    struct finding *out =
        say(c, SEVERITY_WARNING, f, call_span(call),
            "%s changes '%s' itself where '%s' is that, and not a new tensor", call->callee->shown,
            name_in_program(c, f, w.others, &others, "it"), x->name);
    say_mark(c, out, x->span);
    say_place(c, out, arena_printf(c->in->arena, "%s is that", x->name), &others);
    say_place(c, out, arena_printf(c->in->arena, "%s is new", x->name), &made);
}

const struct rule_code rule_inplace_on_alias = {.call = check};
