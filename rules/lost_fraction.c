/* Integers where a fraction is needed: a quotient of integers, which drops what is left over,
 * becomes a float; or a rate, such as the learning rate, is kept in an integer. */
#include "rules/engine/engine.h"

#include <math.h>
#include <string.h>

/* The operands of a quotient of integers. */
struct quotient {
    const struct ir_function *function;
    ir_value inst, of, by;
};

static bool is_arith(const struct ir_inst *i, enum ir_arith arith, enum type_kind kind)
{
    return i->op == IR_BINARY && i->arith == arith && i->type && i->type->kind == kind;
}

static bool quotient_at(const struct ir_function *f, ir_value v, struct quotient *out)
{
    const struct ir_inst *i = inst_at(f, v);
    if (!v || !is_arith(i, ARITH_DIV, TYPE_INT))
        return false;
    *out = (struct quotient){f, v, value_behind(f, i->args[0]), value_behind(f, i->args[1])};
    return true;
}

static bool number_of(const struct ir_function *f, ir_value v, int64_t *n)
{
    *n = inst_at(f, v)->integer;
    return inst_at(f, v)->op == IR_INT;
}

enum { MAX_DEPTH = 4 };

/* From here on, the fraction is small against the number. */
static const double LARGE = 16;

/* ---- where it is needed ---------------------------------------------------------------------- */

static bool is_named(struct check *c, const struct ir_function *f, ir_value v, const char *name)
{
    const char *own = value_name(c->in->arena, f, value_behind(f, v));
    return own && !strcmp(own, name);
}

/* (n - 1) / n */
static bool is_part_by_itself(struct check *c, const struct quotient *q)
{
    const struct ir_inst *i = inst_at(q->function, q->of);
    const char *by = value_name(c->in->arena, q->function, q->by);
    int64_t less;
    return by && is_arith(i, ARITH_SUB, TYPE_INT) && is_named(c, q->function, i->args[0], by) &&
           number_of(q->function, value_behind(q->function, i->args[1]), &less) && less > 0;
}

/* Both are numbers, of which the first is the smaller one: it is 0. */
static bool is_always_zero(struct check *c, const struct quotient *q)
{
    int64_t of, by;
    if (is_part_by_itself(c, q))
        return true;
    return number_of(q->function, q->of, &of) && number_of(q->function, q->by, &by) && of > 0 &&
           of < by;
}

static bool takes_both(struct check *c, const struct ir_function *f, const struct ir_inst *i,
                       const char *x, const char *y)
{
    return (is_named(c, f, i->args[0], x) && is_named(c, f, i->args[1], y)) ||
           (is_named(c, f, i->args[0], y) && is_named(c, f, i->args[1], x));
}

static bool is_comparison(const struct ir_inst *i)
{
    return i->op == IR_BINARY && (i->arith == ARITH_LT || i->arith == ARITH_LE ||
                                  i->arith == ARITH_GT || i->arith == ARITH_GE);
}

/* They are compared, so that one is a part of the other; what is left over is not used as well, as
 * it is for rows and columns. */
static bool are_compared_by_name(struct check *c, const struct ir_function *f, ir_value x,
                                 ir_value y)
{
    const char *of = value_name(c->in->arena, f, x), *by = value_name(c->in->arena, f, y);
    bool is_compared = false;
    for (int n = 1; of && by && n < f->insts.count; n++) {
        const struct ir_inst *i = inst_at(f, n);
        if (i->op == IR_BINARY && i->arith == ARITH_REM && takes_both(c, f, i, of, by))
            return false;
        is_compared |= is_comparison(i) && takes_both(c, f, i, of, by);
    }
    return is_compared;
}

/* The parameter that the value was read from; -1: none. */
static int parameter_read(struct check *c, const struct ir_function *f, ir_value v)
{
    int64_t variable = variable_read(c, f, v);
    bool is_set =
        variable < 0 || variable >= f->param_count || code_view(c, f)->stores[variable].count;
    return is_set ? -1 : (int)variable;
}

