/* Functions of the program that compute a number from their arguments, and do nothing else: called
 * again with the same, they return the same, whatever loop it came out of. */
#include "analyzer/flow/engine/engine.h"

enum { MAX_NESTED = 4 };

/* ---- functions ------------------------------------------------------------------------------- */

static bool is_text(const struct type *t)
{
    return t && t->kind == TYPE_POINTER && t->of && is_byte_type(t->of) && t->of->kind == TYPE_INT;
}

static bool is_texts(const struct type *t)
{
    return t && t->kind == TYPE_POINTER && is_text(t->of);
}

/* Numbers, and pointers to texts or to arrays of them: what those point to is known by its
 * version. */
static bool is_plain(const struct type *t)
{
    return t && (type_is_number(t) || is_text(t) || is_texts(t));
}

static bool is_own_local(const struct ir_function *fn, ir_value address)
{
    const struct ir_inst *i = &fn->insts.items[address];
    while (i->op == IR_FIELD || i->op == IR_ELEMENT || i->op == IR_CONVERT)
        i = &fn->insts.items[i->args[0]];
    return i->op == IR_LOCAL && !fn->locals.items[i->integer].is_static;
}

static bool is_pure(struct flow *f, struct code *c, int depth);

static bool calls_nothing_else(struct flow *f, const struct code *c, ir_value n, int depth)
{
    const struct pack_function *fn = c->packed[n];
    if (!fn)
        return c->callee[n] && is_pure(f, c->callee[n], depth + 1);
    for (int i = 0; i < fn->param_count; i++)
        if (fn->params[i].written || fn->params[i].out)
            return false;
    return fn->effects & EFFECT_PURE && !fn->returns_tensor;
}

static bool does_nothing_else(struct flow *f, const struct code *c, ir_value n, int depth)
{
    const struct ir_inst *i = &c->fn->insts.items[n];
    if (i->op == IR_STORE || i->op == IR_COPY || i->op == IR_ZERO)
        return is_own_local(c->fn, i->args[0]);
    if (i->op == IR_GLOBAL)
        return c->global[n] && c->global[n]->is_const;
    if (i->op == IR_LOCAL)
        return !c->fn->locals.items[i->integer].is_static;
    return i->op == IR_CALL ? calls_nothing_else(f, c, n, depth) : i->op != IR_ANYTHING;
}

static bool is_pure(struct flow *f, struct code *c, int depth)
{
    const struct ir_function *fn = c->fn;
    bool pure = depth < MAX_NESTED && fn->has_body && !fn->is_partial && fn->type && fn->type->of &&
                type_is_number(fn->type->of) && !fn->type->variadic;
    for (int k = 0; k < fn->param_count && pure; k++)
        pure = is_plain(fn->locals.items[k].type);
    if (pure)
        code_prepare(f, c);
    for (int b = 0; b < fn->blocks.count && pure; b++)
        for (int k = 0; k < fn->blocks.items[b].count && pure; k++)
            pure = does_nothing_else(f, c, fn->blocks.items[b].insts[k], depth);
    return pure;
}

static bool is_known_pure(struct flow *f, struct code *c)
{
    if (c->purity == PURITY_UNKNOWN)
        c->purity = is_pure(f, c, 0) ? PURITY_PURE : PURITY_OTHER;
    return c->purity == PURITY_PURE;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* What is read at a place is the same where it is read again, even if the next iteration reads
 * something else. */
static bool are_identified(struct path *p, const struct ir_inst *i, const struct code *callee,
                           int first, struct computation *c)
{
    *c = computation_of(COMPUTATION_CALL, (uint64_t)(uintptr_t)callee, i->type);
    for (int k = first; k < i->arg_count && !c->is_unknown; k++) {
        struct value v = path_argument(p, i, k);
        if (is_texts(callee->fn->locals.items[k - first].type))
            computation_add_texts(p->f, p->s, c, &v);
        else
            computation_add(p->f, p->s, c, &v, true);
    }
    return !c->is_unknown && !c->fresh_count;
}

/* All that it can be; false: it is no integer. */
static bool range_of(struct path *p, const struct exit_state *e, struct domain *range)
{
    value_list all = guard_values(p->f->scratch, e->state, &e->value);
    *range = (struct domain){INT64_MAX, INT64_MIN};
    for (int k = 0; k < all.count; k++) {
        const struct value *v = all.items[k];
        if (v->kind != VALUE_NUMBER || v->is_real)
            return false;
        range->low = value_low(v) < range->low ? value_low(v) : range->low;
        range->high = value_high(v) > range->high ? value_high(v) : range->high;
    }
    return all.count > 0;
}

void pure_result(struct path *p, const struct ir_inst *i, struct code *callee, int first,
                 int terms_before, exit_list *exits)
{
    struct computation c;
    if (!p->f->merges || exits->count != 1 || !i->type || i->type->kind == TYPE_FLOAT ||
        !type_is_number(i->type) ||
        !guard_depends_on_new(exits->items[0].state, &exits->items[0].value, terms_before) ||
        !is_known_pure(p->f, callee) || !are_identified(p, i, callee, first, &c) ||
        !range_of(p, &exits->items[0], &c.range))
        return;
    exits->items[0].value = computation_result(p->f, p->fr, exits->items[0].state, &c);
}
