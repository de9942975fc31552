/* Two tensors of a record are made next to each other by the same function and used by the same
 * calls; one is made with a dtype, the other without and gets a different one: the dtype was
 * forgotten. */
#include "rules/engine/engine.h"

/* Whether the call passes a dtype constant. */
static bool names_dtype(const struct call *call)
{
    const struct argument *dtype = call_argument(call, ROLE_DTYPE);
    return dtype && dtype->value && is_literal(call, dtype);
}

static bool leaves_dtype(const struct call *call)
{
    const struct argument *dtype = call_argument(call, ROLE_DTYPE);
    return dtype && !dtype->value;
}

static dtype_set made_dtypes(const struct call *call)
{
    return call->result ? call->result->fact.dtypes : 0;
}

/* Prints or saves the tensor, or reads a number from it: it computes no tensor, and changes none.
 */
static bool only_looks(const struct pack_function *callee)
{
    bool looks = !callee->returns_tensor && !callee->returns_buffer && !callee->effects;
    for (int k = 0; k < callee->param_count; k++)
        looks &= !callee->params[k].written && !callee->params[k].out;
    return looks;
}

/* Casts and queries are applied to all kinds of tensors. */
static bool tells_apart(const struct flow_call *by)
{
    return by->callee->family != FAMILY_CAST && !only_looks(by->callee) && !is_query(by->callee);
}

/* A call that takes sometimes the one and sometimes the other as the same operand; NULL: none. */
static const struct flow_call *common_use(struct check *c, const struct call *x,
                                          const struct call *y)
{
    const consumer_list *of_x = consumers_of(c, x->function, x->inst),
                        *of_y = consumers_of(c, y->function, y->inst);
    for (int i = 0; i < of_x->count; i++)
        for (int k = 0; k < of_y->count; k++)
            if (of_x->items[i].by == of_y->items[k].by &&
                of_x->items[i].operand == of_y->items[k].operand &&
                !of_x->items[i].by->callee->params[of_x->items[i].operand].many &&
                tells_apart(of_x->items[i].by))
                return of_x->items[i].by;
    return NULL;
}

/* The place that the result is stored in unchanged; 0: none, or several. */
static ir_value place_of(struct check *c, const struct ir_function *f, ir_value made)
{
    const value_list *users = &code_view(c, f)->users[made];
    const struct ir_inst *user = users->count == 1 ? &f->insts.items[users->items[0]] : NULL;
    if (!user)
        return 0;
    if (ir_written(user) == made)
        return user->op == IR_STORE ? user->args[0] : users->items[0];
    const struct pack_function *callee =
        user->op == IR_CALL && user->name ? packs_find(c->in->packs, user->name) : NULL;
    return callee && callee->effects & EFFECT_KEEP ? place_of(c, f, users->items[0]) : 0;
}

/* The variable that has the place as a field, directly or not; -1: the place is no field. */
static int64_t record_of(struct check *c, const struct call *call)
{
    const struct ir_function *f = call->function;
    ir_value place = place_of(c, f, call->inst);
    const struct ir_inst *i = &f->insts.items[place ? value_behind(f, place) : 0];
    bool within = false;
    while (place && ir_path_base(i)) {
        within |= ir_is_member(i);
        i = &f->insts.items[value_behind(f, ir_path_base(i))];
    }
    int64_t root = place ? ir_path_root(f, i) : IR_ROOT_NONE;
    return within && root >= 0 ? root : -1;
}

static bool is_alike(const struct call *x, const struct call *y)
{
    return x->callee == y->callee && x->result && y->result &&
           x->result->fact.ranks == y->result->fact.ranks &&
           dtypes_are(made_dtypes(y), SET_FLOATS) && made_dtypes(x) != made_dtypes(y);
}

static void check(struct check *c, const struct call *call)
{
    const struct ir_function *f = call->function;
    const struct code_view *code = code_view(c, f);
    const struct ir_block *b =
        code->block[call->inst] >= 0 ? &f->blocks.items[code->block[call->inst]] : NULL;
    struct call other;
    if ((call->family != FAMILY_CREATE && call->family != FAMILY_RANDOM) || !leaves_dtype(call) ||
        !b || !dtypes_are(made_dtypes(call), SET_FLOATS) || record_of(c, call) < 0)
        return;
    for (int n = 0; n < b->count; n++) {
        if (b->insts[n] == call->inst || !call_view(c, f, b->insts[n], &other) ||
            !is_alike(call, &other) || !names_dtype(&other) ||
            record_of(c, &other) != record_of(c, call))
            continue;
        const struct flow_call *use = common_use(c, call, &other);
        if (!use)
            continue;
        struct span beside = call_span(&other), used = use->function->insts.items[use->inst].span;
        struct finding *out =
            finding_new(c, SEVERITY_NOTE, f, call_span(call),
                        "%s makes %s here, without a dtype, and %s next to it", call->callee->shown,
                        dtypes_text(c, made_dtypes(call)), dtypes_text(c, made_dtypes(&other)));
        finding_place(c, out, "next to it", &beside);
        finding_place(c, out, "used alike by", &used);
        return;
    }
}

const struct rule_code rule_made_unlike = {.call = check};
