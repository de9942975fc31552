/* Raw memory whose elements have another type than the function expects, or than it makes a tensor
 * from. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && failing_has_buffer(f) &&
           f->family != FAMILY_DATA_POINTER && !failing_counts_others(f);
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
static dtype_set elements_of(const struct argument *data, bool *maybe)
{
    dtype_set bytes = DTYPE_BIT(DTYPE_U8) | DTYPE_BIT(DTYPE_I8);
    dtype_set holds = data->flow ? data->flow->fact.dtypes : data->seen->fact.dtypes;
    *maybe = holds & DTYPES_UNTYPED;
    return holds & bytes ? 0 : (dtype_set)(holds & ~DTYPES_UNTYPED);
}

/* The dtypes that the call takes the elements to be: it may convert them to others. */
static dtype_set read_as(const struct call *call)
{
    const struct argument *element = call_argument(call, ROLE_ELEMENT);
    bool is_said = element && element->known && element->number != DTYPE_NONE;
    bool is_open = element && !element->known;
    return is_said                    ? DTYPE_SET((int)element->number)
           : call->result && !is_open ? call->result->fact.dtypes
                                      : 0;
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* The memory of a tensor, which has its dtype: a call returns it, or a field of the tensor has it.
 */
static bool is_of_tensor(const struct check *c, const struct argument *a)
{
    const struct step *how = a->seen->how;
    const struct pack_function *by = step_callee(c, how);
    bool is_field = how && !by && how->inst && how->from[0] &&
                    how->function->insts.items[how->inst].op == IR_LOAD;
    return is_field || (by && by->family == FAMILY_DATA_POINTER);
}

/* What the pointer is declared to point to, where nothing is known to be stored yet: a file was
 * read into it, say. Unsigned integers may be bits. */
static dtype_set declared_as(const struct call *call, const struct argument *a)
{
    const struct flow_call *seen = flow_call_of(call->check->in->flow, call->function, call->inst);
    const struct type *t = seen ? declared_elements(seen, (int)(a - call->arguments)) : NULL;
    if (!t || t->bits < 32)
        return 0;
    if (t->kind == TYPE_FLOAT)
        return t->bits == 32 ? DTYPE_SET(DTYPE_F32) : t->bits == 64 ? DTYPE_SET(DTYPE_F64) : 0;
    return !t->is_signed ? 0 : t->bits == 32 ? DTYPE_SET(DTYPE_I32) : DTYPE_SET(DTYPE_I64);
}

/* The dtype of the elements in raw memory; 0: it is none, or not known. */
static dtype_set memory_dtype(const struct call *call, const struct argument *a)
{
    if (a->param->kind != OPERAND_BUFFER || !a->seen || !a->seen->fact.buffer)
        return 0;
    if (a->seen->fact.dtypes == DTYPES_UNTYPED)
        return declared_as(call, a);
    return is_one(a->seen->fact.dtypes) ? a->seen->fact.dtypes : 0;
}

/* Integers of the same size may be bits that are looked at, unless both are tensors; numbers with a
 * sign are no bits of a tensor. */
static bool may_be_bits(dtype_set to, dtype_set from, bool into_tensor)
{
    bool same = dtype_bits(dtype_of_set(to)) == dtype_bits(dtype_of_set(from));
    bool are_numbers = into_tensor && dtypes_are(to, SET_FLOATS) &&
                       dtypes_are(from, DTYPE_SET(DTYPE_I32) | DTYPE_SET(DTYPE_I64));
    return same && !are_numbers && !dtypes_are(to | from, SET_FLOATS);
}

/* Bytes are copied unchanged from elements of one dtype to those of another. */
static void check_copy(struct check *c, const struct call *call)
{
    if (!(call->callee->effects & EFFECT_COPIES) || call->count < 2)
        return;
    const struct argument *to = &call->arguments[0], *from = &call->arguments[1];
    dtype_set is = memory_dtype(call, to), was = memory_dtype(call, from);
    if (!is || !was || is == was)
        return;
    bool into_tensor = is_of_tensor(c, to);
    int tensors = into_tensor + is_of_tensor(c, from);
    if (!tensors || (tensors == 1 && may_be_bits(is, was, into_tensor)))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s copies bytes: '%s' is %s, '%s' is %s", call->callee->shown, to->name,
                    dtypes_text(c, is), from->name, dtypes_text(c, was));
    finding_mark(c, out, to->span);
    finding_mark(c, out, from->span);
    origin_add(c, out, to->name, to->seen->how, ASPECT_DTYPE, is);
    origin_add(c, out, from->name, from->seen->how, ASPECT_DTYPE, was);
}

