/* Which names a function or class binds: Python decides this for a whole body before any of it
 * runs. Bodies of functions and classes inside have names of their own. */
#include "frontends/python/lower.h"

#include <string.h>

static void bind_name(struct lower *l, struct scope *s, TSNode identifier)
{
    if (py_kind_of(l, identifier) == NODE_identifier)
        scope_bind(l, s, node_name(l, identifier),
                   s->kind == SCOPE_CLASS ? BOUND_CLASS : BOUND_LOCAL);
}

void py_bind_target(struct lower *l, struct scope *s, TSNode target)
{
    enum node_kind kind = py_kind_of(l, target);
    if (kind == NODE_identifier)
        bind_name(l, s, target);
    if (kind == NODE_identifier || kind == NODE_attribute || kind == NODE_subscript)
        return;
    struct nodes all = node_children(l->arena, target);
    l->depth++;
    for (int i = 0; i < all.count && l->depth < MAX_DEPTH; i++)
        py_bind_target(l, s, all.items[i]);
    l->depth--;
}

static void bind_declared(struct lower *l, struct scope *s, TSNode n, enum binding b)
{
    struct nodes all = node_children(l->arena, n);
    for (int i = 0; i < all.count; i++)
        scope_bind(l, s, node_name(l, all.items[i]), b);
}

/* "import a.b" binds a; with "as", and behind "from", what is named. */
static void bind_imported(struct lower *l, struct scope *s, TSNode n)
{
    struct nodes all = node_all(l->grammar, l->arena, n, FIELD_name);
    for (int i = 0; i < all.count; i++) {
        bool renamed = py_kind_of(l, all.items[i]) == NODE_aliased_import;
        bind_name(l, s,
                  renamed ? py_field_of(l, all.items[i], FIELD_alias)
                          : node_child(all.items[i], 0));
    }
}

/* A name alone is bound; "a.b" is a value to compare with. */
static void bind_captured(struct lower *l, struct scope *s, TSNode pattern)
{
    if (py_kind_of(l, pattern) == NODE_dotted_name && ts_node_named_child_count(pattern) == 1 &&
        !py_is_text(l, pattern, "_"))
        bind_name(l, s, node_child(pattern, 0));
    if (py_kind_of(l, pattern) == NODE_identifier)
        bind_name(l, s, pattern);
}

TSNode py_alias_of(struct lower *l, TSNode n)
{
    TSNode name = py_field_of(l, n, FIELD_alias);
    return node_is_null(name) ? node_child(n, 1) : name;
}

/* Binds what the node itself binds; false: what is inside has names of its own. */
static bool bind_node(struct lower *l, struct scope *s, TSNode n)
{
    switch (py_kind_of(l, n)) {
    case NODE_function_definition:
    case NODE_class_definition:
        bind_name(l, s, py_field_of(l, n, FIELD_name));
        return false;
    case NODE_lambda:
        return false;
    case NODE_assignment:
    case NODE_augmented_assignment:
    case NODE_for_statement:
        py_bind_target(l, s, py_field_of(l, n, FIELD_left));
        return true;
    case NODE_type_alias_statement:
        py_bind_target(l, s, py_field_of(l, n, FIELD_left));
        return false;
    case NODE_named_expression:
        bind_name(l, s, py_field_of(l, n, FIELD_name));
        return true;
    case NODE_as_pattern:
        py_bind_target(l, s, py_alias_of(l, n));
        return true;
    case NODE_except_clause:
        if (!node_is_null(py_field_of(l, n, FIELD_alias)))
            py_bind_target(l, s, py_field_of(l, n, FIELD_alias));
        return true;
    case NODE_keyword_pattern: /* C(x=name) */
        bind_captured(l, s, node_child(n, 1));
        return true;
    case NODE_delete_statement:
        py_bind_target(l, s, n);
        return true;
    case NODE_import_statement:
    case NODE_import_from_statement:
        bind_imported(l, s, n);
        return false;
    case NODE_global_statement:
        bind_declared(l, s, n, BOUND_GLOBAL);
        return false;
    case NODE_nonlocal_statement:
        bind_declared(l, s, n, BOUND_OUTER);
        return false;
    case NODE_case_pattern:
        bind_captured(l, s, node_child(n, 0));
        return true;
    case NODE_splat_pattern:
        bind_name(l, s, node_child(n, 0));
        return false;
    default:
        return true;
    }
}

/* Without recursion: an expression may be nested deeply. */
void py_bind_names(struct lower *l, struct scope *s, TSNode body)
{
    if (node_is_null(body))
        return;
    TSTreeCursor c = ts_tree_cursor_new(body);
    for (bool more = true; more;) {
        TSNode n = ts_tree_cursor_current_node(&c);
        bool into = ts_node_is_named(n) && bind_node(l, s, n);
        if (into && ts_tree_cursor_goto_first_child(&c))
            continue;
        while (more && !ts_tree_cursor_goto_next_sibling(&c))
            more = ts_tree_cursor_goto_parent(&c);
    }
    ts_tree_cursor_delete(&c);
}