static bool are_compared(struct check *c, const struct ir_function *f, ir_value x, ir_value y,
                         int depth);

static bool is_in_unit(const struct ir_unit *u, const struct ir_function *f)
{
    for (int k = 0; k < u->functions.count; k++)
        if (u->functions.items[k] == f)
            return true;
    return false;
}

/* Whether a caller compares what it passes. */
static bool are_compared_by_caller(struct check *c, const struct ir_function *f, int x, int y,
                                   int depth)
{
    for (int u = 0; x >= 0 && y >= 0 && u < c->in->unit_count; u++)
        for (int k = 0; k < c->in->units[u]->functions.count; k++) {
            const struct ir_function *g = c->in->units[u]->functions.items[k];
            bool may_call = g != f && (!f->is_internal || is_in_unit(c->in->units[u], f));
            for (int n = 1; may_call && n < g->insts.count; n++) {
                const struct ir_inst *i = inst_at(g, n);
                bool calls = i->op == IR_CALL && i->name && !strcmp(i->name, f->name) &&
                             i->arg_count == f->param_count;
                if (calls && are_compared(c, g, value_behind(g, i->args[x]),
                                          value_behind(g, i->args[y]), depth - 1))
                    return true;
            }
        }
    return false;
}

static bool are_compared(struct check *c, const struct ir_function *f, ir_value x, ir_value y,
                         int depth)
{
    return depth &&
           (are_compared_by_name(c, f, x, y) ||
            are_compared_by_caller(c, f, parameter_read(c, f, x), parameter_read(c, f, y), depth));
}

/* Counted from 0, it is the first one of step + 1. */
static ir_value without_one(const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = inst_at(f, v);
    int64_t n;
    for (int k = 0; is_arith(i, ARITH_ADD, TYPE_INT) && k < 2; k++)
        if (number_of(f, value_behind(f, i->args[k]), &n) && n == 1)
            return value_behind(f, i->args[1 - k]);
    return v;
}

static bool is_part_of_whole(struct check *c, const struct quotient *q)
{
    return are_compared(c, q->function, without_one(q->function, q->of), q->by, MAX_DEPTH);
}

/* Of two or more, it is 0. */
static bool is_reciprocal(const struct quotient *q)
{
    int64_t of, by;
    return number_of(q->function, q->of, &of) && of == 1 && !number_of(q->function, q->by, &by);
}

/* What a variable was last set to, if that is certain; else the value as it is. */
static ir_value value_set(struct check *c, const struct ir_function *f, ir_value v)
{
    int64_t variable = variable_read(c, f, v);
    ir_value held = variable >= 0 ? value_held(c, f, variable, v) : 0;
    return held ? value_behind(f, held) : v;
}

/* It is a number of elements that a tensor held, such as how many are right. */
static bool is_of_elements(struct check *c, const struct quotient *q)
{
    const struct flow_call *by =
        flow_call_of(c->in->flow, q->function, value_set(c, q->function, q->of));
    return by && !by->callee->returns_tensor && !is_query(by->callee) && by->operand_count &&
           by->callee->params[0].kind != OPERAND_ABSENT;
}

/* How many of its elements are true. */
static bool is_number_of_true(struct check *c, const struct argument *x, int depth)
{
    struct call made, changed;
    if (!argument_is_tensor(x) || !depth)
        return false;
    if (argument_maker(c, x, &made) && made.callee->values == VALUES_SUM &&
        argument_dtypes(call_argument(&made, ROLE_INPUT)) == SET_BOOL)
        return true;
    if (!x->flow || !x->flow->changed || !step_call(c, x->flow->changed, &changed))
        return false;
    enum param_role added = changed.family == FAMILY_COPY ? ROLE_SOURCE : ROLE_RIGHT;
    return (changed.family == FAMILY_ADD || changed.family == FAMILY_COPY) &&
           is_number_of_true(c, call_argument(&changed, added), depth - 1);
}

