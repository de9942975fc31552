/* Sizes in calls about raw memory: what the call asks for, and what there is. Where both are
 * multiples of the same unknown numbers, the pack compares the factors, as if those numbers were 1;
 * a size that is a multiple of others cannot be compared, and is not known. */
#include "analyzer/flow/calls/calls.h"

/* The product of all that says how many bytes; false: that has no identity, or nothing does. */
static bool bytes_asked(const struct pack_call *call, struct amount *out)
{
    bool is_told = false;
    *out = (struct amount){.factor = 1};
    for (int i = 0; i < call->fn->param_count; i++) {
        struct amount one;
        if (call->fn->params[i].role != ROLE_BYTES)
            continue;
        is_told =
            amount_of_value(call->f, &call->choices[i].value, &one) && amount_times(out, &one);
        if (!is_told)
            return false;
    }
    return is_told;
}

/* The bytes of a tensor of that dtype, or of raw memory; false: not known. */
static bool bytes_there(const struct pack_call *call, const struct choice *c, enum dtype dtype,
                        struct amount *out)
{
    const struct amount each = {.factor = c->is_tensor ? dtype_bytes(dtype) : 1};
    bool is_one = c->value.count == 1 && (c->is_tensor || c->is_buffer);
    int tensor = c->is_tensor && c->value.kind == VALUE_TENSOR ? c->value.as.tensor[0] : 0;
    return is_one && each.factor > 0 && amount_of_elements(call->f, &c->fact, tensor, out) &&
           amount_times(out, &each);
}

static bool takes_memory(const struct pack_function *fn)
{
    for (int i = 0; i < fn->param_count; i++)
        if (fn->params[i].kind == OPERAND_BUFFER || fn->params[i].out)
            return true;
    return fn->returns_buffer;
}

/* In all that the operand can be, whether it is a multiple of the same numbers. */
static bool measure(const struct pack_call *call, struct choice *c, const struct amount *asked,
                    const char *times)
{
    bool some = false;
    for (int i = 0; i < c->count; i++) {
        struct operand *o = &c->options[i];
        struct amount has;
        bool is_sized = o->kind == OPERAND_TENSOR || o->kind == OPERAND_BUFFER;
        if (!is_sized)
            continue;
        o->known = bytes_there(call, c, o->dtype, &has) && amount_is_alike(&has, asked);
        o->number = o->known ? (double)has.factor : 0;
        o->times = o->known ? times : NULL;
        some |= o->known;
    }
    return some;
}

static void tell(const struct pack_call *call, int i, const char *times)
{
    struct amount one;
    struct operand *o = &call->choices[i].options[0];
    if (!amount_of_value(call->f, &call->choices[i].value, &one))
        return;
    o->known = true;
    o->number = (double)one.factor;
    o->times = one.count ? times : NULL;
}

void sizes_choose(const struct pack_call *call)
{
    struct amount asked;
    const struct pack_function *fn = call->fn;
    bool made = fn->returns_buffer || fn->effects & EFFECT_ALLOCATES, some = made;
    call->asked->count = 0;
    if (!call->f->merges || !takes_memory(fn) || !bytes_asked(call, &asked) || !asked.count)
        return;
    const char *times = amount_numbers(call->f, &asked);
    for (int i = 0; i < fn->param_count; i++)
        some |= measure(call, &call->choices[i], &asked, times);
    for (int i = 0; i < fn->param_count && some; i++)
        if (fn->params[i].role == ROLE_BYTES)
            tell(call, i, times);
    if (some)
        *call->asked = asked;
}

/* Where the iterations of a loop are joined, what each of them allocates is one memory: its size is
 * one that all have, or none. */
const struct extent *sizes_made(const struct pack_call *call, int64_t factor)
{
    struct amount bytes = *call->asked;
    bytes.factor = factor;
    for (int i = 0; i < bytes.count && call->f->joins_iterations; i++)
        if (bytes.of[i]->object->is_fresh || bytes.of[i]->object->is_result)
            return NULL;
    return bytes.count && factor > 0 ? extent_at(call->f, 1, &bytes) : NULL;
}

const struct extent *sizes_viewed(const struct pack_call *call)
{
    const struct pack_function *fn = call->fn;
    const struct choice *of = fn->alias_of >= 0 ? &call->choices[fn->alias_of] : NULL;
    struct amount bytes;
    dtype_set dtypes = of && of->is_tensor ? of->fact.dtypes : 0;
    if (!call->f->merges || !dtypes || dtypes & (dtypes - 1) ||
        !bytes_there(call, of, (enum dtype)__builtin_ctzll(dtypes), &bytes) || !bytes.count)
        return NULL;
    return extent_at(call->f, 1, &bytes);
}

/* ---- elements instead of bytes --------------------------------------------------------------- */

/* Whether the memory has as many elements as the call asks for bytes. */
static bool is_counted(const struct pack_call *call, const struct choice *c,
                       const struct amount *asked, bool *is_known)
{
    struct amount has;
    int64_t each = dtypes_bytes(c->fact.dtypes);
    *is_known = bytes_there(call, c, DTYPE_NONE, &has) && each > 0;
    return *is_known && each > 1 && amount_is_alike(&has, asked) &&
           asked->factor * each == has.factor;
}

enum flow_sizes sizes_told(const struct pack_call *call)
{
    struct amount asked;
    int sides = 0, known = 0, counted = 0, factors = 0;
    bool is_sized = call->f->merges && !call->fn->returns_tensor && takes_memory(call->fn) &&
                    !(call->fn->effects & EFFECT_ALLOCATES);
    if (!is_sized || !bytes_asked(call, &asked) || asked.factor > INT32_MAX)
        return SIZES_UNKNOWN;
    for (int i = 0; i < call->fn->param_count; i++) {
        bool is_known = false;
        factors += call->fn->params[i].role == ROLE_BYTES;
        if (call->fn->params[i].kind != OPERAND_BUFFER)
            continue;
        sides++;
        counted += is_counted(call, &call->choices[i], &asked, &is_known);
        known += is_known;
    }
    bool is_clear = asked.count || (known == sides && (sides > 1 || factors == 1));
    return counted && counted == known && is_clear ? SIZES_COUNT_ELEMENTS : SIZES_COUNT_BYTES;
}
