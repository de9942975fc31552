/* Something that requires a gradient is read as a number, compared, or detached, on its way into a
 * loss: a parameter that every such way ends for is never trained, a term of a loss that has no
 * gradient changes none, and backward of a new tensor reaches nothing before it. */
#include "rules/engine/engine.h"

#include <string.h>

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

/* Whether it is a tensor, also one that is not written there, as a term of sum(). */
static bool is_tensor(const struct argument *a)
{
    return a && a->seen && a->seen->kind == OPERAND_TENSOR;
}

/* The one tensor that it has; NULL: there are others. */
static const struct argument *only_tensor(const struct call *made)
{
    const struct argument *only = NULL;
    for (int k = 0; k < made->count; k++) {
        if (!is_tensor(&made->arguments[k]))
            continue;
        if (only)
            return NULL;
        only = &made->arguments[k];
    }
    return only;
}

/* The detached tensor that it was computed from, as one of an array, say; NULL: none. */
static const struct argument *find_detached(struct check *c, const struct argument *x,
                                            struct call *made)
{
    struct argument at = *x;
    for (int n = 0; n < MAX_DEPTH && argument_maker(c, &at, made); n++) {
        const struct flow_call *by = flow_call_of(c->in->flow, made->function, made->inst);
        const struct argument *from = only_tensor(made);
        if (!from || !by)
            return NULL;
        for (int k = 0; k < made->count; k++)
            if (made->arguments[k].param == from->param && from->seen->fact.grad == TRI_YES)
                return detaches(by) ? &made->arguments[k] : NULL;
        at = *from;
    }
    return NULL;
}

/* Of something that had one, or was detached before. */
static bool reads_gradient(struct check *c, const struct flow_call *read, const void *context)
{
    struct call item, detach;
    (void)context;
    if (!reads_numbers(read->callee) || read->operands[0].unknown)
        return false;
    return read->operands[0].fact.grad == TRI_YES ||
           (call_view(c, read->function, read->inst, &item) &&
            find_detached(c, &item.arguments[0], &detach));
}

/* The number is used there, as a term of the sum, or to make one. */
static void check_term(struct check *c, const struct call *sum, const struct call *use,
                       const struct argument *number, const struct call *backward)
{
    const struct flow_call *seen =
        number_read(c, use->function, number->value, reads_gradient, NULL);
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

/* Whether what is added to its operand changes no gradient: that of a square, say, it does. */
static bool is_linear(const struct call *made)
{
    const struct argument *x = only_tensor(made);
    enum pack_values what = made->callee->values;
    bool divides = what == VALUES_DIV && x == call_argument(made, ROLE_LEFT);
    return x &&
           (what == VALUES_SUM || what == VALUES_MEAN || what == VALUES_MUL || what == VALUES_NEG ||
            what == VALUES_SAME || divides || made->callee->effects & EFFECT_SCALES);
}

static bool compares(const struct pack_function *f)
{
    return f->values >= VALUES_EQ && f->values <= VALUES_GE;
}

/* Comparisons and indices have no gradient, whatever they are computed from; the indices of the
 * largest are next to these, with max(). */
static bool is_blind(const struct call *made, const struct argument *result)
{
    enum pack_values what = made->callee->values;
    bool is_index = made->family != FAMILY_CAST && what != VALUES_SAME && result->seen &&
                    dtypes_are(result->seen->fact.dtypes, SET_INTS);
    return compares(made->callee) || what == VALUES_INDEX || is_index;
}

/* The tensor with a gradient that such a call was given; NULL: there is none. */
static const struct argument *graded_argument(const struct call *made)
{
    for (int k = 0; k < made->count; k++)
        if (is_tensor(&made->arguments[k]) && !made->arguments[k].seen->unknown &&
            made->arguments[k].seen->fact.grad == TRI_YES)
            return &made->arguments[k];
    return NULL;
}

static bool has_elements(const struct argument *x)
{
    return x->seen->fact.zero_dim == TRI_NO;
}

/* The tensor that was detached there, or went into a call that records nothing, as under
 * torch.no_grad(); NULL: none. A single number that is detached can be meant for the value of the
 * loss alone, as where it is printed. */
static const struct argument *unrecorded_argument(struct check *c, const struct call *made)
{
    const struct flow_call *by = flow_call_of(c->in->flow, made->function, made->inst);
    const struct argument *x = graded_argument(made);
    bool ends = by && x && has_elements(x) &&
                (detaches(by) || (by->records == TRI_NO && by->callee->differentiable));
    return ends ? x : NULL;
}

/* The operand whose elements the result of a call is computed from, in the first place. */
static const struct argument *first_operand(const struct call *made)
{
    const struct argument *only = only_tensor(made), *left = call_argument(made, ROLE_LEFT);
    return only ? only : left ? left : call_argument(made, ROLE_INPUT);
}

/* One of the calls that made it, also of a term that a sum over several was given. */
static bool one_maker(struct check *c, const struct argument *x, struct call *out)
{
    return argument_maker(c, x, out) || (!x->flow && x->seen && step_call(c, x->seen->how, out));
}

static const char *how_ended(const struct call *made, const struct argument *result)
{
    if (!is_recorded(made))
        return "records none here";
    bool gives_integers = dtypes_are(result->seen->fact.dtypes, SET_INTS);
    return gives_integers ? "gives integers, which have none" : "gives none";
}

/* A term without a gradient: it counts something, such as errors, or was computed from what is
 * detached. */
static void check_constant(struct check *c, const struct call *sum, const struct argument *term,
                           const struct call *backward)
{
    struct argument at = *term;
    struct call made;
    const struct argument *x = NULL;
    for (int n = 0; n < MAX_DEPTH && !x && one_maker(c, &at, &made); n++) {
        const struct argument *from = first_operand(&made);
        x = is_blind(&made, &at) ? graded_argument(&made) : unrecorded_argument(c, &made);
        if (!x && (!is_tensor(from) || graded_argument(&made)))
            return;
        at = x ? at : *from;
    }
    if (!x || !is_selected(c, made.function) || was_reported(c, made.function, made.inst))
        return;
    struct span added = call_span(sum), end = call_span(backward);
    const char *of = x->value ? arena_printf(c->in->arena, " of '%s'", x->name) : "";
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, made.function, call_span(&made),
                    "the gradient%s ends here: %s %s, and what is added to a loss "
                    "without a gradient changes none",
                    of, made.callee->shown, how_ended(&made, &at));
    finding_mark(c, out, x->span);
    finding_place(c, out, "added", &added);
    finding_place(c, out, "backward", &end);
}

