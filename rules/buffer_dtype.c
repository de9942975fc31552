/* Raw memory whose elements have another type than the function expects, or than it makes a tensor
 * from. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && failing_has_buffer(f) &&
           f->family != FAMILY_DATA_POINTER;
}

/* The memory that a tensor is made from; NULL: none. */
static const struct argument *data_of(const struct call *call)
{
    const struct argument *data =
        call->callee->returns_tensor ? call_argument(call, ROLE_DATA) : NULL;
    return data && data->seen && data->seen->fact.buffer ? data : NULL;
}

/* For instance an array of rows that are allocated separately. */
static bool holds_pointers(const struct call *call, const struct argument *data)
{
    const struct type *t = call->function->insts.items[data->value].type;
    t = data->value && t && t->kind == TYPE_POINTER ? t->of : NULL;
    while (t && t->kind == TYPE_ARRAY)
        t = t->of;
    return t && t->kind == TYPE_POINTER;
}

/* The dtypes that were stored there; maybe: or nothing yet. Bytes can hold anything. */
static uint16_t elements_of(const struct argument *data, bool *maybe)
{
    unsigned bytes = 1u << DTYPE_U8 | 1u << DTYPE_I8;
    uint16_t holds = data->flow ? data->flow->fact.dtypes : data->seen->fact.dtypes;
    *maybe = holds & DTYPES_UNTYPED;
    return holds & bytes ? 0 : (uint16_t)(holds & ~DTYPES_UNTYPED);
}

/* The dtypes that the call takes the elements to be: it may convert them to others. */
static uint16_t read_as(const struct call *call)
{
    const struct argument *element = call_argument(call, ROLE_ELEMENT);
    bool is_said = element && element->known && element->number != DTYPE_NONE;
    bool is_open = element && !element->known;
    return is_said                    ? DTYPE_SET((int)element->number)
           : call->result && !is_open ? call->result->fact.dtypes
                                      : 0;
}

/* A tensor made from memory whose elements have another dtype. */
static void check(struct check *c, const struct call *call)
{
    const struct argument *data = data_of(call);
    bool maybe = false;
    uint16_t holds = data ? elements_of(data, &maybe) : 0;
    uint16_t made = read_as(call);
    if (data && holds_pointers(call, data)) {
        struct finding *out =
            finding_new(c, SEVERITY_ERROR, call->function, call_span(call),
                        "'%s' holds pointers, but %s reads them as %s", data->name,
                        call->callee->shown, is_one(made) ? dtypes_text(c, made) : "elements");
        finding_mark(c, out, data->span);
        return;
    }
    if (!is_one(holds) || !is_one(made) || holds == made)
        return;
    struct finding *out =
        finding_new(c, maybe ? SEVERITY_WARNING : SEVERITY_ERROR, call->function, call_span(call),
                    "'%s' holds %s, but %s reads it as %s", data->name, dtypes_text(c, holds),
                    call->callee->shown, dtypes_text(c, made));
    finding_mark(c, out, data->span);
    origin_add(c, out, data->name, data->seen->how, ASPECT_DTYPE, holds);
}

const struct rule_code rule_buffer_dtype = {.claims = claims, .call = check};
