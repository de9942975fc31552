/* Memory for objects: new is malloc and a constructor, delete a destructor and free. */
#include "frontends/clang/cpp.h"

#include <string.h>

ir_value emit_c_call(struct lower *l, struct node *at, const char *name, const struct type *t,
                     ir_value *args, int count)
{
    struct ir_inst inst = {
        .op = IR_CALL, .type = t, .name = name, .args = args, .arg_count = count};
    if (!ir_function_find(l->unit, name)) {
        struct field *params = arena_array(l->scratch, struct field, count);
        for (int i = 0; i < count; i++)
            params[i] = (struct field){"", inst_of(l, args[i])->type, 0, NULL};
        const struct type *result = t ? t : type_simple(l->unit, TYPE_VOID);
        ir_function_new(l->unit, name, type_function(l->unit, result, params, count, false));
    }
    return emit(l, at, inst);
}

ir_value emit_allocation(struct lower *l, struct node *at, const struct type *t, ir_value bytes)
{
    const struct type *anything = pointer_to(l, type_simple(l->unit, TYPE_VOID));
    complete(l, t);
    ir_value v = emit_c_call(l, at, "malloc", anything, &bytes, 1);
    return emit_convert(l, at, v, pointer_to(l, t));
}

static int64_t size_of(struct lower *l, CXType t)
{
    long long size = l->c->Type_getSizeOf(t);
    return size > 0 ? size : 1;
}

ir_value emit_class_size(struct lower *l, struct node *at, const struct type *t)
{
    struct class *c = class_of(l, t);
    const struct type *size = type_int(l->unit, 64, false);
    return c ? emit_int(l, at, size, size_of(l, c->ctype)) : emit_some(l, at, size, "a size");
}

/* "new T[n]": what comes first is in brackets. */
static bool new_is_array(struct lower *l, const struct node *first)
{
    size_t at, size;
    if (!first)
        return false;
    CXSourceRange r = l->c->getCursorExtent(first->cursor);
    const char *text = text_at(l, l->c->getRangeStart(r), &at, &size);
    while (text && at > 0 && strchr(" \t\n(", text[at - 1]))
        at--;
    return text && at > 0 && text[at - 1] == '[';
}

/* new T(a), new T[n]: the size of an array is an int, before its initialiser. */
ir_value lower_new(struct lower *l, struct node *n)
{
    const struct type *t = node_type(l, n);
    if (t->kind != TYPE_POINTER)
        return not_modelled(l, n, "an expression that is not modelled");
    CXType of = l->c->getPointeeType(l->c->getCanonicalType(l->c->getCursorType(n->cursor)));
    const struct type *size = type_int(l->unit, 64, false);
    struct node *first = nth_expression(n, 0), *init = n->last;
    bool is_array = new_is_array(l, first);
    struct node *count = is_array ? first : NULL;
    if (init && (!is_expression(init) || init == count))
        init = NULL;
    ir_value bytes = emit_int(l, n, size, size_of(l, of));
    if (count) {
        ir_value many = value_as(l, count, size);
        bytes = emit_binary(l, n, ARITH_MUL, size, many, bytes);
    }
    ir_value v = emit_allocation(l, n, t->of, bytes);
    if (!init || count)
        return v;
    if (is_aggregate(t->of))
        construct_at(l, init, v, t->of);
    else
        initialise(l, v, t->of, init, false);
    return v;
}

ir_value lower_delete(struct lower *l, struct node *n)
{
    struct node *operand = nth_expression(n, 0);
    ir_value v = operand ? value_of(l, operand) : 0;
    if (!v || inst_of(l, v)->type->kind != TYPE_POINTER)
        return not_modelled(l, n, "an expression that is not modelled");
    if (inst_of(l, v)->type->of->kind == TYPE_RECORD)
        emit_destruction(l, n, v, inst_of(l, v)->type->of);
    const struct type *anything = pointer_to(l, type_simple(l->unit, TYPE_VOID));
    v = emit_convert(l, n, v, anything);
    emit_c_call(l, n, "free", NULL, &v, 1);
    return 0;
}