/* The term is a tensor that was made of such a number. */
static void check_made(struct check *c, const struct call *sum, const struct argument *term,
                       const struct call *backward)
{
    struct argument at = *term;
    struct call made;
    bool is_new = false;
    for (int n = 0; n < MAX_DEPTH && !is_new && argument_maker(c, &at, &made); n++) {
        is_new = made.callee->values == VALUES_FILL;
        if (!is_new && !only_tensor(&made))
            return;
        at = is_new ? at : *only_tensor(&made);
    }
    for (int k = 0; is_new && k < made.count; k++)
        if (made.arguments[k].value && !argument_is_tensor(&made.arguments[k]))
            check_term(c, sum, &made, &made.arguments[k], backward);
}

/* What backward is called on, and how many more calls that made it are looked at. */
struct terms {
    const struct call *backward;
    int left;
};

static void check_terms(struct check *c, const struct argument *loss, struct terms *t, int depth);

static void check_terms_of(struct check *c, const struct call *made, struct terms *t, int depth)
{
    bool adds = made->family == FAMILY_ADD || made->family == FAMILY_SUBTRACT;
    const struct argument *sides[] = {call_argument(made, ROLE_LEFT),
                                      call_argument(made, ROLE_RIGHT)};
    if (!adds && is_linear(made))
        check_terms(c, only_tensor(made), t, depth + 1);
    for (int k = 0; adds && k < 2; k++) {
        bool is_term = argument_is_tensor(sides[k]);
        if (is_term && sides[k]->seen->fact.grad == TRI_NO)
            check_made(c, made, sides[k], t->backward);
        if (is_term && sides[k]->seen->fact.grad == TRI_NO &&
            sides[k]->seen->fact.zero_dim == TRI_YES)
            check_constant(c, made, sides[k], t->backward);
        else if (is_term)
            check_terms(c, sides[k], t, depth + 1);
        else if (sides[k] && sides[k]->value)
            check_term(c, made, made, sides[k], t->backward);
    }
}

/* Of the call that changed it in place, as "loss += term" does, or of those that made it: some
 * terms may be added under a condition. */
