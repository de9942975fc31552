/* A tensor is changed in place that may be the operand of a cast: a cast that has nothing to do
 * returns its operand, so the change is visible elsewhere. */
#include "rules/engine/engine.h"

#include <string.h>

enum { MAX_VIEWS = 8 };

static bool is_view(const struct call *call)
{
    bool is_part = is_dynamic(&call->function->insts.items[call->inst]) &&
                   call->callee->alias == ALIAS_MAYBE_VIEW;
    return (call->callee->alias == ALIAS_VIEW || is_part) && !call_written(call) &&
           !call_is_cast(call);
}

/* Returns its operand unless there is something to do. */
static bool may_return_it(const struct call *call)
{
    return call_is_cast(call) || (call->callee->alias == ALIAS_MAYBE_SAME &&
                                  call->callee->values == VALUES_SAME && !call_written(call));
}

static bool returns_it(const struct call *cast)
{
    unsigned kinds = alias_kinds(cast->result);
    return kinds >> ALIAS_SAME & 1 || (!call_is_cast(cast) && kinds >> ALIAS_MAYBE_SAME & 1);
}

/* The value behind a view. */
static const struct flow_value *viewed(const struct call *view)
{
    for (int k = 0; k < view->count; k++)
        if (argument_is_tensor(&view->arguments[k]))
            return view->arguments[k].flow;
    return NULL;
}

/* The cast that returned the tensor, or the tensor that it is a view of, possibly unchanged. */
static const struct step *find_cast(struct check *c, const struct flow_value *x, struct call *cast)
{
    for (int depth = 0; x && depth < MAX_VIEWS; depth++) {
        const struct flow_value *below = NULL;
        const struct step *steps[FLOW_ALIASES + 1] = {x->via};
        for (int i = 0; i < x->made_count; i++)
            steps[i + 1] = x->made[i];
        for (int i = 0; i <= x->made_count; i++) {
            if (!step_call(c, steps[i], cast))
                continue;
            if (may_return_it(cast))
                return steps[i];
            below = is_view(cast) ? viewed(cast) : below;
        }
        x = below;
    }
    return NULL;
}

static const struct argument *given_to(const struct call *cast)
{
    for (int k = 0; k < cast->count; k++)
        if (argument_is_tensor(&cast->arguments[k]))
            return &cast->arguments[k];
    return NULL;
}

/* A call that changes the value in place, and returns it; 0: none. */
static ir_value changed_by(struct check *c, const struct ir_function *f, ir_value v)
{
    const value_list *users = &code_view(c, f)->users[v];
    struct call call;
    for (int k = 0; k < users->count; k++) {
        const struct argument *x =
            call_view(c, f, users->items[k], &call) ? call_written(&call) : NULL;
        if (x && x->value == v)
            return users->items[k];
    }
    return 0;
}

/* The local that the operand is read from and that the result replaces it in, possibly after it was
 * changed in place; -1: none. */
static int64_t replaced_local(struct check *c, const struct call *cast, ir_value given)
{
    const struct ir_function *f = cast->function;
    int64_t local = variable_read(c, f, given);
    ir_value v = cast->inst;
    for (int depth = 0; v && local >= 0 && depth < MAX_VIEWS; depth++) {
        const value_list *users = &code_view(c, f)->users[v];
        for (int k = 0; k < users->count; k++)
            if (ir_written(&f->insts.items[users->items[k]]) == v &&
                variable_set(c, f, users->items[k]) == local)
                return local;
        v = changed_by(c, f, v);
    }
    return -1;
}

/* The variable may still be what the caller passed: a parameter that was not set before. */
static bool is_of_caller(struct check *c, const struct ir_function *f, int64_t local, ir_value read)
{
    struct variable v = {f, local};
    const struct ir_block *first = &f->blocks.items[0];
    if (local < 0 || local >= f->param_count || !first->count)
        return local < f->param_count;
    return read == first->insts[0] || path_exists(c, f, first->insts[0], read, sets_variable, &v);
}

/* Whoever changes the variable that the operand was read from means the operand. */
static bool is_meant(struct check *c, const struct call *call, ir_value changed,
                     const struct call *cast, ir_value given)
{
    int64_t local = variable_read(c, cast->function, given);
    return call->function == cast->function && variable_read(c, call->function, changed) == local &&
           !is_of_caller(c, cast->function, local, given);
}

/* Who else has what a local held before a cast. */
struct others {
    struct check *check;
    const struct call *cast;
    ir_value but;
    bool any;
};

static bool no_instruction(struct check *c, const struct ir_inst *i, const void *context)
{
    (void)c;
    (void)i;
    (void)context;
    return false;
}

/* Whether who reads it keeps it: a call of an op does not. */
static bool is_kept(struct check *c, const struct ir_function *f, ir_value load)
{
    const value_list *users = &code_view(c, f)->users[load];
    for (int k = 0; k < users->count; k++) {
        const struct ir_inst *i = &f->insts.items[users->items[k]];
        bool calls = i->op == IR_CALL || i->op == IR_INVOKE || i->op == IR_MAKE;
        if (ir_written(i) == load || i->op == IR_RETURN ||
            (calls && !flow_call_of(c->in->flow, f, users->items[k])))
            return true;
    }
    return false;
}