static bool reads_true(struct check *c, const struct flow_call *read, const void *context)
{
    struct call item;
    (void)context;
    return reads_numbers(read->callee) && call_view(c, read->function, read->inst, &item) &&
           is_number_of_true(c, &item.arguments[0], MAX_DEPTH);
}

/* Whether a number of elements that are true is put there, or added to what is there. */
static bool holds_count(struct check *c, const struct ir_function *f, ir_value field)
{
    for (int u = 0; u < c->in->unit_count; u++)
        for (int k = 1; k < c->in->units[u]->functions.count; k++) {
            const struct ir_function *g = c->in->units[u]->functions.items[k];
            for (int n = 1; n < g->insts.count; n++) {
                const struct ir_inst *i = inst_at(g, n);
                if (i->op == IR_STORE && is_same_field(g, i->args[0], f, field) &&
                    number_read(c, g, ir_written(i), reads_true, NULL))
                    return true;
            }
        }
    return false;
}

/* It is such a number, of several tensors, say: in a variable or a field of a record. */
static bool is_count_kept(struct check *c, const struct quotient *q)
{
    const struct ir_inst *i = inst_at(q->function, q->of);
    if (i->op == IR_LOAD && inst_at(q->function, i->args[0])->op == IR_FIELD)
        return holds_count(c, q->function, i->args[0]);
    return number_read(c, q->function, q->of, reads_true, NULL) != NULL;
}

/* Whether the number, or a factor of it, has the name. */
static bool has_factor(struct check *c, const struct ir_function *f, ir_value v, const char *name,
                       int depth)
{
    v = value_behind(f, v);
    if (is_named(c, f, v, name))
        return true;
    return depth && is_arith(inst_at(f, v), ARITH_MUL, TYPE_INT) &&
           (has_factor(c, f, inst_at(f, v)->args[0], name, depth - 1) ||
            has_factor(c, f, inst_at(f, v)->args[1], name, depth - 1));
}

/* A total divided by each of its terms, as for weights of classes: total += count[i], and
 * total / (n * count[i]). */
static bool is_total_by_term(struct check *c, const struct quotient *q)
{
    const struct ir_function *f = q->function;
    int64_t variable = variable_read(c, f, q->of);
    const value_list *stores = variable >= 0 ? &code_view(c, f)->stores[variable] : NULL;
    for (int k = 0; stores && k < stores->count; k++) {
        ir_value sum = ir_written(inst_at(f, stores->items[k]));
        if (!is_arith(inst_at(f, sum), ARITH_ADD, TYPE_INT) ||
            variable_read(c, f, value_behind(f, inst_at(f, sum)->args[0])) != variable)
            continue;
        const char *term = value_name(c->in->arena, f, value_behind(f, inst_at(f, sum)->args[1]));
        if (term && is_in_loop(code_view(c, f), stores->items[k]) &&
            has_factor(c, f, q->by, term, MAX_DEPTH))
            return true;
    }
    return false;
}

static bool is_fraction(struct check *c, const struct quotient *q)
{
    return is_always_zero(c, q) || is_reciprocal(q) || is_part_of_whole(c, q) ||
           is_total_by_term(c, q) || is_of_elements(c, q) || is_count_kept(c, q);
}

/* Nobody wrote a cast in front of it, which would say that it is meant. */
static bool is_implicit(struct check *c, struct span at)
{
    struct span before = at;
    before.column = 1;
    before.end_line = at.line;
    before.end_column = at.column;
    const char *text = at.column > 1 ? text_of(c, before) : "";
    size_t n = text ? strlen(text) : 0;
    while (n && strchr("( \t", text[n - 1]))
        n--;
    return text && !(n && text[n - 1] == ')');
}

/* ---- findings -------------------------------------------------------------------------------- */

