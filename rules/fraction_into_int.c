/* An integer tensor is filled with a number whose fraction is dropped. */
#include "rules/engine/engine.h"

#include <math.h>

/* A quotient of floats, which is no whole number but by chance. */
static bool is_quotient(const struct call *call, const struct argument *value)
{
    const struct ir_inst *i = &call->function->insts.items[value->value];
    return value->value && i->op == IR_BINARY && i->arith == ARITH_DIV && i->type &&
           i->type->kind == TYPE_FLOAT;
}

enum { MAX_DEPTH = 4 };

/* A float that was computed by a product of floats, perhaps as a sum with others. */
static bool is_product(struct check *c, const struct ir_function *f, ir_value v, int depth)
{
    int64_t variable = v ? variable_read(c, f, v) : -1;
    ir_value held = variable >= 0 ? value_held(c, f, variable, v) : 0;
    const struct ir_inst *i = &f->insts.items[held ? held : v];
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

static void check(struct check *c, const struct call *call)
{
    const struct argument *value = call_argument(call, ROLE_VALUE);
    double number;
    if ((call->family != FAMILY_FILL && call->family != FAMILY_MASK) || !call->result || !value ||
        !dtypes_are(call->result->fact.dtypes, SET_INTS))
        return;
    bool is_known = argument_number(call, value, &number);
    bool divides = !is_known && is_quotient(call, value);
    if (divides || (!is_known && is_product(c, call->function, value->value, MAX_DEPTH))) {
        struct finding *out = finding_new(
            c, divides ? SEVERITY_WARNING : SEVERITY_NOTE, call->function, call_span(call),
            "the fraction of '%s' is dropped: %s gives %s here", value->name, call->callee->shown,
            dtypes_text(c, call->result->fact.dtypes));
        finding_mark(c, out, value->span);
        origin_add(c, out, "the result", call->result->how, ASPECT_DTYPE,
                   call->result->fact.dtypes);
    }
    if (!is_known || trunc(number) == number || !isfinite(number))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call), "%g becomes %.0f: %s gives %s here",
        number, trunc(number), call->callee->shown, dtypes_text(c, call->result->fact.dtypes));
    finding_mark(c, out, value->span);
    origin_add(c, out, "the result", call->result->how, ASPECT_DTYPE, call->result->fact.dtypes);
}

const struct rule_code rule_fraction_into_int = {.call = check, .by_case = true};
