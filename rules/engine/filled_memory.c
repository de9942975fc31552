/* Integers that a loop of a static language stores in an array, or in the memory of a tensor: how
 * large they get, from how the loop counts. */
#include "rules/engine/engine.h"

#include <math.h>
#include <string.h>

enum { MAX_DEPTH = 8 };

/* All that a number can be, and bounds that it reaches or passes: of each, some number is at most
 * `down`, and some number is at least `up`. */
struct bounds {
    double low, high, down, up;
};

static struct bounds constant(double n)
{
    return (struct bounds){n, n, n, n};
}

static bool is_constant(const struct bounds *b)
{
    return b->low == b->high;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static struct bounds sum_of(const struct bounds *a, const struct bounds *b)
{
    return (struct bounds){a->low + b->low, a->high + b->high,
                           fmin(a->down + b->high, a->high + b->down),
                           fmax(a->up + b->low, a->low + b->up)};
}

static struct bounds negated(const struct bounds *a)
{
    return (struct bounds){-a->high, -a->low, -a->up, -a->down};
}

static bool product_of(const struct bounds *a, const struct bounds *b, struct bounds *out)
{
    if (is_constant(a) && a->low < 0)
        return false;
    if (is_constant(b) && b->low >= 0) {
        double n = b->low;
        *out = (struct bounds){a->low * n, a->high * n, a->down * n, a->up * n};
        return true;
    }
    *out = (struct bounds){a->low * b->low, a->high * b->high,
                           fmin(a->down * b->high, a->high * b->down),
                           fmax(a->up * b->low, a->low * b->up)};
    return a->low >= 0 && b->low >= 0;
}

/* What is left over by division: where the numbers go round more than once, they are anywhere below
 * the divisor. */
static bool rest_of(const struct bounds *a, const struct bounds *by, struct bounds *out)
{
    if (!is_constant(by) || by->low < 1 || a->low < 0)
        return false;
    double most = by->low - 1;
    *out = a->high < by->low ? *a : (struct bounds){0, most, most / 4, most * 3 / 4};
    return a->high < by->low || a->up - a->down >= 2 * by->low;
}

/* ---- loops ----------------------------------------------------------------------------------- */

static bool value_bounds(struct check *c, const struct ir_function *f, ir_value v, int depth,
                         struct bounds *out);

/* The number that a variable is increased by there; 0: it is not. */
static int64_t step_at(struct check *c, const struct ir_function *f, int64_t variable,
                       ir_value store)
{
    const struct ir_inst *sum = inst_at(f, ir_written(inst_at(f, store)));
    if (sum->op != IR_BINARY || sum->arith != ARITH_ADD)
        return 0;
    const struct ir_inst *by = inst_at(f, value_behind(f, sum->args[1]));
    bool is_own = variable_read(c, f, value_behind(f, sum->args[0])) == variable;
    return is_own && by->op == IR_INT ? by->integer : 0;
}

/* The number that the variable is compared with in the loop, which it stays below; false: there is
 * none, or several. */
static bool find_end(struct check *c, const struct ir_function *f, int64_t variable, int depth,
                     double *end)
{
    const struct code_view *code = code_view(c, f);
    int found = 0;
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = inst_at(f, n);
        bool is_test = i->op == IR_BINARY && (i->arith == ARITH_LT || i->arith == ARITH_LE);
        struct bounds b;
        if (!is_test || !is_in_loop(code, n) ||
            variable_read(c, f, value_behind(f, i->args[0])) != variable)
            continue;
        if (found++ || !value_bounds(c, f, i->args[1], depth - 1, &b) || !is_constant(&b))
            return false;
        *end = b.low + (i->arith == ARITH_LE);
    }
    return found == 1;
}

