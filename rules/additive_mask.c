/* A mask of 0 and 1 is added to scores before their softmax, or given to an attention that adds it:
 * it moves those it should leave out by no more than 1. */
#include "rules/engine/engine.h"

/* Whether its elements are 0 and 1, both of them for all that is known. */
static bool is_zero_or_one(const struct argument *a)
{
    const struct value_range *r = argument_is_tensor(a) ? &a->seen->fact.range : NULL;
    return r && r->is_known && r->is_whole && !r->may_be_nan && r->low == 0 && r->high == 1;
}

/* What the elements of a mask were made as: 0 and 1 by a comparison, a triangle of ones or the
 * like, not counts or classes that happen to be small. */
static enum back find_mask(const struct argument *at, const struct call *made, void *context)
{
    enum pack_values what = made->callee->values;
    bool compares = what >= VALUES_EQ && what <= VALUES_GE;
    (void)context;
    if (!is_zero_or_one(at) || at->seen->changed)
        return BACK_NO;
    if (compares || (at->flow && dtypes_are(at->flow->fact.dtypes, SET_BOOL)))
        return BACK_YES;
    if (what == VALUES_OR_ZERO) {
        const struct argument *x = call_argument(made, ROLE_INPUT);
        bool are_ones = argument_is_tensor(x) && range_is_constant(&x->seen->fact.range);
        return are_ones ? BACK_YES : BACK_GO_ON;
    }
    bool passes_on = what == VALUES_SAME || what == VALUES_SOME || what == VALUES_RSUB ||
                     what == VALUES_SUB || call_is_cast(made) || call_is_view(made) ||
                     made->family == FAMILY_CLONE;
    return passes_on ? BACK_GO_ON : BACK_NO;
}

static bool is_mask(struct check *c, const struct argument *a)
{
    return is_zero_or_one(a) && trace_back(c, a, find_mask, NULL);
}

enum { MAX_DEPTH = 6 };

static void report(struct check *c, const struct call *at, const struct argument *mask,
                   const struct call *by)
{
    struct span used = call_span(by);
    if (was_reported(c, at->function, at->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, at->function, call_span(at),
        "'%s' is 0 and 1, and is added to scores: what a mask leaves out is minus infinity there",
        mask->name);
    finding_mark(c, out, mask->span);
    finding_place(c, out, by->callee->shown, &used);
    origin_add(c, out, mask->name, mask->seen->how, ASPECT_DTYPE, argument_dtypes(mask));
}

/* The call that made it, also of what a layer was given. */
static bool is_made(struct check *c, const struct argument *x, struct call *out)
{
    bool is_hidden = x->seen && x->seen->kind == OPERAND_TENSOR && !x->flow;
    return (argument_is_tensor(x) && argument_maker(c, x, out)) ||
           (is_hidden && step_call(c, x->seen->how, out));
}

/* The scores that shares are computed from: scaled, and with a mask added. */
static void check_scores(struct check *c, const struct call *shares)
{
    const struct argument *x = call_argument(shares, ROLE_INPUT);
    struct argument at = x ? *x : (struct argument){0};
    struct call made;
    for (int n = 0; n < MAX_DEPTH && is_made(c, &at, &made); n++) {
        const struct argument *a = call_argument(&made, ROLE_LEFT),
                              *b = call_argument(&made, ROLE_RIGHT);
        bool adds = made.family == FAMILY_ADD,
             scales = made.family == FAMILY_MULTIPLY || made.family == FAMILY_DIVIDE;
        if (adds && argument_is_tensor(a) && argument_is_tensor(b)) {
            const struct argument *mask = is_mask(c, b) ? b : is_mask(c, a) ? a : NULL;
            const struct argument *scores = mask == b ? a : b;
            if (mask && !is_zero_or_one(scores) && is_selected(c, made.function))
                report(c, &made, mask, shares);
            if (mask)
                return;
        }
        const struct argument *from = adds || scales ? a : call_argument(&made, ROLE_INPUT);
        bool passes_on = adds || scales || call_is_cast(&made) || call_is_view(&made) ||
                         made.family == FAMILY_MASK || made.family == FAMILY_CLAMP;
        if (!passes_on || !from)
            return;
        at = *from;
    }
}

/* Masks that are no bool are added. */
static void check_attention(struct check *c, const struct call *call)
{
    const struct argument *mask = call_argument(call, ROLE_MASK);
    if (call->family == FAMILY_ATTENTION && argument_is_tensor(mask) &&
        dtypes_are(argument_dtypes(mask), SET_FLOATS) && is_mask(c, mask))
        report(c, call, mask, call);
}

static void check(struct check *c, const struct call *call)
{
    if (call->callee->values == VALUES_SHARES)
        check_scores(c, call);
    check_attention(c, call);
}

const struct rule_code rule_additive_mask = {.call = check, .by_case = true};
