/* Something that requires a gradient is read as a number, or detached, on its way into a loss: a
 * parameter that every such way ends for is never trained, and a term of a loss that is a number
 * changes no gradient. */
#include "rules/engine/engine.h"

/* Whether the elements come out as they are, without their gradient: detached, or as those of a new
 * tensor. */
static bool detaches(const struct flow_call *by)
{
    const struct pack_function *f = by->callee;
    bool passes =
        f->values == VALUES_SAME || (f->values == VALUES_EITHER && f->alias == ALIAS_FRESH);
    return passes && f->returns_tensor && !f->differentiable && !f->effects;
}

static bool has_gradient(const struct flow_value *v)
{
    return v && v->fact.grad == TRI_YES;
}

enum { MAX_DEPTH = 12, MAX_VISITED = 64 };

/* ---- terms of a loss ------------------------------------------------------------------------- */

/* Of something that had one. */
static bool reads_gradient(struct check *c, const struct flow_call *read, const void *context)
{
    (void)c;
    (void)context;
    return reads_numbers(read->callee) && read->operands[0].fact.grad == TRI_YES &&
           !read->operands[0].unknown;
}

static void check_term(struct check *c, const struct call *sum, const struct argument *term,
                       const struct call *backward)
{
    const struct flow_call *seen = number_read(c, sum->function, term->value, reads_gradient, NULL);
    struct call read;
    if (!seen || !call_view(c, seen->function, seen->inst, &read) ||
        was_reported(c, read.function, read.inst))
        return;
    const struct argument *x = &read.arguments[0];
    struct span at = call_span(sum), end = call_span(backward);
    struct finding *out = finding_new(c, SEVERITY_WARNING, read.function, call_span(&read),
                                      "the gradient of '%s' ends here: %s gives a number, and a "
                                      "number that is added to a loss changes no gradient",
                                      x->name, read.callee->shown);
    finding_mark(c, out, x->span);
    finding_place(c, out, "added", &at);
    finding_place(c, out, "backward", &end);
}

/* Whether a gradient goes through it to the one tensor that it has, as if that were the loss. */
static const struct argument *passes_loss(const struct call *made)
{
    const struct argument *only = NULL;
    for (int k = 0; k < made->count; k++) {
        if (!argument_is_tensor(&made->arguments[k]))
            continue;
        if (only)
            return NULL;
        only = &made->arguments[k];
    }
    return only;
}

static void check_terms(struct check *c, const struct argument *loss, const struct call *backward,
                        int depth)
{
    struct call made;
    if (depth > MAX_DEPTH || !argument_maker(c, loss, &made) || !has_gradient(made.result))
        return;
    bool adds = made.family == FAMILY_ADD || made.family == FAMILY_SUBTRACT;
    const struct argument *sides[] = {call_argument(&made, ROLE_LEFT),
                                      call_argument(&made, ROLE_RIGHT)};
    if (!adds && passes_loss(&made))
        check_terms(c, passes_loss(&made), backward, depth + 1);
    for (int k = 0; adds && k < 2; k++) {
        if (argument_is_tensor(sides[k]))
            check_terms(c, sides[k], backward, depth + 1);
        else if (sides[k] && sides[k]->value)
            check_term(c, &made, sides[k], backward);
    }
}

static void check(struct check *c, const struct call *call)
{
    if (call->callee->effects & EFFECT_BACKWARD && call->count &&
        argument_is_tensor(&call->arguments[0]))
        check_terms(c, &call->arguments[0], call, 0);
}

/* ---- parameters that get no gradient --------------------------------------------------------- */

static int tensor_count(const struct flow_call *call)
{
    int count = 0;
    for (int k = 0; k < call->operand_count; k++)
        count += call->operands[k].kind == OPERAND_TENSOR;
    return count;
}

struct reading {
    struct check *check;
    bool is_used;
    int depth;
};

static void read_value(struct reading *r, const struct ir_function *f, ir_value v);

static void read_variable(const struct ir_function *f, ir_value user, enum variable_use how,
                          void *context)
{
    if (how == VARIABLE_READ)
        read_value(context, f, user);
}

