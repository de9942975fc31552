/* Objects of the standard library come into being: empty, with items, or from another one. */
#include "frontends/clang/std.h"

#include <string.h>

void std_construct_default(struct lower *l, struct node *at, ir_value address,
                           const struct class *c)
{
    if (c->model->layout == STD_FIXED) {
        struct std_call call = {.l = l, .n = at, .t = c->type, .object = address};
        construct_default(l, at, emit_hidden(l, at, call.object, call.t, "(items)"),
                          c->type->fields[0].type, false);
    } else if (c->model->layout == STD_SEQUENCE || c->model->layout == STD_MAPPING) {
        std_make_empty(&(struct std_call){.l = l, .n = at, .t = c->type, .object = address});
    } else if (c->type->field_count) {
        emit_zero(l, at, address);
    }
}

/* {a, b, c} */
static void fill_from(struct std_call *c, struct node *list)
{
    int64_t index = 0;
    struct lower *l = c->l;
    for (struct node *item = list->first; item; item = item->next)
        std_set_item_to(c, std_item_at(c, emit_int(l, c->n, std_size_type(l), index++)), item);
    emit_store(l, c->n, std_size_at(c), emit_int(l, c->n, std_size_type(l), index));
}

/* So many items, each empty or a copy of one. */
static void fill_with(struct std_call *c)
{
    struct lower *l = c->l;
    ir_value count = value_as(l, c->args.items[0], std_size_type(l));
    bool has_value = c->args.count > 1 && c->args.items[1]->first;
    if (has_value) {
        ir_value any = emit_some(l, c->n, std_size_type(l), "any of a range");
        std_set_item_to(c, std_item_at(c, any), c->args.items[1]);
    }
    emit_store(l, c->n, std_size_at(c), count);
}

struct node *std_list_in(struct lower *l, struct node *n)
{
    for (; n; n = n->first) {
        n = bare(l, n);
        if (n->cursor.kind == CXCursor_InitListExpr)
            return n;
        if (n->cursor.kind != CXCursor_UnexposedExpr &&
            n->cursor.kind != CXCursor_CXXFunctionalCastExpr)
            return NULL;
    }
    return NULL;
}

static bool is_number(const struct type *t)
{
    return t->kind == TYPE_INT || t->kind == TYPE_BOOL;
}

static bool construct_sequence(struct std_call *c)
{
    struct lower *l = c->l;
    struct node *first = c->args.count ? c->args.items[0] : NULL, *list;
    if (!first) {
        std_make_empty(c);
        return true;
    }
    if ((list = std_list_in(l, first))) {
        fill_from(c, list);
        return true;
    }
    if (!is_number(node_type(l, first)))
        return std_fill_from_range(c);
    fill_with(c);
    return true;
}

bool std_fill(struct std_call *c)
{
    return construct_sequence(c);
}

static bool construct_mapping(struct std_call *c)
{
    struct node *list = c->args.count ? std_list_in(c->l, c->args.items[0]) : NULL;
    if (!c->args.count)
        std_construct_default(c->l, c->n, c->object, class_of(c->l, c->t));
    else if (list)
        std_insert_listed(c, list);
    return !c->args.count || list;
}

static bool construct_optional(struct std_call *c)
{
    struct lower *l = c->l;
    struct node *first = c->args.count ? c->args.items[0] : NULL;
    const struct type *t = first ? node_type(l, first) : NULL;
    if (!first || (t->kind == TYPE_RECORD && strstr(t->name, "nullopt"))) {
        emit_zero(l, c->n, c->object);
        return true;
    }
    ir_value value = emit_hidden(l, c->n, c->object, c->t, "(value)");
    const struct type *of = inst_of(l, value)->type->of;
    if (is_aggregate(of) && t != of)
        return false;
    std_set_item_to(c, value, first);
    ir_value has = emit_hidden(l, c->n, c->object, c->t, "(has)");
    emit_store(l, c->n, has, emit_int(l, c->n, type_simple(l->unit, TYPE_BOOL), 1));
    return true;
}

static bool construct_text(struct std_call *c)
{
    struct lower *l = c->l;
    ir_value to = emit_hidden(l, c->n, c->object, c->t, "(text)"), v = 0;
    if (!c->args.count) {
        emit_zero(l, c->n, c->object);
        return true;
    }
    v = std_characters(l, c->args.items[0]);
    if (v)
        emit_store(l, c->n, to, emit_convert(l, c->n, v, inst_of(l, to)->type->of));
    return v;
}