static void report(struct check *c, const struct quotient *q)
{
    const struct ir_function *f = q->function;
    struct span at = inst_at(f, q->inst)->span, of = inst_at(f, q->of)->span,
                by = inst_at(f, q->by)->span;
    if (was_reported(c, f, q->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, f, at,
        "the quotient of '%s' and '%s' is an integer: its fraction is dropped before it becomes a "
        "float",
        name_in_program(c, f, q->of, &of, "one"), name_in_program(c, f, q->by, &by, "the other"));
    finding_mark(c, out, of);
    finding_mark(c, out, by);
}

/* A side of the operator, without spaces and parentheses around it, as a span; false: there is
 * none. */
static bool side_of(struct span whole, const char *text, size_t from, size_t to, struct span *out)
{
    while (from < to && strchr(" \t(", text[from]))
        from++;
    while (to > from && strchr(" \t)", text[to - 1]))
        to--;
    *out = whole;
    out->end_column = whole.column + (int)to;
    out->column = whole.column + (int)from;
    return from < to && (text[from] != '0' || to - from > 1);
}

/* The quotient of two constants, which the compiler computed: it is 0 only because both are
 * integers. */
static void check_constant(struct check *c, const struct ir_function *f, ir_value v)
{
    struct span at = inst_at(f, v)->span, of, by;
    const char *text = at.line && at.line == at.end_line ? text_of(c, at) : NULL;
    const char *divide = text ? strchr(text, '/') : NULL;
    if (!divide || strpbrk(text, ".\"'*,?") || strchr(divide + 1, '/') ||
        !side_of(at, text, 0, (size_t)(divide - text), &of) ||
        !side_of(at, text, (size_t)(divide - text) + 1, strlen(text), &by) || !is_implicit(c, at) ||
        was_reported(c, f, v))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, f, at,
                    "'%s' is 0: it is a quotient of integers, whose fraction is dropped", text);
    finding_mark(c, out, of);
    finding_mark(c, out, by);
}

/* The quotient that a float was computed from. */
static bool find_quotient(struct check *c, const struct ir_function *f, ir_value v, int depth,
                          struct quotient *out)
{
    v = value_within(c, f, v);
    const struct ir_inst *i = inst_at(f, v);
    if (!v || !depth || quotient_at(f, v, out))
        return v && depth;
    if (i->op == IR_LOAD) {
        ir_value set = value_set(c, f, v);
        return set != v && find_quotient(c, f, set, depth - 1, out);
    }
    return is_arith(i, ARITH_MUL, TYPE_FLOAT) && (find_quotient(c, f, i->args[0], depth - 1, out) ||
                                                  find_quotient(c, f, i->args[1], depth - 1, out));
}

/* Whether floats are computed with the number as with a fraction: times it, or interpolated by it.
 */
static bool scales(const struct call *call, const struct argument *a)
{
    enum pack_values what = call->callee->values;
    enum param_role role = a->param->role;
    bool multiplies = what == VALUES_MUL && (role == ROLE_LEFT || role == ROLE_RIGHT);
    return (multiplies || role == ROLE_WEIGHT || role == ROLE_SCALE) && call->result &&
           dtypes_are(call->result->fact.dtypes, SET_FLOATS);
}

/* A quotient of integers that floats are multiplied with. */
static void check_factor(struct check *c, const struct call *call, const struct argument *a)
{
    const struct ir_inst *i = a->value ? inst_at(call->function, a->value) : NULL;
    struct quotient q;
    if (!i || argument_is_tensor(a) || !scales(call, a))
        return;
    if (i->op == IR_INT && i->integer == 0)
        check_constant(c, call->function, a->value);
    if (quotient_at(call->function, a->value, &q) && is_fraction(c, &q))
        report(c, &q);
}

/* A number that is 0 only because of that. */
static void check_number(struct check *c, const struct call *call, const struct argument *a)
{
    struct quotient q;
    int64_t of;
    bool is_zero = a->known && a->number == 0 && a->value;
    if (is_zero && inst_at(call->function, a->value)->type &&
        (inst_at(call->function, a->value)->type->kind == TYPE_FLOAT || scales(call, a)) &&
        find_quotient(c, call->function, a->value, MAX_DEPTH, &q) &&
        !(number_of(q.function, q.of, &of) && of == 0))
        report(c, &q);
}

