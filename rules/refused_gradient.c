/* Something that gradients do not allow. Of a loss that requires no gradient, the place is named
 * where one ended that its operands had: where that is known, it says more than the dtype. */
#include "rules/engine/engine.h"

enum { MAX_DEPTH = 64, MAX_VISITED = 512 };

static bool takes_gradient(const struct flow_call *seen)
{
    for (int k = 0; k < seen->operand_count; k++)
        if (seen->operands[k].kind == OPERAND_TENSOR && seen->operands[k].fact.grad & TRI_YES)
            return true;
    return false;
}

/* Whether it computes with something that requires a gradient, and what it makes never does. */
static bool ends_gradient(const struct check *c, const struct step *s)
{
    const struct flow_value *v = s->inst ? flow_value_of(c->in->flow, s->function, s->inst) : NULL;
    const struct flow_call *seen = v ? flow_call_of(c->in->flow, s->function, s->inst) : NULL;
    return seen && v->fact.dtypes && v->fact.grad == TRI_NO && takes_gradient(seen);
}

/* The one closest to the loss, on its way there; NULL: none that is known. */
static const struct step *gradient_end(const struct check *c, const struct step *s, int depth,
                                       int *left)
{
    if (!s || !depth || --*left < 0)
        return NULL;
    if (ends_gradient(c, s))
        return s;
    for (int k = 0; k < 2; k++) {
        const struct step *end = gradient_end(c, s->from[k], depth - 1, left);
        if (end)
            return end;
    }
    return NULL;
}

static bool records(const struct check *c, const struct step *s)
{
    return flow_call_of(c->in->flow, s->function, s->inst)->records & TRI_YES;
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    int left = MAX_VISITED;
    const struct failing_operand *x = f->count ? &f->operands[0] : NULL;
    const struct step *end =
        x && x->fact.grad == TRI_NO ? gradient_end(c, x->how, MAX_DEPTH, &left) : NULL;
    if (!end)
        return;
    out->origins.count = 0;
    finding_place(c, out, records(c, end) ? "the gradient ends" : "gradients are off", &end->span);
}

const struct rule_code rule_refused_gradient = {.fallback = ERROR_GRAD, .refine = refine};
