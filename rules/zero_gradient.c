/* What requires a gradient is rounded on its way into a loss, and used for nothing else: the
 * gradient of rounding is zero everywhere, so that backward runs, and trains nothing before it. */
#include "rules/engine/engine.h"

enum { MAX_VISITED = 64 };

/* Whether the elements of the result change in steps: rounded, or a sign. */
static bool gives_steps(const struct pack_function *f)
{
    enum pack_values what = f->values;
    bool is_sign = what == VALUES_WITHIN && f->within.is_whole;
    return f->differentiable && (what == VALUES_FLOOR || what == VALUES_CEIL ||
                                 what == VALUES_ROUND || what == VALUES_TRUNC || is_sign);
}

static bool has_gradient(struct check *c, const struct flow_call *by)
{
    const struct flow_value *v = flow_value_of(c->in->flow, by->function, by->inst);
    return v && v->fact.grad == TRI_YES;
}

/* The calls on the way from one to a backward. */
struct way {
    struct check *check;
    const struct flow_call *visited[MAX_VISITED];
    int count;
    const struct flow_call *backward; /* NULL: not found */
};

static bool visit_once(struct way *w, const struct flow_call *by)
{
    for (int i = 0; i < w->count; i++)
        if (w->visited[i] == by)
            return false;
    if (w->count == MAX_VISITED)
        return false;
    w->visited[w->count++] = by;
    return true;
}

static void find_backward(struct way *w, const struct ir_function *f, ir_value inst)
{
    const consumer_list *uses = consumers_of(w->check, f, inst);
    for (int i = 0; i < uses->count && !w->backward; i++) {
        const struct flow_call *by = uses->items[i].by;
        if (by->callee->effects & EFFECT_BACKWARD)
            w->backward = by;
        else if (has_gradient(w->check, by) && visit_once(w, by))
            find_backward(w, by->function, by->inst);
    }
}

/* Whether a gradient reaches it in another way, so that this one need not have any. */
static bool is_used_otherwise(struct check *c, const struct call *call, const struct argument *x)
{
    struct call made;
    if (!argument_maker(c, x, &made))
        return true;
    const consumer_list *uses = consumers_of(c, made.function, made.inst);
    for (int i = 0; i < uses->count; i++) {
        const struct flow_call *by = uses->items[i].by;
        bool is_this = by->function == call->function && by->inst == call->inst;
        if (!is_this && (has_gradient(c, by) || by->callee->effects & EFFECT_BACKWARD))
            return true;
    }
    return false;
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *x = gives_steps(call->callee) ? call_argument(call, ROLE_INPUT) : NULL;
    struct way w = {.check = c};
    struct call backward;
    if (!argument_is_tensor(x) || x->seen->unknown || x->seen->fact.grad != TRI_YES ||
        !call->result || call->result->fact.grad != TRI_YES || is_used_otherwise(c, call, x))
        return;
    find_backward(&w, call->function, call->inst);
    if (!w.backward || !call_view(c, w.backward->function, w.backward->inst, &backward) ||
        was_reported(c, call->function, call->inst))
        return;
    struct span end = call_span(&backward);
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "the gradient of %s is zero everywhere: nothing that '%s' "
                                      "was computed from is trained through it",
                                      call->callee->shown, x->name);
    finding_mark(c, out, x->span);
    finding_place(c, out, "backward", &end);
}

const struct rule_code rule_zero_gradient = {.call = check};
