/* Statements, and the blocks they form. */
#include "frontends/python/lower.h"

#include <string.h>

enum { MAX_NESTED = 400 }; /* CPython: 100 levels of indentation */

/* What type checkers alone read: it is not run, and often imports all that a package has. */
static bool is_of_type_checkers(struct lower *l, TSNode test)
{
    return py_is_text(l, test, "TYPE_CHECKING") || py_is_text(l, test, "typing.TYPE_CHECKING");
}

static void lower_if(struct lower *l, TSNode n)
{
    TSNode test = py_field_of(l, n, FIELD_condition), then = py_field_of(l, n, FIELD_consequence);
    struct nodes others = node_all(l->grammar, l->arena, n, FIELD_alternative);
    int done = py_new_block(l);
    for (int i = 0; i <= others.count; i++) {
        if (!is_of_type_checkers(l, test)) {
            int yes = py_new_block(l), no = py_new_block(l);
            py_lower_condition(l, test, yes, no);
            py_begin_block(l, yes);
            py_lower_statements(l, then);
            py_emit_jump(l, n, done);
            py_begin_block(l, no);
        }
        if (i == others.count)
            break;
        if (py_kind_of(l, others.items[i]) != NODE_elif_clause) {
            py_lower_statements(l, py_field_of(l, others.items[i], FIELD_body));
            break;
        }
        test = py_field_of(l, others.items[i], FIELD_condition);
        then = py_field_of(l, others.items[i], FIELD_consequence);
    }
    py_emit_jump(l, n, done);
    py_begin_block(l, done);
}

/* The value is there before what is cleaned up. */
static void lower_return(struct lower *l, TSNode n)
{
    TSNode of = node_child(n, 0);
    bool is_function = l->scope->body->function->type->of->kind != TYPE_VOID;
    ir_value v = !node_is_null(of) ? py_lower_expr(l, of) : is_function ? py_emit_none(l, n) : 0;
    py_leave_cleanups(l, NULL);
    if (py_is_reachable(l))
        py_emit_return(l, n, is_function ? v : 0);
}

static void lower_jump(struct lower *l, TSNode n)
{
    const struct loop *loop = l->scope->body->loop;
    bool ends = py_kind_of(l, n) == NODE_break_statement;
    if (!loop) {
        py_emit_anything(l, n, "outside of a loop");
        return;
    }
    py_leave_cleanups(l, loop->cleanup);
    py_emit_jump(l, n, ends ? loop->done : loop->again);
}

static void lower_raise(struct lower *l, TSNode n)
{
    TSNode cause = py_field_of(l, n, FIELD_cause), what = node_child(n, 0);
    bool is_bare = node_is_null(what) || (!node_is_null(cause) && ts_node_eq(what, cause));
    ir_value v = is_bare ? l->scope->body->caught : py_lower_expr(l, what);
    if (!node_is_null(cause))
        py_lower_expr(l, cause);
    py_emit_raise(l, n, v);
}

static void lower_assert(struct lower *l, TSNode n)
{
    int ok = py_new_block(l), failed = py_new_block(l);
    struct nodes parts = node_children(l->arena, n);
    struct operands o = {0};
    if (!parts.count)
        return;
    py_lower_condition(l, parts.items[0], ok, failed);
    py_begin_block(l, failed);
    for (int i = 1; i < parts.count; i++)
        py_operand_add(l, &o, py_lower_expr(l, parts.items[i]), NULL);
    py_emit_raise(l, n, py_emit_call(l, n, py_emit_name(l, n, "AssertionError"), &o));
    py_begin_block(l, ok);
}

static void lower_expressions(struct lower *l, TSNode n)
{
    struct nodes all = node_children(l->arena, n);
    for (int i = 0; i < all.count; i++)
        py_lower_expr(l, all.items[i]);
}

