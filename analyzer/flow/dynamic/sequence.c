/* Functions that the language has built in for what loops can be over: they make lists, tuples,
 * sets and dicts, and go through their elements. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <stdlib.h>
#include <string.h>

struct collecting {
    enum dynamic_kind kind;
};

static bool collect_one(struct dyn *d, const struct value *v, void *context, struct value *out)
{
    const struct collecting *c = context;
    return iterate_all(d, v, c->kind, out);
}

static bool new_container(struct dyn *d, const struct arguments *a, enum dynamic_kind kind,
                          struct value *out)
{
    struct collecting c = {kind};
    struct value v = argument_nth(a, 0);
    if (a->count)
        return dyn_each(d, &v, collect_one, &c, out);
    *out = container_make(d, kind, NULL, 0);
    return true;
}

static bool do_list(struct dyn *d, const struct arguments *a, struct value *out)
{
    return new_container(d, a, DYNAMIC_LIST, out);
}

static bool do_tuple(struct dyn *d, const struct arguments *a, struct value *out)
{
    return new_container(d, a, DYNAMIC_TUPLE, out);
}

static bool do_set(struct dyn *d, const struct arguments *a, struct value *out)
{
    return new_container(d, a, DYNAMIC_SET, out);
}

/* Texts, or whole numbers, that are all known. */
static bool have_order(const values_of *items)
{
    int64_t n;
    int texts = 0, numbers = 0;
    for (int i = 0; i < items->count; i++) {
        texts += dyn_literal(&items->items[i]) != NULL;
        numbers += number_exact(&items->items[i], &n) && !items->items[i].names;
    }
    return texts == items->count || numbers == items->count;
}

static int compare_in_order(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    int64_t n = 0, m = 0;
    if (dyn_literal(x))
        return strcmp(dyn_literal(x), dyn_literal(y));
    number_exact(x, &n);
    number_exact(y, &m);
    return (n > m) - (n < m);
}

static bool do_sorted(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value all;
    values_of items = {0};
    if (!new_container(d, a, DYNAMIC_LIST, &all))
        return false;
    if (!dyn_object(&all) || container_length(d, &all) < 2) {
        *out = all;
        return true;
    }
    if (a->count == 1 && container_items(d, &all, &items) && have_order(&items)) {
        qsort(items.items, (size_t)items.count, sizeof *items.items, compare_in_order);
        *out = container_make(d, DYNAMIC_LIST, items.items, items.count);
        return true;
    }
    struct value any = container_any(d, &all);
    *out = container_of_any(d, DYNAMIC_LIST, &any);
    return true;
}

static bool do_reversed(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value all;
    values_of items = {0};
    if (!new_container(d, a, DYNAMIC_LIST, &all))
        return false;
    *out = all;
    if (!container_items(d, &all, &items))
        return true;
    for (int i = 0; i < items.count / 2; i++) {
        struct value one = items.items[i];
        items.items[i] = items.items[items.count - 1 - i];
        items.items[items.count - 1 - i] = one;
    }
    *out = container_make(d, DYNAMIC_LIST, items.items, items.count);
    return true;
}

static bool do_dict(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct object *o = dyn_new(d, DYNAMIC_DICT, NULL);
    struct value first = argument_nth(a, 0), v = plain_container(d, &first), of = dyn_value(d, o),
                 ignored;
    values_of items = {0};
    bool found;
    *out = of;
    if (a->count && !a->labels[0] && !dyn_is(&v, DYNAMIC_DICT) &&
        !outside_settings(&v)) { /* pairs */
        struct value list;
        if (!iterate_all(d, &v, DYNAMIC_LIST, &list))
            return false;
        if (!container_items(d, &list, &items))
            dyn_put(d, o, "(any)", value_any);
        for (int i = 0; i < items.count; i++) {
            bool is_pair = dyn_object(&items.items[i]) && container_length(d, &items.items[i]) == 2;
            struct value key = is_pair ? container_item(d, &items.items[i], 0) : value_any;
            struct value one = is_pair ? container_item(d, &items.items[i], 1) : value_any;
            container_setitem(d, &of, &key, &one);
        }
        struct arguments rest = {0};
        for (int i = 1; i < a->count; i++)
            argument_add(&rest, a->labels[i], a->values[i]);
        return container_method(d, &of, "update", &rest, &found, &ignored);
    }
    return a->count ? container_method(d, &of, "update", a, &found, &ignored) : true;
}