static void check_terms(struct check *c, const struct argument *loss, struct terms *t, int depth)
{
    const struct flow_value *flow = loss ? loss->flow : NULL;
    int count = !flow ? 0 : flow->changed ? 1 : flow->made_count;
    struct call made;
    for (int i = 0; i < count && depth <= MAX_DEPTH; i++)
        if (t->left-- > 0 && step_call(c, flow->changed ? flow->changed : flow->made[i], &made) &&
            has_gradient(made.result))
            check_terms_of(c, &made, t, depth);
}

/* The tensor that the elements of a new one were read from, or that it is detached from. */
static const struct argument *cut_from(struct check *c, const struct call *made, struct call *cut)
{
    for (int k = 0; k < made->count; k++) {
        const struct argument *a = &made->arguments[k];
        const struct flow_call *read =
            a->value && !argument_is_tensor(a)
                ? number_read(c, made->function, a->value, reads_gradient, NULL)
                : NULL;
        if (read && call_view(c, read->function, read->inst, cut))
            return &cut->arguments[0];
        if (argument_is_tensor(a))
            return find_detached(c, a, cut);
    }
    return NULL;
}

/* Backward of a new tensor: a loss that was read, or detached, and requires a gradient of its own.
 */
static void check_leaf(struct check *c, const struct call *call)
{
    const struct argument *loss = &call->arguments[0];
    struct call made, cut;
    if (loss->seen->unknown || loss->seen->fact.leaf != TRI_YES ||
        loss->seen->fact.grad != TRI_YES || !argument_maker(c, loss, &made))
        return;
    const struct argument *x = cut_from(c, &made, &cut);
    x = x ? x : find_detached(c, loss, &cut);
    if (!x || was_reported(c, cut.function, cut.inst))
        return;
    struct span end = call_span(call);
    struct finding *out = finding_new(c, SEVERITY_WARNING, cut.function, call_span(&cut),
                                      "the gradient of '%s' ends here: backward of a new tensor "
                                      "reaches nothing that it was computed from",
                                      x->name);
    finding_mark(c, out, x->span);
    finding_place(c, out, "backward", &end);
}

static void check_backward(struct check *c, const struct call *call)
{
    if (!(call->callee->effects & EFFECT_BACKWARD) || !call->count ||
        !argument_is_tensor(&call->arguments[0]))
        return;
    check_leaf(c, call);
    check_terms(c, &call->arguments[0], &(struct terms){call, MAX_VISITED}, 0);
}

/* The calls that were visited on the way forward: what a loop computes comes back to its
 * beginning. */
struct forward {
    struct check *check;
    const struct step *from; /* where the parameter was made */
    const struct flow_call *visited[MAX_VISITED];
    int count;
    const struct flow_call *cut;  /* the first that ends the gradient; NULL: none */
    const struct flow_call *read; /* one that returns a number of it to the caller */
    bool is_other; /* a cast to integers ends it, or a new leaf: int-cast-drops-grad */
};

/* ---- what is drawn ----------------------------------------------------------------------------
 */

/* The gradient of a density reaches the parameters of what is drawn by another way. */
static bool has_density(struct check *c)
{
    for (int i = 0; i < flow_call_count(c->in->flow); i++)
        if (flow_call_at(c->in->flow, i)->callee->family == FAMILY_DENSITY)
            return true;
    return false;
}

static bool meets_gradient(struct forward *w, const struct flow_call *from);
static bool has_backward(struct check *c);

/* A number that is drawn has no gradient of what it is drawn by: that of a sum of a mean and noise
 * that is multiplied has one. */
static void check_drawn(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    const struct flow_call *by = flow_call_of(c->in->flow, call->function, call->inst);
    struct forward w = {.check = c};
    if (call->family != FAMILY_DRAW || !by || !is_tensor(x) || x->seen->unknown ||
        x->seen->fact.grad != TRI_YES || !has_backward(c) || has_density(c) ||
        !meets_gradient(&w, by) || was_reported(c, call->function, call->inst))
        return;
    finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                "the gradient of what '%s' draws from ends here: what is computed from the drawn "
                "numbers trains nothing before them",
                call->callee->shown);
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

/* False: it was visited before, or too many were. */
static bool visit_once(struct forward *w, const struct flow_call *by)
{
    for (int i = 0; i < w->count; i++)
        if (w->visited[i] == by)
            return false;
    if (w->count == MAX_VISITED)
        return false;
    w->visited[w->count++] = by;
    return true;
}

/* The same of a tensor that was detached. One that requires a gradient of its own from then on
 * takes the place of the parameter: stale-after-move. */