static void check_rate(struct check *c, const struct call *call, const struct argument *rate)
{
    const struct ir_inst *i = rate->value ? inst_at(call->function, rate->value) : NULL;
    bool is_integer = i && i->type && i->type->kind == TYPE_INT && i->op != IR_INT;
    if (!is_integer || (rate->known && rate->number != 0) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "the rate '%s' is an integer: 0.1 would be 0", rate->name);
    finding_mark(c, out, rate->span);
}

/* ---- tensors --------------------------------------------------------------------------------- */

/* The sum of the other operand, which none of its elements reaches. */
static bool is_sum_of(struct check *c, const struct argument *sum, const struct argument *x)
{
    struct call made;
    if (!argument_is_tensor(sum) || !argument_is_tensor(x) || !x->seen->how ||
        !argument_maker(c, sum, &made) || made.callee->values != VALUES_SUM)
        return false;
    const struct argument *of = call_argument(&made, ROLE_INPUT);
    return argument_is_tensor(of) && of->seen->how == x->seen->how;
}

/* truncated-cast knows that it is 0, unless it is all. */
static bool is_part_by_range(const struct call *call, const struct argument *x,
                             const struct argument *by)
{
    const struct value_range *r = &x->seen->fact.range;
    double all;
    return argument_number(call, by, &all) && r->is_known && r->low == 0 && r->high == all;
}

/* A share that is rounded down: 0, mostly. How many are right, of all, is often meant as one, too;
 * but what is divided by a number in the source may be a size. */
static void check_share(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_LEFT),
                          *by = call_argument(call, ROLE_RIGHT);
    if (call->callee->values != VALUES_FLOOR_DIVIDE || !argument_is_tensor(x) || !by ||
        !call->result || !dtypes_are(call->result->fact.dtypes, SET_INTS))
        return;
    bool is_share = is_sum_of(c, by, x);
    if ((!is_share && (is_literal(call, by) || is_part_by_range(call, x, by) ||
                       !is_number_of_true(c, x, MAX_DEPTH))) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, is_share ? SEVERITY_WARNING : SEVERITY_NOTE, call->function, call_span(call),
        "the share of '%s' in '%s' is rounded down to an integer: it is 0, unless that is all",
        x->name, by->name);
    finding_mark(c, out, x->span);
    finding_mark(c, out, by->span);
}

static void check(struct check *c, const struct call *call)
{
    check_share(c, call);
    for (int k = 0; k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        if (a->param->role == ROLE_RATE)
            check_rate(c, call, a);
        check_factor(c, call, a);
        if (a->seen && (a->seen->kind == OPERAND_FLOAT || scales(call, a)))
            check_number(c, call, a);
    }
}

/* A number of elements that are equal to others, such as how many are right. */
static bool reads_equal(struct check *c, const struct flow_call *read, const void *context)
{
    struct call item, sum, equal;
    (void)context;
    return reads_numbers(read->callee) && call_view(c, read->function, read->inst, &item) &&
           argument_maker(c, &item.arguments[0], &sum) && sum.callee->values == VALUES_SUM &&
           argument_maker(c, call_argument(&sum, ROLE_INPUT), &equal) &&
           argument_dtypes(call_argument(&sum, ROLE_INPUT)) == SET_BOOL &&
           equal.callee->values == VALUES_EQ;
}

