/* An integer tensor is filled with a number whose fraction is dropped. */
#include "rules/engine/engine.h"

#include <math.h>

/* What computed the value, perhaps into a variable. */
static const struct ir_inst *computed_by(struct check *c, const struct ir_function *f, ir_value v)
{
    int64_t variable = v ? variable_read(c, f, v) : -1;
    ir_value held = variable >= 0 ? value_held(c, f, variable, v) : 0;
    return &f->insts.items[held ? held : v];
}

/* A quotient of floats, which is no whole number but by chance. */
static bool is_quotient(struct check *c, const struct call *call, const struct argument *value)
{
    const struct ir_inst *i = computed_by(c, call->function, value->value);
    if (!value->value)
        return false;
    if (i->op == IR_APPLY)
        return i->integer == PROTOCOL_DIV;
    return i->op == IR_BINARY && i->arith == ARITH_DIV && i->type && i->type->kind == TYPE_FLOAT;
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

/* In a dynamic language: some factor is a number in the source that is not whole. */
static bool has_fraction(struct check *c, const struct ir_function *f, ir_value v, int depth)
{
    const struct ir_inst *i = computed_by(c, f, v);
    if (!v || !depth)
        return false;
    if (i->op == IR_REAL)
        return i->real != trunc(i->real);
    bool passes = is_number_arithmetic(i) && i->integer != PROTOCOL_POW;
    return passes && (has_fraction(c, f, i->args[0], depth - 1) ||
                      (i->arg_count > 1 && has_fraction(c, f, i->args[1], depth - 1)));
}

/* A float that was computed by a product of floats, perhaps as a sum with others. */
static bool is_product(struct check *c, const struct ir_function *f, ir_value v, int depth)
{
    const struct ir_inst *i = computed_by(c, f, v);
    if (i->op == IR_APPLY)
        return has_fraction(c, f, v, depth);
    if (!v || !depth || i->op != IR_BINARY || !i->type || i->type->kind != TYPE_FLOAT)
        return false;
    if (i->arith == ARITH_MUL) {
        const struct ir_inst *a = &f->insts.items[i->args[0]], *b = &f->insts.items[i->args[1]];
        return a->op != IR_CONVERT && b->op != IR_CONVERT &&
               !(a->op == IR_REAL && a->real == trunc(a->real)) &&
               !(b->op == IR_REAL && b->real == trunc(b->real));
    }
    return (i->arith == ARITH_ADD || i->arith == ARITH_SUB) &&
           (is_product(c, f, i->args[0], depth - 1) || is_product(c, f, i->args[1], depth - 1));
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
    if (divides || (!is_known && is_product(c, call->function, value->value, MAX_DEPTH))) {
        struct finding *out = finding_new(
            c, divides && !is_part ? SEVERITY_WARNING : SEVERITY_NOTE, call->function,
            call_span(call), "the fraction of '%s' is dropped: %s gives %s here", value->name,
            call->callee->shown, dtypes_text(c, call->result->fact.dtypes));
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
