/* Operands on different devices. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return failing_is_device(f);
}

/* Labels, indices and masks go where the computation is. */
static bool is_data(const struct failing_operand *o)
{
    return !is_computed_with(o);
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    const struct failing_operand *cpu = failing_on(f, DEVICE_CPU),
                                 *cuda = failing_on(f, DEVICE_CUDA);
    const struct failing_operand *a, *b;
    if (cpu && cuda)
        fix_devices(c, f, out);
    else if (failing_on_two(f, &a, &b) && (a->param->written || !is_data(a) || is_data(b)))
        fix_device(c, f, out, b, a);
    else if (failing_on_two(f, &a, &b))
        fix_device(c, f, out, a, b);
}

const struct rule_code rule_device_mismatch = {
    .claims = claims, .refine = refine, .general = true, .fallback = ERROR_DEVICE};
