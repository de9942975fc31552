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
    W_CALL,
    W_CALLS,
    W_SAME,
    W_PART,
    W_MAKE,
    W_EQUAL,
    W_UNEQUAL,
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

static const struct {
    const char *name;
    enum what what;
} functions[] = {
#define STD_FUNCTION_ROW(name, what) {name, W_##what},
#include "frontends/clang/std.def"
#undef STD_FUNCTION_ROW
};

static enum what method_what(enum std_layout layout, const char *name)
{
    for (int i = 0; i < COUNT(methods); i++)
        if (methods[i].layout == layout && !strcmp(methods[i].name, name))
            return methods[i].what;
    return W_NONE;
}

static enum what function_what(const char *name)
{
    for (int i = 0; i < COUNT(functions); i++)
        if (!strcmp(functions[i].name, name))
            return functions[i].what;
    return W_NONE;
}

/* ---- methods -------------------------------------------------------------------------------- */

/* What a method yields: a value, or the address of what the reference names. */
struct yielded {
    ir_value v;
    bool is_place;
    bool is_done;
};

static struct yielded a_place(ir_value v)
{
    return (struct yielded){v, true, v != 0};
}

static struct yielded a_value(ir_value v)
{
    return (struct yielded){v, false, true};
}

static struct yielded resize(struct std_call *c)
{
    struct lower *l = c->l;
    ir_value count = value_as(l, c->args.items[0], std_size_type(l));
    if (c->args.count > 1 && c->args.items[1]->first)
        std_set_item_to(c, std_item_at(c, emit_some(l, c->n, std_size_type(l), "any of a range")),
                        c->args.items[1]);
    emit_store(l, c->n, std_size_at(c), count);
    return a_value(0);
}

static struct yielded is_empty(struct std_call *c)
{
    struct lower *l = c->l;
    return a_value(emit_binary(l, c->n, ARITH_EQ, type_simple(l->unit, TYPE_BOOL), std_load_size(c),
                               emit_int(l, c->n, std_size_type(l), 0)));
}

static struct yielded is_not_null(struct std_call *c, ir_value v)
{
    struct lower *l = c->l;
    return a_value(emit_binary(l, c->n, ARITH_NE, type_simple(l->unit, TYPE_BOOL), v,
                               emit_null(l, c->n, inst_of(l, v)->type)));
}

static struct yielded reset(struct std_call *c)
{
    bool is_fine = std_set_pointer(c, c->args.count ? c->args.items[0] : NULL);
    return (struct yielded){.is_done = is_fine};
}

static struct yielded run(struct std_call *c, enum what what, CXCursor callee)
{
    struct lower *l = c->l;
    const struct type *t = node_type(l, c->n);
    ir_value v;
    switch (what) {
    case W_ITEM:
        return a_place(std_item_at(c, value_as(l, c->args.items[0], std_size_type(l))));
    case W_FIRST:
        return a_place(std_item_at(c, emit_int(l, c->n, std_size_type(l), 0)));
    case W_LAST:
        return a_place(std_last_item(c));
    case W_ITEMS:
        return a_value(std_first_item(c));
    case W_BEGIN: /* of a list that is written, a pointer */
        return t->kind == TYPE_POINTER ? a_value(std_first_item(c)) : (struct yielded){0};
    case W_PUSH:
    case W_EMPLACE:
        v = std_push(c, what == W_EMPLACE);
        return t->kind == TYPE_VOID ? a_value(0) : a_place(v);
    case W_POP:
        std_step_size(c, ARITH_SUB);
        return a_value(0);
    case W_SIZE:
        return a_value(emit_convert(l, c->n, std_load_size(c), t));
    case W_IS_EMPTY:
        return is_empty(c);
    case W_RESIZE:
        return resize(c);
    case W_CLEAR:
        if (std_size_at(c))
            std_make_empty(c);
        else
            emit_zero(l, c->n, c->object);
        return a_value(0);
    case W_NOTHING:
        return a_value(0);
    case W_NUMBER:
        return a_value(emit_some(l, c->n, t, "a number that a library knows"));
    case W_COPY:
        if (!c->args.count || node_type(l, c->args.items[0]) != c->t)
            break;
        emit_object_copy(l, c->n, c->object, address_of(l, c->args.items[0]));
        return a_place(c->object);
    case W_KEYED:
        return a_place(std_keyed(c, c->args.items[0]));
    case W_GET:
        return a_value(std_load_pointer(c));
    case W_TARGET:
        return a_place(std_load_pointer(c));
    case W_TARGET_ITEM:
        v = value_as(l, c->args.items[0], std_size_type(l));
        return a_place(emit_element(l, c->n, std_load_pointer(c), v));
    case W_IS_SET:
        return is_not_null(c, std_load_pointer(c));
    case W_RESET:
        return reset(c);
    case W_RELEASE:
        v = std_load_pointer(c);
        emit_store(l, c->n, std_pointer_at(c), emit_null(l, c->n, inst_of(l, v)->type));
        return a_value(v);
    case W_ASSIGN:
        if (!c->args.count || !std_set_pointer(c, c->args.items[0]))
            break;
        return a_place(c->object);
    case W_HAS:
        v = emit_hidden(l, c->n, c->object, c->t, "(has)");
        return a_value(emit_load(l, c->n, v, inst_of(l, v)->type->of));
    case W_VALUE:
        v = emit_hidden(l, c->n, c->object, c->t, "(value)");
        return t->kind == TYPE_POINTER && inst_of(l, v)->type == t ? a_value(v) : a_place(v);
    case W_TEXT:
        v = emit_hidden(l, c->n, c->object, c->t, "(text)");
        return a_value(emit_load(l, c->n, v, inst_of(l, v)->type->of));
    case W_CALL:
        return a_value(std_call_function(c, callee));
    case W_CALLS:
        v = emit_hidden(l, c->n, c->object, c->t, "(call)");
        return is_not_null(c, emit_load(l, c->n, v, inst_of(l, v)->type->of));
    case W_SAME:
    case W_PART:
    case W_MAKE:
    case W_EQUAL:
    case W_UNEQUAL:
    case W_NONE:
        break;
    }
    return (struct yielded){0};
}

