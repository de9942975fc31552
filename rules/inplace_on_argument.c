/* A function that returns a number computes it in place on a tensor that it was passed: its
 * caller's tensor is changed, and is read again. */
#include "rules/engine/engine.h"

#include <string.h>

/* A trailing underscore, as in scale_(x), says that the function works in place. */
static bool says_so(const struct ir_function *f)
{
    size_t length = strlen(f->name);
    return length && f->name[length - 1] == '_';
}

/* Whether all that it returns was read from tensors: x.item(). */
static bool returns_items(struct check *c, const struct ir_function *f)
{
    bool any = false;
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op != IR_RETURN || code_view(c, f)->block[n] < 0)
            continue;
        const struct ir_inst *of = i->arg_count ? &f->insts.items[i->args[0]] : i;
        const struct flow_call *by = i->arg_count ? flow_call_of(c->in->flow, f, i->args[0]) : NULL;
        bool is_end = of->op == IR_NULL && of->span.line == f->span.line;
        bool is_item = by && !by->callee->returns_tensor && !is_query(by->callee);
        if (!is_item && !is_end)
            return false;
        any |= is_item;
    }
    return any;
}

/* An integer or bool may be a status code of a function that exists for its side effects. */
static bool returns_number(struct check *c, const struct ir_function *f)
{
    const struct type *of = f->type ? f->type->of : NULL;
    return of && (of->kind == TYPE_FLOAT || (of->kind == TYPE_DYN && returns_items(c, f)));
}

static void find_store(const struct ir_function *f, ir_value user, enum variable_use how,
                       void *found)
{
    bool is_stored = f->insts.items[user].op == IR_STORE && how == VARIABLE_OTHER;
    *(bool *)found |= how != VARIABLE_READ && !is_stored;
}

/* Whether it is the tensor that was passed in, and not another one that was assigned since. */
static bool is_parameter(struct check *c, const struct ir_function *f, ir_value v)
{
    int64_t variable = variable_read(c, f, v);
    bool changed = false;
    if (variable < 0 || variable >= f->param_count)
        return false;
    variable_users(c, f, variable, find_store, &changed);
    return !changed;
}

/* A call whose result is ignored is there for its side effects. */
static bool is_for_its_result(struct check *c, const struct call *call)
{
    return code_view(c, call->function)->users[call->inst].count > 0;
}

/* ---- functions of a dynamic language that return a tensor ------------------------------------ */

static bool returns_value(const struct ir_function *f)
{
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op == IR_RETURN && i->arg_count && f->insts.items[i->args[0]].op != IR_NULL)
            return true;
    }
    return false;
}

/* A parameter says whether, or where to, it is written. */
static bool has_option(const struct ir_function *f)
{
    for (int k = 0; k < f->param_count; k++)
        if (!strcmp(f->locals.items[k].name, "inplace") || !strcmp(f->locals.items[k].name, "out"))
            return true;
    return false;
}

/* Its caller uses what it returns as another tensor, and reads the one that it passed again. */
static void check_returned(struct check *c, const struct call *call, const struct argument *x,
                           const struct frame_place *called)
{
    const struct ir_function *f = call->function, *caller = called->caller;
    ir_value at, passed = 0;
    int64_t variable = variable_read(c, f, x->value);
    if (!is_dynamic(&f->insts.items[call->inst]) || !is_parameter(c, f, x->value) || says_so(f) ||
        has_option(f) || !returns_value(f) || !is_for_its_result(c, call))
        return;
    passed = value_passed(f, called, (int)variable, &at);
    int64_t own = passed ? variable_read(c, caller, passed) : -1;
    if (own < 0 || !code_view(c, caller)->users[at].count || !is_read_after(c, caller, own, at) ||
        was_reported(c, f, call->inst))
        return;
    struct span place = called->span;
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, f, call_span(call),
                    "%s changes '%s' in place, and the caller of %s() reads it again",
                    call->callee->shown, x->name, f->name);
    finding_mark(c, out, x->span);
    finding_place(c, out, "called at", &place);
}

/* ---- operands of other calls ---------------------------------------------------------------- */

/* Whether the call computes something new from the value. */
static bool computes_from(struct check *c, const struct flow_call *by, ir_value v)
{
    unsigned views = 1u << ALIAS_VIEW | 1u << ALIAS_MAYBE_VIEW | 1u << ALIAS_MAYBE_SAME;
    if (is_query(by->callee) || views >> by->callee->alias & 1)
        return false;
    for (int k = 0; k < by->operand_count; k++) {
        const struct flow_operand *o = &by->operands[k];
        if (o->value && value_within(c, by->function, o->value) == v)
            return !by->callee->params[o->param].written;
    }
    return false;
}

