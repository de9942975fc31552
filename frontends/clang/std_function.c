/* Functions of the standard library that are no methods, by std.def. */
#include "frontends/clang/std.h"

#include <string.h>

enum what {
    W_SAME,
    W_PART,
    W_MAKE,
    W_MAKE_PARTS,
    W_EQUAL,
    W_UNEQUAL,
    W_LESS,
    W_JOIN,
    W_NUMBER_TEXT,
    W_SWAP,
    W_CAST,
    W_CAST_OR_NULL,
    W_NONE
};

static const struct {
    const char *name;
    enum std_algorithm which;
} algorithms[] = {
#define STD_ALGORITHM(name, which) {name, ALGORITHM_##which},
#include "frontends/clang/std.def"
#undef STD_ALGORITHM
};

static const struct {
    const char *name;
    enum what what;
} functions[] = {
#define STD_FUNCTION_ROW(name, what) {name, W_##what},
#include "frontends/clang/std.def"
#undef STD_FUNCTION_ROW
};

static enum what function_what(const char *name)
{
    for (int i = 0; i < COUNT(functions); i++)
        if (!strcmp(functions[i].name, name))
            return functions[i].what;
    return W_NONE;
}

static struct std_result part_of(struct std_call *c, CXCursor callee)
{
    struct lower *l = c->l;
    const struct type *t = node_type(l, c->args.items[0]);
    bool by_number =
        l->c->Cursor_getTemplateArgumentKind(callee, 0) == CXTemplateArgumentKind_Integral;
    int64_t i = by_number ? l->c->Cursor_getTemplateArgumentValue(callee, 0) : -1;
    if (t->kind != TYPE_RECORD || !by_number)
        return (struct std_result){0};
    complete(l, t);
    ir_value object = address_of(l, c->args.items[0]);
    struct class *class = class_of(l, t);
    if (class && class->model && class->model->layout == STD_FIXED) {
        struct std_call inner = {.l = l, .n = c->n, .t = t, .object = object};
        return std_place(std_item_at(&inner, emit_int(l, c->n, std_size_type(l), i)));
    }
    return i < t->field_count ? std_place(emit_hidden(l, c->n, object, t, t->fields[i].name))
                              : (struct std_result){0};
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
static struct std_result make(struct std_call *c, CXCursor callee)
{
    struct lower *l = c->l;
    const struct type *t = node_type(l, c->n);
    struct class *class = class_of(l, t);
    if (!class || !class->model || class->model->layout != STD_POINTER)
        return (struct std_result){0};
    struct std_call held = {.l = l, .n = c->n, .t = t, .object = emit_temporary(l, c->n, t)};
    ir_value to = std_pointer_at(&held);
    const struct type *of = inst_of(l, to)->type->of->of;
    ir_value object = emit_allocation(l, c->n, of, emit_class_size(l, c->n, of));
    bool is_made = of->kind == TYPE_RECORD && construct_made(c, callee, object, of);
    if (!is_made)
        emit_anything(l, c->n, type_simple(l->unit, TYPE_VOID),
                      "an item whose constructor is not known", &object, 1);
    emit_store(l, c->n, to, object);
    return std_value(held.object);
}

/* ---- swap ----------------------------------------------------------------------------------- */

bool std_swap(struct lower *l, struct node *n, ir_value a, ir_value b)
{
    const struct type *t = a ? inst_of(l, a)->type : NULL;
    if (!t || !b || inst_of(l, b)->type != t || t->kind != TYPE_POINTER)
        return false;
    if (is_aggregate(t->of)) {
        ir_value kept = emit_temporary(l, n, t->of);
        emit_copy(l, n, kept, a);
        emit_copy(l, n, a, b);
        emit_copy(l, n, b, kept);
    } else {
        ir_value x = emit_load(l, n, a, t->of), y = emit_load(l, n, b, t->of);
        emit_store(l, n, a, y);
        emit_store(l, n, b, x);
    }
    return true;
}

/* ---- casts of pointers that own ------------------------------------------------------------- */

/* dynamic_pointer_cast<T>(p) */
static struct std_result cast_pointer(struct std_call *c, bool may_fail)
{
    struct lower *l = c->l;
    const struct type *t = node_type(l, c->n), *of = node_type(l, c->args.items[0]);
    struct class *class = class_of(l, t), *from = class_of(l, of);
    if (!class || !class->model || class->model->layout != STD_POINTER || !from ||
        from->model != class->model)
        return (struct std_result){0};
    struct std_call old = {.l = l, .n = c->n, .t = of, .object = address_of(l, c->args.items[0])};
    struct std_call made = {.l = l, .n = c->n, .t = t, .object = emit_temporary(l, c->n, t)};
    ir_value to = std_pointer_at(&made), v = std_load_pointer(&old);
    const struct type *as = inst_of(l, to)->type->of;
    ir_value base = convert_class(l, c->n, v, as);
    if (base)
        v = base;
    else
        v = may_fail ? emit_dynamic_cast(l, c->n, v, as) : emit_convert(l, c->n, v, as);
    emit_store(l, c->n, to, v);
    return std_value(made.object);
}

/* ---- all ------------------------------------------------------------------------------------ */

/* The type of the object that is made. */
static const struct type *object_of(struct std_call *c)
{
    const struct type *t = node_type(c->l, c->n);
    complete(c->l, t);
    return t;
}

static bool compare(struct std_call *c, enum what what, ir_value *out)
{
    static const enum ir_arith ariths[] = {
        [W_EQUAL] = ARITH_EQ, [W_UNEQUAL] = ARITH_NE, [W_LESS] = ARITH_LT};
    return (what != W_LESS && std_compare_texts(c, what == W_EQUAL, out)) ||
           std_compare_iterators(c, ariths[what], out);
}

struct std_result std_run_function(struct std_call *c, const char *name, CXCursor callee)
{
    struct lower *l = c->l;
    ir_value v;
    enum what what = function_what(name);
    for (int i = 0; i < COUNT(algorithms); i++)
        if (!strcmp(algorithms[i].name, name))
            return std_run_algorithm(c, algorithms[i].which, callee);
    switch (what) {
    case W_SAME:
        if (c->args.count == 1)
            return std_place(address_of(l, c->args.items[0]));
        break;
    case W_PART:
        if (c->args.count == 1)
            return part_of(c, callee);
        break;
    case W_MAKE:
        return make(c, callee);
    case W_MAKE_PARTS:
        v = emit_temporary(l, c->n, object_of(c));
        return (struct std_result){v, false, std_set_parts(c, v)};
    case W_EQUAL:
    case W_UNEQUAL:
    case W_LESS:
        if (compare(c, what, &v))
            return std_value(v);
        break;
    case W_JOIN:
    case W_NUMBER_TEXT:
        v = what == W_JOIN ? std_joined_texts(c) : std_text_of_number(c);
        return (struct std_result){v, false, v != 0};
    case W_SWAP:
        if (c->args.count == 2 &&
            std_swap(l, c->n, address_of(l, c->args.items[0]), address_of(l, c->args.items[1])))
            return std_value(0);
        break;
    case W_CAST:
    case W_CAST_OR_NULL:
        if (c->args.count == 1)
            return cast_pointer(c, what == W_CAST_OR_NULL);
        break;
    case W_NONE:
        break;
    }
    return (struct std_result){0};
}
