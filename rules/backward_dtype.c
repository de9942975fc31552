/* A loss whose dtypes work in the forward pass and fail in the backward pass. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->failure->recorded && !f->failure->changed;
}

/* Of two operands of the loss, the target gets the dtype of the input: where it was read, if it is
 * host data. */
static void offer(struct check *c, const struct step *s, struct finding *out)
{
    struct call loss;
    if (!step_call(c, s, &loss))
        return;
    const struct argument *x = call_argument(&loss, ROLE_INPUT),
                          *y = call_argument(&loss, ROLE_TARGET);
    if (!argument_is_tensor(x) || !argument_is_tensor(y) || !is_one(argument_dtypes(x)) ||
        !is_one(argument_dtypes(y)) || argument_dtypes(x) == argument_dtypes(y))
        return;
    struct origin_fix fix = {.name = y->name,
                             .how = y->seen->how,
                             .is = dtype_of_set(argument_dtypes(y)),
                             .to = dtype_of_set(argument_dtypes(x)),
                             .function = loss.function,
                             .except = loss.inst};
    if (!fix_at_origin(c, out, &fix)) {
        fix_argument_like(c, out, &loss, y, x);
        return;
    }
    out->fix.what = fix.what;
    out->fix.safe = !fix.unsafe;
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    const struct step *s = f->failure->recorded;
    if (f->failure->reason && *f->failure->reason)
        out->message = f->failure->reason;
    else
        out->message = arena_printf(c->in->arena, "backward fails at %s", s->what);
    finding_place(c, out, arena_printf(c->in->arena, "recorded by %s", s->what), &s->span);
    offer(c, s, out);
}

const struct rule_code rule_backward_dtype = {.claims = claims, .refine = refine};
