/* Something that requires a gradient is read as a number, or detached, on its way into a loss: a
 * parameter that every such way ends for is never trained, and a term of a loss that is a number
 * changes no gradient. */
#include "rules/engine/engine.h"

/* Whether the call reads the elements of its operand as numbers of the language. */
static bool reads_numbers(const struct pack_function *f)
{
    return f->returns_number && !f->returns_tensor && !f->effects && f->question == QUESTION_NONE &&
           f->param_count == 1;
}

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

/* ---- what a number is computed from ---------------------------------------------------------- */

enum { MAX_DEPTH = 12, MAX_VISITED = 64 };

/* A walk back from a number, over variables, arithmetic and the functions that return it. */
struct walk {
    struct check *check;
    const struct ir_function *in[MAX_VISITED];
    ir_value visited[MAX_VISITED];
    int count;
    struct call found; /* the call that read the number */
    bool is_found;
};

static void walk_value(struct walk *w, const struct ir_function *f, ir_value v, int depth);

static bool is_new(struct walk *w, const struct ir_function *f, ir_value v)
{
    for (int i = 0; i < w->count; i++)
        if (w->in[i] == f && w->visited[i] == v)
            return false;
    if (w->count == MAX_VISITED)
        return false;
    w->in[w->count] = f;
    w->visited[w->count++] = v;
    return true;
}

static bool is_arithmetic(const struct ir_inst *i)
{
    switch ((enum ir_protocol)i->integer) {
    case PROTOCOL_ADD:
    case PROTOCOL_SUB:
    case PROTOCOL_MUL:
    case PROTOCOL_DIV:
    case PROTOCOL_POW:
    case PROTOCOL_IADD:
    case PROTOCOL_ISUB:
    case PROTOCOL_IMUL:
    case PROTOCOL_IDIV:
    case PROTOCOL_NEG:
        return i->op == IR_APPLY;
    default:
        return false;
    }
}

struct stored {
    struct walk *walk;
    int depth;
};

static void walk_store(const struct ir_function *f, ir_value user, enum variable_use how,
                       void *context)
{
    const struct stored *s = context;
    if (how == VARIABLE_SET)
        walk_value(s->walk, f, ir_written(&f->insts.items[user]), s->depth);
}

/* What a list has: its elements where it is made, and those appended to it. */
static void walk_list(struct walk *w, const struct ir_function *f, ir_value list, int depth)
{
    const value_list *users = &code_view(w->check, f)->users[list];
    const struct ir_inst *made = &f->insts.items[list];
    for (int k = 0; k < made->arg_count; k++)
        walk_value(w, f, made->args[k], depth);
    for (int k = 0; k < users->count; k++) {
        const struct ir_inst *i = &f->insts.items[users->items[k]];
        if (i->op == IR_APPLY && i->integer == PROTOCOL_APPEND && i->args[0] == list)
            walk_value(w, f, i->args[1], depth);
    }
}

static bool is_called_at(const struct flow_call *inside, const struct ir_function *f,
                         const struct span *at)
{
    const struct frame_place *by = inside->called;
    return by && by->caller == f && by->span.line == at->line && by->span.column == at->column &&
           by->span.end_line == at->end_line && by->span.end_column == at->end_column;
}

/* What the functions return that are called there. */
static void walk_returned(struct walk *w, const struct ir_function *f, ir_value call, int depth)
{
    const struct span *at = &f->insts.items[call].span;
    const struct ir_function *last = NULL;
    for (int n = 0; n < flow_call_count(w->check->in->flow); n++) {
        const struct flow_call *inside = flow_call_at(w->check->in->flow, n);
        const struct ir_function *to = inside->function;
        if (to == last || to == f || inside->several || !is_called_at(inside, f, at))
            continue;
        last = to;
        for (int k = 1; k < to->insts.count; k++)
            if (to->insts.items[k].op == IR_RETURN && to->insts.items[k].arg_count)
                walk_value(w, to, to->insts.items[k].args[0], depth);
    }
}

static void walk_value(struct walk *w, const struct ir_function *f, ir_value v, int depth)
{
    v = v ? value_within(w->check, f, v) : 0;
    if (!v || depth > MAX_DEPTH || w->is_found || !is_new(w, f, v))
        return;
    const struct ir_inst *i = &f->insts.items[v];
    const struct flow_call *seen = flow_call_of(w->check->in->flow, f, v);
    int64_t variable = variable_read(w->check, f, v);
    if (seen) {
        w->is_found = reads_numbers(seen->callee) && seen->operands[0].fact.grad == TRI_YES &&
                      !seen->operands[0].unknown && call_view(w->check, f, v, &w->found);
    } else if (variable >= 0) {
        struct stored to = {w, depth + 1};
        variable_users(w->check, f, variable, walk_store, &to);
    } else if (i->op == IR_MAKE) {
        walk_list(w, f, v, depth + 1);
    } else if (is_arithmetic(i)) {
        for (int k = 0; k < i->arg_count; k++)
            walk_value(w, f, i->args[k], depth + 1);
    } else if (i->op == IR_CALL || i->op == IR_INVOKE) {
        for (int k = 1; k < i->arg_count; k++)
            if (f->insts.items[value_within(w->check, f, i->args[k])].op == IR_MAKE)
                walk_value(w, f, i->args[k], depth + 1);
        walk_returned(w, f, v, depth + 1);
    }
}

/* ---- terms of a loss ------------------------------------------------------------------------- */

static void check_term(struct check *c, const struct call *sum, const struct argument *term,
                       const struct call *backward)
{
    struct walk w = {.check = c};
    walk_value(&w, sum->function, term->value, 0);
    if (!w.is_found || was_reported(c, w.found.function, w.found.inst))
        return;
    const struct argument *x = &w.found.arguments[0];
    struct span at = call_span(sum), end = call_span(backward);
    struct finding *out = finding_new(c, SEVERITY_WARNING, w.found.function, call_span(&w.found),
                                      "the gradient of '%s' ends here: %s gives a number, and a "
                                      "number that is added to a loss changes no gradient",
                                      x->name, w.found.callee->shown);
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
        else if (is_arithmetic(&f->insts.items[user]))
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
        const struct flow_call *cut =
            idle->how->inst ? find_cut(c, idle->how->function, idle->how->inst, MAX_DEPTH / 4)
                            : NULL;
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