/* Whether the result is an operand where it is written, of a call that computes: whoever writes
 * that needs the result, not the change. */
static bool is_operand(struct check *c, const struct ir_function *f, ir_value v, ir_value of)
{
    const value_list *users = &code_view(c, f)->users[v];
    for (int k = 0; k < users->count; k++) {
        ir_value user = users->items[k];
        const struct flow_call *by = flow_call_of(c->in->flow, f, user);
        bool boxes = value_within(c, f, user) == of;
        if (boxes ? is_operand(c, f, user, of) : by && computes_from(c, by, of))
            return true;
    }
    return false;
}

/* The statement that the call is a part of, without the blocks in it. */
static struct span expression_around(struct check *c, const struct call *call)
{
    struct span whole;
    const char *text;
    bool is_plain = statement_text(c, call_span(call), &whole, &text) && !strpbrk(text, "{}?&|");
    return is_plain ? whole : call_span(call);
}

struct other_reads {
    struct check *check;
    const struct call *call;
    ir_value own;
    struct variable variable;
    struct span around; /* the order of what is in it is not specified */
    bool any;
};

/* In a round of a loop before, it is a state: inplace-on-state reports that. */
static void find_other_read(const struct ir_function *f, ir_value user, enum variable_use how,
                            void *context)
{
    struct other_reads *r = context;
    struct span at = f->insts.items[user].span, own = f->insts.items[r->own].span;
    struct span call = call_span(r->call);
    bool is_other = user != r->own && (at.line != own.line || at.column != own.column);
    bool is_before = is_in_one_loop(code_view(r->check, f), user, r->call->inst) &&
                     (at.line < call.line || (at.line == call.line && at.column < call.column));
    if (how != VARIABLE_READ || !is_other || span_contains(&call, &at))
        return;
    r->any |=
        span_contains(&r->around, &at) ||
        (!is_before && path_exists(r->check, f, r->call->inst, user, sets_variable, &r->variable));
}

/* Whether the function reads the variable again while it holds what was changed. */
static bool is_read_again(struct check *c, const struct call *call, const struct argument *x,
                          int64_t variable)
{
    struct other_reads r = {
        c, call, x->value, {call->function, variable}, expression_around(c, call), false};
    variable_users(c, call->function, variable, find_other_read, &r);
    return r.any;
}

/* "linear(silu_(x), w)": x is read again, by the function itself or by its caller. */
static void check_operand(struct check *c, const struct call *call, const struct argument *x,
                          const struct frame_place *called)
{
    const struct ir_function *f = call->function;
    int64_t variable = variable_read(c, f, x->value);
    if (is_dynamic(&f->insts.items[call->inst]) || variable < 0 || says_so(f) ||
        !is_operand(c, f, call->inst, call->inst))
        return;
    bool by_caller = called && is_parameter(c, f, x->value) && is_shared(c, f, x->value, called);
    if ((!by_caller && !is_read_again(c, call, x, variable)) || was_reported(c, f, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, f, call_span(call),
                    "%s changes '%s' in place as a part of an expression, and it is read again",
                    call->callee->shown, x->name);
    finding_mark(c, out, x->span);
    if (by_caller)
        finding_place(c, out, "called at", &called->span);
}

static void check(struct check *c, const struct call *call)
{
    const struct ir_function *f = call->function;
    const struct argument *x = call_written(call);
    const struct flow_call *seen = flow_call_of(c->in->flow, f, call->inst);
    if (x && seen->called && call->result && !returns_number(c, f))
        check_returned(c, call, x, seen->called);
    bool is_number = x && seen->called && call->result && returns_number(c, f) && !says_so(f) &&
                     is_parameter(c, f, x->value) && is_for_its_result(c, call) &&
                     is_shared(c, f, x->value, seen->called);
    if (x && call->result && !is_number)
        check_operand(c, call, x, seen->called);
    if (!is_number)
        return;
    struct span at = seen->called->span;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, f, call_span(call),
                    "%s changes '%s' in place, and the caller of %s() reads it again",
                    call->callee->shown, x->name, f->name);
    finding_mark(c, out, x->span);
    finding_place(c, out, "called at", &at);
}

const struct rule_code rule_inplace_on_argument = {.call = check};
