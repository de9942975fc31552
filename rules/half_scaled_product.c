/* A product in f16 that is scaled down afterwards: it may already be infinite. */
#include "rules/engine/engine.h"

#include <math.h>

/* Whether the call scales its operand down. By: 0 if it is divided by an integer that is not known,
 * as by how many there are. */
static bool shrinks(const struct call *call, double *by)
{
    const struct argument *b = call_argument(call, ROLE_RIGHT);
    *by = 0;
    if (call->family == FAMILY_DIVIDE && b && b->seen && b->seen->kind == OPERAND_INT && !b->known)
        return true;
    if (!argument_number(call, b, by))
        return false;
    *by = call->family == FAMILY_DIVIDE ? fabs(1 / *by) : fabs(*by);
    return (call->family == FAMILY_DIVIDE || call->family == FAMILY_MULTIPLY) && *by > 0 &&
           *by <= 0.5;
}

/* A sum of products: a matrix product, or one that is written out. */
static bool is_product(struct check *c, const struct call *made)
{
    const struct argument *x = call_argument(made, ROLE_INPUT);
    struct call each;
    if (made->family == FAMILY_MATMUL)
        return true;
    return made->callee->values == VALUES_SUM && argument_maker(c, x, &each) &&
           each.family == FAMILY_MULTIPLY && argument_is_tensor(call_argument(&each, ROLE_LEFT)) &&
           argument_is_tensor(call_argument(&each, ROLE_RIGHT));
}

/* Whether all that is done with it, or with views of it, is to multiply it with others: it is made
 * smaller before that product. */
static bool is_before_product(struct check *c, const struct ir_function *f, ir_value inst,
                              int depth)
{
    const consumer_list *uses = consumers_of(c, f, inst);
    for (int i = 0; i < uses->count; i++) {
        const struct flow_call *by = uses->items[i].by;
        bool is_view = depth && by->callee->alias == ALIAS_VIEW &&
                       is_before_product(c, by->function, by->inst, depth - 1);
        if (!is_view && by->callee->family != FAMILY_MATMUL)
            return false;
    }
    return uses->count > 0;
}

static void check(struct check *c, const struct call *call)
{
    enum { MAX_VIEWS = 3 };
    const struct argument *a = call_argument(call, ROLE_LEFT);
    struct call product;
    double by;
    if (!call->result || call->result->fact.dtypes != DTYPE_SET(DTYPE_F16) || !shrinks(call, &by) ||
        !argument_maker(c, a, &product) || !is_product(c, &product) ||
        is_before_product(c, call->function, call->inst, MAX_VIEWS))
        return;
    struct span at = call_span(call);
    struct finding *out =
        by ? finding_new(c, SEVERITY_NOTE, product.function, call_span(&product),
                         "%s in f16 may overflow before it is scaled down by %g",
                         product.callee->shown, by)
           : finding_new(c, SEVERITY_NOTE, product.function, call_span(&product),
                         "%s in f16 may overflow before it is divided", product.callee->shown);
    out->dtypes = DTYPE_SET(DTYPE_F16);
    finding_place(c, out, "made smaller", &at);
    if (product.family == FAMILY_MATMUL)
        fix_scale_before(c, out, &product, call);
}

const struct rule_code rule_half_scaled_product = {.call = check, .by_case = true};
