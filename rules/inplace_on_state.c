/* A state that is kept from one round to the next is updated by a sum, and then changed in place by
 * an operation whose result is used: the next round reads what that made. */
#include "rules/engine/engine.h"

#include <string.h>

enum { MAX_DEPTH = 4 };

static bool is_sum(const struct call *call)
{
    return call->family == FAMILY_ADD || call->family == FAMILY_SUBTRACT ||
           call->family == FAMILY_LERP;
}

/* Computes a function of the state, where a sum could be a part of its update, and a limit is meant
 * to last. */
static bool is_function(const struct call *call)
{
    enum pack_values of = call->callee->values;
    bool is_unary = of >= VALUES_NEG && of <= VALUES_RELU;
    return is_unary || call->family == FAMILY_MULTIPLY || call->family == FAMILY_DIVIDE ||
           call->family == FAMILY_SQRT || call->family == FAMILY_SQUARE;
}

/* Another call computes with the result, or a variable of the function gets it. */
static bool is_used(struct check *c, const struct call *call)
{
    const struct ir_function *f = call->function;
    const value_list *users = &code_view(c, f)->users[call->inst];
    for (int k = 0; k < users->count; k++) {
        const struct ir_inst *i = &f->insts.items[users->items[k]];
        bool computes = i->op == IR_CALL || i->op == IR_INVOKE || i->op == IR_APPLY;
        if (computes || variable_set(c, f, users->items[k]) >= f->param_count)
            return true;
    }
    return false;
}

struct place {
    const struct ir_function *function;
    const char *name;
};

static bool sets(struct check *c, const struct ir_inst *i, const void *context)
{
    const struct place *p = context;
    if (!ir_op_writes(i->op))
        return false;
    ir_value self = (ir_value)(i - p->function->insts.items);
    const char *name = value_name(c->in->arena, p->function, i->op == IR_STORE ? i->args[0] : self);
    return name && !strcmp(name, p->name);
}

/* The sum that the state was set to: s = a * s + b. */
static bool find_assigned(struct check *c, const struct call *call, const struct argument *x,
                          const char *place, struct call *sum)
{
    if (x->flow->made_count != 1 || !step_call(c, x->flow->made[0], sum) ||
        sum->function != call->function || !is_sum(sum) || call_written(sum))
        return false;
    for (int k = 0; k < sum->count; k++)
        if (sum->arguments[k].value &&
            comes_from_place(c, sum->function, sum->arguments[k].value, place, MAX_DEPTH))
            return true;
    return false;
}

/* The sum that was added to it, as a statement of its own: add_(s, b). */
static bool find_added(struct check *c, const struct call *call, const char *place,
                       struct call *sum)
{
    const struct ir_function *f = call->function;
    for (int n = 1; n < f->insts.count; n++) {
        if (n == call->inst || code_view(c, f)->users[n].count || !call_view(c, f, n, sum))
            continue;
        const struct argument *to = call_written(sum);
        const char *name = to && is_sum(sum) && to->value ? place_read(c, f, to->value) : NULL;
        if (name && !strcmp(name, place) && comes_after(c, sum, call))
            return true;
    }
    return false;
}

/* Whether the next round reads what is there: of a place that the caller has, the next call. */
static bool is_read_next(struct check *c, const struct call *call, const struct argument *x,
                         const char *name, const struct call *sum)
{
    const struct ir_function *f = call->function;
    struct place p = {f, name};
    ir_value read = value_within(c, f, x->value);
    const struct ir_inst *i = &f->insts.items[read];
    ir_value place = i->op == IR_LOAD ? i->args[0] : read;
    ir_value next = place_outlives(f, place) ? 0 : sum->inst;
    return path_exists(c, f, call->inst, next, sets, &p);
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *x = call_written(call);
    struct call sum;
    if (!x || !x->value || !x->flow || !call->result || !is_function(call) || !is_used(c, call))
        return;
    const char *place = place_read(c, call->function, x->value);
    if (!place || !(find_assigned(c, call, x, place, &sum) || find_added(c, call, place, &sum)) ||
        !is_read_next(c, call, x, place, &sum))
        return;
    struct span at = call_span(&sum);
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                    "%s changes '%s' in place, and the next update of '%s' continues from that",
                    call->callee->shown, x->name, x->name);
    finding_mark(c, out, x->span);
    finding_place(c, out, "updated by", &at);
    if (fix_out_of_place(c, out, call))
        out->fix.what = "compute a new tensor";
}

const struct rule_code rule_inplace_on_state = {.call = check};