static void lower_alias(struct lower *l, TSNode n)
{
    TSNode name = py_field_of(l, n, FIELD_left);
    while (py_kind_of(l, name) == NODE_type || py_kind_of(l, name) == NODE_generic_type)
        name = node_child(name, 0);
    ir_value v = py_lower_annotation(l, py_field_of(l, n, FIELD_right));
    if (py_kind_of(l, name) == NODE_identifier)
        py_lower_assign(l, name, v);
}

static void stmt(struct lower *l, TSNode n)
{
    switch (py_kind_of(l, n)) {
    case NODE_expression_statement:
        lower_expressions(l, n);
        break;
    case NODE_pass_statement:
    case NODE_global_statement:
    case NODE_nonlocal_statement:
    case NODE_future_import_statement:
        break;
    case NODE_import_statement:
    case NODE_import_from_statement:
        py_lower_import(l, n);
        break;
    case NODE_return_statement:
        lower_return(l, n);
        break;
    case NODE_break_statement:
    case NODE_continue_statement:
        lower_jump(l, n);
        break;
    case NODE_raise_statement:
        lower_raise(l, n);
        break;
    case NODE_assert_statement:
        lower_assert(l, n);
        break;
    case NODE_delete_statement:
        py_lower_delete(l, n);
        break;
    case NODE_if_statement:
        lower_if(l, n);
        break;
    case NODE_for_statement:
    case NODE_while_statement:
        py_lower_loop(l, n);
        break;
    case NODE_try_statement:
        py_lower_try(l, n);
        break;
    case NODE_with_statement:
        py_lower_with(l, n);
        break;
    case NODE_match_statement:
        py_lower_match(l, n);
        break;
    case NODE_function_definition:
    case NODE_class_definition:
    case NODE_decorated_definition:
        py_lower_definition(l, n);
        break;
    case NODE_type_alias_statement:
        lower_alias(l, n);
        break;
    default:
        py_lower_expr(l, n);
    }
}

void py_lower_stmt(struct lower *l, TSNode n)
{
    if (l->depth++ > MAX_NESTED)
        py_emit_anything(l, n, "nested too deeply");
    else
        stmt(l, n);
    l->depth--;
}

/* Whether nothing but comments follows in the cell of a notebook, and no semicolon. */
static bool ends_cell(const struct lower *l, TSNode n)
{
    const char *end = l->parsed->text + l->parsed->length;
    const char *at = l->parsed->text + ts_node_end_byte(n);
    while (at < end) {
        at += strspn(at, " \t\r");
        size_t line = strcspn(at, "\n");
        if (line && (*at != '#' || notebook_cell(at, line)))
            return *at == '#';
        at += line + (at[line] == '\n');
    }
    return true;
}

static bool is_assignment(const struct lower *l, TSNode n)
{
    return py_kind_of(l, n) == NODE_assignment || py_kind_of(l, n) == NODE_augmented_assignment;
}

/* The last expression of a cell is shown, and '_' is its value from then on. */
static void lower_shown(struct lower *l, TSNode n)
{
    struct nodes all = node_children(l->arena, n);
    for (int i = 0; i < all.count; i++) {
        ir_value v = py_lower_expr(l, all.items[i]);
        if (v && !is_assignment(l, all.items[i]))
            py_write_name(l, all.items[i], l->scope, name_of(l->unit->names, "_"), v);
    }
}

static bool is_shown(const struct lower *l, TSNode n)
{
    return is_notebook(l->unit->file) && py_kind_of(l, n) == NODE_expression_statement &&
           ends_cell(l, n);
}

void py_lower_statements(struct lower *l, TSNode block)
{
    enum node_kind kind = py_kind_of(l, block);
    if (node_is_null(block))
        return;
    if (kind != NODE_block && kind != NODE_module) {
        py_lower_stmt(l, block);
        return;
    }
    struct nodes all = node_children(l->arena, block);
    for (int i = 0; i < all.count; i++)
        if (kind == NODE_module && is_shown(l, all.items[i]))
            lower_shown(l, all.items[i]);
        else
            py_lower_stmt(l, all.items[i]);
}
