/* What lists, tuples and dicts have in them: elements by number and the length, or fields by key.
 */
#include "analyzer/flow/dynamic/dynamic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct loc *element_of(struct dyn *d, struct object *o, int64_t index)
{
    struct heap *h = d->p->f->heap;
    return loc_element(h, loc_root(h, o), index);
}

void element_put(struct dyn *d, struct object *o, int64_t index, struct value v)
{
    dyn_write(d, element_of(d, o, index), v);
}

struct value container_make(struct dyn *d, enum dynamic_kind kind, const struct value *items,
                            int count)
{
    struct object *o = dyn_new(d, kind, NULL);
    for (int i = 0; i < count && kind != DYNAMIC_DICT; i++)
        element_put(d, o, i, items[i]);
    if (kind != DYNAMIC_DICT)
        dyn_put(d, o, "(length)", value_int(count));
    return dyn_value(d, o);
}

int64_t container_length(struct dyn *d, const struct value *v)
{
    struct object *o = dyn_object(v);
    const struct value *length = o ? dyn_get(d, o, "(length)") : NULL;
    int64_t n;
    if (o && o->is->kind == DYNAMIC_DICT)
        return dyn_get(d, o, "(any)") || o->many ? -1 : dyn_field_count(d, o);
    /* What an object that stands for many has for its length is that of all of them. */
    return length && !dyn_get(d, o, "(any)") && number_exact(length, &n) ? n : -1;
}

void container_note_rounds(struct dyn *d, const struct value *v, double rounds)
{
    if (dyn_object(v) && rounds > 0 && rounds < (double)INT32_MAX)
        dyn_put(d, dyn_object(v), "(rounds)", value_int((int64_t)rounds));
}

double container_rounds(struct dyn *d, const struct value *v)
{
    struct object *o = dyn_object(v);
    int64_t length = o ? container_length(d, v) : -1, n;
    const struct value *rounds = o && length < 0 ? dyn_get(d, o, "(rounds)") : NULL;
    if (rounds && number_exact(rounds, &n))
        return (double)n;
    return length > 0 ? (double)length : 0;
}

bool container_is_range(struct dyn *d, struct object *o)
{
    return dyn_get(d, o, "(first)") != NULL;
}

static struct value range_item(struct dyn *d, struct object *o, int64_t index)
{
    struct value first = *dyn_get(d, o, "(first)"), step = *dyn_get(d, o, "(step)");
    struct value n = value_int(index), by = number_operator(d, PROTOCOL_MUL, &step, &n);
    return number_operator(d, PROTOCOL_ADD, &first, &by);
}

/* Any of the numbers where it is not known how many there are: between both ends, or as far as a
 * step upwards leads. */
static struct value range_between_ends(struct dyn *d, struct object *o, int64_t first)
{
    const struct value *step = dyn_get(d, o, "(step)"), *stop = dyn_get(d, o, "(stop)");
    bool is_upwards = value_low(step) > 0;
    int64_t end;
    if (number_exact(stop, &end) && end != first)
        return end > first ? value_range(first, end - 1) : value_range(end + 1, first);
    if (is_upwards && value_high(stop) > first)
        return value_range(first, value_high(stop) == INT64_MAX ? INT64_MAX : value_high(stop) - 1);
    return is_upwards ? value_range(first, INT64_MAX) : dyn_unknown_int();
}

/* Any of the numbers: between the first and the last, or as far as a step upwards leads. */
struct value container_any_number(struct dyn *d, struct object *o, int64_t length)
{
    enum { FAR = 1 << 30 }; /* beyond any product that could overflow */
    int64_t first, step;
    if (!number_exact(dyn_get(d, o, "(first)"), &first) || first > FAR || first < -FAR)
        return dyn_unknown_int();
    if (length < 1)
        return range_between_ends(d, o, first);
    if (!number_exact(dyn_get(d, o, "(step)"), &step) || step > FAR || step < -FAR || length > FAR)
        return dyn_unknown_int();
    int64_t last = first + (length - 1) * step;
    return step > 0 ? value_range(first, last) : value_range(last, first);
}

/* A tensor or object was taken by its place: iterations of a loop that take others differ. */
void element_note_taken(struct dyn *d, const struct object *from, uint64_t place,
                        const struct value *v)
{
    if (v->kind != VALUE_NUMBER && !dyn_literal(v))
        d->p->f->picked += hash_words((uint64_t)from->id, place, 0);
}

struct value container_item(struct dyn *d, const struct value *v, int64_t index)
{
    struct object *o = dyn_object(v);
    if (container_is_range(d, o))
        return range_item(d, o, index);
    const struct value *item = state_get(d->p->s, element_of(d, o, index));
    if (item)
        element_note_taken(d, o, (uint64_t)index, item);
    return item ? *item : value_any;
}

bool container_items(struct dyn *d, const struct value *v, values_of *out)
{
    struct object *o = dyn_object(v);
    if (!o || o->is->kind < DYNAMIC_LIST || o->is->kind > DYNAMIC_DICT)
        return false;
    int64_t length = container_length(d, v);
    if (length < 0 || length > MOST_ITEMS)
        return false;
    if (o->is->kind == DYNAMIC_DICT) {
        loc_list all = dyn_fields(d, o);
        for (int i = 0; i < all.count; i++)
            LIST_ADD(d->p->f->scratch, out, dict_key_value(d, all.items[i]->field));
        return true;
    }
    for (int64_t i = 0; i < length; i++)
        LIST_ADD(d->p->f->scratch, out, container_item(d, v, i));
    return true;
}

const char *dict_key(struct dyn *d, const struct value *key)
{
    const char *text = dyn_literal(key);
    char number[48];
    int64_t n;
    const struct object *o = dyn_object(key);
    if (text)
        return dyn_join(d, "[text]", "", text);
    if (dyn_is_none(key))
        return name_of(d->p->f->names, "[none]");
    if (key->kind == VALUE_NUMBER && !key->is_real && number_exact(key, &n))
        snprintf(number, sizeof number, "[%s]%lld",
                 key->names == NAMES_DTYPE    ? "dtype"
                 : key->names == NAMES_DEVICE ? "device"
                                              : "int",
                 (long long)n);
    else if (o && (o->is->kind == DYNAMIC_CLASS || o->is->kind == DYNAMIC_NAMED ||
                   o->is->kind == DYNAMIC_FUNCTION || is_enumerator(d, o)))
        snprintf(number, sizeof number, "[object]%d", o->id);
    else
        return NULL;
    return name_of(d->p->f->names, number);
}

struct value dict_key_value(struct dyn *d, const char *field)
{
    if (!strncmp(field, "[text]", 6))
        return dyn_text(d, field + 6);
    if (!strcmp(field, "[none]"))
        return value_null();
    if (!strncmp(field, "[int]", 5))
        return value_int(strtoll(field + 5, NULL, 10));
    if (!strncmp(field, "[dtype]", 7))
        return dtype_value(d, (enum dtype)strtoll(field + 7, NULL, 10));
    return value_any;
}

struct value dtype_value(struct dyn *d, enum dtype t)
{
    struct value v = value_int(t);
    (void)d;
    v.names = NAMES_DTYPE;
    return v;
}
