/* An in-place operation writes to a copy that is never read: the result of a cast, or of a reshape
 * that could not be a view. Or the result of an operation is ignored that was meant to change its
 * operand. */
#include "rules/engine/engine.h"

#include <string.h>

static const struct argument *first_tensor(const struct call *call)
{
    for (int k = 0; k < call->count; k++)
        if (argument_is_tensor(&call->arguments[k]))
            return &call->arguments[k];
    return NULL;
}

/* Nothing is given for it, as for an option. */
static bool is_left_out(const struct argument *a)
{
    return !a->value || (a->seen && a->seen->kind == OPERAND_ABSENT);
}

/* Whether the result is a tensor of its own: also of a call that could be given one to write to,
 * and is not. A product, which nobody expects to change its operands, may be there for the time it
 * takes. */
static bool is_made_anew(const struct call *call)
{
    const struct pack_function *f = call->callee;
    bool has_out = f->alias == ALIAS_SAME && f->alias_of >= 0 && f->values != VALUES_MATMUL;
    for (int k = 0; has_out && k < call->count; k++)
        if (call->arguments[k].param == &f->params[f->alias_of])
            return is_left_out(&call->arguments[k]);
    return f->alias == ALIAS_FRESH;
}

/* Whether its only effect is the tensor that it returns. */
static bool only_makes(const struct call *call)
{
    const struct pack_function *f = call->callee;
    bool writes = false;
    for (int k = 0; k < call->count; k++)
        writes |= (call->arguments[k].param->out || call->arguments[k].param->written) &&
                  !is_left_out(&call->arguments[k]);
    return f->returns_tensor && is_made_anew(call) && !f->effects && f->differentiable && !writes;
}

static bool is_meant(struct check *c, struct span call)
{
    const struct source *s = sources_get(c->in->sources, call.file);
    return s && is_result_discarded(s, &call);
}

/* It is written where an argument says. */
static bool is_given_out(const struct call *call)
{
    const struct ir_inst *i = &call->function->insts.items[call->inst];
    for (int k = 0; i->labels && k < i->arg_count; k++)
        if (i->labels[k] && !strcmp(i->labels[k], "out"))
            return true;
    return false;
}

/* ---- for the time it takes ------------------------------------------------------------------- */

/* Whether nothing is done with what the call makes. */
static bool is_unused(struct check *c, const struct call *call)
{
    return only_makes(call) && !code_view(c, call->function)->users[call->inst].count &&
           is_statement(c, call_span(call));
}

static bool never(struct check *c, const struct ir_inst *i, const void *context)
{
    (void)c, (void)i, (void)context;
    return false;
}

struct use_search {
    struct check *check;
    const struct call *call;
    bool is_used; /* elsewhere, by something whose result is not ignored, too */
};

static void search_users(struct use_search *s, const struct ir_function *f, ir_value v)
{
    const value_list *users = &code_view(s->check, f)->users[v];
    for (int k = 0; k < users->count && !s->is_used; k++) {
        ir_value user = users->items[k];
        const struct flow_call *by = flow_call_of(s->check->in->flow, f, user);
        struct call other;
        if (by && by->callee->effects & EFFECT_BOX)
            search_users(s, f, user);
        else if (!by || !call_view(s->check, f, user, &other) || !is_unused(s->check, &other))
            s->is_used = path_exists(s->check, f, s->call->inst, user, never, NULL);
    }
}

static void search_use(const struct ir_function *f, ir_value user, enum variable_use how,
                       void *context)
{
    struct use_search *s = context;
    if (how == VARIABLE_OTHER)
        s->is_used = true;
    else if (how == VARIABLE_READ)
        search_users(s, f, user);
}

/* Whether the variable holds what the function made itself: nobody else has it. */
static bool is_own(struct check *c, const struct call *call, const struct argument *x,
                   int64_t variable)
{
    const struct ir_function *f = call->function;
    ir_value held = value_held(c, f, variable, x->value);
    struct call made;
    return held && argument_maker(c, x, &made) && made.function == f &&
           made.inst == value_within(c, f, held) && (call_is_factory(&made) || only_makes(&made));
}

/* It is repeated on what nothing else uses afterwards: a measurement of time. */
static bool is_timed(struct check *c, const struct call *call, const struct argument *x)
{
    const struct ir_function *f = call->function;
    int64_t variable = variable_read(c, f, x->value);
    struct use_search s = {c, call, false};
    if (variable < f->param_count || !is_in_loop(code_view(c, f), call->inst) ||
        !is_own(c, call, x, variable))
        return false;
    variable_users(c, f, variable, search_use, &s);
    return !s.is_used;
}