/* Such a number in a dynamic language, divided by how many there are and rounded down. */
static void check_numbers(struct check *c, const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = inst_at(f, v);
    if (i->op != IR_APPLY ||
        (i->integer != PROTOCOL_FLOORDIV && i->integer != PROTOCOL_IFLOORDIV) ||
        inst_at(f, value_behind(f, i->args[1]))->op == IR_INT ||
        !number_read(c, f, i->args[0], reads_equal, NULL) || was_reported(c, f, v))
        return;
    struct span of = inst_at(f, i->args[0])->span, by = inst_at(f, i->args[1])->span;
    struct finding *out = finding_new(
        c, SEVERITY_NOTE, f, i->span,
        "the share of '%s' in '%s' is rounded down to an integer: it is 0, unless that is all",
        name_in_program(c, f, i->args[0], &of, "one"),
        name_in_program(c, f, i->args[1], &by, "the other"));
    finding_mark(c, out, of);
    finding_mark(c, out, by);
}

/* Whether runs get to the instruction, as far as the calls of ops around it show: those in its
 * block, else those in the function. */
static bool is_reached(struct check *c, const struct ir_function *f, ir_value v)
{
    const int *block = code_view(c, f)->block;
    bool calls = false, calls_here = false, reached = false, reached_here = false;
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = inst_at(f, n);
        if (i->op != IR_CALL || !i->name || !packs_find(c->in->packs, i->name))
            continue;
        bool is = flow_call_of(c->in->flow, f, n);
        calls = true;
        calls_here |= block[n] == block[v];
        reached |= is;
        reached_here |= is && block[n] == block[v];
    }
    return calls_here ? reached_here : !calls || reached;
}

static bool reads_any(struct check *c, const struct flow_call *read, const void *context)
{
    (void)c;
    (void)context;
    return reads_numbers(read->callee);
}

/* The call that reads the number from a tensor, perhaps into a variable; 0: none. */
static ir_value item_of(struct check *c, const struct ir_function *f, ir_value v, struct call *out)
{
    v = value_set(c, f, value_behind(f, v));
    bool reads = v && flow_call_of(c->in->flow, f, v) && call_view(c, f, v, out) &&
                 !out->callee->returns_tensor && !is_query(out->callee);
    return reads && argument_is_tensor(call_argument(out, ROLE_INPUT)) ? v : 0;
}

/* What is added to an integer, as a float: n += x, where n is one; 0: nothing. */
static ir_value added_to_integer(struct check *c, const struct ir_function *f, ir_value v,
                                 struct call *item)
{
    const struct ir_inst *i = inst_at(f, v);
    if (!is_arith(i, ARITH_ADD, TYPE_FLOAT))
        return 0;
    const struct ir_inst *to = inst_at(f, i->args[0]);
    bool is_integer = to->op == IR_CONVERT && inst_at(f, to->args[0])->op == IR_LOAD &&
                      inst_at(f, to->args[0])->type &&
                      inst_at(f, to->args[0])->type->kind == TYPE_INT;
    return is_integer ? item_of(c, f, i->args[1], item) : 0;
}

static enum back find_loss(const struct argument *at, const struct call *made, void *adds_up)
{
    enum pack_values what = made->callee->values;
    bool passes_on = what == VALUES_SAME || what == VALUES_ADD || what == VALUES_MUL ||
                     call_is_view(made) || call_is_cast(made);
    (void)at;
    if (made->family == FAMILY_LOSS || made->family == FAMILY_CLASS_LOSS ||
        (*(bool *)adds_up && what == VALUES_MEAN))
        return BACK_YES;
    return passes_on ? BACK_GO_ON : BACK_NO;
}

/* A share that was read from a tensor becomes an integer: 0, unless it is all. So does a loss, or
 * each of several means that are added up. */