/* The elements of a tensor are copied out as they are. */
static void check_copied_out(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT), *to = NULL;
    const struct flow_call *seen = flow_call_of(c->in->flow, call->function, call->inst);
    const struct type *holds = NULL;
    for (int k = 0; k < call->count && argument_is_tensor(x); k++)
        if (call->arguments[k].param->kind == OPERAND_BUFFER && call->arguments[k].param->written) {
            to = &call->arguments[k];
            holds = declared_elements(seen, k);
        }
    if (!holds || !is_one(argument_dtypes(x)) || call_fails(call) ||
        elements_can_be(holds, dtype_of_set(argument_dtypes(x))) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s copies bytes: '%s' points to %s, '%s' is %s", call->callee->shown, to->name,
                    type_text(c, holds), x->name, dtypes_text(c, argument_dtypes(x)));
    finding_mark(c, out, x->span);
    finding_mark(c, out, to->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Every byte of the elements of a tensor is set to a number, which none of them then is: except to
 * 0, and to 255, which is -1 in each integer. */
static void check_filled(struct check *c, const struct call *call)
{
    const struct argument *value = call_argument(call, ROLE_VALUE), *to = NULL;
    for (int k = 0; k < call->count; k++)
        if (call->arguments[k].param->kind == OPERAND_BUFFER && call->arguments[k].param->written)
            to = &call->arguments[k];
    double number;
    dtype_set dtypes = to && to->seen ? to->seen->fact.dtypes : 0;
    if (!(call->callee->effects & EFFECT_COPIES) || !value || !is_one(dtypes) ||
        !argument_number(call, value, &number) || !to->seen->how || !to->seen->how->inst)
        return;
    bool is_float = dtypes_are(dtypes, SET_FLOATS) && number != 0 && number != 255 && number != -1,
         is_one_byte = dtypes_are(dtypes, SET_BOOL | DTYPE_SET(DTYPE_U8) | DTYPE_SET(DTYPE_I8)),
         is_int = dtypes_are(dtypes, SET_INTS) && !is_one_byte && number == 1;
    if ((!is_float && !is_int) || was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s sets each byte to %.0f: the elements of '%s' are %s, and "
                    "become another number",
                    call->callee->shown, number, to->name, dtypes_text(c, dtypes));
    finding_mark(c, out, to->span);
    origin_add(c, out, to->name, to->seen->how, ASPECT_DTYPE, dtypes);
}

/* ---- tensors --------------------------------------------------------------------------------- */

/* A tensor made from memory whose elements have another dtype. */
static void check(struct check *c, const struct call *call)
{
    const struct argument *data = data_of(call);
    check_copy(c, call);
    check_copied_out(c, call);
    check_filled(c, call);
    bool maybe = false;
    dtype_set holds = data ? elements_of(data, &maybe) : 0;
    dtype_set made = read_as(call);
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
    const struct argument *said = call_argument(call, ROLE_DTYPE);
    if (said && said->value &&
        fix_option(c, out, call, ROLE_DTYPE, write_dtype(call->callee, dtype_of_set(holds))))
        out->fix.what = arena_printf(c->in->arena, "read it as %s", dtypes_text(c, holds));
}

const struct rule_code rule_buffer_dtype = {.claims = claims, .call = check, .by_case = true};
