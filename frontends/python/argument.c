/* Calls: arguments with labels, methods, and super() without arguments. */
#include "frontends/python/lower.h"

static void keyword(struct lower *l, TSNode n, struct operands *o)
{
    ir_value v = py_lower_expr(l, py_field_of(l, n, FIELD_value));
    py_operand_add(l, o, v, node_name(l, py_field_of(l, n, FIELD_name)));
}

void py_lower_arguments(struct lower *l, TSNode list, struct operands *o)
{
    if (py_kind_of(l, list) == NODE_generator_expression) { /* f(x for x in y) */
        py_operand_add(l, o, py_lower_expr(l, list), NULL);
        return;
    }
    struct nodes all = node_children(l->arena, list);
    for (int i = 0; i < all.count; i++)
        if (py_kind_of(l, all.items[i]) == NODE_keyword_argument)
            keyword(l, all.items[i], o);
        else
            py_lower_elements(l, (struct nodes){&all.items[i], 1}, o);
}

/* An attribute and a call in one. */
static ir_value invoke(struct lower *l, TSNode n, TSNode method)
{
    struct operands o = {0};
    py_operand_add(l, &o, py_lower_expr(l, py_field_of(l, method, FIELD_object)), NULL);
    py_lower_arguments(l, py_field_of(l, n, FIELD_arguments), &o);
    return py_emit(l, n,
                   (struct ir_inst){.op = IR_INVOKE,
                                    .name = node_name(l, py_field_of(l, method, FIELD_attribute)),
                                    .args = o.values.items,
                                    .labels = o.labels.items,
                                    .arg_count = o.values.count});
}

/* super() is super(__class__, self), where self is the first parameter of the function. */
static void add_class_and_self(struct lower *l, TSNode n, struct operands *o)
{
    const struct ir_function *f = l->scope->body->function;
    ir_value class = f->param_count ? py_read_class(l, n) : 0;
    if (!class)
        return;
    py_operand_add(l, o, class, NULL);
    py_operand_add(l, o, py_emit_get(l, n, 0), NULL);
}

ir_value py_lower_call(struct lower *l, TSNode n)
{
    TSNode function = py_field_of(l, n, FIELD_function);
    if (py_kind_of(l, function) == NODE_attribute)
        return invoke(l, n, function);
    struct operands o = {0};
    ir_value callee = py_lower_expr(l, function);
    py_lower_arguments(l, py_field_of(l, n, FIELD_arguments), &o);
    if (o.values.count == 0 && py_is_text(l, function, "super"))
        add_class_and_self(l, n, &o);
    return py_emit_call(l, n, callee, &o);
}
