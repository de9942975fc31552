/* Expressions. Each becomes one value; what evaluates only a part of its operands becomes branches
 * around a temporary. */
#include "frontends/python/lower.h"

#include <string.h>

/* ---- displays and elements ------------------------------------------------------------------- */

static const char *spread_label(enum node_kind kind)
{
    if (kind == NODE_list_splat || kind == NODE_list_splat_pattern ||
        kind == NODE_parenthesized_list_splat)
        return "*";
    return kind == NODE_dictionary_splat ? "**" : NULL;
}

void py_lower_elements(struct lower *l, struct nodes list, struct operands *o)
{
    for (int i = 0; i < list.count; i++) {
        TSNode n = list.items[i];
        const char *label = spread_label(py_kind_of(l, n));
        while (spread_label(py_kind_of(l, n)))
            n = node_child(n, 0);
        ir_value v = py_lower_expr(l, n);
        py_operand_add(l, o, v, label);
    }
}

static ir_value display(struct lower *l, TSNode n, enum ir_kind kind)
{
    struct operands o = {0};
    py_lower_elements(l, node_children(l->arena, n), &o);
    return py_emit_make(l, n, kind, &o);
}

static ir_value dictionary(struct lower *l, TSNode n)
{
    struct operands o = {0};
    struct nodes all = node_children(l->arena, n);
    for (int i = 0; i < all.count; i++) {
        if (py_kind_of(l, all.items[i]) == NODE_dictionary_splat) {
            py_operand_add(l, &o, py_lower_expr(l, node_child(all.items[i], 0)), "**");
        } else if (py_kind_of(l, all.items[i]) == NODE_pair) {
            ir_value key = py_lower_expr(l, py_field_of(l, all.items[i], FIELD_key));
            ir_value value = py_lower_expr(l, py_field_of(l, all.items[i], FIELD_value));
            py_operand_add(l, &o, key, ":");
            py_operand_add(l, &o, value, NULL);
        }
    }
    return py_emit_make(l, n, KIND_DICT, &o);
}

/* "a:b:c", each of which may be missing: colons decide which is which. */
static ir_value slice(struct lower *l, TSNode n)
{
    ir_value parts[3] = {0, 0, 0};
    int at = 0;
    uint32_t count = ts_node_child_count(n);
    for (uint32_t i = 0; i < count && at < 3; i++) {
        TSNode child = ts_node_child(n, i);
        if (!ts_node_is_named(child))
            at += ts_node_type(child)[0] == ':';
        else if (!ts_node_is_extra(child))
            parts[at] = py_lower_expr(l, child);
    }
    struct operands o = {0};
    for (int i = 0; i < 3; i++)
        py_operand_add(l, &o, parts[i] ? parts[i] : py_emit_none(l, n), NULL);
    return py_emit_make(l, n, KIND_SLICE, &o);
}

/* Several indices, or one with a comma behind it, are a tuple. */
ir_value py_lower_index(struct lower *l, TSNode subscript)
{
    struct nodes all = node_all(l->grammar, l->arena, subscript, FIELD_subscript);
    if (all.count == 1 && !node_has(subscript, ",") && !spread_label(py_kind_of(l, all.items[0])))
        return py_lower_expr(l, all.items[0]);
    struct operands o = {0};
    py_lower_elements(l, all, &o);
    return py_emit_make(l, subscript, KIND_TUPLE, &o);
}

static ir_value subscript(struct lower *l, TSNode n)
{
    ir_value of = py_lower_expr(l, py_field_of(l, n, FIELD_value)), index = py_lower_index(l, n);
    return py_emit_apply(l, n, PROTOCOL_GETITEM, of, index, 0);
}

/* ---- names and attributes -------------------------------------------------------------------- */

static ir_value attribute(struct lower *l, TSNode n)
{
    ir_value of = py_lower_expr(l, py_field_of(l, n, FIELD_object));
    return py_emit_attr(l, n, of, node_name(l, py_field_of(l, n, FIELD_attribute)));
}

static ir_value dotted_name(struct lower *l, TSNode n)
{
    struct nodes parts = node_children(l->arena, n);
    ir_value v = 0;
    for (int i = 0; i < parts.count; i++) {
        const char *name = node_name(l, parts.items[i]);
        v = i ? py_emit_attr(l, n, v, name) : py_read_name(l, parts.items[i], name);
    }
    return v ? v : py_emit_anything(l, n, "a name without parts");
}

static ir_value named(struct lower *l, TSNode n)
{
    TSNode name = py_field_of(l, n, FIELD_name);
    ir_value v = py_lower_expr(l, py_field_of(l, n, FIELD_value));
    py_write_name(l, name, py_binding_scope(l->scope), node_name(l, name), v);
    return v;
}