/* Whether a local is used after an instruction, other than by being set. */
struct later {
    struct check *check;
    ir_value after;
    bool any;
};

static void find_later(const struct ir_function *f, ir_value user, enum variable_use how,
                       void *context)
{
    struct later *l = context;
    l->any |= how != VARIABLE_SET && path_exists(l->check, f, l->after, user, no_instruction, NULL);
}

/* Whether the value was read from memory that still has it at the cast: a local that is not set
 * before it and is used again, or another place. */
static bool is_copy(const struct others *o, const struct ir_function *f, ir_value user, ir_value v)
{
    struct later l = {o->check, o->cast->inst, false};
    struct variable from = {f, variable_read(o->check, f, v)};
    bool is_held =
        from.local >= 0 && path_exists(o->check, f, user, o->cast->inst, sets_variable, &from);
    if (is_held)
        variable_users(o->check, f, from.local, find_later, &l);
    return ir_op_reads(f->insts.items[v].op) && (from.local < 0 || l.any);
}

/* It was kept before, or came from memory. */
static void find_other(const struct ir_function *f, ir_value user, enum variable_use how,
                       void *context)
{
    struct others *o = context;
    ir_value put = ir_written(&f->insts.items[user]);
    bool is_taken = how == VARIABLE_READ && user != o->but && is_kept(o->check, f, user);
    bool is_copied = how == VARIABLE_SET && put != o->cast->inst && is_copy(o, f, user, put);
    struct variable v = {f, variable_read(o->check, f, o->but)};
    o->any |=
        (is_taken || is_copied) && path_exists(o->check, f, user, o->cast->inst, sets_variable, &v);
}

static bool is_elsewhere(struct check *c, const struct call *cast, ir_value given)
{
    int64_t local = variable_read(c, cast->function, given);
    struct others o = {c, cast, given, is_of_caller(c, cast->function, local, given)};
    if (!o.any)
        variable_users(c, cast->function, local, find_other, &o);
    return o.any;
}

/* "return x.to(dtype)": what the variables of the function held is gone with them. */
static bool is_gone(struct check *c, const struct call *cast, ir_value given)
{
    const struct ir_function *f = cast->function;
    const value_list *users = &code_view(c, f)->users[cast->inst];
    bool is_returned = users->count > 0;
    for (int k = 0; k < users->count; k++)
        is_returned &= f->insts.items[users->items[k]].op == IR_RETURN;
    return is_returned && variable_read(c, f, given) >= f->param_count &&
           !is_elsewhere(c, cast, given);
}

static bool is_call(struct check *c, const struct ir_inst *i, const void *context)
{
    const struct call *call = context;
    (void)c;
    return i == &call->function->insts.items[call->inst];
}

/* "x.float().clamp_(0, 1)": nobody reads the result, so that the change is meant for the operand.
 * Where a copy is made, lost-write reports it. */
static bool is_for_operand(struct check *c, const struct call *cast)
{
    return alias_kinds(cast->result) >> ALIAS_FRESH & 1 &&
           flow_use_of(c->in->flow, cast->function, cast->inst) == USE_WRITTEN;
}

/* "w.copy_(w.float().clamp_(0, 1))", "p.data = p.data.float().mul_(2).half()": what is made of it
 * replaces the operand. */
static bool is_put_back(struct check *c, const struct call *call, const struct argument *given)
{
    const struct ir_function *f = call->function;
    ir_value v = call->inst;
    for (int depth = 0; depth < MAX_VIEWS; depth++) {
        const value_list *users = &code_view(c, f)->users[v];
        struct call next;
        if (users->count != 1)
            return false;
        const struct ir_inst *i = &f->insts.items[users->items[0]];
        const char *of = i->op == IR_SETATTR ? value_name(c->in->arena, f, i->args[0]) : NULL;
        if (of)
            return !strcmp(arena_printf(c->in->arena, "%s.%s", of, i->name), given->name);
        if (!call_view(c, f, users->items[0], &next))
            return false;
        const struct argument *x = call_written(&next);
        if (x)
            return x->value != v && !strcmp(x->name, given->name);
        v = next.inst;
    }
    return false;
}

/* "if not x.is_floating_point(): x = x.float()": nothing is known of the operand but that the
 * program has asked whether there is something to cast. */
static bool is_decided(struct check *c, const struct call *cast, const struct argument *given)
{
    const struct ir_function *f = cast->function;
    ir_value first = f->blocks.items[0].count ? f->blocks.items[0].insts[0] : 0;
    if (!is_dynamic(&f->insts.items[cast->inst]) || argument_dtypes(given) != DTYPES_ALL || !first)
        return false;
    for (ir_value v = 1; v < f->insts.count; v++)
        if (f->insts.items[v].op == IR_RETURN && path_exists(c, f, first, v, is_call, cast))
            return true;
    return false;
}

/* ---- elements of containers ----------------------------------------------------------------- */

static bool is_at(struct span a, struct span b)
{
    return a.line == b.line && a.column == b.column && a.file && b.file && !strcmp(a.file, b.file);
}

