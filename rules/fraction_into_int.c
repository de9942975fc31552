/* An integer tensor is filled with a number whose fraction is dropped. */
#include "rules/engine/engine.h"

#include <math.h>
#include <string.h>

/* A value in a function, and how that was entered. */
struct number_at {
    const struct ir_function *function;
    ir_value value;
    const struct frame_place *called;
};

static const struct ir_inst *number_inst(const struct number_at *n)
{
    return &n->function->insts.items[n->value];
}

static struct number_at number_of(struct check *c, const struct call *call, ir_value v)
{
    const struct flow_call *seen = flow_call_of(c->in->flow, call->function, call->inst);
    const struct frame_place *called = c->by_case ? c->by_case->called : seen->called;
    return (struct number_at){call->function, v, called};
}

/* What a function gives the parameter of another, which it defines, by default; 0: nothing. */
static ir_value default_within(const struct ir_unit *unit, const struct ir_function *in,
                               const struct ir_function *f, const char *param)
{
    for (int n = 1; n < in->insts.count; n++) {
        const struct ir_inst *i = &in->insts.items[n];
        bool defines = i->op == IR_CLOSURE && i->labels && ir_function_find(unit, i->name) == f;
        for (int k = 0; defines && k < i->arg_count; k++)
            if (i->labels[k] && !strcmp(i->labels[k], param))
                return i->args[k];
    }
    return 0;
}

/* What the parameter is by default; the number itself where that is not found. */
static struct number_at number_by_default(struct check *c, const struct number_at *n, int param)
{
    const char *name = n->function->locals.items[param].name;
    for (int u = 0; u < c->in->unit_count; u++) {
        const struct ir_unit *unit = c->in->units[u];
        for (int k = 0; k < unit->functions.count; k++) {
            const struct ir_function *in = unit->functions.items[k];
            ir_value given = default_within(unit, in, n->function, name);
            if (given)
                return (struct number_at){in, given, NULL};
        }
    }
    return *n;
}

/* A parameter that the call of the function gives no argument for. */
static bool is_left_to_default(const struct number_at *n, int64_t param, ir_value call)
{
    const struct ir_inst *i = call ? &n->called->caller->insts.items[call] : NULL;
    return i && n->function->locals.items[param].has_default && !i->labels &&
           i->arg_count <= param + (i->op == IR_CALL);
}

enum { MAX_CALLERS = 4 };

/* What computed the value, perhaps into a variable, or in a caller that passes it on. */
static struct number_at computed_by(struct check *c, struct number_at n)
{
    for (int depth = 0; depth < MAX_CALLERS && n.value; depth++) {
        const struct ir_function *f = n.function;
        int64_t variable = variable_read(c, f, n.value);
        ir_value call = 0, held = variable >= 0 ? value_held(c, f, variable, n.value) : 0;
        bool is_given = variable >= 0 && variable < f->param_count && !held && n.called;
        ir_value passed = is_given ? value_passed(f, n.called, (int)variable, &call) : 0;
        if (!passed && is_given && is_left_to_default(&n, variable, call))
            return number_by_default(c, &n, (int)variable);
        if (!passed) {
            n.value = held ? held : n.value;
            return n;
        }
        n = (struct number_at){n.called->caller, passed, n.called->outer};
    }
    return n;
}

/* A quotient of floats, which is no whole number but by chance. */
static bool is_quotient(struct check *c, const struct call *call, const struct argument *value)
{
    if (!value->value)
        return false;
    struct number_at at = computed_by(c, number_of(c, call, value->value));
    const struct ir_inst *i = number_inst(&at);
    if (i->op == IR_APPLY)
        return i->integer == PROTOCOL_DIV;
    return i->op == IR_BINARY && i->arith == ARITH_DIV && i->type && i->type->kind == TYPE_FLOAT;
}

/* In a dynamic language: a random number of a continuous distribution. */
static bool is_drawn(struct check *c, struct number_at n)
{
    static const char *const names[] = {"random", "uniform", "gauss", "normalvariate",
                                        "betavariate"};
    n = computed_by(c, n);
    const struct ir_inst *i = number_inst(&n);
    const struct ir_inst *of = i->op == IR_INVOKE ? &n.function->insts.items[i->args[0]] : NULL;
    if (!of || of->op != IR_NAME || strcmp(of->name, "random") != 0 ||
        !is_imported_name(c, i->span.file, of->name))
        return false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(i->name, names[k]))
            return true;
    return false;
}

static bool is_fill(const struct call *call)
{
    return call->family == FAMILY_FILL || call->family == FAMILY_MASK;
}

/* The number that it writes to all elements, or to some of them; NULL: none. */
static const struct argument *number_written(const struct call *call)
{
    const struct argument *value = call_argument(call, ROLE_VALUE);
    if (is_fill(call))
        return value;
    if (!call_written(call))
        return NULL;
    value = value ? value : call_argument(call, ROLE_SOURCE);
    return value && value->seen && value->seen->kind == OPERAND_FLOAT ? value : NULL;
}

enum { MAX_DEPTH = 4 };

