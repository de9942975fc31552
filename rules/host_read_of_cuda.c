/* The elements of a tensor on the GPU are accessed as host memory. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return failing_is_host_read(f);
}

/* The host reads a copy: what it writes there is lost. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    struct call call;
    const struct failing_operand *x = failing_on(f, DEVICE_CUDA);
    if (!x || !call_view(c, f->failure->function, f->failure->inst, &call))
        return;
    const struct written_call at = as_written(&call);
    if (fix_move(c, out, &at, x->span, pack_spelling_of(call.callee)->devices[DEVICE_CPU]))
        out->fix.what = arena_printf(c->in->arena, "copy %s to the CPU", x->name);
}

const struct rule_code rule_host_read_of_cuda = {.claims = claims, .refine = refine};