static bool do_fromkeys(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value of = dyn_value(d, dyn_new(d, DYNAMIC_DICT, NULL)), list, v = argument_nth(a, 0);
    struct value each = a->count > 1 ? a->values[1] : value_null();
    values_of items = {0};
    *out = of;
    if (!iterate_all(d, &v, DYNAMIC_LIST, &list))
        return false;
    if (!container_items(d, &list, &items))
        dyn_put(d, dyn_object(&of), "(any)", each);
    for (int i = 0; i < items.count; i++)
        container_setitem(d, &of, &items.items[i], &each);
    return true;
}

static bool do_range(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value zero = value_int(0), one = value_int(1);
    struct value start = a->count > 1 ? a->values[0] : zero;
    struct value stop = a->count > 1 ? a->values[1] : a->count ? a->values[0] : value_any;
    struct value step = a->count > 2 ? a->values[2] : one;
    struct object *o = dyn_new(d, DYNAMIC_TUPLE, NULL);
    int64_t from, to, by, count = -1;
    if (number_exact(&start, &from) && number_exact(&stop, &to) && number_exact(&step, &by) && by) {
        count = by > 0 ? (to - from + by - 1) / by : (from - to - by - 1) / -by;
        count = count < 0 ? 0 : count;
    }
    dyn_put(d, o, "(first)", start.kind == VALUE_NUMBER ? start : dyn_unknown_int());
    dyn_put(d, o, "(step)", step.kind == VALUE_NUMBER ? step : dyn_unknown_int());
    dyn_put(d, o, "(stop)", stop.kind == VALUE_NUMBER ? stop : dyn_unknown_int());
    if (count >= 0)
        dyn_put(d, o, "(length)", value_int(count));
    *out = dyn_value(d, o);
    return true;
}

static struct value tuple_of(struct dyn *d, const struct value *items, int count)
{
    return container_make(d, DYNAMIC_TUPLE, items, count);
}

enum { MOST_ZIPPED = 8 };

/* The columns of rows, which are all of one length; false: that is not known. */
static bool columns_of(struct dyn *d, const values_of *rows, values_of *out)
{
    values_of first = {0};
    struct value shown = rows->count ? record_as_tuple(d, &rows->items[0]) : value_any;
    if (!dyn_object(&shown) || !container_items(d, &shown, &first))
        return false;
    for (int k = 0; k < first.count; k++)
        LIST_ADD(d->p->f->scratch, out, container_make(d, DYNAMIC_TUPLE, NULL, 0));
    for (int i = 0; i < rows->count; i++) {
        values_of row = {0};
        struct value of = record_as_tuple(d, &rows->items[i]);
        if (!dyn_object(&of) || !container_items(d, &of, &row) || row.count != first.count)
            return false;
        for (int k = 0; k < row.count; k++)
            container_append(d, dyn_object(&out->items[k]), &row.items[k]);
    }
    return true;
}

/* zip(*rows) of so many rows that they are no arguments. */
static bool zip_rows(struct dyn *d, const struct arguments *a, struct value *out)
{
    values_of rows = {0}, columns = {0};
    if (!a->has_more || !a->elements || a->count || !dyn_object(a->elements))
        return false;
    bool is_known = container_items(d, a->elements, &rows);
    struct value any = container_any(d, a->elements);
    value_list each = guard_values(d->p->f->scratch, d->p->s, &any);
    for (int i = 0; i < each.count && !is_known; i++)
        LIST_ADD(d->p->f->scratch, &rows, *each.items[i]);
    if (!columns_of(d, &rows, &columns))
        return false;
    for (int k = 0; k < columns.count && !is_known; k++) {
        struct value one = container_any(d, &columns.items[k]);
        columns.items[k] = container_of_any(d, DYNAMIC_TUPLE, &one);
    }
    *out = container_make(d, DYNAMIC_LIST, columns.items, columns.count);
    return true;
}

static bool do_zip(struct dyn *d, const struct arguments *a, struct value *out)
{
    if (zip_rows(d, a, out))
        return true;
    values_of all[MOST_ZIPPED] = {0}, rows = {0};
    struct value any[MOST_ZIPPED];
    int count = a->count < MOST_ZIPPED ? a->count : MOST_ZIPPED, least = 1 << 30;
    bool is_known = true;
    for (int i = 0; i < count; i++) {
        struct value list, of = tuple_of_each(d, &a->values[i]);
        if (!iterate_all(d, &of, DYNAMIC_LIST, &list))
            return false;
        any[i] = container_any(d, &list);
        is_known &= container_items(d, &list, &all[i]);
        least = all[i].count < least ? all[i].count : least;
    }
    if (!is_known || a->has_more || !count) {
        struct value row = a->has_more ? value_any : tuple_of(d, any, count);
        *out = container_of_any(d, DYNAMIC_LIST, &row);
        return true;
    }
    for (int k = 0; k < least; k++) {
        struct value row[MOST_ZIPPED];
        for (int i = 0; i < count; i++)
            row[i] = all[i].items[k];
        LIST_ADD(d->p->f->scratch, &rows, tuple_of(d, row, count));
    }
    *out = container_make(d, DYNAMIC_LIST, rows.items, rows.count);
    return true;
}

