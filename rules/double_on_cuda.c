/* Matrix products and convolutions in f64 on the GPU, many times slower than in f32. */
#include "rules/engine/engine.h"

static void check(struct check *c, const struct call *call)
{
    bool heavy = call->family == FAMILY_MATMUL || call->family == FAMILY_CONVOLUTION ||
                 call->family == FAMILY_ATTENTION;
    if (!heavy || !call->result || call->result->fact.dtypes != DTYPE_SET(DTYPE_F64) ||
        call->result->fact.devices != 1u << DEVICE_CUDA)
        return;
    struct finding *out = finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                                      "%s is computed in f64 on the GPU", call->callee->shown);
    for (int k = 0; k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        if (!argument_is_tensor(a))
            continue;
        finding_mark(c, out, a->span);
        origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
    }
}

const struct rule_code rule_double_on_cuda = {.call = check, .by_case = true};
