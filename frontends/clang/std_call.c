/* What functions and methods of the standard library do, by std.def: the address of an item, one
 * more item, the pointer that is held. Nothing of the library's own code is read. */
#include "frontends/clang/std.h"

#include <string.h>

enum what {
    W_ITEM,
    W_FIRST,
    W_LAST,
    W_ITEMS,
    W_BEGIN,
    W_PUSH,
    W_EMPLACE,
    W_POP,
    W_SIZE,
    W_IS_EMPTY,
    W_RESIZE,
    W_CLEAR,
    W_NOTHING,
    W_NUMBER,
    W_COPY,
    W_KEYED,
    W_KEYED_AT,
    W_GET,
    W_TARGET,
    W_TARGET_ITEM,
    W_IS_SET,
    W_RESET,
    W_RELEASE,
    W_ASSIGN,
    W_HAS,
    W_VALUE,
    W_TEXT,
    W_SET_TEXT,
    W_ADD_TEXT,
    W_CLEAR_TEXT,
    W_CALL,
    W_CALLS,
    W_SET_CALL,
    W_END,
    W_FIND,
    W_INSERT,
    W_INSERT_AT,
    W_OTHERWISE,
    W_FILL,
    W_NEXT,
    W_PREVIOUS,
    W_FORTH,
    W_BACK,
    W_PLUS,
    W_MINUS,
    W_SWAP,
    W_NONE
};

static const struct {
    enum std_layout layout;
    const char *name;
    enum what what;
} methods[] = {
#define STD_METHOD(layout, name, what) {STD_##layout, name, W_##what},
#include "frontends/clang/std.def"
#undef STD_METHOD
};

static enum what method_what(enum std_layout layout, const char *name)
{
    for (int i = 0; i < COUNT(methods); i++)
        if (methods[i].layout == layout && !strcmp(methods[i].name, name))
            return methods[i].what;
    return W_NONE;
}

/* ---- methods -------------------------------------------------------------------------------- */

static struct std_result resize(struct std_call *c)
{
    struct lower *l = c->l;
    ir_value count = value_as(l, c->args.items[0], std_size_type(l));
    if (c->args.count > 1 && c->args.items[1]->first)
        std_set_item_to(c, std_item_at(c, emit_some(l, c->n, std_size_type(l), "any of a range")),
                        c->args.items[1]);
    emit_store(l, c->n, std_size_at(c), count);
    return std_value(0);
}

static struct std_result is_empty(struct std_call *c)
{
    struct lower *l = c->l;
    return std_value(emit_binary(l, c->n, ARITH_EQ, type_simple(l->unit, TYPE_BOOL),
                                 std_load_size(c), emit_int(l, c->n, std_size_type(l), 0)));
}

static struct std_result is_not_null(struct std_call *c, ir_value v)
{
    struct lower *l = c->l;
    return std_value(emit_binary(l, c->n, ARITH_NE, type_simple(l->unit, TYPE_BOOL), v,
                                 emit_null(l, c->n, inst_of(l, v)->type)));
}

static struct std_result reset(struct std_call *c)
{
    bool is_fine = std_set_pointer(c, c->args.count ? c->args.items[0] : NULL);
    return (struct std_result){.is_done = is_fine};
}

/* optional.value_or(x), of numbers and pointers; 0: of something else. */
static ir_value std_value_or(struct std_call *c)
{
    struct lower *l = c->l;
    struct label yes = {0}, no = {0}, end = {0};
    ir_value has = emit_hidden(l, c->n, c->object, c->t, "(has)");
    ir_value value = emit_hidden(l, c->n, c->object, c->t, "(value)");
    const struct type *t = inst_of(l, value)->type->of;
    if (is_aggregate(t))
        return 0;
    int result = ir_local_new(l->unit, l->f, "", t, span_of(l, c->n));
    branch_to(l, c->n, emit_load(l, c->n, has, inst_of(l, has)->type->of), &yes, &no);
    place(l, &yes);
    emit_store(l, c->n, emit_local(l, c->n, result), emit_load(l, c->n, value, t));
    jump_to(l, NULL, &end);
    place(l, &no);
    ir_value other = value_as(l, c->args.items[0], t);
    if (is_live(l))
        emit_store(l, c->n, emit_local(l, c->n, result), other);
    jump_to(l, NULL, &end);
    place(l, &end);
    return emit_load(l, c->n, emit_local(l, c->n, result), t);
}