/* What a variable counts in a loop: from a number on, up to another. */
static bool counter_bounds(struct check *c, const struct ir_function *f, int64_t variable,
                           ir_value read, int depth, struct bounds *out)
{
    const struct code_view *code = code_view(c, f);
    const value_list *stores = &code->stores[variable];
    double end;
    if (stores->count != 2 || !is_in_loop(code, read) || !find_end(c, f, variable, depth, &end))
        return false;
    for (int k = 0; k < 2; k++) {
        const struct ir_inst *from =
            inst_at(f, value_behind(f, ir_written(inst_at(f, stores->items[k]))));
        int64_t step = step_at(c, f, variable, stores->items[1 - k]);
        double last = step > 0 ? end - 1 - fmod(end - 1 - (double)from->integer, (double)step) : 0;
        if (from->op != IR_INT || step <= 0 || last < (double)from->integer)
            continue;
        *out = (struct bounds){(double)from->integer, last, (double)from->integer, last};
        return true;
    }
    return false;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* What the only call of the function in its unit passes for the parameter; 0: there is none. */
static ir_value only_passed(struct check *c, const struct ir_function *f, int64_t param,
                            const struct ir_function **caller)
{
    ir_value found = 0;
    for (int u = 0; u < c->in->unit_count; u++)
        for (int k = 1; k < c->in->units[u]->functions.count; k++) {
            const struct ir_function *g = c->in->units[u]->functions.items[k];
            for (int n = 1; n < g->insts.count; n++) {
                const struct ir_inst *i = inst_at(g, n);
                if (i->op != IR_CALL || !i->name || strcmp(i->name, f->name) != 0)
                    continue;
                if (found || param >= i->arg_count)
                    return 0;
                found = i->args[param];
                *caller = g;
            }
        }
    return found;
}

static bool variable_bounds(struct check *c, const struct ir_function *f, int64_t variable,
                            ir_value read, int depth, struct bounds *out)
{
    const struct ir_function *caller = NULL;
    ir_value held = value_held(c, f, variable, read);
    if (held)
        return value_bounds(c, f, held, depth - 1, out);
    if (code_view(c, f)->stores[variable].count)
        return counter_bounds(c, f, variable, read, depth, out);
    ir_value passed = variable < f->param_count ? only_passed(c, f, variable, &caller) : 0;
    return passed && value_bounds(c, caller, passed, depth - 1, out) && is_constant(out);
}

static bool arithmetic_bounds(struct check *c, const struct ir_function *f, const struct ir_inst *i,
                              int depth, struct bounds *out)
{
    struct bounds a, b;
    if (!value_bounds(c, f, i->args[0], depth - 1, &a) ||
        !value_bounds(c, f, i->args[1], depth - 1, &b))
        return false;
    if (i->arith == ARITH_SUB)
        b = negated(&b);
    if (i->arith == ARITH_ADD || i->arith == ARITH_SUB)
        *out = sum_of(&a, &b);
    return i->arith == ARITH_ADD || i->arith == ARITH_SUB ||
           (i->arith == ARITH_MUL && product_of(&a, &b, out)) ||
           (i->arith == ARITH_REM && rest_of(&a, &b, out));
}

/* Whether the type of C holds all of them: where not, they are others already. */
static bool holds(const struct type *t, const struct bounds *b)
{
    double most = t && t->kind == TYPE_INT ? ldexp(1, t->bits - t->is_signed) : 0;
    return b->high < most && b->low >= (t->is_signed ? -most : 0);
}

static bool value_bounds(struct check *c, const struct ir_function *f, ir_value v, int depth,
                         struct bounds *out)
{
    const struct ir_inst *i = inst_at(f, v);
    int64_t variable = variable_read(c, f, v);
    if (depth <= 0 || !i->type || i->type->kind != TYPE_INT)
        return false;
    if (i->op == IR_INT)
        *out = constant((double)i->integer);
    bool is = i->op == IR_INT ||
              (i->op == IR_CONVERT && value_bounds(c, f, i->args[0], depth - 1, out)) ||
              (i->op == IR_BINARY && arithmetic_bounds(c, f, i, depth, out)) ||
              (variable >= 0 && variable_bounds(c, f, variable, v, depth, out));
    return is && holds(i->type, out);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The local that the address is of, or was read from; -1: none. */
static int64_t memory_at(struct check *c, const struct ir_function *f, ir_value address)
{
    ir_value v = value_behind(f, address);
    const struct ir_inst *i = inst_at(f, v);
    return i->op == IR_LOCAL ? i->integer : variable_read(c, f, v);
}

/* Whether the store is run in each round of a loop that counts, and not under another condition. */
static bool is_in_each_round(struct check *c, const struct ir_function *f, ir_value store)
{
    const struct code_view *code = code_view(c, f);
    int block = code->block[store];
    if (block < 0 || !is_in_loop(code, store) || code->predecessors[block].count != 1)
        return false;
    const struct ir_block *before = &f->blocks.items[code->predecessors[block].items[0]];
    const struct ir_inst *end =
        before->count ? inst_at(f, before->insts[before->count - 1]) : inst_at(f, 0);
    if (end->op != IR_BRANCH)
        return false;
    const struct ir_inst *test = inst_at(f, end->args[0]);
    int64_t variable =
        test->op == IR_BINARY ? variable_read(c, f, value_behind(f, test->args[0])) : -1;
    return variable >= 0 && code->stores[variable].count == 2;
}

/* What the only store to elements of that memory puts there, in a loop. */
static bool stored_bounds(struct check *c, const struct ir_function *f, int64_t memory,
                          struct bounds *out)
{
    ir_value found = 0;
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = inst_at(f, n);
        const struct ir_inst *to = i->op == IR_STORE ? inst_at(f, i->args[0]) : NULL;
        if (!to || to->op != IR_ELEMENT || memory_at(c, f, to->args[0]) != memory)
            continue;
        if (found)
            return false;
        found = n;
    }
    return found && is_in_each_round(c, f, found) &&
           value_bounds(c, f, ir_written(inst_at(f, found)), MAX_DEPTH, out);
}

/* The variable that holds a pointer to the memory of the tensor that was made there; -1: none. */
static int64_t pointer_to(struct check *c, const struct call *made)
{
    const struct ir_function *f = made->function;
    for (int n = 1; n < f->insts.count; n++) {
        const struct flow_call *by = flow_call_of(c->in->flow, f, n);
        struct call data, maker;
        if (!by || !by->callee->returns_buffer || by->callee->returns_tensor ||
            !call_view(c, f, n, &data) || !data.count ||
            !argument_maker(c, &data.arguments[0], &maker) || maker.function != f ||
            maker.inst != made->inst)
            continue;
        const value_list *users = &code_view(c, f)->users[n];
        for (int k = 0; k < users->count; k++)
            if (variable_set(c, f, users->items[k]) >= 0)
                return variable_set(c, f, users->items[k]);
    }
    return -1;
}

/* What changed it in place is not followed. */
static bool is_changed(const struct argument *x)
{
    return x->seen->changed || (x->flow && x->flow->changed);
}

bool filled_range(struct check *c, const struct argument *x, struct value_range *out)
{
    struct call made;
    struct bounds b;
    if (!argument_is_tensor(x) || is_changed(x) || !argument_maker(c, x, &made))
        return false;
    const struct argument *data = call_argument(&made, ROLE_DATA);
    int64_t memory = made.callee->values == VALUES_DATA && data && data->value
                         ? memory_at(c, made.function, data->value)
                         : pointer_to(c, &made);
    if (memory < 0 || !stored_bounds(c, made.function, memory, &b) || b.up < b.down)
        return false;
    *out = (struct value_range){.low = b.low, .high = b.up, .is_known = true, .is_whole = true};
    return true;
}

/* ---- integers that become floats ------------------------------------------------------------- */

/* A field of a record, or the elements of a global: where a table in the source has its numbers. */
struct column {
    const char *name; /* of the record, or of the global */
    int64_t field;    /* -1: of a global */
};

static bool column_at(const struct ir_function *f, ir_value address, struct column *out)
{
    const struct ir_inst *i = inst_at(f, address), *base = inst_at(f, place_base(f, address));
    const char *record = record_of_field(f, address);
    if (record) {
        *out = (struct column){record, i->integer};
        return true;
    }
    *out = (struct column){base->name, -1};
    return i->op == IR_ELEMENT && base->op == IR_GLOBAL && base->name;
}

static bool is_same_column(const struct column *a, const struct column *b)
{
    return a->field == b->field && !strcmp(a->name, b->name);
}

/* The first number in the column that the dtype does not have; 0: none. */
static double inexact_in(struct check *c, const struct column *column, enum dtype d)
{
    for (int u = 0; u < c->in->unit_count; u++)
        for (int k = 0; k < c->in->units[u]->functions.count; k++) {
            const struct ir_function *g = c->in->units[u]->functions.items[k];
            for (int n = 1; n < g->insts.count; n++) {
                const struct ir_inst *i = inst_at(g, n);
                struct column to;
                if (i->op != IR_STORE || !column_at(g, i->args[0], &to) ||
                    !is_same_column(&to, column))
                    continue;
                const struct ir_inst *put = inst_at(g, value_behind(g, ir_written(i)));
                struct value_range r = range_of_number((double)put->integer);
                if (put->op == IR_INT && range_stored(r, d).low != (double)put->integer)
                    return (double)put->integer;
            }
        }
    return 0;
}

double filled_inexactly(struct check *c, const struct call *made, enum dtype d)
{
    const struct ir_function *f = made->function;
    const struct argument *data = call_argument(made, ROLE_DATA);
    int64_t memory = made->callee->values == VALUES_DATA && data && data->value
                         ? memory_at(c, f, place_base(f, data->value))
                         : pointer_to(c, made);
    for (int n = 1; memory >= 0 && n < f->insts.count; n++) {
        const struct ir_inst *i = inst_at(f, n);
        bool is_put = i->op == IR_STORE && inst_at(f, i->args[0])->op == IR_ELEMENT &&
                      memory_at(c, f, place_base(f, i->args[0])) == memory;
        const struct ir_inst *put =
            is_put ? inst_at(f, value_behind(f, ir_written(i))) : inst_at(f, 0);
        struct column from;
        if (put->op != IR_LOAD || !put->type || put->type->kind != TYPE_INT ||
            !column_at(f, put->args[0], &from))
            continue;
        double number = inexact_in(c, &from, d);
        if (number != 0)
            return number;
    }
    return 0;
}