static bool do_enumerate(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0), list;
    const struct value *start = argument_at(a, 1, "start");
    values_of items = {0}, rows = {0};
    int64_t from = 0;
    bool is_exact = !start || number_exact(start, &from);
    if (!iterate_all(d, &v, DYNAMIC_LIST, &list))
        return false;
    if (!container_items(d, &list, &items) || !is_exact) {
        const struct value row[] = {identified(d->p->f, value_range(0, INT64_MAX)),
                                    container_any(d, &list)};
        struct value one = tuple_of(d, row, 2);
        *out = container_of_any(d, DYNAMIC_LIST, &one);
        container_note_rounds(d, out, container_rounds(d, &list));
        return true;
    }
    for (int i = 0; i < items.count; i++) {
        const struct value row[] = {value_int(from + i), items.items[i]};
        LIST_ADD(d->p->f->scratch, &rows, tuple_of(d, row, 2));
    }
    *out = container_make(d, DYNAMIC_LIST, rows.items, rows.count);
    return true;
}

static bool do_map(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value list;
    values_of items = {0};
    if (a->count != 2 || !iterate_all(d, &a->values[1], DYNAMIC_LIST, &list)) {
        *out = value_any;
        return a->count != 2;
    }
    bool is_known = container_items(d, &list, &items);
    struct value any = container_any(d, &list), gave;
    *out = container_make(d, DYNAMIC_LIST, NULL, 0);
    for (int i = 0; i < (is_known ? items.count : 1); i++) {
        struct arguments one = {0};
        argument_add(&one, NULL, is_known ? items.items[i] : any);
        if (!invoke_value(d, &a->values[0], &one, &gave))
            return false;
        container_append(d, dyn_object(out), &gave);
    }
    if (!is_known)
        *out = container_of_any(d, DYNAMIC_LIST, &gave);
    return true;
}

/* Of elements that may be left out, how many there are is not known. */
static bool do_filter(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value list, keeps, truth;
    values_of items = {0};
    bool is_certain = true;
    *out = value_any;
    if (a->count != 2)
        return true;
    if (!iterate_all(d, &a->values[1], DYNAMIC_LIST, &list))
        return false;
    bool is_known = container_items(d, &list, &items);
    struct value any = container_any(d, &list);
    *out = container_make(d, DYNAMIC_LIST, NULL, 0);
    for (int i = 0; i < (is_known ? items.count : 1); i++) {
        struct arguments one = {0};
        keeps = is_known ? items.items[i] : any;
        argument_add(&one, NULL, keeps);
        if (!dyn_is_none(&a->values[0]) && !invoke_value(d, &a->values[0], &one, &keeps))
            return false;
        if (!protocol_truth(d, &keeps, &truth))
            return false;
        bool may_stay = truth.kind != VALUE_NUMBER || value_can_be_nonzero(&truth);
        is_certain &= truth.kind == VALUE_NUMBER && truth.count == 1;
        if (is_known && may_stay)
            container_append(d, dyn_object(out), &items.items[i]);
    }
    if (is_known && is_certain)
        return true;
    any = is_known ? container_any(d, out) : any;
    *out = container_of_any(d, DYNAMIC_LIST, &any);
    return true;
}

/* A sum is one of as many numbers as there are combinations of what its terms can be. From so many
 * on, it is only known between which numbers it is. */
enum { MOST_SUMS = 16 };

static bool is_of_many(struct dyn *d, const struct value *v)
{
    return v->kind == VALUE_GUARDED && guard_is_number(d->p->s, v) &&
           guard_values(d->p->f->scratch, d->p->s, v).count > MOST_SUMS;
}

static bool do_sum(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value list, v = argument_nth(a, 0);
    values_of items = {0};
    const struct value *start = argument_at(a, 1, "start");
    struct value all = start ? *start : value_int(0);
    if (!iterate_all(d, &v, DYNAMIC_LIST, &list))
        return false;
    if (!container_items(d, &list, &items)) {
        *out = value_any;
        return true;
    }
    for (int i = 0, is_rough = 0; i < items.count; i++) {
        struct value both[] = {all, items.items[i]};
        is_rough |= is_of_many(d, &all);
        for (int k = 0; is_rough && k < 2; k++)
            if (guard_is_number(d->p->s, &both[k]))
                both[k] = guard_union(d->p->s, &both[k]);
        if (!protocol_apply(d, PROTOCOL_ADD, both, 2, &all))
            return false;
    }
    *out = all;
    return true;
}

