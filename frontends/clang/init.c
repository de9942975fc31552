/* Initialisers: lists with and without inner braces and designators, strings, compound literals. An
 * object's address and type and the list come in, stores go out.
 *
 * libclang exposes a list as written: which member an item initialises is worked out here, by C's
 * rules. A designated item is an "unexposed" node of type void: the names and indices of its
 * designators, then the value. */
#include "frontends/clang/cpp.h"

/* Up to this many elements set by one value ([0 ... 9] = x) are stored one by one. */
#define SHORT_RANGE 16

/* Part of an object. Its address is computed when something is stored there. */
struct spot {
    struct spot *whole; /* NULL: address is set */
    const struct type *type;
    int64_t index; /* of the field or element in the whole; ANY: an unknown element */
    ir_value address;
    struct node *at;
};

#define ANY (-1)

/* The rest of a list. */
struct items {
    struct node *pending; /* taken before the next item: a designated value */
    struct node *next;
    bool clean;  /* the object was zeroed before */
    int64_t top; /* parts of the braced object from here on have not been set yet */
};

static void fill(struct lower *l, struct spot *whole, int64_t from, struct items *items,
                 bool braced);

/* ---- parts of objects ----------------------------------------------------------------------- */

static ir_value element_at(struct lower *l, struct spot *s, ir_value array)
{
    const struct type *size = type_int(l->unit, 64, true);
    ir_value first = emit_decay(l, s->at, array, s->whole->type);
    ir_value index = s->index == ANY ? emit_some(l, s->at, size, "any of a range")
                                     : emit_int(l, s->at, size, s->index);
    return emit_element(l, s->at, first, index);
}

static ir_value spot_address(struct lower *l, struct spot *s)
{
    if (s->address)
        return s->address;
    ir_value whole = spot_address(l, s->whole);
    const struct type *t = s->whole->type;
    if (t->kind == TYPE_RECORD) {
        const struct field *f = &t->fields[s->index];
        struct symbol field = {.name = f->name, .type = f->type, .index = (int)s->index};
        s->address = emit_field(l, s->at, whole, &field);
    } else {
        s->address = element_at(l, s, whole);
    }
    return s->address;
}

/* How many parts are filled in order: of a union, only the first. */
static int64_t part_count(const struct type *t)
{
    if (t->kind == TYPE_ARRAY)
        return t->count < 0 ? INT64_MAX : t->count;
    return t->is_union && t->field_count ? 1 : t->field_count;
}

static struct spot part(struct spot *whole, int64_t index, struct node *at)
{
    const struct type *t = whole->type;
    const struct type *type = t->kind == TYPE_ARRAY ? t->of : t->fields[index].type;
    return (struct spot){.whole = whole, .type = type, .index = index, .at = at};
}

/* ---- single values -------------------------------------------------------------------------- */

static bool is_zero(const struct lower *l, ir_value v)
{
    const struct ir_inst *inst = inst_of(l, v);
    return inst->op == IR_NULL || (inst->op == IR_INT && inst->integer == 0);
}

static void set_scalar(struct lower *l, struct spot *s, struct node *n, bool clean)
{
    part_block(l);
    ir_value v = value_as(l, n, s->type);
    if (s->whole && s->whole->type->kind == TYPE_RECORD && v)
        v = cut_to_bits(l, n, v, field_bits(l, s->whole->type, (int)s->index));
    if (clean && is_zero(l, v) && take_back(l, v))
        return;
    ir_value address = spot_address(l, s);
    if (s->type->kind == TYPE_VOID || s->type->kind == TYPE_FUNCTION)
        return;
    emit_store(l, s->at ? s->at : n, address, v);
}

static bool is_text(struct lower *l, struct node *n)
{
    return core(l, n)->cursor.kind == CXCursor_StringLiteral;
}

/* A class that is constructed from what stands for it in a list: one without braces is an argument
 * of its constructor, and nothing for its first member. */
static bool is_constructed(struct lower *l, const struct type *t)
{
    struct class *c = l->is_cpp && t->kind == TYPE_RECORD ? class_of(l, t) : NULL;
    if (c && c->model)
        return c->model->layout != STD_FIXED && c->model->layout != STD_OPAQUE;
    return c && has_constructors(l, t);
}

static void construct(struct lower *l, struct spot *s, struct node *n)
{
    if (class_of(l, s->type)->model)
        std_construct_item(l, n, spot_address(l, s), s->type);
    else
        construct_item(l, n, spot_address(l, s), s->type);
}

/* A value for the whole aggregate: a record, or a string for an array of characters. */
static bool is_whole(struct lower *l, struct node *n, const struct type *t)
{
    if (!is_aggregate(t))
        return true;
    if (n->cursor.kind == CXCursor_InitListExpr)
        return true;
    if (t->kind == TYPE_ARRAY)
        return t->of->kind == TYPE_INT && is_text(l, n);
    return node_type(l, n) == t || is_constructed(l, t);
}