static bool needs_argument(enum what what)
{
    return what == W_ITEM || what == W_PUSH || what == W_RESIZE || what == W_KEYED ||
           what == W_TARGET_ITEM;
}

/* ---- functions ------------------------------------------------------------------------------ */

static struct yielded part_of(struct std_call *c, CXCursor callee)
{
    struct lower *l = c->l;
    const struct type *t = node_type(l, c->args.items[0]);
    bool by_number =
        l->c->Cursor_getTemplateArgumentKind(callee, 0) == CXTemplateArgumentKind_Integral;
    int64_t i = by_number ? l->c->Cursor_getTemplateArgumentValue(callee, 0) : -1;
    if (t->kind != TYPE_RECORD || !by_number)
        return (struct yielded){0};
    complete(l, t);
    ir_value object = address_of(l, c->args.items[0]);
    struct class *class = class_of(l, t);
    if (class && class->model && class->model->layout == STD_FIXED) {
        struct std_call inner = {.l = l, .n = c->n, .t = t, .object = object};
        return a_place(std_item_at(&inner, emit_int(l, c->n, std_size_type(l), i)));
    }
    return i < t->field_count ? a_place(emit_hidden(l, c->n, object, t, t->fields[i].name))
                              : (struct yielded){0};
}

struct made_visit {
    struct lower *l;
    const struct type *t;
    CXCursor found;
};

static enum CXChildVisitResult visit_made(CXCursor c, CXCursor parent, CXClientData data)
{
    struct made_visit *v = data;
    CXCursor callee = v->l->c->getCursorReferenced(c);
    (void)parent;
    if (c.kind != CXCursor_CallExpr || callee.kind != CXCursor_Constructor ||
        parent_record(v->l, callee) != v->t)
        return CXChildVisit_Recurse;
    v->found = callee;
    return CXChildVisit_Break;
}

/* The library's code says which constructor it calls, unless that is too deep inside. */
static bool construct_made(struct std_call *c, CXCursor callee, ir_value object,
                           const struct type *of)
{
    struct made_visit v = {.l = c->l, .t = of, .found = {.kind = CXCursor_InvalidFile}};
    c->l->c->visitChildren(c->l->c->getCursorDefinition(callee), visit_made, &v);
    if (v.found.kind == CXCursor_Constructor)
        return construct_with(c->l, c->n, object, of, v.found, &c->args);
    return construct_from(c->l, c->n, object, of, &c->args);
}

/* make_shared<T>(a, b) */
static struct yielded make(struct std_call *c, CXCursor callee)
{
    struct lower *l = c->l;
    const struct type *t = node_type(l, c->n);
    struct class *class = class_of(l, t);
    if (!class || !class->model || class->model->layout != STD_POINTER)
        return (struct yielded){0};
    struct std_call held = {.l = l, .n = c->n, .t = t, .object = emit_temporary(l, c->n, t)};
    ir_value to = std_pointer_at(&held);
    const struct type *of = inst_of(l, to)->type->of->of;
    ir_value object = emit_allocation(l, c->n, of, emit_class_size(l, c->n, of));
    bool is_made = of->kind == TYPE_RECORD && construct_made(c, callee, object, of);
    if (!is_made)
        emit_anything(l, c->n, type_simple(l->unit, TYPE_VOID),
                      "an item whose constructor is not known", &object, 1);
    emit_store(l, c->n, to, object);
    return a_value(held.object);
}

static struct yielded run_function(struct std_call *c, enum what what, CXCursor callee)
{
    ir_value v;
    if (what == W_SAME && c->args.count == 1)
        return a_place(address_of(c->l, c->args.items[0]));
    if (what == W_PART && c->args.count == 1)
        return part_of(c, callee);
    if (what == W_MAKE)
        return make(c, callee);
    if ((what == W_EQUAL || what == W_UNEQUAL) && std_compare_texts(c, what == W_EQUAL, &v))
        return a_value(v);
    return (struct yielded){0};
}

/* A method may be of a base class of the library's own: the object is what counts. */
static struct node *modelled_object(struct lower *l, struct node *n)
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
    struct yielded y = {0};
    if (!is_library(l, callee))
        return false;
    const char *name = plain_name(l, callee);
    call_arguments(l, n, callee, &c.args);
    if (is_instance_method(l, callee)) {
        struct node *object = called_object(l, n, &c.args);
        struct node *modelled = object ? modelled_object(l, object) : NULL;
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
        enum what what = function_what(name);
        if (what == W_NONE)
            return false;
        y = run_function(&c, what, callee);
    }
    if (!y.is_done)
        return false;
    if (y.is_place)
        *out = is_address ? y.v : emit_load(l, n, y.v, inst_of(l, y.v)->type->of);
    else
        *out = is_address && y.v ? address_of_value(l, n, y.v) : y.v;
    return true;
}
