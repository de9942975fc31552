/* The result of a cast, a move, a view or a copy is not used: none of them changes its operand, so
 * the call has no effect. Computations are left alone: a discarded product may be there to be
 * timed. So is what is written as a part of its operand, x[0].
 */
#include "rules/engine/engine.h"

#include <string.h>

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

/* ---- in a function of the program ------------------------------------------------------------ */

static bool is_in_local(const struct ir_function *f, const struct ir_inst *i)
{
    struct ir_place at;
    return ir_place_of(f, i->args[0], &at);
}

/* Whether an instruction of a function that only casts may be there. */
static bool is_harmless(struct check *c, const struct ir_function *f, ir_value n, ir_value *cast)
{
    const struct ir_inst *i = &f->insts.items[n];
    struct call call;
    if (i->op == IR_STORE || i->op == IR_COPY || i->op == IR_ZERO)
        return is_in_local(f, i);
    if (i->op != IR_CALL)
        return i->op != IR_ANYTHING && !is_dynamic(i) && i->op != IR_RAISE && i->op != IR_STOP;
    if (!call_view(c, f, n, &call))
        return false;
    if (call_is_cast(&call) && call.callee->returns_tensor && operand_of(&call))
        *cast = n;
    return *cast == n || call.callee->question;
}

/* Of the program, and does nothing but make a cast: all it can return is that, or what it is given.
 * Returns the cast; 0: it does more. */
static ir_value only_casts(struct check *c, const struct ir_function *f)
{
    ir_value cast = 0;
    flow_touch(c->in->flow, f);
    if (!f->has_body || f->is_partial)
        return 0;
    for (int b = 0; b < f->blocks.count; b++)
        for (int k = 0; k < f->blocks.items[b].count; k++)
            if (!is_harmless(c, f, f->blocks.items[b].insts[k], &cast))
                return 0;
    return cast;
}

/* "to" of "Module::to(ggml_tensor *)". */
static const char *word_of(struct check *c, const struct ir_function *f)
{
    const char *end = f->name + strcspn(f->name, "(<"), *begin = end;
    while (begin > f->name && begin[-1] != ':')
        begin--;
    return arena_printf(c->in->arena, "%.*s", (int)(end - begin), begin);
}

static void check_caller(struct check *c, const struct flow_value *v)
{
    const struct ir_function *f = v->function;
    const struct ir_inst *i = &f->insts.items[v->inst];
    const struct ir_function *to =
        i->op == IR_CALL ? flow_callee_of(c->in->flow, f, v->inst) : NULL;
    if (!to || !is_selected(c, f) || code_view(c, f)->users[v->inst].count ||
        was_reported(c, f, v->inst))
        return;
    struct call cast;
    ir_value made = only_casts(c, to);
    if (!made || !call_view(c, to, made, &cast))
        return;
    struct span at = call_span(&cast);
    struct finding *out = finding_new(c, SEVERITY_WARNING, f, i->span,
                                      "the result of %s() is discarded: it changes no tensor, but "
                                      "returns another one",
                                      word_of(c, to));
    finding_place(c, out, "which is made here", &at);
}

static void check_callers(struct check *c)
{
    for (int i = 0; i < flow_value_count(c->in->flow); i++)
        check_caller(c, flow_value_at(c->in->flow, i));
}

const struct rule_code rule_discarded_cast = {.call = check, .program = check_callers};