/* A long table of numbers: any element may be any of them. */
static void set_long_table(struct lower *l, struct spot *s, struct node *n)
{
    struct spot some = part(s, ANY, n);
    ir_value address = spot_address(l, &some);
    emit_store(l, n, address, emit_some(l, n, some.type, "one of a long table"));
}

/* ---- lists ---------------------------------------------------------------------------------- */

static struct node *peek(const struct items *items)
{
    return items->pending ? items->pending : items->next;
}

static void take(struct items *items)
{
    if (items->pending)
        items->pending = NULL;
    else
        items->next = items->next->next;
}

static bool is_designated(struct lower *l, const struct node *n)
{
    return n->cursor.kind == CXCursor_UnexposedExpr && n->first &&
           l->c->getCursorType(n->cursor).kind == CXType_Void;
}

/* Whether the list initialises every part, in order. */
static bool covers(struct lower *l, const struct type *t, const struct node *list)
{
    int64_t count = 0;
    for (const struct node *item = list->first; item; item = item->next, count++)
        if (is_designated(l, item))
            return false;
    return count >= part_count(t) && !(t->kind == TYPE_RECORD && t->is_union);
}

static void set_list(struct lower *l, struct spot *s, struct node *list, bool clean)
{
    struct items items = {NULL, list->first, clean, 0};
    if (list->is_cut) {
        set_long_table(l, s, list);
        return;
    }
    if (list->first && !list->first->next && s->type->kind == TYPE_ARRAY &&
        is_whole(l, list->first, s->type) && list->first->cursor.kind != CXCursor_InitListExpr) {
        emit_copy(l, list, spot_address(l, s), address_of(l, core(l, list->first)));
        return;
    }
    bool is_partial = !covers(l, s->type, list);
    if (!clean && is_partial) {
        emit_zero(l, list, spot_address(l, s));
        items.clean = true;
    }
    if (l->is_cpp && is_partial && s->type->kind == TYPE_RECORD)
        items.clean &= !construct_defaults(l, list, spot_address(l, s), s->type);
    fill(l, s, 0, &items, true);
}

/* One item that initialises all of a part. */
static void set(struct lower *l, struct spot *s, struct node *n, bool clean)
{
    bool list = n->cursor.kind == CXCursor_InitListExpr;
    if (is_constructed(l, s->type)) {
        construct(l, s, n);
    } else if (list && is_aggregate(s->type)) {
        set_list(l, s, n, clean);
    } else if (list && !n->first) { /* int x = {} */
        ir_value zero = emit_int(l, n, s->type, 0);
        emit_store(l, n, spot_address(l, s), zero);
    } else if (l->is_cpp && is_aggregate(s->type) && !is_text(l, n)) {
        construct_at(l, n, spot_address(l, s), s->type);
    } else if (is_aggregate(s->type)) {
        ir_value from = is_text(l, n) ? address_of(l, core(l, n)) : value_as(l, n, s->type);
        emit_copy(l, s->at ? s->at : n, spot_address(l, s), from);
    } else {
        set_scalar(l, s, n, clean);
    }
}

/* The next item initialises this part; if the part is an aggregate and the item has no braces, it
 * takes as many more items as it has room for. */
static void set_next(struct lower *l, struct spot *s, struct items *items)
{
    struct node *n = peek(items);
    bool aggregate = is_aggregate(s->type), whole = is_whole(l, n, s->type);
    if (aggregate && !whole && part_count(s->type) > 0) {
        fill(l, s, 0, items, false);
        return;
    }
    take(items);
    if (aggregate && !whole)
        effect_of(l, n); /* the type is empty or incomplete */
    else
        set(l, s, n, items->clean);
}

/* ---- designators ---------------------------------------------------------------------------- */

