/* Comprehensions: loops around what is collected. A generator expression is treated as the list of
 * what it gives. Variables of the loops are the comprehension's own; they are locals of the
 * function it is in. */
#include "frontends/python/lower.h"

struct comprehension {
    TSNode node;
    struct nodes parts;
    ir_value into;
    int first; /* of the parts: the outermost loop, whose iterable is evaluated around it */
};

static void collect(struct lower *l, const struct comprehension *c)
{
    TSNode body = py_field_of(l, c->node, FIELD_body);
    if (py_kind_of(l, c->node) == NODE_dictionary_comprehension) {
        ir_value key = py_lower_expr(l, py_field_of(l, body, FIELD_key));
        ir_value value = py_lower_expr(l, py_field_of(l, body, FIELD_value));
        py_emit_apply(l, body, PROTOCOL_SETITEM, c->into, key, value);
    } else {
        py_emit_apply(l, body, PROTOCOL_APPEND, c->into, py_lower_expr(l, body), 0);
    }
}

static void lower_parts(struct lower *l, const struct comprehension *c, int i);

static void condition(struct lower *l, const struct comprehension *c, int i)
{
    int yes = py_new_block(l), no = py_new_block(l);
    py_lower_condition(l, node_child(c->parts.items[i], 0), yes, no);
    py_begin_block(l, yes);
    lower_parts(l, c, i + 1);
    py_emit_jump(l, c->parts.items[i], no);
    py_begin_block(l, no);
}

static void bind_loop_names(struct lower *l, TSNode target)
{
    if (py_kind_of(l, target) == NODE_identifier) {
        scope_local(l, l->scope, target, node_name(l, target));
        return;
    }
    struct nodes all = node_children(l->arena, target);
    l->depth++;
    for (int i = 0; i < all.count && l->depth < MAX_DEPTH; i++)
        bind_loop_names(l, all.items[i]);
    l->depth--;
}

static ir_value iterable(struct lower *l, TSNode clause)
{
    struct nodes all = node_all(l->grammar, l->arena, clause, FIELD_right);
    struct operands o = {0};
    if (all.count == 1)
        return py_lower_expr(l, all.items[0]);
    for (int i = 0; i < all.count; i++)
        if (ts_node_is_named(all.items[i]))
            py_operand_add(l, &o, py_lower_expr(l, all.items[i]), NULL);
    return py_emit_make(l, clause, KIND_TUPLE, &o);
}

static void loop(struct lower *l, const struct comprehension *c, int i)
{
    TSNode n = c->parts.items[i], target = py_field_of(l, n, FIELD_left);
    struct scope *own = l->scope;
    l->scope = i == c->first ? own->outer : own;
    ir_value it = py_emit_apply(l, n, PROTOCOL_ITER, iterable(l, n), 0, 0);
    l->scope = own;
    int head = py_new_block(l), body = py_new_block(l), done = py_new_block(l);
    bind_loop_names(l, target);
    py_emit_jump(l, n, head);
    py_begin_block(l, head);
    py_emit_branch(l, n, py_emit_apply(l, n, PROTOCOL_MORE, it, 0, 0), body, done);
    py_begin_block(l, body);
    py_lower_assign(l, target, py_emit_apply(l, target, PROTOCOL_NEXT, it, 0, 0));
    lower_parts(l, c, i + 1);
    py_emit_jump(l, n, head);
    py_begin_block(l, done);
}

static void lower_parts(struct lower *l, const struct comprehension *c, int i)
{
    if (i == c->parts.count)
        collect(l, c);
    else if (py_kind_of(l, c->parts.items[i]) == NODE_for_in_clause)
        loop(l, c, i);
    else if (py_kind_of(l, c->parts.items[i]) == NODE_if_clause)
        condition(l, c, i);
    else
        lower_parts(l, c, i + 1);
}

ir_value py_lower_comprehension(struct lower *l, TSNode n)
{
    struct operands none = {0};
    enum ir_kind kind = py_kind_of(l, n) == NODE_set_comprehension          ? KIND_SET
                        : py_kind_of(l, n) == NODE_dictionary_comprehension ? KIND_DICT
                                                                            : KIND_LIST;
    struct comprehension c = {n, node_children(l->arena, n), py_emit_make(l, n, kind, &none), 0};
    while (c.first < c.parts.count && py_kind_of(l, c.parts.items[c.first]) != NODE_for_in_clause)
        c.first++;
    struct scope *around = l->scope;
    l->scope = scope_new(l, SCOPE_COMPREHENSION, around->body, around->path);
    lower_parts(l, &c, 0);
    l->scope = around;
    return c.into;
}
