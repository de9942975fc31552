/* A tensor that was made without a dtype, so in f32, turns a computation in f16 or bf16 into one in
 * f32. */
#include "rules/engine/engine.h"

/* In a dynamic language, a name stands for a dtype that somebody chose; a tensor's own does not. */
static bool is_chosen(struct check *c, const struct call *made, const struct argument *dtype)
{
    const struct ir_function *f = made->function;
    const struct ir_inst *i = &f->insts.items[dtype->value];
    bool is_of_tensor = i->op == IR_ATTR && flow_value_of(c->in->flow, f, i->args[0]);
    return is_literal(made, dtype) || (is_dynamic(i) && ir_op_reads(i->op) && !is_of_tensor);
}

/* Made by a call without a dtype, or with that of another tensor. */
static bool is_by_default(struct check *c, const struct argument *a)
{
    struct call made;
    if (!deciding_call(c, a, &made))
        return false;
    const struct argument *dtype = call_argument(&made, ROLE_DTYPE);
    if (call_is_factory(&made))
        return dtype && !dtype->value;
    return call_is_cast(&made) && dtype && dtype->value && !is_chosen(c, &made, dtype);
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    /* Differences are mostly used to compare precisions. Autocast mixes dtypes on purpose. */
    if (is_in_autocast(call) || !argument_is_tensor(a) || !argument_is_tensor(b) || !call->result ||
        call->result->fact.dtypes != DTYPE_SET(DTYPE_F32) || call->family == FAMILY_SUBTRACT)
        return;
    const struct argument *wide = argument_dtypes(a) == DTYPE_SET(DTYPE_F32) ? a : b;
    const struct argument *half = wide == a ? b : a;
    if (wide->param->written) /* it keeps its dtype: nothing is widened */
        return;
    if (argument_dtypes(wide) != DTYPE_SET(DTYPE_F32) || wide->seen->fact.zero_dim == TRI_YES ||
        !dtypes_are(argument_dtypes(half), SET_HALVES) || !is_by_default(c, wide) ||
        is_accumulator(c, call, wide) ||
        is_cast_later(c, call->function, call->inst, DTYPE_SET(DTYPE_F32), false, 1)) /* anyway */
        return;
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                    "'%s' is f32 by default and makes the result f32: '%s' is %s", wide->name,
                    half->name, dtypes_text(c, argument_dtypes(half)));
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, wide->name, wide->seen->how, ASPECT_DTYPE, argument_dtypes(wide));
    origin_add(c, out, half->name, half->seen->how, ASPECT_DTYPE, argument_dtypes(half));
    struct call made;
    bool is_meant = argument_maker(c, wide, &made) && call_is_cast(&made);
    bool is_needed = is_dynamic(&call->function->insts.items[call->inst]) &&
                     !result_survives(c, call, dtype_of_set(argument_dtypes(half)));
    if (!feeds_failure(c, call) && !is_meant && !is_needed)
        fix_argument_like(c, out, call, wide, half);
}

const struct rule_code rule_widened_by_default = {.call = check, .by_case = true};
