/* Indices of u8 are interpreted as a mask, not as positions. And a mask of integers that are wider
 * is interpreted as positions: it selects the first two rows, over and over. */
#include "rules/engine/engine.h"

/* Whether the call accepts u8 there: most do not, which is an error of its own. */
static bool takes_bytes(const struct call *call, enum param_role role)
{
    const struct pack_function *f = call->callee;
    struct operand operands[PACK_MAX_PARAMS] = {{0}};
    struct outcome o = {0};
    for (int k = 0; k < f->param_count; k++) {
        if (f->params[k].kind != OPERAND_TENSOR || f->params[k].out)
            continue;
        bool index = f->params[k].role == role;
        operands[k] = (struct operand){
            .kind = OPERAND_TENSOR, .dtype = index ? DTYPE_U8 : DTYPE_F32, .device = DEVICE_CPU};
    }
    pack_call(f, operands, &o);
    return o.error != ERROR_DTYPE;
}

/* Whether it was meant as a mask: it is the result of a not, or was a bool. */
static bool is_mask(struct check *c, const struct argument *index)
{
    struct call made;
    if (!argument_maker(c, index, &made))
        return false;
    if (made.family == FAMILY_NOT)
        return true;
    for (int k = 0; k < made.count; k++)
        if (argument_is_tensor(&made.arguments[k]) &&
            argument_dtypes(&made.arguments[k]) == DTYPE_SET(DTYPE_BOOL))
            return true;
    return false;
}

/* ---- a mask of wider integers ---------------------------------------------------------------- */

/* What was a comparison, or zeros of which some became ones. */
static enum back find_selection(const struct argument *at, const struct call *made, void *context)
{
    enum pack_values what = made->callee->values;
    const struct argument *x = call_argument(made, ROLE_INPUT);
    (void)context;
    if (at->flow && at->flow->changed)
        return what == VALUES_ZEROS ? BACK_YES : BACK_NO;
    if (call_is_cast(made) && argument_is_tensor(x) && argument_dtypes(x) == DTYPE_SET(DTYPE_BOOL))
        return BACK_YES;
    return call_is_cast(made) || call_is_view(made) || made->family == FAMILY_CLONE ? BACK_GO_ON
                                                                                    : BACK_NO;
}

/* Whether there is one for each row, or element, and there are more than two of them: a table of
 * two rows has numbers that are 0 and 1. */
static bool is_one_for_each(const struct fact *index, const struct fact *x)
{
    const struct shape *a = index->shape, *b = x->shape;
    bool is_prefix = a && b && a->count && a->count <= b->count && shape_elements(a) > 2;
    for (int i = 0; is_prefix && i < a->count; i++)
        is_prefix = a->dims[i] >= 0 && a->dims[i] == b->dims[i];
    return is_prefix && b->dims[0] > 1;
}

/* Whether nothing else is written next to it, as in x[rows, columns]. */
static bool is_alone(struct check *c, const struct call *call, const struct argument *index)
{
    const struct ir_inst *i = &call->function->insts.items[call->inst];
    return !is_dynamic(i) || (i->op == IR_APPLY && i->integer == PROTOCOL_GETITEM &&
                              value_within(c, call->function, i->args[1]) == index->value);
}

static void check_positions(struct check *c, const struct call *call, const struct argument *index)
{
    const struct argument *x = &call->arguments[0];
    const struct value_range *r = argument_is_tensor(index) ? &index->seen->fact.range : NULL;
    if (call->family != FAMILY_GATHER || !r || !argument_is_tensor(x) || x == index ||
        !dtypes_are(argument_dtypes(index), SET_INTS) ||
        argument_dtypes(index) & DTYPE_SET(DTYPE_U8))
        return;
    if (!r->is_known || r->low != 0 || r->high != 1 ||
        !is_one_for_each(&index->seen->fact, &x->seen->fact) || !is_alone(c, call, index) ||
        !trace_back(c, index, find_selection, NULL) || was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "'%s' is 0 and 1 for each row, so %s selects the first two rows, over and over: a mask is "
        "bool",
        index->name, call->callee->shown);
    finding_mark(c, out, index->span);
    origin_add(c, out, index->name, index->seen->how, ASPECT_DTYPE, argument_dtypes(index));
    fix_argument(c, out, call, index, DTYPE_BOOL);
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *index = call_argument(call, ROLE_INDEX);
    bool fills = call_argument(call, ROLE_VALUE) != NULL;
    check_positions(c, call, index);
    if (fills && index && is_mask(c, index)) /* which is what they are for */
        return;
    if ((call->family != FAMILY_GATHER && call->family != FAMILY_SCATTER) ||
        argument_dtypes(index) != DTYPE_SET(DTYPE_U8) || !takes_bytes(call, ROLE_INDEX) ||
        call_fails(call))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "'%s' is u8, so %s uses it as a mask, not as indices",
                                      index->name, call->callee->shown);
    finding_mark(c, out, index->span);
    origin_add(c, out, index->name, index->seen->how, ASPECT_DTYPE, argument_dtypes(index));
    fix_argument(c, out, call, index, is_mask(c, index) ? DTYPE_BOOL : DTYPE_I64);
}

const struct rule_code rule_byte_index = {.call = check, .by_case = true};
