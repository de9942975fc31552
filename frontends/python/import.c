/* Imports. "import a.b" binds a; "from a import b" binds an attribute of a, or a module inside it:
 * which one it is depends on the project, and is found by the analysis. */
#include "frontends/python/lower.h"

#include <string.h>

static ir_value import(struct lower *l, TSNode at, const char *name)
{
    return py_emit(l, at, (struct ir_inst){.op = IR_IMPORT, .name = name});
}

/* Without blanks, which may be between the parts. */
static const char *module_name(struct lower *l, TSNode n)
{
    size_t length;
    const char *text = node_text(l, n, &length);
    char *name = arena_alloc(l->arena, length + 1), *end = name;
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\\\r\n", text[i]))
            *end++ = text[i];
    return name;
}

static void import_module(struct lower *l, TSNode n)
{
    bool renamed = py_kind_of(l, n) == NODE_aliased_import;
    TSNode name = renamed ? py_field_of(l, n, FIELD_name) : n;
    ir_value v = import(l, n, module_name(l, name));
    TSNode first = node_child(name, 0);
    if (!renamed && !node_is_null(node_child(name, 1)))
        v = import(l, n, node_name(l, first));
    py_lower_assign(l, renamed ? py_field_of(l, n, FIELD_alias) : first, v);
}

static void import_from(struct lower *l, TSNode n, ir_value module)
{
    struct nodes names = node_all(l->grammar, l->arena, n, FIELD_name);
    for (int i = 0; i < names.count; i++) {
        bool renamed = py_kind_of(l, names.items[i]) == NODE_aliased_import;
        TSNode name = renamed ? py_field_of(l, names.items[i], FIELD_name) : names.items[i];
        ir_value v = py_emit_attr(l, names.items[i], module, module_name(l, name));
        py_lower_assign(
            l, renamed ? py_field_of(l, names.items[i], FIELD_alias) : node_child(name, 0), v);
    }
}

void py_lower_import(struct lower *l, TSNode n)
{
    TSNode from = py_field_of(l, n, FIELD_module_name);
    struct nodes all = node_children(l->arena, n);
    ir_value module = node_is_null(from) ? 0 : import(l, from, module_name(l, from));
    if (module)
        import_from(l, n, module);
    for (int i = 0; i < all.count; i++)
        if (!module)
            import_module(l, all.items[i]);
        else if (py_kind_of(l, all.items[i]) == NODE_wildcard_import)
            py_emit_apply(l, n, PROTOCOL_ALL, module, 0, 0);
}
