/* In a language whose '/' gives a fraction, a quotient of numbers is rounded down where that leaves
 * 0 of it, or 0 and 1: where a part is divided by the whole. */
#include "rules/engine/engine.h"

#include <string.h>

/* The operands of a quotient that is rounded down. */
struct quotient {
    const struct ir_function *function;
    ir_value inst, of, by;
};

static bool applies(const struct ir_inst *i, enum ir_protocol what)
{
    return i->op == IR_APPLY && i->integer == (int64_t)what && i->arg_count == 2;
}

static bool is_int(const struct ir_function *f, ir_value v, int64_t n)
{
    return inst_at(f, v)->op == IR_INT && inst_at(f, v)->integer == n;
}

static bool is_real(const struct ir_function *f, ir_value v, double n)
{
    return inst_at(f, v)->op == IR_REAL && inst_at(f, v)->real == n;
}

/* Both are written alike, so that they are the same number. */
static bool is_same(struct check *c, const struct ir_function *f, ir_value a, ir_value b)
{
    const char *x = text_of(c, inst_at(f, a)->span), *y;
    if (!x)
        return false;
    x = arena_printf(c->in->arena, "%s", x);
    y = text_of(c, inst_at(f, b)->span);
    return y && !strcmp(x, y);
}

/* ---- numbers that are known ------------------------------------------------------------------ */

/* 1 / n, which is 0 for all but 1. */
static bool is_reciprocal(const struct quotient *q)
{
    enum ir_op by = inst_at(q->function, q->by)->op;
    return is_int(q->function, q->of, 1) && by != IR_INT && by != IR_REAL;
}

/* (n - 1) / n */
static bool is_one_less(struct check *c, const struct quotient *q)
{
    const struct ir_inst *i = inst_at(q->function, q->of);
    return applies(i, PROTOCOL_SUB) && is_int(q->function, i->args[1], 1) &&
           is_same(c, q->function, i->args[0], q->by);
}

/* ---- numbers that are compared --------------------------------------------------------------- */

static bool is_inst_of(struct check *c, const struct ir_inst *i, const void *inst)
{
    (void)c;
    return i == inst;
}

/* Which of the branch's targets is taken where the first number is smaller than the second, as they
 * are compared there; -1: they are not. */
static int side_where_less(struct check *c, const struct ir_function *f, const struct ir_inst *i,
                           ir_value less, ir_value than)
{
    const struct ir_inst *asked = i->op == IR_BRANCH ? inst_at(f, i->args[0]) : NULL;
    if (asked && asked->op == IR_APPLY && asked->integer == PROTOCOL_TRUTH)
        asked = inst_at(f, asked->args[0]);
    if (!asked || asked->op != IR_APPLY || asked->arg_count != 2)
        return -1;
    bool ordered = is_same(c, f, asked->args[0], less) && is_same(c, f, asked->args[1], than),
         swapped = is_same(c, f, asked->args[0], than) && is_same(c, f, asked->args[1], less);
    switch ((enum ir_protocol)asked->integer) {
    case PROTOCOL_LT:
        return ordered ? 0 : -1;
    case PROTOCOL_GT:
        return swapped ? 0 : -1;
    case PROTOCOL_GE:
        return ordered ? 1 : -1;
    case PROTOCOL_LE:
        return swapped ? 1 : -1;
    default:
        return -1;
    }
}

/* Whether the variable may have been set between the two. */
static bool is_set_between(struct check *c, const struct ir_function *f, ir_value read,
                           ir_value from, ir_value to)
{
    int64_t variable = variable_read(c, f, read);
    const value_list *stores = variable >= 0 ? &code_view(c, f)->stores[variable] : NULL;
    const struct ir_inst *again = inst_at(f, from);
    for (int k = 0; stores && k < stores->count; k++)
        if (path_exists(c, f, from, stores->items[k], is_inst_of, again) &&
            path_exists(c, f, stores->items[k], to, is_inst_of, again))
            return true;
    return false;
}

