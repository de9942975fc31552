/* Functions, lambdas and classes. The body of a function becomes a function of the unit, and its
 * definition a closure with the defaults and annotations of its parameters; the body of a class is
 * lowered in place, as it runs when the statement does. */
#include "frontends/python/lower.h"

#include <string.h>

/* ---- parameters ------------------------------------------------------------------------------ */

struct parameter {
    TSNode name, type, value; /* type and value may be missing */
    enum ir_mode mode;
};

struct parameters {
    struct parameter *items;
    int count;
};

/* *args, **kwargs */
static void read_star(struct lower *l, struct parameter *p)
{
    enum node_kind kind = py_kind_of(l, p->name);
    if (kind == NODE_list_splat_pattern || kind == NODE_dictionary_splat_pattern) {
        p->mode = kind == NODE_list_splat_pattern ? MODE_REST : MODE_KEYWORDS;
        p->name = node_child(p->name, 0);
    }
}

static struct parameter read_parameter(struct lower *l, TSNode n, enum ir_mode mode)
{
    struct parameter p = {.name = n, .mode = mode};
    enum node_kind kind = py_kind_of(l, n);
    if (kind == NODE_default_parameter || kind == NODE_typed_default_parameter) {
        p.name = py_field_of(l, n, FIELD_name);
        p.value = py_field_of(l, n, FIELD_value);
    } else if (kind == NODE_typed_parameter) {
        p.name = node_child(n, 0);
    }
    if (kind == NODE_typed_parameter || kind == NODE_typed_default_parameter)
        p.type = py_field_of(l, n, FIELD_type);
    read_star(l, &p);
    return p;
}