static void check_unused(struct check *c, const struct call *call)
{
    const struct argument *x = only_makes(call) ? first_tensor(call) : NULL;
    if (!x || is_given_out(call) || call->family == FAMILY_CLONE ||
        reads_part(&call->function->insts.items[call->inst]) ||
        code_view(c, call->function)->users[call->inst].count ||
        !is_statement(c, call_span(call)) || is_meant(c, call_span(call)) || call_fails(call) ||
        ir_is_tried(call->function, call->inst) || /* to see whether it raises */
        is_timed(c, call, x))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "the result of %s is not used: '%s' stays as it is",
                                      call->callee->shown, x->name);
    finding_mark(c, out, x->span);
    const char *name = value_name(c->in->arena, call->function, x->value);
    struct span before = call_span(call);
    before.end_line = before.line;
    before.end_column = before.column;
    if (!name)
        return;
    fix_edit(c, out, before,
             arena_printf(c->in->arena, "%s%s", name, language_of(call->function)->assign));
    out->fix.what = arena_printf(c->in->arena, "assign it to %s", name);
}

/* ---- layout ---------------------------------------------------------------------------------- */

enum { MAX_MAKERS = 16 };

/* Whether elements keep their order: true of views that only change the sizes. */
static bool keeps_order(const struct pack_function *f)
{
    return f->alias == ALIAS_FRESH || f->alias == ALIAS_SAME || f->shape.rule == SHAPE_LIKE ||
           f->shape.rule == SHAPE_SIZES;
}

/* Whether the tensor is certainly contiguous: it was made so, and is no view of anything else. */
static bool is_contiguous(struct check *c, const struct argument *x, int depth)
{
    struct call made;
    if (x->seen && x->seen->fact.zero_dim == TRI_YES)
        return true;
    if (depth == MAX_MAKERS || !argument_maker(c, x, &made) || !made.callee->returns_tensor ||
        !keeps_order(made.callee))
        return false;
    for (int k = 0; k < made.count; k++)
        if (argument_is_tensor(&made.arguments[k]) &&
            !is_contiguous(c, &made.arguments[k], depth + 1))
            return false;
    return true;
}

/* Whether a call that copies only if the layout requires it returns a view here. */
static bool is_by_layout(struct check *c, const struct call *call, unsigned kinds)
{
    const struct argument *x = first_tensor(call);
    bool layout = kinds & (1u << ALIAS_MAYBE_VIEW | 1u << ALIAS_MAYBE_SAME);
    return layout && !(kinds & 1u << ALIAS_FRESH) && x && is_contiguous(c, x, 0);
}

/* The result takes the place of the operand, which nobody has any more: a write to it is meant. */
static bool is_rebound(struct check *c, const struct call *call)
{
    const struct argument *x = first_tensor(call);
    ir_value place = call_place(c, call);
    const char *to = place ? value_name(c->in->arena, call->function, place) : NULL;
    const char *from = x ? value_name(c->in->arena, call->function, x->value) : NULL;
    return to && from && !strcmp(to, from);
}

/* No variable holds the tensor, nor what it is a view of: nobody misses what is written. */
static bool is_nobodys(struct check *c, const struct call *in, const struct argument *x, int depth)
{
    struct call made;
    if (depth == MAX_MAKERS || value_name(c->in->arena, in->function, x->value) ||
        !argument_maker(c, x, &made))
        return false;
    if (made.callee->alias == ALIAS_FRESH)
        return true;
    const struct argument *of = first_tensor(&made);
    return of && made.function == in->function && is_nobodys(c, &made, of, depth + 1);
}

static void check_copy(struct check *c, const struct call *call)
{
    const struct argument *x = first_tensor(call);
    bool may_copy = call->callee->returns_tensor && (call->callee->alias == ALIAS_MAYBE_SAME ||
                                                     call->callee->alias == ALIAS_MAYBE_VIEW);
    unsigned kinds = alias_kinds(call->result), copies = 1u << ALIAS_FRESH;
    if (!may_copy || !(kinds & (copies | 1u << ALIAS_MAYBE_VIEW | 1u << ALIAS_MAYBE_SAME)) ||
        flow_use_of(c->in->flow, call->function, call->inst) != USE_WRITTEN ||
        is_by_layout(c, call, kinds) || is_rebound(c, call) || (x && is_nobodys(c, call, x, 0)))
        return;
    bool always = kinds == copies;
    if (!always && reads_part(&call->function->insts.items[call->inst]))
        return; /* of an index of which nothing is known: a number selects a view */
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call), "this write %s: %s %s a copy",
        always ? "is lost" : "may be lost", call->callee->shown, always ? "gives" : "can give");
    for (int k = 0; k < call->count; k++)
        if (argument_is_tensor(&call->arguments[k]))
            finding_mark(c, out, call->arguments[k].span);
}

/* What indices or a mask select is a copy. */
static void check_selected(struct check *c, const struct call *call)
{
    const struct argument *x = first_tensor(call);
    if (call->family != FAMILY_GATHER || call->callee->alias != ALIAS_FRESH || !x ||
        flow_use_of(c->in->flow, call->function, call->inst) != USE_WRITTEN)
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "this write is lost: indices select a copy of '%s'", x->name);
    finding_mark(c, out, x->span);
}

static void check(struct check *c, const struct call *call)
{
    check_copy(c, call);
    check_selected(c, call);
    check_unused(c, call);
}

const struct rule_code rule_lost_write = {.call = check};