/* ---- control flow ---------------------------------------------------------------------------- */

/* a if c else b */
static ir_value conditional(struct lower *l, TSNode n)
{
    int result = py_new_temporary(l), yes = py_new_block(l), no = py_new_block(l),
        done = py_new_block(l);
    py_lower_condition(l, node_child(n, 1), yes, no);
    py_begin_block(l, yes);
    py_emit_set(l, n, result, py_lower_expr(l, node_child(n, 0)));
    py_emit_jump(l, n, done);
    py_begin_block(l, no);
    py_emit_set(l, n, result, py_lower_expr(l, node_child(n, 2)));
    py_emit_jump(l, n, done);
    py_begin_block(l, done);
    return py_emit_get(l, n, result);
}

/* Whether it is a bool, whatever its operands are. */
static bool is_boolean(struct lower *l, TSNode n)
{
    enum node_kind kind = py_kind_of(l, n);
    if (kind == NODE_true || kind == NODE_false || kind == NODE_not_operator)
        return true;
    if (kind != NODE_comparison_operator)
        return false;
    struct nodes marks = node_all(l->grammar, l->arena, n, FIELD_operators);
    const char *mark = marks.count == 1 ? ts_node_type(marks.items[0]) : "";
    return strncmp(mark, "is", 2) == 0 || strcmp(mark, "in") == 0 || strcmp(mark, "not in") == 0;
}

static TSNode without_brackets(struct lower *l, TSNode n)
{
    while (py_kind_of(l, n) == NODE_parenthesized_expression)
        n = node_child(n, 0);
    return n;
}

static void both_conditions(struct lower *l, TSNode n, int yes, int no)
{
    bool is_and = py_is_text(l, py_field_of(l, n, FIELD_operator), "and");
    int next = py_new_block(l);
    py_lower_condition(l, py_field_of(l, n, FIELD_left), is_and ? next : yes, is_and ? no : next);
    py_begin_block(l, next);
    py_lower_condition(l, py_field_of(l, n, FIELD_right), yes, no);
}

void py_lower_condition(struct lower *l, TSNode n, int yes, int no)
{
    n = without_brackets(l, n);
    if (l->depth++ > MAX_DEPTH) {
        py_emit_branch(l, n, py_emit_anything(l, n, "nested too deeply"), yes, no);
    } else if (py_kind_of(l, n) == NODE_boolean_operator) {
        both_conditions(l, n, yes, no);
    } else if (py_kind_of(l, n) == NODE_not_operator) {
        py_lower_condition(l, py_field_of(l, n, FIELD_argument), no, yes);
    } else {
        ir_value v = py_lower_expr(l, n);
        if (!is_boolean(l, n))
            v = py_emit_apply(l, n, PROTOCOL_TRUTH, v, 0, 0);
        py_emit_branch(l, n, v, yes, no);
    }
    l->depth--;
}

/* A generator gives what its iterable does; what is sent is not passed on. */
static ir_value yield_from(struct lower *l, TSNode n)
{
    int head = py_new_block(l), body = py_new_block(l), done = py_new_block(l);
    ir_value of = py_lower_expr(l, node_child(n, 0)),
             it = py_emit_apply(l, n, PROTOCOL_ITER, of, 0, 0);
    py_emit_jump(l, n, head);
    py_begin_block(l, head);
    py_emit_branch(l, n, py_emit_apply(l, n, PROTOCOL_MORE, it, 0, 0), body, done);
    py_begin_block(l, body);
    ir_value v = py_emit_apply(l, n, PROTOCOL_NEXT, it, 0, 0);
    py_emit(l, n, (struct ir_inst){.op = IR_YIELD, .args = &v, .arg_count = 1});
    py_emit_jump(l, n, head);
    py_begin_block(l, done);
    return py_emit_none(l, n);
}

static ir_value yield(struct lower *l, TSNode n)
{
    TSNode of = node_child(n, 0);
    if (node_has(n, "from"))
        return yield_from(l, n);
    ir_value v = node_is_null(of) ? py_emit_none(l, n) : py_lower_expr(l, of);
    int behind = py_new_block(l); /* where it goes on when it is resumed */
    ir_value sent = py_emit(l, n, (struct ir_inst){.op = IR_YIELD, .args = &v, .arg_count = 1});
    py_emit_jump(l, n, behind);
    py_begin_block(l, behind);
    return sent;
}

/* ---- annotations ----------------------------------------------------------------------------- */

