/* Copying memory: records, arrays and bytes. */
#include "analyzer/flow/memory/memory.h"

/* A copy in progress, down to the leaves of a record. */
struct copying {
    struct flow *f;
    const struct frame *fr;
    struct state *s;
    int left; /* leaves that may still be copied one by one */
};

enum { MAX_LEAVES = 200, MAX_ELEMENTS = 16 };

static struct value below(struct flow *f, const struct value *at, const char *field,
                          int64_t element)
{
    struct value v = *at;
    for (int i = 0; i < v.count; i++)
        v.as.loc[i] = field ? loc_field(f->heap, v.as.loc[i], field)
                            : loc_element(f->heap, v.as.loc[i], element);
    return v;
}

/* Copies the cells as they are: for what is too large or has no known type. */
static void copy_cells(struct copying *c, const struct loc *to, const struct loc *from)
{
    cell_list copies = {0};
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(c->s, &w, from->object)); cursor_on(c->s, &w))
        if (loc_is_below(cell->loc, from) && !cell->loc->any)
            LIST_ADD(c->f->scratch, &copies, *cell);
    if (from->object->unknown_contents)
        to->object->unknown_contents = true;
    for (int i = 0; i < copies.count; i++)
        memory_write(c->f, c->s, loc_rebase(c->f->heap, copies.items[i].loc, from, to),
                     copies.items[i].value);
}

static void copy_leaf(struct copying *c, const struct value *to, const struct value *from,
                      const struct type *type)
{
    struct value v = value_nothing;
    for (int k = 0; k < from->count; k++) {
        struct value one = memory_read(c->f, c->fr, c->s, from->as.loc[k], type);
        v = value_join(c->f->scratch, c->s, &v, &one);
    }
    for (int k = 0; k < to->count; k++) {
        if (to->count > 1) {
            struct value before = memory_read(c->f, c->fr, c->s, to->as.loc[k], type);
            v = value_join(c->f->scratch, c->s, &v, &before);
        }
        memory_write(c->f, c->s, to->as.loc[k], v);
    }
}

/* A record that is kept as one value: a boxed operand. */
static bool is_whole(const struct copying *c, const struct value *from)
{
    const struct value *v = from->count == 1 ? state_get(c->s, from->as.loc[0]) : NULL;
    return v && v->kind != VALUE_ZEROED;
}

/* A text that is known as a whole. */
static bool copies_text(struct copying *c, const struct value *to, const struct value *from,
                        const struct type *type)
{
    if (to->count != 1 || from->count != 1 || !string_is_at(c->f, c->s, from->as.loc[0], type))
        return false;
    struct value text = string_at(c->f, c->s, from);
    if (!from->as.loc[0]->object->text)
        copy_cells(c, to->as.loc[0], from->as.loc[0]);
    string_write(c->f, c->s, to, text);
    return true;
}

static void copy_typed(struct copying *c, const struct value *to, const struct value *from,
                       const struct type *type)
{
    if (copies_text(c, to, from, type))
        return;
    bool record = type && type->kind == TYPE_RECORD && !type->is_union && type->field_count;
    bool array = type && type->kind == TYPE_ARRAY && type->count > 0 && type->count <= MAX_ELEMENTS;
    int parts = record ? type->field_count : array ? (int)type->count : 0;
    if (parts && c->left >= parts && !is_whole(c, from)) {
        for (int k = 0; k < parts; k++) {
            const char *name = record ? name_of(c->f->names, type->fields[k].name) : NULL;
            struct value t = below(c->f, to, name, k), v = below(c->f, from, name, k);
            copy_typed(c, &t, &v, record ? type->fields[k].type : type->of);
        }
    } else if (!type || parts || type->kind == TYPE_RECORD || type->kind == TYPE_ARRAY) {
        for (int k = 0; k < from->count; k++)
            copy_cells(c, to->as.loc[0], from->as.loc[k]);
    } else {
        c->left--;
        copy_leaf(c, to, from, type);
    }
}

void memory_copy(struct flow *f, const struct frame *fr, struct state *s, const struct value *to,
                 const struct value *from, const struct type *type)
{
    if (to->kind != VALUE_ADDRESS || !to->count)
        return;
    if (from->kind != VALUE_ADDRESS || !from->count) {
        memory_forget(f, s, to);
        return;
    }
    const struct loc *l = to->as.loc[0];
    struct copying c = {f, fr, s, MAX_LEAVES};
    if (to->count == 1 && !l->some_any && !l->object->many && l != from->as.loc[0])
        state_drop(s, l);
    copy_typed(&c, to, from, type);
}

/* Elements from `first` on, of an array or of allocated memory. */
struct elements {
    const struct loc *array;
    int64_t first;
};

static struct elements elements_at(const struct loc *l)
{
    bool inside = l->parent && !l->field;
    return inside ? (struct elements){l->parent, l->element} : (struct elements){l, 0};
}

/* The element of the array that contains the location; NULL: none. */
static const struct loc *element_above(const struct loc *l, const struct loc *array)
{
    while (l && l->parent != array)
        l = l->parent;
    return l && !l->field ? l : NULL;
}

