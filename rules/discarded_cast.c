/* The result of a cast, a move, a view or a copy is not used: none of them changes its operand, so
 * the call has no effect. Computations are left alone: a discarded product may be there to be
 * timed. So is what is written as a part of its operand, x[0].
 */
#include "rules/engine/engine.h"

static const struct argument *operand_of(const struct call *call)
{
    for (int k = 0; k < call->count; k++)
        if (argument_is_tensor(&call->arguments[k]))
            return &call->arguments[k];
    return NULL;
}

/* Returns its operand in another form, and does nothing else. */
static bool only_converts(const struct call *call)
{
    const struct pack_function *fn = call->callee;
    bool is_form = fn->alias == ALIAS_VIEW || fn->alias == ALIAS_MAYBE_VIEW ||
                   fn->alias == ALIAS_MAYBE_SAME || call->family == FAMILY_CLONE;
    bool of_tensor = fn->alias_of < 0 || fn->params[fn->alias_of].kind == OPERAND_TENSOR;
    return call_is_cast(call) || (fn->returns_tensor && is_form && of_tensor && !fn->effects);
}

/* "t->w" of "cuda(float(t->w))"; NULL: it has no name. */
static const char *innermost_name(struct check *c, const struct call *call,
                                  const struct argument *x)
{
    struct call inner = *call;
    const char *name = value_name(c->in->arena, call->function, x->value);
    while (!name && call_view(c, call->function, x->value, &inner) && call_is_cast(&inner) &&
           (x = operand_of(&inner)))
        name = value_name(c->in->arena, call->function, x->value);
    return name;
}

/* An attribute of a tensor, such as x.T, is no place to assign to; nor is a parameter of a module,
 * which takes nothing but another parameter. */
static bool is_part_of_tensor(struct check *c, const struct call *call, const struct argument *x)
{
    const struct ir_inst *i = &call->function->insts.items[x->value];
    if (i->op == IR_ATTR && x->seen->fact.grad != TRI_NO && x->seen->fact.leaf != TRI_NO)
        return true;
    return i->op == IR_ATTR && flow_value_of(c->in->flow, call->function, i->args[0]);
}

/* Inserts "x = ". The variable then refers to another tensor, which is what was meant but changes
 * what the program does. */
static void offer(struct check *c, const struct call *call, const struct argument *x,
                  struct finding *out)
{
    const char *name = innermost_name(c, call, x);
    struct span before = call_span(call);
    before.end_line = before.line;
    before.end_column = before.column;
    int64_t variable = variable_read(c, call->function, x->value);
    bool is_lost = is_dynamic(&call->function->insts.items[call->inst]) && variable >= 0 &&
                   !is_read_after(c, call->function, variable, call->inst);
    if (!name || !is_statement(c, call_span(call)) || is_part_of_tensor(c, call, x) || is_lost)
        return;
    fix_edit(c, out, before,
             arena_printf(c->in->arena, "%s%s", name, language_of(call->function)->assign));
    out->fix.what = arena_printf(c->in->arena, "assign it to %s", name);
}

/* It is there to be done, not for its result: a tensor is made for it, torch.zeros(1).cuda(), as
 * programs do that start a device; or something handles what it raises if there is no device. */
static bool is_trial(struct check *c, const struct call *call, const struct argument *x)
{
    struct call made;
    bool is_made = argument_maker(c, x, &made) && made.function == call->function &&
                   !operand_of(&made) && !innermost_name(c, call, x);
    return is_made || ir_is_tried(call->function, call->inst);
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *x = operand_of(call);
    if (!only_converts(call) || !x || code_view(c, call->function)->users[call->inst].count ||
        flow_use_of(c->in->flow, call->function, call->inst) != USE_NONE ||
        reads_part(&call->function->insts.items[call->inst]) || is_trial(c, call, x))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "the result of %s is discarded: '%s' stays as it is",
                                      call->callee->shown, x->name);
    finding_mark(c, out, x->span);
    offer(c, call, x, out);
}

const struct rule_code rule_discarded_cast = {.call = check};