/* list[int], which the grammar has as a type of its own: as the same expression. */
static ir_value generic_type(struct lower *l, TSNode n)
{
    ir_value of = py_lower_expr(l, node_child(n, 0));
    struct nodes parts = node_children(l->arena, node_child(n, 1));
    struct operands o = {0};
    for (int i = 0; i < parts.count; i++)
        py_operand_add(l, &o, py_lower_annotation(l, parts.items[i]), NULL);
    ir_value index = o.values.count == 1 ? o.values.items[0] : py_emit_make(l, n, KIND_TUPLE, &o);
    return py_emit_apply(l, n, PROTOCOL_GETITEM, of, index, 0);
}

static ir_value union_type(struct lower *l, TSNode n)
{
    ir_value x = py_lower_annotation(l, node_child(n, 0)),
             y = py_lower_annotation(l, node_child(n, 1));
    return py_emit_apply(l, n, PROTOCOL_OR, x, y, 0);
}

static ir_value annotation(struct lower *l, TSNode type)
{
    switch (py_kind_of(l, type)) {
    case NODE_type:
        return py_lower_annotation(l, node_child(type, 0));
    case NODE_generic_type:
        return generic_type(l, type);
    case NODE_union_type:
        return union_type(l, type);
    case NODE_member_type:
        return py_emit_attr(l, type, py_lower_annotation(l, node_child(type, 0)),
                            node_name(l, node_child(type, 1)));
    case NODE_constrained_type:
    case NODE_splat_type:
        return py_lower_annotation(l, node_child(type, 0));
    default:
        return py_lower_expr(l, type);
    }
}

ir_value py_lower_annotation(struct lower *l, TSNode type)
{
    if (l->depth++ > MAX_DEPTH) {
        l->depth--;
        return py_emit_anything(l, type, "nested too deeply");
    }
    ir_value v = annotation(l, type);
    l->depth--;
    return v;
}

/* ---- all ------------------------------------------------------------------------------------- */

static ir_value expr(struct lower *l, TSNode n)
{
    switch (py_kind_of(l, n)) {
    case NODE_identifier:
        return py_read_name(l, n, node_name(l, n));
    case NODE_dotted_name:
        return dotted_name(l, n);
    case NODE_attribute:
        return attribute(l, n);
    case NODE_subscript:
        return subscript(l, n);
    case NODE_slice:
        return slice(l, n);
    case NODE_call:
        return py_lower_call(l, n);
    case NODE_integer:
    case NODE_float:
    case NODE_true:
    case NODE_false:
    case NODE_none:
    case NODE_ellipsis:
        return py_lower_literal(l, n);
    case NODE_string:
    case NODE_concatenated_string:
        return py_lower_string(l, n);
    case NODE_binary_operator:
    case NODE_unary_operator:
    case NODE_not_operator:
    case NODE_boolean_operator:
    case NODE_comparison_operator:
        return py_lower_operator(l, n);
    case NODE_conditional_expression:
        return conditional(l, n);
    case NODE_named_expression:
        return named(l, n);
    case NODE_lambda:
        return py_lower_lambda(l, n);
    case NODE_await:
        return py_emit_apply(l, n, PROTOCOL_AWAIT, py_lower_expr(l, node_child(n, 0)), 0, 0);
    case NODE_yield:
        return yield(l, n);
    case NODE_list:
    case NODE_list_pattern:
        return display(l, n, KIND_LIST);
    case NODE_tuple:
    case NODE_tuple_pattern:
    case NODE_expression_list:
    case NODE_pattern_list:
        return display(l, n, KIND_TUPLE);
    case NODE_set:
        return display(l, n, KIND_SET);
    case NODE_dictionary:
        return dictionary(l, n);
    case NODE_list_comprehension:
    case NODE_set_comprehension:
    case NODE_dictionary_comprehension:
    case NODE_generator_expression:
        return py_lower_comprehension(l, n);
    case NODE_assignment:
        return py_lower_assignment(l, n);
    case NODE_augmented_assignment:
        return py_lower_augmented(l, n);
    case NODE_parenthesized_expression:
    case NODE_as_pattern:
    case NODE_list_splat:
        return py_lower_expr(l, node_child(n, 0));
    case NODE_type:
    case NODE_generic_type:
    case NODE_union_type:
    case NODE_member_type:
    case NODE_constrained_type:
    case NODE_splat_type:
        return py_lower_annotation(l, n);
    default:
        return py_emit_anything(l, n,
                                node_is_null(n) ? "an expression is missing" : ts_node_type(n));
    }
}

ir_value py_lower_expr(struct lower *l, TSNode n)
{
    if (l->depth++ > MAX_DEPTH) {
        l->depth--;
        return py_emit_anything(l, n, "nested too deeply");
    }
    ir_value v = expr(l, n);
    l->depth--;
    return v;
}