static bool construct_tuple(struct std_call *c)
{
    if (c->args.count != c->t->field_count)
        return false;
    for (int i = 0; i < c->args.count; i++)
        std_set_item_to(c, emit_hidden(c->l, c->n, c->object, c->t, c->t->fields[i].name),
                        c->args.items[i]);
    return true;
}

/* From one that may change the items to one that may not. */
static bool construct_iterator(struct std_call *c)
{
    struct lower *l = c->l;
    ir_value to = std_pointer_at(c);
    ir_value v = c->args.count == 1 ? std_passed_pointer(l, c->args.items[0]) : 0;
    if (!c->args.count)
        emit_zero(l, c->n, c->object);
    else if (v)
        emit_store(l, c->n, to, emit_convert(l, c->n, v, inst_of(l, to)->type->of));
    return !c->args.count || v;
}

bool std_construct_list(struct lower *l, struct node *n, ir_value address, const struct type *t,
                        struct node *list)
{
    struct std_call c = {.l = l, .n = n, .t = t, .object = address};
    enum std_layout layout = class_of(l, t)->model->layout;
    if (layout == STD_SEQUENCE)
        fill_from(&c, list);
    else if (layout == STD_MAPPING)
        std_insert_listed(&c, list);
    return layout == STD_SEQUENCE || layout == STD_MAPPING;
}

/* The items may be made from those that are there before. */
bool std_assign_list(struct std_call *c, struct node *list)
{
    ir_value made = emit_temporary(c->l, c->n, c->t);
    bool is_done = std_construct_list(c->l, c->n, made, c->t, list);
    if (is_done)
        emit_object_copy(c->l, c->n, c->object, made);
    return is_done;
}

bool std_construct_from(struct std_call *c)
{
    struct lower *l = c->l;
    if (c->args.count == 1 && node_type(l, c->args.items[0]) == c->t) {
        emit_object_copy(l, c->n, c->object, address_of(l, c->args.items[0]));
        return true;
    }
    switch (class_of(l, c->t)->model->layout) {
    case STD_SEQUENCE:
        return construct_sequence(c);
    case STD_MAPPING:
        return construct_mapping(c);
    case STD_FIXED:
        if (!c->args.count)
            std_construct_default(l, c->n, c->object, class_of(l, c->t));
        return !c->args.count;
    case STD_TUPLE:
        return construct_tuple(c);
    case STD_POINTER:
        return std_set_pointer(c, c->args.count ? c->args.items[0] : NULL);
    case STD_OPTIONAL:
        return construct_optional(c);
    case STD_TEXT:
        return construct_text(c);
    case STD_FUNCTION:
        return c->args.count == 1 && std_set_function(c, c->args.items[0]);
    case STD_ITERATOR:
    case STD_CURSOR:
        return construct_iterator(c);
    case STD_OPAQUE:
        break;
    }
    return false;
}

bool std_construct(struct lower *l, struct node *n, ir_value address, const struct type *t,
                   CXCursor constructor)
{
    struct std_call c = {.l = l, .n = n, .t = t, .object = address};
    call_arguments(l, n, constructor, &c.args);
    while (c.args.count && argument_is_left_out(l, c.args.items[c.args.count - 1]))
        c.args.count--;
    return std_construct_from(&c);
}

/* Whether the item is written as what it is: another object, or with its constructor. */
static bool is_object(struct lower *l, struct node *n, const struct type *t)
{
    return construction(l, n) || node_type(l, n) == t;
}

void std_construct_item(struct lower *l, struct node *n, ir_value address, const struct type *t)
{
    struct std_call c = {.l = l, .n = n, .t = t, .object = address};
    bool is_list = n->cursor.kind == CXCursor_InitListExpr;
    if (is_list && std_construct_list(l, n, address, t, n))
        return;
    if (!is_list && is_object(l, n, t)) {
        construct_at(l, n, address, t);
        return;
    }
    for (struct node *item = is_list ? n->first : n; item; item = is_list ? item->next : NULL)
        LIST_ADD(l->scratch, &c.args, item);
    if (!std_construct_from(&c))
        emit_anything(l, n, type_simple(l->unit, TYPE_VOID),
                      "a constructor of the standard library that is not modelled", &address, 1);
}
