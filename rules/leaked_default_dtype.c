/* A function changes the default dtype for the tensors that it makes, and returns without changing
 * it back: what others make without a dtype gets it, too. */
#include "rules/engine/engine.h"

#include <string.h>

/* context: the function. */
static bool sets_default(struct check *c, const struct ir_inst *i, const void *context)
{
    const struct ir_function *in = context;
    const struct pack_function *f =
        i->op == IR_CALL && i->name ? packs_find(c->in->packs, i->name) : NULL;
    if (i->op == IR_INVOKE || (i->op == IR_CALL && !i->name)) {
        const struct flow_call *by = flow_call_of(c->in->flow, in, (ir_value)(i - in->insts.items));
        f = by ? by->callee : NULL;
    }
    return f && pack_param_with(f, ROLE_DEFAULT_DTYPE) >= 0;
}

enum { MAX_DEPTH = 2 };

/* Whether it calls the function, directly or through others. */
static bool leads_to(struct check *c, const struct ir_function *f, const struct ir_function *to,
                     int depth)
{
    for (int n = 1; depth && n < f->insts.count; n++) {
        const struct ir_function *callee =
            f->insts.items[n].op == IR_CALL ? flow_callee_of(c->in->flow, f, n) : NULL;
        if (callee && (callee == to || leads_to(c, callee, to, depth - 1)))
            return true;
    }
    return false;
}

/* A function that calls it and sets the default, too, may be what changes it back. */
static bool is_set_around(struct check *c, const struct ir_function *of)
{
    for (int u = 0; u < c->in->unit_count; u++)
        for (int k = 0; k < c->in->units[u]->functions.count; k++) {
            const struct ir_function *f = c->in->units[u]->functions.items[k];
            bool sets = false;
            for (int n = 1; f != of && n < f->insts.count && !sets; n++)
                sets = sets_default(c, &f->insts.items[n], f);
            if (sets && leads_to(c, f, of, MAX_DEPTH))
                return true;
        }
    return false;
}

static bool is_call(const struct ir_inst *i)
{
    return i->op == IR_CALL || i->op == IR_INVOKE;
}

/* Makes a tensor, and leaves its dtype to the default. */
static bool is_by_default(const struct call *made)
{
    const struct argument *dtype = call_argument(made, ROLE_DTYPE);
    return call_is_factory(made) && dtype && !dtype->value && made->result;
}

/* Whether the function makes such tensors itself: what it sets is for these. */
static bool is_for_own(struct check *c, const struct call *call)
{
    struct arena *a = arena_new();
    const bool *reached =
        paths_from(c, a, call->function, call->inst, sets_default, call->function);
    bool makes = false;
    struct call made;
    for (int n = 1; n < call->function->insts.count && !makes; n++)
        makes = reached[n] && is_call(&call->function->insts.items[n]) &&
                call_view(c, call->function, n, &made) && is_by_default(&made);
    arena_free(a);
    return makes;
}

static bool is_called_by(const struct frame_place *called, const struct ir_function *f)
{
    for (; called; called = called->outer)
        if (called->caller == f)
            return true;
    return false;
}

/* A function or class that the program itself does not use: it is analysed with what the body of
 * the module left behind, whatever its users do. */
static bool is_unused(const struct flow_call *call)
{
    const struct ir_function *first = call->function;
    for (const struct frame_place *p = call->called; p; p = p->outer)
        first = p->caller;
    return is_dynamic(&call->function->insts.items[call->inst]) &&
           strcmp(first->name, "(init)") != 0;
}

/* A tensor that another function makes with that dtype, since it is the default; false: none. */
static bool find_other(struct check *c, const struct call *call, dtype_set dtype, struct call *out)
{
    for (int i = 0; i < flow_call_count(c->in->flow); i++) {
        const struct flow_call *other = flow_call_at(c->in->flow, i);
        if (other->function != call->function && !is_unused(other) &&
            !is_called_by(other->called, call->function) &&
            call_view(c, other->function, other->inst, out) && is_by_default(out) &&
            out->result->fact.dtypes & dtype)
            return true;
    }
    return false;
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *to = call_argument(call, ROLE_DEFAULT_DTYPE);
    const struct flow_call *seen = flow_call_of(c->in->flow, call->function, call->inst);
    struct call other;
    if (!to || !to->known || !seen || !seen->called || is_set_around(c, call->function) ||
        !path_exists(c, call->function, call->inst, 0, sets_default, call->function) ||
        !is_for_own(c, call))
        return;
    enum dtype d = (enum dtype)to->number;
    if (d == DTYPE_F32 || !find_other(c, call, DTYPE_SET(d), &other))
        return;
    struct span at = call_span(&other);
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s returns with %s as the default dtype: %s makes %s, too",
                    call->function->name, dtype_word(d), other.callee->shown, dtype_word(d));
    finding_mark(c, out, to->span);
    finding_place(c, out, "made with it", &at);
}

const struct rule_code rule_leaked_default_dtype = {.call = check};
