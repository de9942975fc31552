/* An autocast region without a dtype, which uses f16 on the GPU whatever the dtype of the model. */
#include "rules/engine/engine.h"

static void check(struct check *c, const struct call *call)
{
    const struct argument *dtype = call_argument(call, ROLE_DTYPE);
    const struct argument *device = call_argument(call, ROLE_DEVICE);
    bool cuda = device && device->known && (enum device)device->number == DEVICE_CUDA;
    if (!(call->callee->effects & EFFECT_AUTOCAST_BEGIN) || !cuda || !dtype ||
        !(dtype->known ? dtype->number == DTYPE_NONE : dtype->seen->kind == OPERAND_ABSENT))
        return;
    struct finding *out = finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                                      "without a dtype the region computes in f16");
    finding_mark(c, out, dtype->span);
}

const struct rule_code rule_autocast_dtype = {.call = check, .by_case = true};
