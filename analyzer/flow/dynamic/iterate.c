/* Loops: an iterator has the container and how many of its elements were taken. */
#include "analyzer/flow/dynamic/dynamic.h"

static struct value iterator_of(struct dyn *d, const struct value *of)
{
    struct object *o = dyn_new(d, DYNAMIC_ITERATOR, NULL);
    dyn_put(d, o, "(of)", *of);
    dyn_put(d, o, "(index)", value_int(0));
    return dyn_value(d, o);
}

/* How many rows the tensor has; 0: not known. */
static double row_count(struct dyn *d, const struct value *v)
{
    const struct tensor *t = v->count == 1 ? state_tensor(d->p->s, v->as.tensor[0]) : NULL;
    const struct shape *s = t ? t->fact.shape : NULL;
    return s && s->count && s->dims[0] > 0 ? (double)s->dims[0] : 0;
}

static bool begin_one(struct dyn *d, const struct value *of, void *context, struct value *out)
{
    struct object *o = dyn_object(of);
    struct arguments none = {0};
    bool found;
    (void)context;
    if (of->kind == VALUE_TENSOR) {
        struct value index = dyn_unknown_int(), row = value_any;
        struct arguments a = {0};
        argument_add(&a, NULL, *of);
        argument_add(&a, NULL, index);
        if (!signature_call(d, dyn_join(d, dyn_method_class(d, of), ".", "__getitem__"), &a, &found,
                            &row))
            return false;
        struct value rows = container_of_any(d, DYNAMIC_TUPLE, &row);
        container_note_rounds(d, &rows, row_count(d, of));
        *out = iterator_of(d, &rows);
        return true;
    }
    if (o && o->is->kind == DYNAMIC_ITERATOR) {
        *out = *of;
        return true;
    }
    if (o && o->is->kind == DYNAMIC_DICT) { /* its keys, as they are now */
        struct value keys;
        if (!container_method(d, of, "keys", &none, &found, &keys))
            return false;
        *out = iterator_of(d, &keys);
        return true;
    }
    if (o && is_enumeration(d, o)) {
        struct value all, each;
        if (!enumerators(d, o, &all) || !container_method(d, &all, "values", &none, &found, &each))
            return false;
        *out = iterator_of(d, &each);
        return true;
    }
    if (o && o->is->kind == DYNAMIC_INSTANCE) {
        struct value all = record_as_tuple(d, of);
        if (dyn_is(&all, DYNAMIC_TUPLE)) {
            *out = iterator_of(d, &all);
            return true;
        }
        bool goes_on = invoke_special(d, of, "__iter__", &none, &found, &all);
        if (found && !goes_on)
            return false;
        struct object *gave = found ? dyn_object(&all) : NULL;
        if (gave && gave != o && gave->is->kind != DYNAMIC_INSTANCE)
            return begin_one(d, &all, NULL, out);
    }
    *out = iterator_of(d, of);
    return true;
}

bool iterate_begin(struct dyn *d, const struct value *of, struct value *out)
{
    return dyn_each(d, of, begin_one, NULL, out);
}

/* What a generator yields is a list, which is its own iterator. */
static const struct value *taken_from(struct dyn *d, const struct value *iterator)
{
    struct object *o = dyn_object(iterator);
    return o && o->is->kind == DYNAMIC_LIST ? iterator : o ? dyn_get(d, o, "(of)") : NULL;
}

static const struct value *place_of(struct dyn *d, struct object *o)
{
    static const struct value first = {.kind = VALUE_NUMBER, .count = 1};
    const struct value *index = o ? dyn_get(d, o, "(index)") : NULL;
    return o && o->is->kind == DYNAMIC_LIST && !index ? &first : index;
}

static bool more_one(struct dyn *d, const struct value *iterator, void *context, struct value *out)
{
    struct object *o = dyn_object(iterator);
    const struct value *of = taken_from(d, iterator), *index = place_of(d, o);
    int64_t n, length = of && dyn_object(of) ? container_length(d, of) : -1;
    (void)context;
    bool is_known = length >= 0 && index && number_exact(index, &n);
    *out = is_known ? dyn_bool(n < length) : dyn_perhaps();
    return true;
}

bool iterate_more(struct dyn *d, const struct value *iterator, struct value *out)
{
    return dyn_each(d, iterator, more_one, NULL, out);
}

static bool next_one(struct dyn *d, const struct value *iterator, void *context, struct value *out)
{
    struct object *o = dyn_object(iterator), *from;
    const struct value *of = taken_from(d, iterator), *index = place_of(d, o);
    struct value container = of ? *of : value_any;
    int64_t n;
    (void)context;
    *out = value_any;
    from = dyn_object(&container);
    if (!from)
        return true;
    if (from->is->kind == DYNAMIC_INSTANCE) {
        struct arguments none = {0};
        bool found, goes_on = invoke_special(d, &container, "__next__", &none, &found, out);
        *out = found ? *out : value_any;
        return found ? goes_on : true;
    }
    int64_t length = container_length(d, &container);
    bool is_known = index && number_exact(index, &n) && length >= 0;
    if (is_known && n >= length)
        return raise_named(d, "StopIteration");
    *out = is_known ? container_item(d, &container, n) : container_any(d, &container);
    if (is_known)
        dyn_put(d, o, "(index)", value_int(n + 1));
    return true;
}

bool iterate_next(struct dyn *d, const struct value *iterator, struct value *out)
{
    return dyn_each(d, iterator, next_one, NULL, out);
}

double iterate_length(struct dyn *d, const struct value *iterator)
{
    struct object *o = dyn_object(iterator);
    const struct value *of = o && o->is->kind == DYNAMIC_ITERATOR ? dyn_get(d, o, "(of)") : NULL;
    return of ? container_rounds(d, of) : 0;
}

/* One of several lists: whatever is in all of them, if that is alike. False: it is none. */
static bool collect_any(struct dyn *d, const struct value *of, enum dynamic_kind kind,
                        struct value *out)
{
    value_list all = {0};
    struct value any = value_any;
    if (of->kind == VALUE_GUARDED)
        all = guard_values(d->p->f->scratch, d->p->s, of);
    for (int i = 0; i < all.count; i++)
        if (!dyn_is(all.items[i], DYNAMIC_LIST) && !dyn_is(all.items[i], DYNAMIC_TUPLE))
            return false;
    for (int i = 0; i < all.count; i++) {
        any = i ? container_any_of_both(d, out, all.items[i]) : container_any(d, all.items[i]);
        *out = container_of_any(d, kind, &any);
    }
    return all.count > 0;
}

bool iterate_all(struct dyn *d, const struct value *of, enum dynamic_kind kind, struct value *out)
{
    struct value iterator, from = value_any;
    values_of items = {0};
    if (collect_any(d, of, kind, out))
        return true;
    if (!iterate_begin(d, of, &iterator))
        return false;
    struct object *o = dyn_object(&iterator);
    const struct value *in = o ? dyn_get(d, o, "(of)") : NULL;
    from = in ? *in : value_any;
    if (dyn_object(&from) && container_items(d, &from, &items)) {
        *out = container_make(d, kind, items.items, items.count);
        return true;
    }
    struct value any = dyn_object(&from) ? container_any(d, &from) : value_any;
    *out = container_of_any(d, kind, &any);
    container_note_rounds(d, out, container_rounds(d, &from));
    return true;
}
