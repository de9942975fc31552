/* A size in bytes that is not that of the memory or the tensor: usually a count of elements times
 * the wrong size, or a count alone. */
#include "rules/engine/engine.h"

#include <string.h>

static bool claims(const struct failing *f)
{
    const struct pack_function *fn = f->failure->callee;
    bool memory = false;
    for (int i = 0; i < fn->param_count; i++)
        memory |= fn->params[i].kind == OPERAND_BUFFER;
    return f->failure->kind == ERROR_VALUE && memory;
}

/* The size of a type is in it: then few elements are meant, not all. */
static bool has_size_of_type(struct check *c, const struct call *call)
{
    const char *word = language_of(call->function)->size_of;
    for (int k = 0; k < call->count && word; k++) {
        const struct argument *a = &call->arguments[k];
        if (a->param->role == ROLE_BYTES && a->span.line &&
            strstr(source_excerpt(c, &a->span, SOURCE_MAX), word))
            return true;
    }
    return false;
}

/* The memory with as many elements. */
static const struct argument *counted(const struct call *call)
{
    const struct argument *found = NULL;
    for (int k = 0; k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        if (a->param->kind == OPERAND_TENSOR)
            return NULL; /* the call compares its size by itself */
        if (a->param->kind == OPERAND_BUFFER && a->seen && !found &&
            is_one(a->seen->fact.dtypes & (dtype_set)~DTYPES_UNTYPED))
            found = a;
    }
    return found;
}

/* The memory of a tensor: a call returned it, which gives no other. */
static bool is_of_tensor(const struct check *c, const struct argument *a)
{
    const struct pack_function *by = step_callee(c, a->seen->how);
    return by && by->family == FAMILY_DATA_POINTER;
}

/* The size of an element and their number are given, as to fread(): it is the size of another type
 * than that of the elements of the tensor. */
static void check_element(struct check *c, const struct call *call)
{
    const struct argument *size = NULL, *memory = counted(call);
    const char *word = language_of(call->function)->size_of;
    int factors = 0;
    for (int k = call->count - 1; k >= 0; k--)
        if (call->arguments[k].param->role == ROLE_BYTES && ++factors)
            size = &call->arguments[k];
    if (factors != 2 || !memory || !is_one(memory->seen->fact.dtypes) || !is_of_tensor(c, memory) ||
        !size->known || !word || !size->span.line ||
        !strstr(source_excerpt(c, &size->span, SOURCE_MAX), word) || call_fails(call))
        return;
    int each = dtype_bits(dtype_of_set(memory->seen->fact.dtypes)) / 8;
    if (size->number == each || size->number == 1 || was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s is given elements of %.0f bytes: those of '%s' are %s, which has %d",
                    call->callee->shown, size->number, memory->name,
                    dtypes_text(c, memory->seen->fact.dtypes), each);
    finding_mark(c, out, size->span);
    finding_mark(c, out, memory->span);
    origin_add(c, out, memory->name, memory->seen->how, ASPECT_DTYPE, memory->seen->fact.dtypes);
}

/* As many bytes as there are elements: only the first of them are copied. */
static void check(struct check *c, const struct call *call)
{
    const struct flow_call *seen = flow_call_of(c->in->flow, call->function, call->inst);
    check_element(c, call);
    if (!seen || seen->sizes != SIZES_COUNT_ELEMENTS)
        return;
    const struct argument *memory = counted(call);
    if (!memory || has_size_of_type(c, call))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "%s is given as many bytes as '%s' has elements, which are %s: it leaves the rest out",
        call->callee->shown, memory->name, dtypes_text(c, memory->seen->fact.dtypes));
    finding_mark(c, out, memory->span);
    origin_add(c, out, memory->name, memory->seen->how, ASPECT_DTYPE, memory->seen->fact.dtypes);
}

const struct rule_code rule_buffer_size = {.claims = claims, .call = check, .by_case = true};
