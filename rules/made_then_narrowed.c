/* Random numbers are drawn as f64, at most scaled, and then only ever cast to something narrower:
 * the extra precision is never used, and the numbers differ from those drawn in the narrower dtype.
 */
#include "rules/engine/engine.h"

enum { MAX_FOLLOWED = 32 };

/* The calls that the tensor passes through until it is cast. */
struct following {
    struct check *check;
    int count;
    struct {
        const struct ir_function *function;
        ir_value inst;
    } calls[MAX_FOLLOWED];
    dtype_set narrow; /* every dtype that it is cast to */
    struct span cast; /* the first one */
    bool drawn;       /* its numbers are random */
    bool used;        /* by anything else, or perhaps so */
};

static void follow(struct following *w, const struct ir_function *f, ir_value inst)
{
    for (int i = 0; i < w->count; i++)
        if (w->calls[i].function == f && w->calls[i].inst == inst)
            return;
    w->used |= w->count == MAX_FOLLOWED;
    if (w->used)
        return;
    w->calls[w->count].function = f;
    w->calls[w->count++].inst = inst;
}

static int tensors_of(const struct call *call)
{
    int count = 0;
    for (int k = 0; k < call->count; k++)
        count += argument_is_tensor(&call->arguments[k]);
    return count;
}

/* Whether the result has the same numbers, up to a factor. */
static bool is_still_it(const struct call *call, int operand)
{
    bool scales = call->family == FAMILY_MULTIPLY || call->family == FAMILY_DIVIDE;
    bool same = call->callee->alias != ALIAS_FRESH && call->callee->alias_of == operand;
    return call->result && tensors_of(call) == 1 &&
           (scales || same || call->family == FAMILY_CLONE || call_is_cast(call));
}

/* A product with an operand that can be f64 only because arrays or paths were joined: with f64 the
 * call would fail, since the other operands never are, so it is not f64 here. */
static bool cannot_be_it(const struct call *call, int operand)
{
    bool one_dtype = call->family == FAMILY_MATMUL || call->family == FAMILY_CONVOLUTION ||
                     call->family == FAMILY_ATTENTION;
    if (!one_dtype || argument_dtypes(&call->arguments[operand]) == DTYPE_SET(DTYPE_F64))
        return false;
    for (int k = 0; k < call->count; k++)
        if (k != operand && argument_is_tensor(&call->arguments[k]) &&
            dtypes_are(argument_dtypes(&call->arguments[k]), SET_NARROW))
            return true;
    return false;
}

static void look_at_use(struct following *w, const struct consumer *u)
{
    struct call call;
    if (!call_view(w->check, u->by->function, u->by->inst, &call)) {
        w->used = true;
        return;
    }
    dtype_set gives = call.result ? call.result->fact.dtypes : 0;
    if (call_is_cast(&call) && dtypes_are(gives, SET_NARROW)) {
        w->cast = w->narrow ? w->cast : call_span(&call);
        w->narrow |= gives;
    } else if (is_still_it(&call, u->operand) && gives >> DTYPE_F64 & 1) {
        w->drawn |= call.family == FAMILY_RANDOM;
        follow(w, call.function, call.inst);
    } else if (!is_query(call.callee) && !cannot_be_it(&call, u->operand))
        w->used = true;
}

static bool is_of(const struct following *w, const struct flow_value *v)
{
    for (int i = 0; i < w->count; i++)
        for (int k = 0; k < v->made_count; k++)
            if (v->made[k]->function == w->calls[i].function &&
                v->made[k]->inst == w->calls[i].inst)
                return true;
    return false;
}

/* Whether it is passed to an unknown function. */
static bool is_handed_out(struct check *c, const struct flow_value *v)
{
    const struct ir_function *f = v->function;
    const struct code_view *code = code_view(c, f);
    for (int k = 0; k < code->users[v->inst].count; k++) {
        ir_value user = code->users[v->inst].items[k];
        const struct ir_inst *i = &f->insts.items[user];
        if (i->op == IR_CALL && !(i->name && packs_find(c->in->packs, i->name)) &&
            !flow_callee_of(c->in->flow, f, user))
            return true;
    }
    return false;
}

/* Whether it may be used somewhere that was not seen: a tensor that more calls can have made than
 * are tracked may come from these calls, too. */
static bool is_out_of_sight(struct following *w)
{
    const struct flow *flow = w->check->in->flow;
    for (int i = 0; i < flow_value_count(flow); i++) {
        const struct flow_value *v = flow_value_at(flow, i);
        if (!(v->fact.dtypes >> DTYPE_F64 & 1))
            continue;
        if ((v->fact.dtypes == DTYPE_SET(DTYPE_F64) && v->made_count == FLOW_ALIASES) ||
            (is_of(w, v) && is_handed_out(w->check, v)))
            return true;
    }
    return false;
}

static bool is_f64_by_choice(const struct call *call)
{
    const struct argument *dtype = call_argument(call, ROLE_DTYPE);
    return call_is_factory(call) &&
           (call->family == FAMILY_CREATE || call->family == FAMILY_RANDOM) && call->result &&
           call->result->fact.dtypes == DTYPE_SET(DTYPE_F64) && dtype &&
           (!dtype->value || is_literal(call, dtype));
}

static void check(struct check *c, const struct call *call)
{
    struct following w = {.check = c, .drawn = call->family == FAMILY_RANDOM};
    if (!is_f64_by_choice(call))
        return;
    follow(&w, call->function, call->inst);
    for (int i = 0; i < w.count && !w.used; i++) {
        const consumer_list *l = consumers_of(c, w.calls[i].function, w.calls[i].inst);
        for (int k = 0; k < l->count && !w.used; k++)
            look_at_use(&w, &l->items[k]);
    }
    if (w.used || !w.drawn || !w.narrow || is_out_of_sight(&w))
        return;
    struct finding *out = finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                                      "%s makes f64 numbers that are only ever cast to %s",
                                      call->callee->shown, dtypes_text(c, w.narrow));
    finding_place(c, out, "cast by", &w.cast);
}

const struct rule_code rule_made_then_narrowed = {.call = check};