/* It contains more than numbers. */
static bool holds_pointers(const struct type *t)
{
    t = element_type(t);
    return t && (t->kind == TYPE_POINTER || t->kind == TYPE_RECORD);
}

/* Every element that was written, to its place. The number of bytes is ignored: what was there
 * before may remain, and nobody reads beyond what was copied. */
static bool copy_elements(struct copying *c, struct elements to, struct elements from)
{
    cell_list copies = {0};
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(c->s, &w, from.array->object)); cursor_on(c->s, &w))
        if (element_above(cell->loc, from.array) && !cell->loc->any &&
            cell->value.kind != VALUE_ZEROED)
            LIST_ADD(c->f->scratch, &copies, *cell);
    for (int i = 0; i < copies.count; i++) {
        copies.items[i].value = *cell_read(c->s, &copies.items[i]);
        const struct loc *l = element_above(copies.items[i].loc, from.array);
        bool known =
            l->element != ELEMENT_ANY && from.first != ELEMENT_ANY && to.first != ELEMENT_ANY;
        if (known && l->element < from.first)
            continue;
        const struct loc *at = loc_element(
            c->f->heap, to.array, known ? l->element - from.first + to.first : ELEMENT_ANY);
        at = loc_rebase(c->f->heap, copies.items[i].loc, l, at);
        const struct value *before = state_get(c->s, at);
        struct value v = copies.items[i].value;
        if (before)
            v = value_join(c->f->scratch, c->s, before, &v);
        memory_write(c->f, c->s, at, v);
    }
    return copies.count > 0;
}

/* A record, or one number or pointer that is copied as a whole. */
static bool is_copied_whole(const struct type *a, const struct type *b, const struct value *bytes)
{
    int64_t count;
    if (!a || a != b)
        return false;
    return a->kind == TYPE_RECORD ||
           (a->kind != TYPE_ARRAY && number_exact(bytes, &count) && count == layout_size(a));
}

bool memory_copy_bytes(struct flow *f, const struct frame *fr, struct state *s,
                       const struct value *to, const struct value *from, const struct value *bytes)
{
    if (string_copy_bytes(f, s, to, from, bytes))
        return true;
    if (to->kind != VALUE_ADDRESS || to->count != 1 || from->kind != VALUE_ADDRESS ||
        from->count != 1 || from->as.loc[0]->object->unknown_contents)
        return false;
    const struct type *a = loc_type(to->as.loc[0]), *b = loc_type(from->as.loc[0]);
    if (is_copied_whole(a, b, bytes)) {
        memory_copy(f, fr, s, to, from, a);
        return true;
    }
    struct copying c = {f, fr, s, MAX_LEAVES};
    bool alike = !a || !b || a->kind == TYPE_VOID || b->kind == TYPE_VOID ||
                 element_type(a)->kind == element_type(b)->kind;
    return alike && (holds_pointers(a) || holds_pointers(b)) &&
           copy_elements(&c, elements_at(to->as.loc[0]), elements_at(from->as.loc[0]));
}

/* Bytes of memory that has no type of its own, from an offset on: a piece that an allocator of the
 * program hands out. */
struct piece {
    struct elements at;
    int64_t count;
};

static bool is_in_piece(const struct cell *cell, const void *what)
{
    const struct piece *p = what;
    const struct loc *e = element_above(cell->loc, p->at.array);
    int64_t offset = e ? e->element : 0;
    return cell->loc->object == p->at.array->object && offset >= p->at.first &&
           offset - p->at.first < p->count;
}

static bool has_unknown_offset(const struct state *s, struct object *o)
{
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, o)); cursor_on(s, &w))
        if (cell->loc->object == o && cell->loc->some_any)
            return true;
    return false;
}

/* Other pieces stay as they are. */
static bool fill_piece(struct flow *f, struct state *s, const struct value *to, int64_t count)
{
    const struct loc *l = to->as.loc[0];
    const struct type *type = loc_type(l);
    const struct piece p = {elements_at(l), count};
    bool is_raw = l->object->memory && (!type || is_byte_type(type)) && !to->elements;
    if (!is_raw || p.at.array->parent || l->some_any || l->object->many || l->object->again ||
        has_unknown_offset(s, l->object))
        return false;
    state_drop_of(s, l->object, is_in_piece, &p);
    state_put(f->scratch, s, l, (struct value){.kind = VALUE_ZEROED});
    version_note(f, s, l->object);
    return true;
}

/* All of an object, member or element, with zeros. */
bool memory_fill(struct flow *f, struct state *s, const struct value *to, const struct value *byte,
                 const struct value *bytes)
{
    int64_t count, with;
    const struct loc *l = to->kind == VALUE_ADDRESS && to->count == 1 ? to->as.loc[0] : NULL;
    if (!l || !number_exact(byte, &with) || with != 0 || !number_exact(bytes, &count))
        return false;
    while (l->parent && layout_is_first(l) && layout_size(loc_type(l)) < count)
        l = l->parent;
    if (l->object->many || l->object->again || layout_size(loc_type(l)) != count)
        return fill_piece(f, s, to, count);
    memory_zero(f, s, l);
    version_note(f, s, l->object);
    return true;
}