static bool meets_gradient(struct forward *w, const struct flow_call *from)
{
    const consumer_list *uses = consumers_of(w->check, from->function, from->inst);
    bool is_met = false;
    for (int i = 0; i < uses->count; i++) {
        const struct flow_call *by = uses->items[i].by;
        const struct flow_value *v = flow_value_of(w->check->in->flow, by->function, by->inst);
        if (has_gradient(v) && v->fact.leaf != TRI_NO)
            return false;
        is_met |= has_gradient(v) || (visit_once(w, by) && meets_gradient(w, by));
    }
    return is_met;
}

/* It is compared, or computed with where nothing is recorded. */
static bool records_none(const struct flow_call *by)
{
    return compares(by->callee) || (by->records == TRI_NO && by->callee->differentiable);
}

/* Integers that are computed from it, such as the index of the largest. */
static bool gives_index(struct check *c, const struct flow_call *by)
{
    const struct flow_value *v = flow_value_of(c->in->flow, by->function, by->inst);
    return v && by->callee->family != FAMILY_CAST && by->callee->values != VALUES_SAME &&
           dtypes_are(v->fact.dtypes, SET_INTS);
}

static bool is_cut(struct check *c, const struct flow_call *by)
{
    struct reading r = {.check = c};
    struct forward w = {.check = c};
    if (detaches(by) || records_none(by) || gives_index(c, by))
        return meets_gradient(&w, by);
    if (reads_numbers(by->callee))
        read_value(&r, by->function, by->inst);
    return r.is_used;
}

/* Whether the elements of the operand are what the call computes with, and nothing else is. */
static bool takes_only(const struct flow_call *by)
{
    bool is_made = by->callee->values == VALUES_EITHER && by->callee->alias == ALIAS_FRESH;
    return tensor_count(by) == 1 || is_made || records_none(by);
}

static bool is_rounded(const struct flow_call *by, const struct flow_value *result)
{
    return by->callee->family == FAMILY_CAST && result &&
           dtypes_are(result->fact.dtypes, SET_INTS | SET_BOOL);
}

static bool is_kept(const struct ir_inst *user, ir_value number)
{
    bool is_given = user->op == IR_INVOKE && user->arg_count && user->args[0] != number;
    bool is_listed =
        user->op == IR_MAKE && (user->integer == KIND_LIST || user->integer == KIND_DICT);
    return user->op == IR_RETURN || is_listed || is_given; /* x.append(y) */
}

/* Whether the number is what the function returns, or what a list keeps: what is done with it then
 * is not followed. */
static bool is_returned(struct check *c, const struct flow_call *by)
{
    const value_list *users = &code_view(c, by->function)->users[by->inst];
    for (int k = 0; k < users->count; k++)
        if (is_kept(&by->function->insts.items[users->items[k]], by->inst))
            return true;
    return false;
}

/* Whether backward gets to it by another way. */
static bool reaches_backward(struct forward *w, const struct ir_function *f, ir_value inst)
{
    const consumer_list *uses = consumers_of(w->check, f, inst);
    for (int i = 0; i < uses->count; i++) {
        const struct flow_call *by = uses->items[i].by;
        const struct flow_value *result = flow_value_of(w->check->in->flow, by->function, by->inst);
        if (!(by->operands[uses->items[i].operand].fact.grad & TRI_YES) || !visit_once(w, by))
            continue;
        if (by->callee->effects & EFFECT_BACKWARD ||
            (has_gradient(result) && reaches_backward(w, by->function, by->inst)))
            return true;
    }
    return false;
}

/* What has a gradient anyway was computed from another parameter, which was made at the same place
 * as the one that has none. */
static bool is_of_another(struct forward *w, const struct ir_function *f, ir_value inst)
{
    bool is_computed = f != w->from->function || inst != w->from->inst;
    return is_computed && reaches_backward(&(struct forward){.check = w->check}, f, inst);
}