/* Behind "*" or "*args" only labels fill a parameter, before "/" only positions. */
static struct parameters read_parameters(struct lower *l, TSNode list)
{
    struct nodes all = {NULL, 0};
    if (!node_is_null(list))
        all = node_children(l->arena, list);
    struct parameters out = {arena_array(l->arena, struct parameter, all.count + 1), 0};
    enum ir_mode mode = MODE_PLAIN;
    for (int i = 0; i < all.count; i++) {
        enum node_kind kind = py_kind_of(l, all.items[i]);
        if (kind == NODE_keyword_separator) {
            mode = MODE_KEYWORD;
        } else if (kind == NODE_positional_separator) {
            for (int k = 0; k < out.count; k++)
                out.items[k].mode = MODE_POSITION;
        } else {
            struct parameter p = read_parameter(l, all.items[i], mode);
            mode = p.mode == MODE_REST ? MODE_KEYWORD : mode;
            out.items[out.count++] = p;
        }
    }
    return out;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* "GPT.forward"; of several with one name, the later ones are numbered. */
static const char *unique_path(struct lower *l, const char *name)
{
    const char *around = l->scope->path;
    const char *path = *around ? arena_printf(l->arena, "%s.%s", around, name) : name;
    path = name_of(l->unit->names, path);
    uintptr_t count = (uintptr_t)map_get(l->paths, (uintptr_t)path) + 1;
    map_put(l->paths, (uintptr_t)path, (void *)count);
    return count == 1 ? path : arena_printf(l->arena, "%s#%d", path, (int)count);
}

static struct ir_function *declare(struct lower *l, TSNode n, const char *path,
                                   const struct parameters *p)
{
    struct field *fields = arena_array(l->arena, struct field, p->count + 1);
    for (int i = 0; i < p->count; i++)
        fields[i] = (struct field){"", l->dyn, 0, NULL};
    struct ir_function *f =
        ir_function_new(l->unit, path, type_function(l->unit, l->dyn, fields, p->count, false));
    f->span = node_span(l, n);
    f->is_internal = true;
    f->is_partial = parsed_is_damaged(l->parsed, ts_node_start_byte(n), ts_node_end_byte(n));
    return f;
}

/* Python 2 had parameters that are taken apart; they have no name. */
static void bind_parameters(struct lower *l, struct scope *s, const struct parameters *p)
{
    struct ir_function *f = s->body->function;
    for (int i = 0; i < p->count; i++) {
        bool named = py_kind_of(l, p->items[i].name) == NODE_identifier;
        const char *name = named ? node_name(l, p->items[i].name) : "";
        int local = ir_local_new(l->unit, f, name, l->dyn, node_span(l, p->items[i].name));
        f->locals.items[local].mode = p->items[i].mode;
        f->locals.items[local].has_default = !node_is_null(p->items[i].value);
        if (named)
            scope_bind(l, s, name, BOUND_LOCAL)->local = local;
    }
}

static void lower_body(struct lower *l, TSNode n, TSNode body, bool is_lambda)
{
    py_begin_block(l, py_new_block(l));
    if (is_lambda) {
        ir_value v = py_lower_expr(l, body);
        py_emit_return(l, body, v);
        return;
    }
    py_bind_names(l, l->scope, body);
    py_lower_statements(l, body);
    if (py_is_reachable(l))
        py_emit_return(l, n, py_emit_none(l, n));
}

/* Defaults and annotations are evaluated where the function is defined. */
static void add_defaults(struct lower *l, TSNode n, const struct parameters *p, struct operands *o)
{
    TSNode result = py_field_of(l, n, FIELD_return_type);
    for (int i = 0; i < p->count; i++) {
        const char *name = node_name(l, p->items[i].name);
        if (!node_is_null(p->items[i].value))
            py_operand_add(l, o, py_lower_expr(l, p->items[i].value), name);
        if (!node_is_null(p->items[i].type))
            py_operand_add(l, o, py_lower_annotation(l, p->items[i].type),
                           arena_printf(l->arena, "%s:", name));
    }
    if (!node_is_null(result))
        py_operand_add(l, o, py_lower_annotation(l, result), "return:");
}

static ir_value lower_function(struct lower *l, TSNode n, const char *name, bool is_lambda)
{
    struct parameters p = read_parameters(l, py_field_of(l, n, FIELD_parameters));
    struct operands o = {0};
    add_defaults(l, n, &p, &o);
    const char *path = unique_path(l, name);
    struct body body = {.function = declare(l, n, path, &p), .block = -1};
    struct scope *around = l->scope, *own = scope_new(l, SCOPE_FUNCTION, &body, path);
    bind_parameters(l, own, &p);
    l->scope = own;
    lower_body(l, n, py_field_of(l, n, FIELD_body), is_lambda);
    l->scope = around;
    ir_order_blocks(l->unit, body.function, body.placed.items, body.placed.count, l->arena);
    return py_emit(l, n,
                   (struct ir_inst){.op = IR_CLOSURE,
                                    .name = path,
                                    .args = o.values.items,
                                    .labels = o.labels.items,
                                    .arg_count = o.values.count});
}

ir_value py_lower_lambda(struct lower *l, TSNode n)
{
    return lower_function(l, n, "<lambda>", true);
}

/* ---- classes --------------------------------------------------------------------------------- */

static ir_value lower_class(struct lower *l, TSNode n, const char *name)
{
    TSNode bases = py_field_of(l, n, FIELD_superclasses), body = py_field_of(l, n, FIELD_body);
    struct operands o = {0};
    if (!node_is_null(bases))
        py_lower_arguments(l, bases, &o);
    if (!node_is_null(body) &&
        parsed_is_damaged(l->parsed, ts_node_start_byte(n), ts_node_start_byte(body)))
        py_operand_add(l, &o, py_emit_anything(l, n, "the bases of the class"), "*");
    ir_value class = py_emit(l, n,
                             (struct ir_inst){.op = IR_CLASS,
                                              .name = name,
                                              .args = o.values.items,
                                              .labels = o.labels.items,
                                              .arg_count = o.values.count});
    struct scope *around = l->scope;
    const char *path = *around->path ? arena_printf(l->arena, "%s.%s", around->path, name) : name;
    l->scope = scope_new(l, SCOPE_CLASS, around->body, path);
    l->scope->class = class;
    l->scope->class_cell =
        ir_local_new(l->unit, around->body->function, "__class__", l->dyn, (struct span){0});
    py_emit_set(l, n, l->scope->class_cell, class);
    py_bind_names(l, l->scope, body);
    py_lower_statements(l, body);
    l->scope = around;
    return class;
}

static ir_value definition(struct lower *l, TSNode n)
{
    const char *name = node_name(l, py_field_of(l, n, FIELD_name));
    return py_kind_of(l, n) == NODE_class_definition ? lower_class(l, n, name)
                                                     : lower_function(l, n, name, false);
}

/* Decorators are evaluated first, and applied from the innermost. */
void py_lower_definition(struct lower *l, TSNode n)
{
    TSNode inner =
        py_kind_of(l, n) == NODE_decorated_definition ? py_field_of(l, n, FIELD_definition) : n;
    struct nodes all = node_children(l->arena, n);
    struct operands decorators = {0};
    for (int i = 0; i < all.count; i++)
        if (py_kind_of(l, all.items[i]) == NODE_decorator)
            py_operand_add(l, &decorators, py_lower_expr(l, node_child(all.items[i], 0)), NULL);
    ir_value v = definition(l, inner);
    for (int i = decorators.values.count - 1; i >= 0; i--) {
        struct operands o = {0};
        py_operand_add(l, &o, v, NULL);
        v = py_emit_call(l, all.items[i], decorators.values.items[i], &o);
    }
    py_lower_assign(l, py_field_of(l, inner, FIELD_name), v);
}
