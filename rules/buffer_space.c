/* Host memory passed to the device, or the reverse. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DEVICE && failing_has_buffer(f) && !failing_is_copy(f) &&
           f->family != FAMILY_DATA_POINTER;
}

/* The memory is wrapped where it is, and the tensor is moved. */
static void offer(struct check *c, const struct call *call, uint8_t lies, struct finding *out)
{
    const struct pack_spelling *how = pack_spelling_of(call->callee);
    const struct argument *device = call_argument(call, ROLE_DEVICE);
    const char *to = device && device->value ? text_of(c, device->span) : NULL;
    if (lies != 1u << DEVICE_CPU || !to || !is_spelled_out(c, call) ||
        !fix_option(c, out, call, ROLE_DEVICE, how->devices[DEVICE_CPU]) ||
        !fix_wrap(c, out, call_span(call), how->move, to)) {
        out->fix = (struct fix){0};
        return;
    }
    out->fix.what = arena_printf(c->in->arena, "wrap it on the CPU, and move it to %s", to);
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
    offer(c, call, lies, out);
}

const struct rule_code rule_buffer_space = {.claims = claims, .call = check};