/* The calls that end the gradient of what was made there, behind calls that pass it on. */
static void find_cut(struct forward *w, const struct ir_function *f, ir_value inst)
{
    const consumer_list *uses = consumers_of(w->check, f, inst);
    for (int i = 0; i < uses->count; i++) {
        const struct flow_call *by = uses->items[i].by;
        const struct flow_value *result = flow_value_of(w->check->in->flow, by->function, by->inst);
        if (!(by->operands[uses->items[i].operand].fact.grad & TRI_YES) || !visit_once(w, by))
            continue;
        w->is_other |= is_rounded(by, result) || (detaches(by) && has_gradient(result));
        bool is_here = is_selected(w->check, by->function);
        if (is_here && reads_numbers(by->callee) && is_returned(w->check, by) &&
            !is_of_another(w, f, inst))
            w->read = by;
        if (is_here && !w->cut && takes_only(by) && is_cut(w->check, by) &&
            !is_of_another(w, f, inst))
            w->cut = by;
        if (result ? result->fact.grad & TRI_YES : by->callee->differentiable)
            find_cut(w, by->function, by->inst);
    }
}

/* Whether the program computes gradients itself, so that those it computes are known. */
static bool has_backward(struct check *c)
{
    for (int i = 0; i < flow_call_count(c->in->flow); i++)
        if (flow_call_at(c->in->flow, i)->callee->effects & EFFECT_BACKWARD)
            return true;
    return false;
}

/* Whether another finding in the file says what took the place of a tensor that is stepped with. */
static bool is_replaced(const struct check *c, const struct ir_function *steps)
{
    for (int i = 0; i < c->out->count; i++)
        if (!strcmp(c->out->items[i]->rule, "stale-after-move") &&
            c->out->items[i]->span.file == steps->span.file)
            return true;
    return false;
}

/* Whether it is the parameter itself that is detached, as to remember what it was. */
static bool is_copy_of(struct check *c, const struct flow_call *by, const struct step *how)
{
    const consumer_list *uses = consumers_of(c, how->function, how->inst);
    for (int i = 0; i < uses->count; i++)
        if (uses->items[i].by == by)
            return detaches(by);
    return false;
}

static bool passes_memory(const struct flow_call *by)
{
    return by->callee->alias_of >= 0 && by->callee->alias != ALIAS_FRESH;
}

/* Whether the program changes it in place by another tensor, as a moving average is: a parameter
 * that follows others is not trained by gradients. */
static bool is_followed(struct forward *w, const struct ir_function *f, ir_value inst)
{
    const consumer_list *uses = consumers_of(w->check, f, inst);
    for (int i = 0; i < uses->count; i++) {
        const struct flow_call *by = uses->items[i].by;
        const struct flow_operand *o = &by->operands[uses->items[i].operand];
        bool is_written = by->callee->params[o->param].written;
        if (is_written && tensor_count(by) > 1)
            return true;
        if ((is_written || passes_memory(by)) && visit_once(w, by) &&
            is_followed(w, by->function, by->inst))
            return true;
    }
    return false;
}

static void check_untrained(struct check *c)
{
    int count = flow_untrained_count(c->in->flow);
    for (int i = 0; i < count && has_backward(c); i++) {
        const struct flow_untrained *idle = flow_untrained_at(c->in->flow, i);
        bool is_sure = flow_is_untrained(c->in->flow, idle) && idle->how->inst;
        struct forward w = {.check = c, .from = idle->how};
        if (is_sure &&
            !is_followed(&(struct forward){.check = c}, idle->how->function, idle->how->inst))
            find_cut(&w, idle->how->function, idle->how->inst);
        const struct flow_call *read = is_replaced(c, idle->function) ? NULL : w.read;
        bool is_copy = w.cut && read && is_copy_of(c, w.cut, idle->how);
        const struct flow_call *cut = w.is_other ? NULL : w.cut && !is_copy ? w.cut : read;
        struct call at, step;
        if (!cut || !call_view(c, cut->function, cut->inst, &at) ||
            !call_view(c, idle->function, idle->inst, &step) ||
            was_reported(c, cut->function, cut->inst))
            continue;
        struct span stepped = call_span(&step);
        const char *what = cut->records == TRI_NO
                               ? "nothing is recorded here"
                               : arena_printf(c->in->arena, "the gradient of '%s' ends here",
                                              at.arguments[0].name);
        struct finding *out =
            finding_new(c, SEVERITY_WARNING, at.function, call_span(&at),
                        "%s: the optimizer holds the parameter, which never gets a gradient", what);
        finding_mark(c, out, at.arguments[0].span);
        finding_place(c, out, "the parameter was made", &idle->how->span);
        finding_place(c, out, "steps", &stepped);
    }
}

static void check(struct check *c, const struct call *call)
{
    check_backward(c, call);
    check_drawn(c, call);
}

const struct rule_code rule_cut_gradient = {.call = check, .program = check_untrained};
