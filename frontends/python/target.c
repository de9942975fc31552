/* Assignments: to names, attributes and elements, and to lists of these, which take a value apart.
 */
#include "frontends/python/lower.h"

static bool is_starred(struct lower *l, TSNode n)
{
    return py_kind_of(l, n) == NODE_list_splat_pattern || py_kind_of(l, n) == NODE_list_splat;
}

/* a, *b, c = v: a tuple of what each gets, with a list for b. */
static void take_apart(struct lower *l, TSNode target, ir_value v)
{
    struct nodes all = node_children(l->arena, target);
    int star = -1;
    for (int i = 0; i < all.count; i++)
        star = is_starred(l, all.items[i]) ? i : star;
    ir_value before = py_emit_int(l, target, star < 0 ? all.count : star);
    ir_value after = star < 0 ? 0 : py_emit_int(l, target, all.count - 1 - star);
    ir_value parts = py_emit_apply(l, target, PROTOCOL_UNPACK, v, before, after);
    for (int i = 0; i < all.count; i++) {
        ir_value index = py_emit_int(l, all.items[i], i);
        ir_value part = py_emit_apply(l, all.items[i], PROTOCOL_GETITEM, parts, index, 0);
        py_lower_assign(l, all.items[i], part);
    }
}

static void assign_item(struct lower *l, TSNode target, ir_value v)
{
    ir_value of = py_lower_expr(l, py_field_of(l, target, FIELD_value)),
             index = py_lower_index(l, target);
    py_emit_apply(l, target, PROTOCOL_SETITEM, of, index, v);
}

static void assign(struct lower *l, TSNode target, ir_value v)
{
    switch (py_kind_of(l, target)) {
    case NODE_identifier:
        py_write_name(l, target, l->scope, node_name(l, target), v);
        break;
    case NODE_attribute:
        py_emit_setattr(l, target, py_lower_expr(l, py_field_of(l, target, FIELD_object)),
                        node_name(l, py_field_of(l, target, FIELD_attribute)), v);
        break;
    case NODE_subscript:
        assign_item(l, target, v);
        break;
    case NODE_tuple:
    case NODE_list:
    case NODE_tuple_pattern:
    case NODE_list_pattern:
    case NODE_pattern_list:
    case NODE_expression_list:
        take_apart(l, target, v);
        break;
    case NODE_list_splat:
    case NODE_list_splat_pattern:
    case NODE_parenthesized_expression:
    case NODE_as_pattern_target:
        py_lower_assign(l, node_child(target, 0), v);
        break;
    default:
        py_emit_anything(l, target, "an assignment to something else");
    }
}

void py_lower_assign(struct lower *l, TSNode target, ir_value v)
{
    if (l->depth++ > MAX_DEPTH)
        py_emit_anything(l, target, "nested too deeply");
    else
        assign(l, target, v);
    l->depth--;
}

/* In a class, annotations are kept: dataclasses are made of them. */
static void annotate(struct lower *l, TSNode n, TSNode name, TSNode type)
{
    if (l->scope->kind != SCOPE_CLASS || py_kind_of(l, name) != NODE_identifier)
        return;
    ir_value text = py_emit_text(l, name, node_name(l, name));
    py_emit_apply(l, n, PROTOCOL_ANNOTATE, l->scope->class, text, py_lower_annotation(l, type));
}

/* a = b = v: v is evaluated first, and assigned from left to right. */
ir_value py_lower_assignment(struct lower *l, TSNode n)
{
    TSNode to = py_field_of(l, n, FIELD_left), type = py_field_of(l, n, FIELD_type);
    TSNode from = py_field_of(l, n, FIELD_right), last = from;
    if (!node_is_null(type))
        annotate(l, n, to, type);
    if (node_is_null(from))
        return 0;
    while (py_kind_of(l, last) == NODE_assignment)
        last = py_field_of(l, last, FIELD_right);
    ir_value v = py_lower_expr(l, last);
    py_lower_assign(l, to, v);
    for (; py_kind_of(l, from) == NODE_assignment; from = py_field_of(l, from, FIELD_right))
        py_lower_assign(l, py_field_of(l, from, FIELD_left), v);
    return v;
}

/* What is deleted is undefined from then on. */
void py_lower_delete(struct lower *l, TSNode target)
{
    ir_value of, index;
    switch (py_kind_of(l, target)) {
    case NODE_identifier:
        py_write_name(l, target, l->scope, node_name(l, target),
                      py_emit(l, target, (struct ir_inst){.op = IR_UNDEF}));
        break;
    case NODE_attribute:
        of = py_lower_expr(l, py_field_of(l, target, FIELD_object));
        py_emit_setattr(l, target, of, node_name(l, py_field_of(l, target, FIELD_attribute)),
                        py_emit(l, target, (struct ir_inst){.op = IR_UNDEF}));
        break;
    case NODE_subscript:
        of = py_lower_expr(l, py_field_of(l, target, FIELD_value));
        index = py_lower_index(l, target);
        py_emit_apply(l, target, PROTOCOL_DELITEM, of, index, 0);
        break;
    default: {
        struct nodes all = node_children(l->arena, target);
        l->depth++;
        for (int i = 0; i < all.count && l->depth < MAX_DEPTH; i++)
            py_lower_delete(l, all.items[i]);
        l->depth--;
    }
    }
}
