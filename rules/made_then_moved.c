/* A tensor is made on the CPU and immediately copied to the GPU, where it could have been made. */
#include "rules/engine/engine.h"

/* A tensor over host memory: the move makes the only copy. */
static bool is_over_memory(const struct call *made)
{
    return made->callee->alias != ALIAS_FRESH;
}

/* Whether it is cast as well, to a dtype that it was not made with. */
static bool is_cast_too(const struct call *call, const struct argument *x)
{
    dtype_set made = argument_dtypes(x), to = call->result->fact.dtypes;
    return call_argument(call, ROLE_DTYPE) && !(is_one(made) && made == to);
}

/* It is created where it is moved to. */
static void offer(struct check *c, const struct call *call, const struct argument *x,
                  const struct call *made, struct finding *out)
{
    const struct argument *device = call_argument(call, ROLE_DEVICE);
    const char *to = device && device->value ? text_of(c, device->span)
                                             : pack_spelling_of(call->callee)->devices[DEVICE_CUDA];
    if (!to || call_argument(call, ROLE_LIKE) || is_cast_too(call, x) || !is_spelled_out(c, made) ||
        !fix_unwrap(c, out, call, x) || !fix_option(c, out, made, ROLE_DEVICE, to)) {
        out->fix = (struct fix){0};
        return;
    }
    out->fix.what = arena_printf(c->in->arena, "create it on %s", to);
}

static void check(struct check *c, const struct call *call)
{
    struct call made;
    if (!call_is_cast(call) || !call->result || call->result->fact.devices != 1u << DEVICE_CUDA)
        return;
    for (int k = 0; k < call->count; k++) {
        const struct argument *x = &call->arguments[k];
        if (!argument_is_tensor(x) || argument_devices(x) != 1u << DEVICE_CPU ||
            !call_view(c, call->function, x->value, &made) || !call_is_factory(&made) ||
            is_over_memory(&made) || !call_argument(&made, ROLE_DEVICE))
            continue;
        struct finding *out = finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                                          "%s makes it on the CPU, and %s copies it to the GPU",
                                          made.callee->shown, call->callee->shown);
        finding_mark(c, out, x->span);
        offer(c, call, x, &made, out);
        return;
    }
}

const struct rule_code rule_made_then_moved = {.call = check, .by_case = true};
