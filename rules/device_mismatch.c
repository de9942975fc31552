/* Operands on different devices. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return failing_is_device(f);
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    const struct failing_operand *cpu = failing_on(f, DEVICE_CPU),
                                 *cuda = failing_on(f, DEVICE_CUDA);
    if (cpu && cuda)
        fix_device(c, f, out, cpu, cuda);
}

const struct rule_code rule_device_mismatch = {
    .claims = claims, .refine = refine, .general = true, .fallback = ERROR_DEVICE};
