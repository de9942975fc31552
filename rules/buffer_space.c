/* Host memory passed to the device, or the reverse. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DEVICE && failing_has_buffer(f) && !failing_is_copy(f) &&
           f->family != FAMILY_DATA_POINTER;
}

/* A tensor made from memory that is on another device than the call says. */
static void check(struct check *c, const struct call *call)
{
    const struct argument *data = call_argument(call, ROLE_DATA);
    if (call->callee->alias != ALIAS_VIEW || !call->result || !data || !data->seen ||
        !data->seen->fact.buffer)
        return;
    uint8_t lies = data->seen->fact.devices, said = call->result->fact.devices;
    if (!is_one(lies) || !is_one(said) || lies == said || lies == DEVICES_SHARED)
        return;
    struct finding *out =
        finding_new(c, SEVERITY_ERROR, call->function, call_span(call),
                    "'%s' is %s memory, but %s uses it as %s memory", data->name,
                    lies >> DEVICE_CPU & 1 ? "host" : "device", call->callee->shown,
                    said >> DEVICE_CPU & 1 ? "host" : "device");
    finding_mark(c, out, data->span);
    origin_add(c, out, data->name, data->seen->how, ASPECT_DEVICE, fact_places(&data->seen->fact));
}

const struct rule_code rule_buffer_space = {.claims = claims, .call = check};