static void check_item(struct check *c, const struct ir_function *f, ir_value v)
{
    struct call item, made;
    ir_value from = inst_at(f, v)->args[0], of = from ? item_of(c, f, from, &item) : 0;
    bool adds_up = !of && from && (of = added_to_integer(c, f, from, &item));
    if (!of || !inst_at(f, of)->type || inst_at(f, of)->type->kind != TYPE_FLOAT)
        return;
    const struct argument *x = call_argument(&item, ROLE_INPUT);
    const struct value_range *r = &x->seen->fact.range;
    bool are_floats = dtypes_are(argument_dtypes(x), SET_FLOATS) && !(r->is_known && r->is_whole),
         is_share = are_floats && r->is_known && r->low > -1 && r->high < 2 &&
                    argument_maker(c, x, &made) && made.callee->values != VALUES_ROUND,
         is_loss = are_floats && trace_back(c, x, find_loss, &adds_up);
    if ((!is_share && !is_loss) || !is_implicit(c, inst_at(f, v)->span) || was_reported(c, f, v))
        return;
    const char *name = x->name;
    struct finding *out =
        is_share
            ? finding_new(c, SEVERITY_WARNING, f, inst_at(f, v)->span,
                          "'%s' is between %.3g and %.3g, and loses its fraction as an integer",
                          name, r->low, r->high)
            : finding_new(c, SEVERITY_WARNING, f, inst_at(f, v)->span,
                          adds_up ? "'%s' loses its fraction where it is added to an integer"
                                  : "the loss '%s' loses its fraction as an integer",
                          name);
    finding_mark(c, out, inst_at(f, of)->span);
}

/* The quotient that is converted there: also one of both sides of a choice, n ? m / n : 0. */
static bool is_quotient(struct check *c, const struct ir_function *f, ir_value v,
                        struct quotient *out)
{
    int64_t variable = variable_read(c, f, v);
    if (quotient_at(f, v, out))
        return true;
    bool is_choice =
        variable >= 0 && variable < f->locals.count && !*f->locals.items[variable].name;
    const value_list *stores = is_choice ? &code_view(c, f)->stores[variable] : NULL;
    for (int k = 0; stores && k < stores->count; k++)
        if (quotient_at(f, value_behind(f, ir_written(inst_at(f, stores->items[k]))), out))
            return true;
    return false;
}

/* ---- conversions ----------------------------------------------------------------------------- */

static bool converts(const struct ir_function *f, ir_value v, enum type_kind from,
                     enum type_kind to)
{
    const struct ir_inst *i = inst_at(f, v);
    const struct type *was = i->op == IR_CONVERT ? inst_at(f, i->args[0])->type : NULL;
    return was && was->kind == from && i->type && i->type->kind == to;
}

/* A number in the source with a fraction becomes an integer, as what a function is given. */
static void check_literal(struct check *c, const struct ir_function *f, ir_value v)
{
    if (!converts(f, v, TYPE_FLOAT, TYPE_INT))
        return;
    const struct ir_inst *i = inst_at(f, v), *from = inst_at(f, i->args[0]);
    if (from->op != IR_REAL || from->real == trunc(from->real) || !(fabs(from->real) < LARGE) ||
        !is_implicit(c, i->span) || !is_reached(c, f, v) || was_reported(c, f, v))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, f, i->span,
                    "%g becomes %.0f: what it is passed as, or stored in, is an integer",
                    from->real, trunc(from->real));
    finding_mark(c, out, from->span);
}

/* A float is passed on as an integer, and what a library returns for it becomes a float again, as
 * that of abs() does. */
static void check_there_and_back(struct check *c, const struct ir_function *f, ir_value v)
{
    if (!converts(f, v, TYPE_INT, TYPE_FLOAT))
        return;
    const struct ir_inst *call = inst_at(f, inst_at(f, v)->args[0]);
    if (call->op != IR_CALL || call->arg_count != 1 || !call->name ||
        !packs_find(c->in->packs, call->name))
        return;
    ir_value passed = call->args[0];
    if (!converts(f, passed, TYPE_FLOAT, TYPE_INT))
        return;
    const struct ir_inst *from = inst_at(f, inst_at(f, passed)->args[0]);
    bool is_open =
        from->op != IR_REAL && (from->op != IR_CALL || number_read(c, f, passed, reads_any, NULL));
    if (!is_open || !is_implicit(c, inst_at(f, passed)->span) ||
        !is_implicit(c, inst_at(f, v)->span) || !is_reached(c, f, v) || was_reported(c, f, v))
        return;
    struct span of = inst_at(f, passed)->span;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, f, call->span,
                    "'%s' is a float, and loses its fraction: %s takes and returns integers",
                    name_in_program(c, f, passed, &of, "the operand"), call->name);
    finding_mark(c, out, of);
}