/* Whether something with a gradient is computed with the number. */
static void read_value(struct reading *r, const struct ir_function *f, ir_value v)
{
    const value_list *users = &code_view(r->check, f)->users[v];
    if (r->depth++ > MAX_VISITED)
        return;
    for (int k = 0; k < users->count && !r->is_used; k++) {
        ir_value user = users->items[k];
        int64_t variable = variable_set(r->check, f, user);
        r->is_used = has_gradient(flow_value_of(r->check->in->flow, f, user));
        if (variable >= 0)
            variable_users(r->check, f, variable, read_variable, r);
        else if (is_number_arithmetic(&f->insts.items[user]))
            read_value(r, f, user);
    }
}

/* The same of a tensor that was detached. One that requires a gradient of its own from then on
 * takes the place of the parameter: stale-after-move. */
static bool meets_gradient(struct check *c, const struct ir_function *f, ir_value inst, int depth)
{
    const consumer_list *uses = depth ? consumers_of(c, f, inst) : NULL;
    bool is_met = false;
    for (int i = 0; uses && i < uses->count; i++) {
        const struct flow_call *by = uses->items[i].by;
        const struct flow_value *v = flow_value_of(c->in->flow, by->function, by->inst);
        if (has_gradient(v) && v->fact.leaf != TRI_NO)
            return false;
        is_met |= has_gradient(v) || meets_gradient(c, by->function, by->inst, depth - 1);
    }
    return is_met;
}

static bool is_cut(struct check *c, const struct flow_call *by)
{
    struct reading r = {.check = c};
    if (detaches(by))
        return meets_gradient(c, by->function, by->inst, MAX_DEPTH / 4);
    if (reads_numbers(by->callee))
        read_value(&r, by->function, by->inst);
    return r.is_used;
}

/* The call that ends the gradient of what was made there, behind calls that take nothing else. */
static const struct flow_call *find_cut(struct check *c, const struct ir_function *f, ir_value inst,
                                        int depth)
{
    const consumer_list *uses = depth ? consumers_of(c, f, inst) : NULL;
    for (int i = 0; uses && i < uses->count; i++) {
        const struct flow_call *by = uses->items[i].by;
        bool is_made = by->callee->values == VALUES_EITHER && by->callee->alias == ALIAS_FRESH;
        if (by->operands[uses->items[i].operand].fact.grad != TRI_YES ||
            (tensor_count(by) != 1 && !is_made))
            continue;
        if (is_cut(c, by))
            return by;
        const struct flow_call *later =
            has_gradient(flow_value_of(c->in->flow, by->function, by->inst))
                ? find_cut(c, by->function, by->inst, depth - 1)
                : NULL;
        if (later)
            return later;
    }
    return NULL;
}

/* Whether the program computes gradients itself, so that those it computes are known. */
static bool has_backward(struct check *c)
{
    for (int i = 0; i < flow_call_count(c->in->flow); i++)
        if (flow_call_at(c->in->flow, i)->callee->effects & EFFECT_BACKWARD)
            return true;
    return false;
}

static void check_untrained(struct check *c)
{
    int count = flow_untrained_count(c->in->flow);
    for (int i = 0; i < count && has_backward(c); i++) {
        const struct flow_untrained *idle = flow_untrained_at(c->in->flow, i);
        bool is_sure = flow_is_untrained(c->in->flow, idle) && idle->how->inst;
        const struct flow_call *cut =
            is_sure ? find_cut(c, idle->how->function, idle->how->inst, MAX_DEPTH / 4) : NULL;
        struct call at, step;
        if (!cut || !is_selected(c, cut->function) ||
            !call_view(c, cut->function, cut->inst, &at) ||
            !call_view(c, idle->function, idle->inst, &step) ||
            was_reported(c, cut->function, cut->inst))
            continue;
        struct span stepped = call_span(&step);
        struct finding *out =
            finding_new(c, SEVERITY_WARNING, at.function, call_span(&at),
                        "the gradient of '%s' ends here: the optimizer holds the parameter, which "
                        "never gets one",
                        at.arguments[0].name);
        finding_mark(c, out, at.arguments[0].span);
        finding_place(c, out, "the parameter was made", &idle->how->span);
        finding_place(c, out, "steps", &stepped);
    }
}

const struct rule_code rule_cut_gradient = {.call = check, .program = check_untrained};