/* [1 ... 3] = x and [1][3] = x have the same nodes. */
static bool is_range(struct lower *l, const struct type *element, const struct node *index)
{
    size_t at, size;
    if (element->kind != TYPE_ARRAY)
        return is_expression(index->next);
    CXSourceRange r = l->c->getCursorExtent(index->cursor);
    const char *text = text_at(l, l->c->getRangeEnd(r), &at, &size);
    while (text && at < size && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n'))
        at++;
    return text && at + 3 <= size && text[at] == '.' && text[at + 1] == '.' && text[at + 2] == '.';
}

/* Which part of the whole is meant; false if there is no such part. */
static bool designated_part(struct lower *l, const struct type *t, struct node *d, int64_t *index)
{
    if (d->cursor.kind == CXCursor_MemberRef) {
        CXCursor referenced = l->c->getCursorReferenced(d->cursor);
        struct symbol *field =
            referenced.kind == CXCursor_FieldDecl ? field_of(l, referenced) : NULL;
        while (field && field->record != t)
            field = enclosing_field(l, field->record);
        *index = field ? field->index : 0;
        return field && t->kind == TYPE_RECORD;
    }
    return t->kind == TYPE_ARRAY && evaluate_int(l, d->cursor, index) && *index >= 0;
}

static int64_t designate(struct lower *l, struct spot *whole, struct node *d, struct items *items);

/* After the first designator: another, or the value. */
static void follow(struct lower *l, struct spot *s, struct node *d, struct items *items)
{
    if (d->next) {
        int64_t after = designate(l, s, d, items);
        fill(l, s, after, items, false);
    } else {
        items->pending = d;
        set_next(l, s, items);
    }
}

static int64_t designate_range(struct lower *l, struct spot *whole, struct node *first,
                               struct items *items)
{
    int64_t low = 0, high = 0;
    struct node *value = first->next->next;
    bool known = evaluate_int(l, first->cursor, &low) &&
                 evaluate_int(l, first->next->cursor, &high) && low >= 0 && high >= low;
    if (!known || high - low >= SHORT_RANGE) {
        struct spot s = part(whole, ANY, first->parent);
        follow(l, &s, value, items);
        return known ? high + 1 : INT64_MAX;
    }
    for (int64_t i = low; i <= high; i++) {
        struct spot s = part(whole, i, first->parent);
        follow(l, &s, value, items);
    }
    return high + 1;
}

/* Sets what the designators from d on name. Returns the part of the whole that follows. */
static int64_t designate(struct lower *l, struct spot *whole, struct node *d, struct items *items)
{
    int64_t index;
    bool array = d->cursor.kind != CXCursor_MemberRef;
    if (array && whole->type->kind == TYPE_ARRAY && d->next && d->next->next &&
        is_range(l, whole->type->of, d))
        return designate_range(l, whole, d, items);
    if (!designated_part(l, whole->type, d, &index)) {
        ir_value object = spot_address(l, whole);
        emit_anything(l, d->parent, type_simple(l->unit, TYPE_VOID),
                      "a designator that is not understood", &object, 1);
        return INT64_MAX;
    }
    struct spot s = part(whole, index, d->parent);
    follow(l, &s, d->next, items);
    return whole->type->kind == TYPE_RECORD && whole->type->is_union ? INT64_MAX : index + 1;
}

/* The same for a part that was set before: what was stored there is cleared. */
static int64_t designate_again(struct lower *l, struct spot *whole, struct node *d,
                               struct items *items)
{
    int64_t index;
    bool clean = items->clean;
    if (designated_part(l, whole->type, d, &index) && index < items->top)
        items->clean = false;
    int64_t after = designate(l, whole, d, items);
    items->clean = clean;
    return after;
}

/* ---- filling -------------------------------------------------------------------------------- */

/* Assigns items to the parts starting at one. Without braces of its own, an aggregate stops where
 * it is full or at a designator, which belongs to the enclosing braces. */
static void fill(struct lower *l, struct spot *whole, int64_t from, struct items *items,
                 bool braced)
{
    int64_t count = part_count(whole->type);
    for (struct node *n; (n = peek(items));) {
        if (braced && from > items->top)
            items->top = from;
        if (is_designated(l, n) && !items->pending) {
            if (!braced)
                return;
            take(items);
            from = designate_again(l, whole, n->first, items);
        } else if (from < count) {
            struct spot s = part(whole, from++, n);
            set_next(l, &s, items);
        } else {
            if (!braced)
                return;
            take(items);
            effect_of(l, n);
        }
    }
}

void initialise(struct lower *l, ir_value address, const struct type *t, struct node *init,
                bool clean)
{
    struct spot s = {.type = t, .address = address};
    set(l, &s, init, clean);
}

void initialise_local(struct lower *l, struct node *at, const struct symbol *s, struct node *init)
{
    if (s->is_reference) {
        ir_value to = address_of(l, init);
        emit_store(l, at, emit_local(l, at, s->index), emit_convert(l, at, to, s->type));
        return;
    }
    if (l->is_cpp && is_aggregate(s->type)) {
        construct_at(l, init, emit_local(l, at, s->index), s->type);
        return;
    }
    if (is_aggregate(s->type) || init->cursor.kind == CXCursor_InitListExpr) {
        initialise(l, emit_local(l, at, s->index), s->type, init, false);
        return;
    }
    ir_value v = value_as(l, init, s->type);
    emit_store(l, at, emit_local(l, at, s->index), v);
}

/* ---- compound literals ---------------------------------------------------------------------- */

/* At file scope it has static storage duration. */
static ir_value literal_object(struct lower *l, struct node *n, const struct type *t)
{
    if (!l->is_constant)
        return emit_temporary(l, n, t);
    const char *name = arena_printf(l->scratch, "(literal %d)", ++l->literals);
    struct ir_global *g = ir_global_new(l->unit, name, t, span_of(l, n));
    g->is_internal = true;
    return emit_global(l, n, g);
}

ir_value lower_compound_literal(struct lower *l, struct node *n)
{
    const struct type *t = object_type(l, l->c->getCursorType(n->cursor));
    ir_value address = literal_object(l, n, t);
    if (n->last && is_expression(n->last))
        initialise(l, address, t, n->last, false);
    return address;
}