static struct number_at operand_of(const struct number_at *n, int k)
{
    return (struct number_at){n->function, number_inst(n)->args[k], n->called};
}

/* In a dynamic language: some factor is a number in the source that is not whole. */
static bool has_fraction(struct check *c, struct number_at n, int depth)
{
    if (!n.value || !depth)
        return false;
    n = computed_by(c, n);
    const struct ir_inst *i = number_inst(&n);
    if (i->op == IR_REAL)
        return i->real != trunc(i->real);
    bool passes = is_number_arithmetic(i) && i->integer != PROTOCOL_POW;
    return passes && (has_fraction(c, operand_of(&n, 0), depth - 1) ||
                      (i->arg_count > 1 && has_fraction(c, operand_of(&n, 1), depth - 1)));
}

/* A float that was computed by a product of floats, perhaps as a sum with others. */
static bool is_product(struct check *c, struct number_at n, int depth)
{
    if (!n.value || !depth)
        return false;
    n = computed_by(c, n);
    const struct ir_inst *i = number_inst(&n), *all = n.function->insts.items;
    if (is_drawn(c, n))
        return true;
    if (i->op == IR_APPLY)
        return has_fraction(c, n, depth);
    if (i->op != IR_BINARY || !i->type || i->type->kind != TYPE_FLOAT)
        return false;
    if (i->arith == ARITH_MUL) {
        const struct ir_inst *a = &all[i->args[0]], *b = &all[i->args[1]];
        return a->op != IR_CONVERT && b->op != IR_CONVERT &&
               !(a->op == IR_REAL && a->real == trunc(a->real)) &&
               !(b->op == IR_REAL && b->real == trunc(b->real));
    }
    return (i->arith == ARITH_ADD || i->arith == ARITH_SUB) &&
           (is_product(c, operand_of(&n, 0), depth - 1) ||
            is_product(c, operand_of(&n, 1), depth - 1));
}

/* A factor of the product is a number in the source that is not whole. */
static bool has_known_factor(struct check *c, struct number_at n, int depth)
{
    if (!n.value || !depth)
        return false;
    n = computed_by(c, n);
    const struct ir_inst *i = number_inst(&n);
    bool is_float = i->op == IR_BINARY && i->type && i->type->kind == TYPE_FLOAT;
    bool is_dyn = i->op == IR_APPLY && i->arg_count == 2;
    if (is_float ? i->arith == ARITH_MUL : is_dyn && i->integer == PROTOCOL_MUL)
        return has_fraction(c, operand_of(&n, 0), depth - 1) ||
               has_fraction(c, operand_of(&n, 1), depth - 1);
    bool is_sum = is_float ? i->arith == ARITH_ADD || i->arith == ARITH_SUB
                           : is_dyn && (i->integer == PROTOCOL_ADD || i->integer == PROTOCOL_SUB);
    return is_sum && (has_known_factor(c, operand_of(&n, 0), depth - 1) ||
                      has_known_factor(c, operand_of(&n, 1), depth - 1));
}

/* Nobody asked for integers: what it writes to has them because another tensor does, or by default.
 */
static bool is_by_default(struct check *c, const struct call *call)
{
    const struct argument *written = call_written(call);
    struct call made;
    if (!argument_is_tensor(written) || !deciding_call(c, written, &made) || call_is_cast(&made))
        return false;
    const struct argument *dtype = call_argument(&made, ROLE_DTYPE);
    return !dtype || !dtype->value;
}

/* From here on, the fraction is small against the number. */
static const double LARGE = 16;

static void check(struct check *c, const struct call *call)
{
    const struct argument *value = number_written(call);
    double number;
    if (!value || !call->result || !dtypes_are(call->result->fact.dtypes, SET_INTS))
        return;
    bool is_known = argument_number(call, value, &number);
    bool divides = !is_known && is_quotient(c, call, value), is_part = !is_fill(call);
    bool is_sure = divides ? !is_part || is_by_default(c, call)
                           : !is_known && is_by_default(c, call) && value->value &&
                                 has_known_factor(c, number_of(c, call, value->value), MAX_DEPTH);
    if (divides || (!is_known && is_product(c, number_of(c, call, value->value), MAX_DEPTH))) {
        struct finding *out = finding_new(
            c, is_sure ? SEVERITY_WARNING : SEVERITY_NOTE, call->function, call_span(call),
            "the fraction of '%s' is dropped: %s gives %s here", value->name, call->callee->shown,
            dtypes_text(c, call->result->fact.dtypes));
        finding_mark(c, out, value->span);
        origin_add(c, out, "the result", call->result->how, ASPECT_DTYPE,
                   call->result->fact.dtypes);
    }
    if (!is_known || trunc(number) == number || !isfinite(number) ||
        (is_part && fabs(number) > LARGE))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call), "%g becomes %.0f: %s gives %s here",
        number, trunc(number), call->callee->shown, dtypes_text(c, call->result->fact.dtypes));
    finding_mark(c, out, value->span);
    origin_add(c, out, "the result", call->result->how, ASPECT_DTYPE, call->result->fact.dtypes);
}

const struct rule_code rule_fraction_into_int = {.call = check, .by_case = true};
