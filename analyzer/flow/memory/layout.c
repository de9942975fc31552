/* The layout of records, as in the usual ABIs: each field at the next multiple of its alignment.
 * For programs that access a field by its offset (a table of options with offsetof), and for those
 * that get from a member back to the record around it: by a cast, or by container_of. */
#include "analyzer/flow/memory/memory.h"

#include <string.h>

struct footprint {
    int64_t size, align; /* size -1: not known */
};

static int64_t aligned(int64_t at, int64_t align)
{
    return (at + align - 1) / align * align;
}

static const struct footprint unknown = {-1, 1};
/* Nested records can have too many fields to visit. */
enum { NESTED = 16, MOST_TYPES = 4096 };
static const int64_t most = (int64_t)1 << 40;

/* left: how many types may still be visited. */
static struct footprint measure(const struct type *t, int depth, int *left);

static struct footprint extent_of_record(const struct type *t, int depth, int *left)
{
    struct footprint all = {0, 1};
    for (int i = 0; i < t->field_count; i++) {
        struct footprint one = measure(t->fields[i].type, depth + 1, left);
        if (one.size < 0 || all.size > most)
            return unknown;
        int64_t begins = t->is_union ? 0 : aligned(all.size, one.align);
        all.size = begins + one.size > all.size ? begins + one.size : all.size;
        all.align = one.align > all.align ? one.align : all.align;
    }
    all.size = aligned(all.size, all.align);
    return t->field_count ? all : unknown;
}

static struct footprint extent_of_array(const struct type *t, int depth, int *left)
{
    struct footprint one = measure(t->of, depth + 1, left);
    if (one.size < 0 || t->count < 0 || t->count > most || one.size > most / (t->count + 1))
        return unknown;
    return (struct footprint){one.size * t->count, one.align};
}

static struct footprint measure(const struct type *t, int depth, int *left)
{
    switch (t && depth < NESTED && (*left)-- > 0 ? t->kind : TYPE_UNKNOWN) {
    case TYPE_BOOL:
        return (struct footprint){1, 1};
    case TYPE_INT:
    case TYPE_FLOAT:
        return t->bits >= 8 ? (struct footprint){t->bits / 8, t->bits / 8} : unknown;
    case TYPE_POINTER:
        return (struct footprint){sizeof(void *), sizeof(void *)};
    case TYPE_ARRAY:
        return extent_of_array(t, depth, left);
    case TYPE_RECORD:
        return extent_of_record(t, depth, left);
    case TYPE_VOID:
    case TYPE_FUNCTION:
    case TYPE_DYN:
    case TYPE_UNKNOWN:
        break;
    }
    return unknown;
}

static struct footprint extent_of(const struct type *t)
{
    int left = MOST_TYPES;
    return measure(t, 0, &left);
}

int64_t layout_size(const struct type *t)
{
    return extent_of(t).size;
}

static const struct loc *field_at(struct flow *f, const struct loc *l, const struct type *record,
                                  int64_t offset)
{
    int64_t at = 0;
    for (int i = 0; i < record->field_count; i++) {
        struct footprint one = extent_of(record->fields[i].type);
        at = aligned(at, one.align);
        if (one.size < 0 || at > offset)
            return NULL;
        if (offset < at + one.size)
            return layout_at(f, loc_field(f->heap, l, name_of(f->names, record->fields[i].name)),
                             offset - at);
        at += one.size;
    }
    return NULL;
}

const struct loc *layout_at(struct flow *f, const struct loc *l, int64_t offset)
{
    const struct type *t = loc_type(l);
    struct footprint of = unknown;
    if (offset < 0 || !t)
        return NULL;
    if (t->kind == TYPE_RECORD && !t->is_union)
        return field_at(f, l, t, offset);
    if (t->kind == TYPE_ARRAY)
        of = extent_of(t->of);
    if (of.size > 0 && offset / of.size < t->count)
        return layout_at(f, loc_element(f->heap, l, offset / of.size), offset % of.size);
    return offset ? NULL : l;
}

/* ---- from a member to what is around it ------------------------------------------------------ */

static int64_t offset_of_field(const struct type *record, const char *name)
{
    int64_t at = 0;
    for (int i = 0; i < record->field_count && !record->is_union; i++) {
        struct footprint one = extent_of(record->fields[i].type);
        at = aligned(at, one.align);
        bool is_it = !strcmp(record->fields[i].name, name);
        if (one.size < 0 || is_it)
            return is_it && i == 0 ? 0 : one.size < 0 ? -1 : at;
        at += one.size;
    }
    return record->is_union ? 0 : -1;
}

/* Where it begins in its parent; -1: not known. */
static int64_t offset_in_parent(const struct loc *l)
{
    const struct type *t = l->parent ? loc_type(l->parent) : NULL;
    if (t && l->field)
        return t->kind == TYPE_RECORD ? offset_of_field(t, l->field) : -1;
    if (!t || t->kind != TYPE_ARRAY || l->element < 0 || l->element >= t->count)
        return -1;
    struct footprint one = extent_of(t->of);
    return l->element == 0                              ? 0
           : one.size < 0 || one.size > most / t->count ? -1
                                                        : one.size * l->element;
}

bool layout_is_first(const struct loc *l)
{
    return offset_in_parent(l) == 0;
}

const struct loc *layout_from(struct flow *f, const struct loc *l, int64_t offset)
{
    if (offset < -most || offset > most)
        return NULL;
    while (l->parent && (offset < 0 || offset >= extent_of(loc_type(l)).size)) {
        int64_t before = offset_in_parent(l);
        if (before < 0)
            return NULL;
        offset += before;
        l = l->parent;
    }
    return layout_at(f, l, offset);
}

static bool is_same_record(const struct type *x, const struct type *y)
{
    return x == y || (x && x->kind == TYPE_RECORD && x->name && y->name && x->name[0] &&
                      !strcmp(x->name, y->name));
}

/* Of its first members, the one of that type; NULL: none. */
static const struct loc *first_member(struct flow *f, const struct loc *l,
                                      const struct type *record)
{
    const struct type *t = loc_type(l);
    for (int depth = 0; t && t->kind == TYPE_RECORD && depth < NESTED; depth++) {
        if (is_same_record(t, record))
            return l;
        if (!t->field_count || t->is_union)
            return NULL;
        l = loc_field(f->heap, l, name_of(f->names, t->fields[0].name));
        t = t->fields[0].type;
    }
    return NULL;
}

const struct loc *layout_as(struct flow *f, const struct loc *l, const struct type *record)
{
    for (const struct loc *at = l; at; at = at->parent) {
        if (is_same_record(loc_type(at), record))
            return at;
        if (offset_in_parent(at) != 0)
            break;
    }
    const struct loc *member = first_member(f, l, record);
    return member ? member : l;
}