/* Counted from 0, it is the first one of step + 1. */
static ir_value without_one(const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = inst_at(f, v);
    return applies(i, PROTOCOL_ADD) && is_int(f, i->args[1], 1) ? i->args[0] : v;
}

/* The branch decides that the first number is the smaller one. */
static bool is_below_branch(struct check *c, const struct quotient *q, ir_value branch,
                            ir_value less)
{
    const struct ir_function *f = q->function;
    const struct ir_inst *i = inst_at(f, branch);
    int side = side_where_less(c, f, i, less, q->by);
    const struct ir_block *to = side >= 0 ? &f->blocks.items[i->target[side]] : NULL;
    if (!to || !to->count || i->target[0] == i->target[1])
        return false;
    ir_value entry = f->blocks.items[0].insts[0], first = to->insts[0];
    bool only_there =
        code_view(c, f)->predecessors[i->target[side]].count == 1 &&
        (first == q->inst || !path_exists(c, f, entry, q->inst, is_inst_of, inst_at(f, first)));
    return only_there && !is_set_between(c, f, less, branch, q->inst) &&
           !is_set_between(c, f, q->by, branch, q->inst);
}

static bool is_below(struct check *c, const struct quotient *q)
{
    const struct ir_function *f = q->function;
    ir_value less = without_one(f, q->of);
    for (int b = 0; b < f->blocks.count; b++) {
        const struct ir_block *block = &f->blocks.items[b];
        if (block->count && is_below_branch(c, q, block->insts[block->count - 1], less))
            return true;
    }
    return false;
}

/* ---- what becomes of it ---------------------------------------------------------------------- */

/* min(1.0, n // all): what is limited to 1 is a part of 1. */
static bool is_limited(struct check *c, const struct quotient *q)
{
    const struct ir_function *f = q->function;
    const value_list *users = &code_view(c, f)->users[q->inst];
    for (int k = 0; k < users->count; k++) {
        const struct ir_inst *i = inst_at(f, users->items[k]);
        const struct ir_inst *called =
            i->op == IR_CALL && !i->name && i->arg_count == 3 ? inst_at(f, i->args[0]) : NULL;
        if (called && called->op == IR_NAME && !strcmp(called->name, "min") &&
            (is_real(f, i->args[1], 1) || is_real(f, i->args[2], 1)))
            return true;
    }
    return false;
}

static const char *what_is_left(struct check *c, const struct quotient *q)
{
    if (is_reciprocal(q))
        return "it is 0, unless that is 1";
    if (is_one_less(c, q))
        return "it is 0";
    if (is_below(c, q))
        return without_one(q->function, q->of) == q->of
                   ? "it is 0, as the first is the smaller one here"
                   : "it is 0, or 1 at the end";
    return is_limited(c, q) ? "it is 0 until it is 1" : NULL;
}

static void check_quotient(struct check *c, const struct quotient *q)
{
    const struct ir_function *f = q->function;
    const char *left = what_is_left(c, q);
    if (!left || flow_call_of(c->in->flow, f, q->inst) || was_reported(c, f, q->inst))
        return;
    struct span of = inst_at(f, q->of)->span, by = inst_at(f, q->by)->span;
    struct finding *out = finding_new(c, SEVERITY_WARNING, f, inst_at(f, q->inst)->span,
                                      "'%s' divided by '%s' is rounded down: %s",
                                      name_in_program(c, f, q->of, &of, "one"),
                                      name_in_program(c, f, q->by, &by, "the other"), left);
    finding_mark(c, out, of);
    finding_mark(c, out, by);
}

static void check_program(struct check *c)
{
    for (int u = 0; u < c->in->unit_count; u++)
        for (int k = 0; k < c->in->units[u]->functions.count; k++) {
            const struct ir_function *f = c->in->units[u]->functions.items[k];
            for (int n = 1; f->has_body && is_selected(c, f) && n < f->insts.count; n++) {
                const struct ir_inst *i = inst_at(f, n);
                if (applies(i, PROTOCOL_FLOORDIV))
                    check_quotient(c, &(struct quotient){f, n, i->args[0], i->args[1]});
            }
        }
}

const struct rule_code rule_floored_fraction = {.program = check_program};