/* From another one of its type, or from a list of items. */
static bool copy_from(struct std_call *c, struct node *from)
{
    struct node *list = std_list_in(c->l, from);
    if (node_type(c->l, from) != c->t)
        return list && std_assign_list(c, list);
    emit_object_copy(c->l, c->n, c->object, address_of(c->l, from));
    return true;
}

static struct std_result run(struct std_call *c, enum what what, CXCursor callee)
{
    struct lower *l = c->l;
    const struct type *t = node_type(l, c->n);
    ir_value v;
    switch (what) {
    case W_ITEM:
        return std_place(std_item_at(c, value_as(l, c->args.items[0], std_size_type(l))));
    case W_FIRST:
        return std_place(std_item_at(c, emit_int(l, c->n, std_size_type(l), 0)));
    case W_LAST:
        return std_place(std_last_item(c));
    case W_ITEMS:
        return std_value(std_first_item(c));
    case W_BEGIN:
    case W_END:
        v = std_iterate(c, what == W_END);
        return (struct std_result){v, false, v != 0};
    case W_FIND:
        v = std_find(c);
        return (struct std_result){v, false, v != 0};
    case W_INSERT:
        if (!std_insert(c))
            break;
        return t->kind == TYPE_VOID
                   ? std_value(0)
                   : std_value(emit_some(l, c->n, t, "where an item was inserted"));
    case W_INSERT_AT:
        if (!std_insert_at(c))
            break;
        v = std_iterate(c, false);
        return std_value(v ? v : emit_some(l, c->n, t, "where an item was inserted"));
    case W_OTHERWISE:
        v = std_value_or(c);
        return (struct std_result){v, false, v != 0};
    case W_FILL:
        return (struct std_result){.is_done = std_fill(c)};
    case W_NEXT:
    case W_PREVIOUS:
        v = std_move(c, what == W_NEXT ? ARITH_ADD : ARITH_SUB, true);
        return v == c->object ? std_place(v) : std_value(v);
    case W_FORTH:
    case W_BACK:
        return std_place(std_move(c, what == W_FORTH ? ARITH_ADD : ARITH_SUB, false));
    case W_PLUS:
    case W_MINUS:
        v = std_moved(c, what == W_PLUS ? ARITH_ADD : ARITH_SUB);
        return (struct std_result){v, false, v != 0};
    case W_SWAP:
        if (!std_swap(l, c->n, c->object, address_of(l, c->args.items[0])))
            break;
        return std_value(0);
    case W_PUSH:
    case W_EMPLACE:
        v = std_push(c, what == W_EMPLACE);
        return t->kind == TYPE_VOID ? std_value(0) : std_place(v);
    case W_POP:
        std_step_size(c, ARITH_SUB);
        return std_value(0);
    case W_SIZE:
        return std_value(emit_convert(l, c->n, std_load_size(c), t));
    case W_IS_EMPTY:
        return is_empty(c);
    case W_RESIZE:
        return resize(c);
    case W_CLEAR:
        if (std_size_at(c))
            std_make_empty(c);
        else
            emit_zero(l, c->n, c->object);
        return std_value(0);
    case W_NOTHING:
        return std_value(0);
    case W_NUMBER:
        return std_value(emit_some(l, c->n, t, "a number that a library knows"));
    case W_COPY:
        if (!c->args.count || !copy_from(c, c->args.items[0]))
            break;
        return std_place(c->object);
    case W_KEYED:
        return std_place(std_keyed_new(c, c->args.items[0]));
    case W_KEYED_AT:
        return std_place(std_keyed(c, c->args.items[0]));
    case W_GET:
        return std_value(std_load_pointer(c));
    case W_TARGET:
        return std_place(std_load_pointer(c));
    case W_TARGET_ITEM:
        v = value_as(l, c->args.items[0], std_size_type(l));
        return std_place(emit_element(l, c->n, std_load_pointer(c), v));
    case W_IS_SET:
        return is_not_null(c, std_load_pointer(c));
    case W_RESET:
        return reset(c);
    case W_RELEASE:
        v = std_load_pointer(c);
        emit_store(l, c->n, std_pointer_at(c), emit_null(l, c->n, inst_of(l, v)->type));
        return std_value(v);
    case W_ASSIGN:
        if (!c->args.count || !std_set_pointer(c, c->args.items[0]))
            break;
        return std_place(c->object);
    case W_HAS:
        v = emit_hidden(l, c->n, c->object, c->t, "(has)");
        return std_value(emit_load(l, c->n, v, inst_of(l, v)->type->of));
    case W_VALUE:
        v = emit_hidden(l, c->n, c->object, c->t, "(value)");
        return t->kind == TYPE_POINTER && inst_of(l, v)->type == t ? std_value(v) : std_place(v);
    case W_TEXT:
        v = emit_hidden(l, c->n, c->object, c->t, "(text)");
        return std_value(emit_load(l, c->n, v, inst_of(l, v)->type->of));
    case W_SET_TEXT:
    case W_ADD_TEXT:
        if (!std_set_text(c, what == W_ADD_TEXT))
            break;
        return t->kind == TYPE_VOID ? std_value(0) : std_place(c->object);
    case W_CLEAR_TEXT:
        emit_zero(l, c->n, c->object);
        return std_value(0);
    case W_CALL:
        return std_value(std_call_function(c, callee));
    case W_CALLS:
        v = emit_hidden(l, c->n, c->object, c->t, "(call)");
        return is_not_null(c, emit_load(l, c->n, v, inst_of(l, v)->type->of));
    case W_SET_CALL:
        if (!c->args.count || !std_set_function(c, c->args.items[0]))
            break;
        return std_place(c->object);
    case W_NONE:
        break;
    }
    return (struct std_result){0};
}