/* A library reads an integer from a text there, as atoi() does. */
static bool reads_text(struct check *c, const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = inst_at(f, v);
    const struct type *t = i->op == IR_CALL && i->arg_count ? inst_at(f, i->args[0])->type : NULL;
    return type_is_string(t) && i->type && i->type->kind == TYPE_INT && i->name &&
           packs_find(c->in->packs, i->name);
}

/* Whether a number with a fraction is put into the field of the record, or into the variable of the
 * function, somewhere. */
static bool holds_fraction(struct check *c, const struct ir_function *f, ir_value place)
{
    int64_t local = inst_at(f, place)->op == IR_LOCAL ? inst_at(f, place)->integer : -1;
    for (int u = 0; u < c->in->unit_count; u++)
        for (int k = 1; k < c->in->units[u]->functions.count; k++) {
            const struct ir_function *g = c->in->units[u]->functions.items[k];
            for (int n = 1; n < g->insts.count; n++) {
                const struct ir_inst *i = inst_at(g, n);
                if (i->op != IR_STORE)
                    continue;
                const struct ir_inst *at = inst_at(g, i->args[0]);
                bool is_there = is_same_field(g, i->args[0], f, place) ||
                                (g == f && at->op == IR_LOCAL && at->integer == local);
                const struct ir_inst *put = inst_at(g, value_behind(g, ir_written(i)));
                if (is_there && put->op == IR_REAL && put->real != trunc(put->real))
                    return true;
            }
        }
    return false;
}

/* What has a fraction by default is read as an integer. */
static void check_option(struct check *c, const struct ir_function *f, ir_value store)
{
    const struct ir_inst *i = inst_at(f, store);
    ir_value put = i->op == IR_STORE ? ir_written(i) : 0;
    if (!put || !converts(f, put, TYPE_INT, TYPE_FLOAT) ||
        !reads_text(c, f, inst_at(f, put)->args[0]) || !is_implicit(c, inst_at(f, put)->span))
        return;
    bool is_known = record_of_field(f, i->args[0]) || inst_at(f, i->args[0])->op == IR_LOCAL;
    if (!is_known || !holds_fraction(c, f, i->args[0]) || was_reported(c, f, store))
        return;
    struct span at = inst_at(f, i->args[0])->span;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, f, inst_at(f, put)->span,
                    "'%s' has a fraction by default, and is read as an integer: 0.1 would be 0",
                    name_in_program(c, f, i->args[0], &at, "it"));
    finding_mark(c, out, at);
}

static void check_function(struct check *c, const struct ir_function *f)
{
    struct quotient q;
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = inst_at(f, n);
        if (i->op == IR_REAL && i->real == 0 && is_reached(c, f, n))
            check_constant(c, f, n);
        if (i->op == IR_CONVERT && i->type && i->type->kind == TYPE_INT)
            check_item(c, f, n);
        check_numbers(c, f, n);
        check_literal(c, f, n);
        check_there_and_back(c, f, n);
        check_option(c, f, n);
        if (i->op != IR_CONVERT || !i->type || i->type->kind != TYPE_FLOAT ||
            !is_quotient(c, f, value_behind(f, i->args[0]), &q) || !is_implicit(c, i->span) ||
            !is_reached(c, f, n))
            continue;
        if (is_fraction(c, &q))
            report(c, &q);
    }
}

static void check_program(struct check *c)
{
    for (int u = 0; u < c->in->unit_count; u++)
        for (int k = 0; k < c->in->units[u]->functions.count; k++) {
            const struct ir_function *f = c->in->units[u]->functions.items[k];
            if (f->has_body && is_selected(c, f))
                check_function(c, f);
        }
}

const struct rule_code rule_lost_fraction = {
    .call = check, .by_case = true, .program = check_program};