static bool yields(const struct ir_function *f)
{
    for (int n = 1; n < f->insts.count; n++)
        if (f->insts.items[n].op == IR_YIELD)
            return true;
    return false;
}

/* What a loop takes was made by taking it, as what a loader or a generator yields. */
static bool is_made_by(const struct step *how, const struct ir_function *f, ir_value next)
{
    if (!how || !how->inst || yields(how->function))
        return true;
    if (how->function == f && (how->inst == next || how->inst == f->insts.items[next].args[0]))
        return true;
    const struct span *took = &f->insts.items[next].span,
                      *began = &f->insts.items[f->insts.items[next].args[0]].span;
    for (const struct frame_place *at = how->called; at; at = at->outer)
        if (yields(at->caller) ||
            (at->caller == f && (is_at(at->span, *took) || is_at(at->span, *began))))
            return true;
    return false;
}

/* What a loop takes: all of it, or one of a tuple; 0: it takes none. */
static ir_value next_taken(const struct ir_function *f, ir_value v)
{
    for (const struct ir_inst *i = &f->insts.items[v]; v && i->op == IR_APPLY;
         v = i->args[0], i = &f->insts.items[v]) {
        if (i->integer == PROTOCOL_NEXT)
            return v;
        if (i->integer != PROTOCOL_GETITEM && i->integer != PROTOCOL_UNPACK)
            break;
    }
    return 0;
}

/* "for x in xs: y = x.float()": the list that it is an element of is used afterwards. */
static bool is_element_kept(struct check *c, const struct call *cast, const struct argument *given,
                            const struct step *step)
{
    const struct ir_function *f = cast->function;
    int64_t local =
        is_dynamic(&f->insts.items[cast->inst]) ? variable_read(c, f, given->value) : -1;
    ir_value held = local >= f->param_count ? value_held(c, f, local, given->value) : 0;
    ir_value next = next_taken(f, held);
    return next && given->seen && !is_made_by(given->seen->how, f, next) &&
           is_kept_elsewhere(c, f, held, cast->inst, step->called);
}

/* A tensor and an array share their memory, whatever the variables are called. */
static void check_shared(struct check *c, const struct call *call, const struct argument *x,
                         const struct call *cast, const struct argument *given,
                         const struct step *step)
{
    unsigned views = 1u << ALIAS_VIEW | 1u << ALIAS_MAYBE_VIEW;
    if (!(alias_kinds(cast->result) & views) || !is_one(argument_dtypes(given)) ||
        argument_dtypes(given) != cast->result->fact.dtypes ||
        !is_kept_elsewhere(c, cast->function, given->value, cast->inst, step->called) ||
        was_reported(c, call->function, cast->inst))
        return;
    struct span at = call_span(cast);
    /* Where both are variables of one function, it may be meant. */
    bool is_seen = call->function == cast->function &&
                   variable_read(c, cast->function, given->value) >= cast->function->param_count;
    struct finding *out = finding_new(
        c, is_seen ? SEVERITY_NOTE : SEVERITY_WARNING, call->function, call_span(call),
        "%s changes '%s' as well, which is used elsewhere: the result of %s shares its memory",
        call->callee->shown, given->name, cast->callee->shown);
    finding_mark(c, out, x->span);
    finding_place(c, out, arena_printf(c->in->arena, "%s comes from", x->name), &at);
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *x = call_written(call);
    struct call cast;
    const struct step *step = x && x->flow ? find_cast(c, x->flow, &cast) : NULL;
    const struct argument *given = step ? given_to(&cast) : NULL;
    if (given && cast.result)
        check_shared(c, call, x, &cast, given, step);
    if (!given || !returns_it(&cast) ||
        !(is_shared(c, cast.function, given->value, step->called) ||
          is_element_kept(c, &cast, given, step)) ||
        was_reported(c, call->function, cast.inst))
        return;
    bool is_replaced = replaced_local(c, &cast, given->value) >= 0 ||
                       is_meant(c, call, x->value, &cast, given->value);
    if ((is_replaced && !is_elsewhere(c, &cast, given->value)) || is_gone(c, &cast, given->value) ||
        is_decided(c, &cast, given) || is_for_operand(c, &cast) || is_put_back(c, call, given) ||
        replaces_operand(c, &cast, given))
        return;
    struct span at = call_span(&cast);
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s may change '%s', which is used elsewhere: %s returns its operand "
                    "if there is nothing to %s",
                    call->callee->shown, given->name, cast.callee->shown,
                    call_is_cast(&cast) ? "cast" : "copy");
    finding_mark(c, out, x->span);
    finding_place(c, out, arena_printf(c->in->arena, "%s comes from", x->name), &at);
    if (is_spelled_out(c, &cast) &&
        fix_wrap(c, out, at, pack_spelling_of(cast.callee)->clone, NULL))
        out->fix.what = call_is_cast(&cast)
                            ? arena_printf(c->in->arena, "copy %s where it is cast", given->name)
                            : arena_printf(c->in->arena, "copy %s in any case", given->name);
}

const struct rule_code rule_inplace_on_cast_alias = {.call = check};
