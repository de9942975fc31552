/* Indices of u8 are interpreted as a mask, not as positions. */
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

static void check(struct check *c, const struct call *call)
{
    const struct argument *index = call_argument(call, ROLE_INDEX);
    bool fills = call_argument(call, ROLE_VALUE) != NULL;
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