static bool needs_argument(enum what what)
{
    return what == W_ITEM || what == W_PUSH || what == W_RESIZE || what == W_KEYED ||
           what == W_KEYED_AT || what == W_TARGET_ITEM || what == W_FIND || what == W_INSERT ||
           what == W_INSERT_AT || what == W_OTHERWISE || what == W_FILL || what == W_PLUS ||
           what == W_MINUS || what == W_FORTH || what == W_BACK || what == W_SWAP;
}

/* A method may be of a base class of the library's own: the object is what counts. */
struct node *std_modelled_object(struct lower *l, struct node *n)
{
    for (struct node *at = n; at;) {
        const struct type *t = node_type(l, at);
        const struct type *record = t->kind == TYPE_POINTER ? t->of : t;
        struct class *c = record->kind == TYPE_RECORD ? class_of(l, record) : NULL;
        if (!c || !c->model)
            return NULL;
        if (c->model->layout != STD_OPAQUE)
            return at;
        bool passes =
            at->cursor.kind == CXCursor_UnexposedExpr || at->cursor.kind == CXCursor_ParenExpr;
        at = passes && at->first && is_expression(at->first) && !at->first->next ? at->first : NULL;
    }
    return NULL;
}

/* ---- all ------------------------------------------------------------------------------------ */

bool lower_std_call(struct lower *l, struct node *n, CXCursor callee, bool is_address,
                    ir_value *out)
{
    struct std_call c = {.l = l, .n = n};
    struct std_result y = {0};
    if (!is_library(l, callee))
        return false;
    const char *name = plain_name(l, callee);
    call_arguments(l, n, callee, &c.args);
    if (is_instance_method(l, callee)) {
        struct node *object = called_object(l, n, &c.args);
        struct node *modelled = object ? std_modelled_object(l, object) : NULL;
        const struct type *t = modelled ? node_type(l, modelled) : NULL;
        bool is_pointer = t && t->kind == TYPE_POINTER;
        c.t = is_pointer ? t->of : t;
        enum what what = t ? method_what(class_of(l, c.t)->model->layout, name) : W_NONE;
        if (what == W_NONE || (needs_argument(what) && !c.args.count))
            return false;
        c.object = is_pointer ? value_of(l, modelled) : address_of(l, modelled);
        y = run(&c, what, callee);
        if (!y.is_done) { /* it is evaluated already */
            ir_value v = emit_anything(l, n, node_type(l, n),
                                       "a function of the standard library that is not modelled",
                                       &c.object, 1);
            *out = is_address && v ? address_of_value(l, n, v) : v;
            return true;
        }
    } else {
        y = std_run_function(&c, name, callee);
    }
    if (!y.is_done)
        return false;
    if (y.is_place)
        *out = is_address ? y.v : emit_load(l, n, y.v, inst_of(l, y.v)->type->of);
    else
        *out = is_address && y.v ? address_of_value(l, n, y.v) : y.v;
    return true;
}
