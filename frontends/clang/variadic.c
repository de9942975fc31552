/* Variadic arguments. They are elements of a local of the function, named "...", which a call
 * fills; a va_list is a pointer to the next one, kept at the address of the list. */
#include "frontends/clang/lower.h"

#include <string.h>

bool is_argument_list(const struct type *t)
{
    while (t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY)
        t = t->of;
    return t->kind == TYPE_RECORD &&
           (strcmp(t->name, "__va_list") == 0 || strcmp(t->name, "__va_list_tag") == 0);
}

/* A pointer to an argument. */
static const struct type *argument_pointer(struct lower *l)
{
    return pointer_to(l, pointer_to(l, type_simple(l->unit, TYPE_VOID)));
}

static int arguments_of(struct lower *l, struct node *at)
{
    for (int i = l->f->param_count; i < l->f->locals.count; i++)
        if (strcmp(l->f->locals.items[i].name, "...") == 0)
            return i;
    return ir_local_new(l->unit, l->f, "...", type_simple(l->unit, TYPE_UNKNOWN), span_of(l, at));
}

/* Where the list keeps its pointer. */
static ir_value pointer_in(struct lower *l, struct node *at, ir_value list)
{
    return emit_convert(l, at, list, pointer_to(l, argument_pointer(l)));
}

void emit_list_start(struct lower *l, struct node *at, ir_value list)
{
    ir_value all = emit_local(l, at, arguments_of(l, at));
    ir_value zero = emit_int(l, at, type_int(l->unit, 64, true), 0);
    ir_value first = emit_element(l, at, emit_convert(l, at, all, argument_pointer(l)), zero);
    emit_store(l, at, pointer_in(l, at, list), first);
}

void emit_list_copy(struct lower *l, struct node *at, ir_value to, ir_value from)
{
    ir_value next = emit_load(l, at, pointer_in(l, at, from), argument_pointer(l));
    emit_store(l, at, pointer_in(l, at, to), next);
}

ir_value emit_list_next(struct lower *l, struct node *at, ir_value list, const struct type *t)
{
    ir_value in = pointer_in(l, at, list);
    ir_value next = emit_load(l, at, in, argument_pointer(l));
    ir_value v = emit_load(l, at, next, t);
    ir_value one = emit_int(l, at, type_int(l->unit, 64, true), 1);
    emit_store(l, at, in, emit_element(l, at, next, one));
    return v;
}
