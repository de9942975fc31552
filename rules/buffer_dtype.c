/* Raw memory with elements of another type than the function wants, was told, or makes a tensor of.
 */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && failing_has_buffer(f) && f->family != FAMILY_READ;
}

/* A tensor over memory, of another dtype than the elements that are there. Bytes may be anything.
 */
static void check(struct check *c, const struct call *call)
{
    const struct argument *data = call_argument(call, "data");
    unsigned bytes = 1u << DTYPE_NONE | 1u << DTYPE_U8 | 1u << DTYPE_I8;
    if (call->callee->alias != ALIAS_VIEW || !call->result || !data || !data->seen ||
        !data->seen->fact.buffer)
        return;
    uint16_t holds = data->seen->fact.dtypes, made = call->result->fact.dtypes;
    if (data->flow)
        holds = data->flow->fact.dtypes;
    if (!is_one(holds) || !is_one(made) || holds == made || holds & bytes)
        return;
    struct finding *out = say(c, SEVERITY_ERROR, call->function, call_span(call),
                              "'%s' holds %s, and %s takes it for %s", data->name,
                              say_dtypes(c, holds), call->callee->shown, say_dtypes(c, made));
    say_mark(c, out, data->span);
    origin_add(c, out, data->name, data->seen->how, ASPECT_DTYPE, holds);
}

const struct rule_code rule_buffer_dtype = {.claims = claims, .call = check};