/* One of the elements, by something that is not followed. */
static bool one_of_all(struct dyn *d, const struct value *of, struct value *out)
{
    struct value list;
    if (!iterate_all(d, of, DYNAMIC_LIST, &list))
        return false;
    *out = dyn_object(&list) ? container_any(d, &list) : value_any;
    return true;
}

static bool extreme(struct dyn *d, const struct arguments *a, enum ir_protocol p, struct value *out)
{
    values_of items = {0};
    struct value v = argument_nth(a, 0);
    bool is_alone = a->count == 1 || (a->count && a->labels[1]);
    if (is_alone && (argument_at(a, -1, "key") || dyn_is_tensor(d, &v)))
        return one_of_all(d, &v, out);
    if (is_alone && dyn_object(&v)) {
        if (!container_items(d, &v, &items)) {
            *out = value_any;
            return true;
        }
    } else {
        for (int i = 0; i < a->count && !a->labels[i]; i++)
            LIST_ADD(d->p->f->scratch, &items, a->values[i]);
    }
    *out = items.count ? items.items[0] : value_any;
    for (int i = 1; i < items.count; i++) {
        struct value is = out->kind == VALUE_NUMBER && items.items[i].kind == VALUE_NUMBER
                              ? number_compare(d, p, &items.items[i], out)
                              : value_any;
        if (is.kind != VALUE_NUMBER || is.count != 1) {
            bool are_whole = out->kind == VALUE_NUMBER && !out->is_real &&
                             items.items[i].kind == VALUE_NUMBER && !items.items[i].is_real;
            *out = are_whole ? identified(d->p->f, dyn_unknown_int()) : value_any;
            return true;
        }
        *out = is.as.number[0] ? items.items[i] : *out;
    }
    return true;
}

static bool do_min(struct dyn *d, const struct arguments *a, struct value *out)
{
    return extreme(d, a, PROTOCOL_LT, out);
}

static bool do_max(struct dyn *d, const struct arguments *a, struct value *out)
{
    return extreme(d, a, PROTOCOL_GT, out);
}

static bool all_or_any(struct dyn *d, const struct arguments *a, bool is_all, struct value *out)
{
    struct value v = argument_nth(a, 0), list;
    values_of items = {0};
    bool is_open = false;
    if (!iterate_all(d, &v, DYNAMIC_LIST, &list))
        return false;
    *out = dyn_unknown_bool(d);
    if (!container_items(d, &list, &items))
        return true;
    for (int i = 0; i < items.count; i++) {
        struct value is;
        if (!protocol_truth(d, &items.items[i], &is))
            return false;
        bool is_known = is.kind == VALUE_NUMBER && is.count == 1;
        is_open |= !is_known;
        if (is_known && (is.as.number[0] != 0) != is_all) {
            *out = dyn_bool(!is_all);
            return true;
        }
    }
    if (!is_open)
        *out = dyn_bool(is_all);
    return true;
}

static bool do_all(struct dyn *d, const struct arguments *a, struct value *out)
{
    return all_or_any(d, a, true, out);
}

static bool do_any(struct dyn *d, const struct arguments *a, struct value *out)
{
    return all_or_any(d, a, false, out);
}

/* Sorted by name. */
static const struct native functions[] = {{"builtins.all", do_all},
                                          {"builtins.any", do_any},
                                          {"builtins.dict", do_dict},
                                          {"builtins.dict.fromkeys", do_fromkeys},
                                          {"builtins.enumerate", do_enumerate},
                                          {"builtins.filter", do_filter},
                                          {"builtins.frozenset", do_set},
                                          {"builtins.list", do_list},
                                          {"builtins.map", do_map},
                                          {"builtins.max", do_max},
                                          {"builtins.min", do_min},
                                          {"builtins.range", do_range},
                                          {"builtins.reversed", do_reversed},
                                          {"builtins.set", do_set},
                                          {"builtins.sorted", do_sorted},
                                          {"builtins.sum", do_sum},
                                          {"builtins.tuple", do_tuple},
                                          {"builtins.zip", do_zip}};

dyn_native *sequence_function(const char *name)
{
    return native_in(functions, COUNT(functions), name);
}
