/* Lists, tuples, sets, dicts and slices. A list has its elements by number and its length; one that
 * was filled in a way that is not followed has "(any)", which stands for all others. A dict has a
 * field for each key. A range is a tuple that has its first number and its step. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

enum { MOST_KEYS = 4096 };

static bool is_rounded_in_f32(int64_t n)
{
    return n != INT64_MIN && n != INT64_MAX && (double)(float)n != (double)n;
}

/* An integer that is one of several, all of them known, such as the variable of a loop. */
static bool add_several(const struct value *v, struct value_range *r)
{
    bool is_limited = v->kind == VALUE_NUMBER && !v->is_real && !v->names && !v->is_bool &&
                      value_low(v) > INT64_MIN && value_high(v) < INT64_MAX;
    if (!is_limited)
        return false;
    r->low = fmin(r->low, (double)value_low(v));
    r->high = fmax(r->high, (double)value_high(v));
    r->has_other |= value_low(v) != value_high(v) && is_rounded_in_f32(value_high(v) | 1) &&
                    is_rounded_in_f32(value_low(v) | 1);
    r->meets_low = r->meets_high = false;
    return true;
}

/* Adds the numbers of nested lists to the range; false: some are not known. */
static bool add_numbers(struct dyn *d, const struct value *v, struct value_range *r)
{
    values_of all = {0};
    int64_t n;
    bool is_exact = number_exact(v, &n);
    if (is_exact || (v->kind == VALUE_NUMBER && v->is_real && v->has_real)) {
        double number = is_exact ? (double)n : v->as.real;
        r->low = fmin(r->low, number);
        r->high = fmax(r->high, number);
        r->is_whole &= number == trunc(number);
        r->has_other |= is_exact && is_rounded_in_f32(n);
        return isfinite(number);
    }
    if (v->kind == VALUE_NUMBER)
        return add_several(v, r);
    if ((!dyn_is(v, DYNAMIC_LIST) && !dyn_is(v, DYNAMIC_TUPLE)) || !container_items(d, v, &all))
        return false;
    for (int i = 0; i < all.count; i++)
        if (!add_numbers(d, &all.items[i], r))
            return false;
    return true;
}

struct value_range container_range(struct dyn *d, const struct value *v)
{
    struct value_range r = range_between(INFINITY, -INFINITY, true, true);
    bool are_known = add_numbers(d, v, &r);
    return are_known && r.low <= r.high ? r : (struct value_range){0};
}

struct value value_one_of(struct dyn *d, struct value x, struct value y)
{
    struct state *s = d->p->s;
    value_list all = {0};
    if (x.kind == VALUE_NOTHING || value_equal(&x, &y))
        return y;
    if (x.kind == VALUE_ANY || y.kind == VALUE_ANY)
        return value_any;
    LIST_ADD(d->p->f->scratch, &all, arena_copy(d->p->f->scratch, &x, sizeof x));
    LIST_ADD(d->p->f->scratch, &all, arena_copy(d->p->f->scratch, &y, sizeof y));
    s->guarded = true;
    return guard_one_of(s, &all);
}

/* Of one dtype and device; of one class; numbers of one kind. */
static bool are_alike(struct dyn *d, const struct value *x, const struct value *y)
{
    const struct object *o = dyn_object(x), *other = dyn_object(y);
    if (x->kind == VALUE_GUARDED || y->kind == VALUE_GUARDED) { /* each of all with the first */
        value_list all = guard_values(d->p->f->scratch, d->p->s, x);
        value_list more = guard_values(d->p->f->scratch, d->p->s, y);
        bool are = all.count && more.count;
        for (int i = 0; are && i < all.count + more.count; i++)
            are = are_alike(d, all.items[0],
                            i < all.count ? all.items[i] : more.items[i - all.count]);
        return are;
    }
    if (x->kind != y->kind || value_equal(x, y))
        return x->kind == y->kind;
    if (x->kind == VALUE_NUMBER)
        return x->is_real == y->is_real && x->is_bool == y->is_bool && !x->names && !y->names;
    if (x->kind == VALUE_TENSOR && x->count == 1 && y->count == 1) {
        const struct tensor *s = state_tensor(d->p->s, x->as.tensor[0]);
        const struct tensor *t = state_tensor(d->p->s, y->as.tensor[0]);
        return s && t && !s->cases && !t->cases && s->fact.dtypes == t->fact.dtypes &&
               s->fact.devices == t->fact.devices && s->unknown == t->unknown;
    }
    return o && other && o->is->kind == other->is->kind && o->is->kind != DYNAMIC_OUTSIDE &&
           (o->is->kind == DYNAMIC_INSTANCE
                ? o->is->class == other->is->class
                : o->is->kind >= DYNAMIC_LIST && o->is->kind <= DYNAMIC_DICT);
}

/* Tensors of one dtype and device differ in less than other objects that are alike. */
enum { MOST_EITHER = 8, MOST_TENSORS = 4, MOST_UNLIKE = 2 };

/* Whether one of the items before it is alike. */
static bool is_alike_before(struct dyn *d, const values_of *items, int at)
{
    for (int i = 0; i < at; i++)
        if (are_alike(d, &items->items[i], &items->items[at]))
            return true;
    return false;
}

struct value container_any(struct dyn *d, const struct value *v)
{
    struct object *o = dyn_object(v);
    struct value all = value_nothing;
    const struct cell *cell;
    int count = 0, unlike = 0;
    if (!o || o->is->kind < DYNAMIC_LIST || o->is->kind > DYNAMIC_SET)
        return value_any;
    if (container_is_range(d, o))
        return identified(d->p->f, container_any_number(d, o, container_length(d, v)));
    const struct value *any = dyn_get(d, o, "(any)");
    if (any)
        all = *any;
    const struct loc *root = loc_root(d->p->f->heap, o);
    values_of items = {0};
    for (struct cursor w = {0}; (cell = cell_of(d->p->s, &w, o)); cursor_on(d->p->s, &w))
        if (cell->loc->object == o && cell->loc->parent == root && !cell->loc->field)
            LIST_ADD(d->p->f->scratch, &items, *cell_read(d->p->s, cell));
    for (int i = 0; i < items.count && all.kind != VALUE_ANY; i++) {
        bool is_same = all.kind != VALUE_NOTHING && value_equal(&all, &items.items[i]);
        count += !is_same;
        int most = items.items[i].kind == VALUE_TENSOR ? MOST_TENSORS : MOST_EITHER;
        if (is_same || (count > most && is_alike_before(d, &items, i)))
            continue; /* some stand for all, if they are alike, but for a mark at the end */
        unlike += count > MOST_EITHER;
        all = unlike > MOST_UNLIKE ? value_any : value_one_of(d, all, items.items[i]);
    }
    return all.kind == VALUE_NOTHING ? value_any : all;
}

void container_append(struct dyn *d, struct object *list, const struct value *v)
{
    struct value of = dyn_value(d, list);
    int64_t length = container_length(d, &of);
    if (length >= 0 && length < MOST_ITEMS) {
        element_put(d, list, length, *v);
        dyn_put(d, list, "(length)", value_int(length + 1));
        return;
    }
    const struct value *any = dyn_get(d, list, "(any)");
    struct value before = any ? *any : value_nothing;
    dyn_put(d, list, "(any)", value_one_of(d, before, *v));
}

/* ---- dicts ----------------------------------------------------------------------------------- */

/* One of both, if it hardly matters which: by keys that are not known, a program takes what it
 * knows to be there. */
static struct value one_of_alike(struct dyn *d, struct value x, struct value y)
{
    return x.kind == VALUE_NOTHING ? y : are_alike(d, &x, &y) ? value_one_of(d, x, y) : value_any;
}

struct value container_any_of_both(struct dyn *d, const struct value *x, const struct value *y)
{
    struct value one = container_length(d, x) ? container_any(d, x) : value_nothing;
    return container_length(d, y) ? one_of_alike(d, one, container_any(d, y)) : one;
}

/* One of both, which is the same each time that the key is: of the entries of the dict, that one
 * or one before. */
static struct value one_by_key(struct dyn *d, const struct object *dict, const struct object *key,
                               int at, struct value x, struct value y)
{
    bool is_kept = key && key->is->kind == DYNAMIC_OUTSIDE && are_alike(d, &x, &y);
    uint64_t words[] = {KEY_OUTSIDE, key ? (uint64_t)key->id : 0, KEY_ASSUMED, (uint64_t)dict->id};
    if (!is_kept || x.kind == VALUE_NOTHING)
        return one_of_alike(d, x, y);
    d->p->s->guarded = true;
    diagram is = literal_is(guard_conditions(d->p->f->guards), NULL, words, COUNT(words), at);
    return guard_choose(d->p->s, is, &y, &x);
}

/* Whatever is in it by a key that is not known. */
static struct value dict_any(struct dyn *d, struct object *o, const struct value *key)
{
    const struct value *any = dyn_get(d, o, "(any)");
    loc_list all = dyn_fields(d, o);
    struct value one = any ? *any : value_nothing;
    if (o->many || dyn_get(d, o, "(settings)") || (any && guard_varies(d->p->s, any)))
        return value_any;
    for (int i = 0; i < all.count && one.kind != VALUE_ANY; i++) {
        const struct value *v = state_get(d->p->s, all.items[i]);
        if (i < MOST_EITHER) /* some stand for all */
            one = one_by_key(d, o, dyn_object(key), i, one, *v);
        else if (!are_alike(d, &one, v))
            one = value_any;
    }
    return one.kind == VALUE_NOTHING ? value_any : one;
}

static bool is_true(const struct value *v, const void *context)
{
    (void)context;
    return v->kind == VALUE_NUMBER && value_can_be_nonzero(v);
}

static bool is_false(const struct value *v, const void *context)
{
    return !is_true(v, context);
}

/* From here on, the text from outside is one of the keys: others raised an error. */
static void expect_key(struct dyn *d, const loc_list *all, struct object *key)
{
    struct path *p = d->p;
    struct value is = dyn_bool(false), yes = dyn_bool(true);
    for (int i = all->count - 1; i >= 0; i--) {
        struct value of = dict_key_value(d, all->items[i]->field);
        is = outside_choose(d, key, dyn_literal(&of), &yes, &is);
    }
    if (is.kind != VALUE_GUARDED || p->s->cases)
        return;
    diagram where = guard_where(p->s, &is, is_true, NULL);
    diagram not = guard_where(p->s, &is, is_false, NULL);
    if (!case_holds(p->s, where) || !case_holds(p->s, not))
        return;
    struct state *after = p->s;
    p->s = state_fork_counted(p->f, after);
    state_narrow(p->s, not);
    raise_named(d, "KeyError");
    p->s = after;
    state_narrow(after, where);
}

/* The value of the key that a text from outside is; otherwise: that of all other keys, NULL: it is
 * one of them. */
static bool choose_entry(struct dyn *d, struct object *dict, struct object *key,
                         const struct value *otherwise, struct value *out)
{
    loc_list all = dyn_fields(d, dict);
    struct value chosen = otherwise ? *otherwise : value_nothing;
    for (int i = all.count - 1; i >= 0; i--) {
        struct value of = dict_key_value(d, all.items[i]->field);
        const char *text = dyn_literal(&of);
        struct value v = *state_get(d->p->s, all.items[i]);
        if (!text)
            return false;
        if (!outside_can_be(key, text))
            continue;
        if (chosen.kind == VALUE_NOTHING) { /* the last */
            chosen = v;
            continue;
        }
        chosen = outside_choose(d, key, text, &v, &chosen);
    }
    *out = chosen;
    if (chosen.kind == VALUE_NOTHING)
        return false;
    if (!otherwise)
        expect_key(d, &all, key);
    return true;
}

static bool dict_get(struct dyn *d, struct object *o, const struct value *key,
                     const struct value *otherwise, struct value *out)
{
    const char *field = dict_key(d, key);
    const struct value *v = field ? dyn_get(d, o, field) : NULL;
    const struct value *any = dyn_get(d, o, "(any)");
    struct object *outside = dyn_object(key);
    if (v) {
        *out = *v;
        element_note_taken(d, o, (uint64_t)(uintptr_t)field, v);
        return true;
    }
    const struct value *settings = o->many ? NULL : dyn_get(d, o, "(settings)");
    if (settings && field) {
        struct value none = otherwise ? *otherwise : value_any;
        *out = outside_setting(d, dyn_object(settings), field, otherwise ? &none : NULL);
        return true;
    }
    if (any || o->many) {
        *out = !field ? dict_any(d, o, key) : any && !o->many ? *any : value_any;
        if (otherwise && any)
            *out = one_of_alike(d, *out, *otherwise);
        return true;
    }
    if (outside && outside->is->kind == DYNAMIC_OUTSIDE &&
        choose_entry(d, o, outside, otherwise, out))
        return true;
    if (!field) {
        *out = dict_any(d, o, key);
        if (otherwise)
            *out = one_of_alike(d, *out, *otherwise);
        return true;
    }
    if (otherwise) {
        *out = *otherwise;
        return true;
    }
    return raise_named(d, "KeyError");
}

static void dict_put(struct dyn *d, struct object *o, const struct value *key,
                     const struct value *v)
{
    const char *field = dict_key(d, key), *text = dyn_literal(key);
    const struct value *any = dyn_get(d, o, "(any)");
    const struct value *instance = dyn_get(d, o, "(instance)"); /* of which these are the fields */
    if (instance && text && dyn_object(instance))
        dyn_put(d, dyn_object(instance), text, *v);
    else if (instance)
        attribute_set_any(d, instance, key);
    bool is_new = field && !dyn_get(d, o, field);
    if (is_new && !dyn_get(d, o, "(full)") && dyn_field_count(d, o) >= MOST_KEYS)
        dyn_put(d, o, "(full)", value_int(1));
    if (field && !(is_new && dyn_get(d, o, "(full)")))
        dyn_put(d, o, field, *v);
    else if (field) /* too many of them */
        dyn_put(d, o, "(any)", value_any);
    else
        dyn_put(d, o, "(any)", one_of_alike(d, any ? *any : value_nothing, *v));
}

/* ---- items ----------------------------------------------------------------------------------- */

static struct value slice_of(struct dyn *d, const struct value *of, struct object *slice)
{
    int64_t length = container_length(d, of), from, to;
    enum dynamic_kind kind = dyn_object(of)->is->kind;
    const struct value *step = dyn_get(d, slice, "step");
    values_of items = {0};
    bool is_plain = (!step || dyn_is_none(step)) && length >= 0 &&
                    slice_bound(d, slice, "start", 0, length, &from) &&
                    slice_bound(d, slice, "stop", length, length, &to);
    if (!is_plain || length > MOST_ITEMS) {
        struct value any = container_any(d, of);
        return container_of_any(d, kind, &any);
    }
    for (int64_t i = from; i < to; i++)
        LIST_ADD(d->p->f->scratch, &items, container_item(d, of, i));
    return container_make(d, kind, items.items, items.count);
}

static bool list_get(struct dyn *d, const struct value *of, const struct value *index,
                     struct value *out)
{
    int64_t length = container_length(d, of), n;
    if (dyn_is(index, DYNAMIC_SLICE)) {
        *out = slice_of(d, of, dyn_object(index));
        return true;
    }
    if (!number_exact(index, &n) || length < 0) {
        *out = container_any(d, of);
        return true;
    }
    n += n < 0 ? length : 0;
    if (n < 0 || n >= length)
        return raise_named(d, "IndexError");
    *out = container_item(d, of, n);
    return true;
}

/* For each that the key can be. */
static bool entry_one(struct dyn *d, const struct value *key, void *dict, struct value *out)
{
    return dict_get(d, dict, key, NULL, out);
}

bool container_getitem(struct dyn *d, const struct value *of, const struct value *index,
                       struct value *out)
{
    struct object *o = dyn_object(of);
    *out = value_any;
    if (o->is->kind == DYNAMIC_DICT)
        return dyn_each(d, index, entry_one, o, out);
    if (o->is->kind == DYNAMIC_LIST || o->is->kind == DYNAMIC_TUPLE)
        return list_get(d, of, index, out);
    return true;
}

static bool is_sequence(const struct object *o)
{
    return o->is->kind == DYNAMIC_LIST || o->is->kind == DYNAMIC_TUPLE;
}

bool container_setitem(struct dyn *d, const struct value *of, const struct value *index,
                       const struct value *v)
{
    struct object *o = dyn_object(of);
    if (o->is->kind == DYNAMIC_DICT) {
        dict_put(d, o, index, v);
        return true;
    }
    int64_t length = container_length(d, of), n;
    bool is_exact = number_exact(index, &n) && length >= 0;
    n += is_exact && n < 0 ? length : 0;
    if (is_exact && n >= 0 && n < length) {
        element_put(d, o, n, *v);
    } else if (dyn_is(index, DYNAMIC_SLICE)) { /* elements of both, in an order that is not known */
        struct value any = container_any(d, of), more = dyn_object(v) && is_sequence(dyn_object(v))
                                                            ? container_any(d, v)
                                                            : value_any;
        state_drop_object(d->p->s, o);
        dyn_put(d, o, "(any)", length == 0 ? more : value_one_of(d, any, more));
    } else {
        struct value any = container_any(d, of);
        state_drop_object(d->p->s, o);
        dyn_put(d, o, "(any)", value_one_of(d, any, *v));
    }
    return true;
}

/* ---- methods --------------------------------------------------------------------------------- */

static struct value pair(struct dyn *d, struct value x, struct value y)
{
    const struct value items[] = {x, y};
    return container_make(d, DYNAMIC_TUPLE, items, 2);
}

/* The keys, the values, or pairs of both. */
static struct value dict_parts(struct dyn *d, struct object *o, const char *name)
{
    values_of items = {0};
    loc_list all = dyn_fields(d, o);
    const struct value *any = dyn_get(d, o, "(any)");
    for (int i = 0; i < all.count; i++) {
        struct value key = dict_key_value(d, all.items[i]->field);
        struct value v = *state_get(d->p->s, all.items[i]);
        LIST_ADD(d->p->f->scratch, &items,
                 !strcmp(name, "keys")     ? key
                 : !strcmp(name, "values") ? v
                                           : pair(d, key, v));
    }
    if (!any) /* one that stands for many has the keys of all of them */
        return container_make(d, DYNAMIC_LIST, items.items, items.count);
    struct value v = dict_any(d, o, &value_any);
    struct value one = !strcmp(name, "items")    ? pair(d, value_any, v)
                       : !strcmp(name, "values") ? v
                                                 : value_any;
    return container_of_any(d, DYNAMIC_LIST, &one);
}

/* What a file holds replaces what is there already: each entry may be one of the file's. but: a
 * dict whose entries are not. */
static void update_by_settings(struct dyn *d, struct object *o, struct value settings,
                               struct object *but)
{
    loc_list all = dyn_fields(d, o);
    struct object *from = dyn_object(&settings);
    for (int i = 0; i < all.count; i++) {
        struct value usual = *state_get(d->p->s, all.items[i]);
        if (!but || !dyn_get(d, but, all.items[i]->field))
            dyn_put(d, o, all.items[i]->field,
                    outside_setting(d, from, all.items[i]->field, &usual));
    }
    dyn_put(d, o, "(any)", value_any);
    dyn_put(d, o, "(settings)", settings);
}

static bool dict_method(struct dyn *d, struct object *o, const char *name,
                        const struct arguments *a, bool *found, struct value *out)
{
    const struct value *first = argument_at(a, 0, NULL), *second = argument_at(a, 1, "default");
    struct value none = value_null(), all = dyn_value(d, o);
    *found = true;
    if (!strcmp(name, "keys") || !strcmp(name, "values") || !strcmp(name, "items")) {
        *out = dict_parts(d, o, name);
    } else if ((!strcmp(name, "get") || !strcmp(name, "pop") || !strcmp(name, "setdefault")) &&
               first) {
        bool is_pop = !strcmp(name, "pop");
        const char *field = dict_key(d, first);
        bool had = field && dyn_get(d, o, field);
        if (!dict_get(d, o, first, second ? second : is_pop ? NULL : &none, out))
            return false;
        if (is_pop && field)
            dyn_delete(d, o, field);
        if (!strcmp(name, "setdefault") && !had)
            dict_put(d, o, first, out);
    } else if (!strcmp(name, "update")) {
        struct value with = first ? plain_container(d, first) : none;
        struct object *from = first ? dyn_object(&with) : NULL;
        const struct value *instance = dyn_get(d, o, "(instance)");
        bool is_known =
            !first || (from && from->is->kind == DYNAMIC_DICT && !dyn_get(d, from, "(any)"));
        if (instance && !is_known) /* before what is known of them */
            attribute_set_any(d, instance, &none);
        if (from && from->is->kind == DYNAMIC_DICT) {
            loc_list all = dyn_fields(d, from);
            for (int i = 0; i < all.count; i++) {
                struct value key = dict_key_value(d, all.items[i]->field);
                struct value v = *state_get(d->p->s, all.items[i]);
                dict_put(d, o, &key, &v);
            }
            if (dyn_get(d, from, "(any)"))
                dyn_put(d, o, "(any)", value_any);
            if (dyn_get(d, from, "(settings)"))
                update_by_settings(d, o, *dyn_get(d, from, "(settings)"), from);
        } else if (outside_settings(&with)) {
            update_by_settings(d, o, with, NULL);
        } else if (first) {
            dyn_put(d, o, "(any)", value_any);
        }
        for (int i = 0; i < a->count; i++) /* after all others */
            if (a->labels[i]) {
                struct value key = dyn_text(d, a->labels[i]);
                dict_put(d, o, &key, &a->values[i]);
            }
        *out = none;
    } else if (!strcmp(name, "popitem") && container_length(d, &all) > 0) {
        loc_list fields = dyn_fields(d, o);
        const struct loc *last = fields.items[fields.count - 1];
        *out = pair(d, dict_key_value(d, last->field), *state_get(d->p->s, last));
        dyn_delete(d, o, last->field);
    } else if (!strcmp(name, "clear")) {
        state_drop_object(d->p->s, o);
        *out = none;
    } else if (!strcmp(name, "copy")) {
        struct object *to = dyn_new(d, DYNAMIC_DICT, NULL);
        memory_move(d->p->f, d->p->s, loc_root(d->p->f->heap, o), loc_root(d->p->f->heap, to));
        *out = dyn_value(d, to);
    } else {
        *found = false;
    }
    return true;
}

static void extend(struct dyn *d, struct object *o, const struct value *with)
{
    values_of items = {0};
    struct value any;
    if (container_items(d, with, &items)) {
        for (int i = 0; i < items.count; i++)
            container_append(d, o, &items.items[i]);
        return;
    }
    any = dyn_object(with) ? container_any(d, with) : value_any;
    const struct value *before = dyn_get(d, o, "(any)");
    dyn_put(d, o, "(any)", value_one_of(d, before ? *before : value_nothing, any));
}

/* Puts other elements into the list. */
static void refill(struct dyn *d, struct object *o, const values_of *items)
{
    state_drop_object(d->p->s, o);
    for (int i = 0; i < items->count; i++)
        element_put(d, o, i, items->items[i]);
    dyn_put(d, o, "(length)", value_int(items->count));
}

/* A method that moves elements of a list whose length is known; false: none, or not by how much. */
static bool list_moved(struct dyn *d, const struct value *of, const char *name,
                       const struct arguments *a, struct value *out)
{
    values_of before = {0}, after = {0};
    const struct value *first = argument_at(a, 0, NULL), *second = argument_at(a, 1, NULL);
    bool inserts = !strcmp(name, "insert"), pops = !strcmp(name, "pop"),
         left = !strcmp(name, "appendleft");
    int64_t at = 0;
    if (!container_items(d, of, &before) || container_is_range(d, dyn_object(of)))
        return false;
    if (!strcmp(name, "reverse")) {
        for (int i = before.count - 1; i >= 0; i--)
            LIST_ADD(d->p->f->scratch, &after, before.items[i]);
        refill(d, dyn_object(of), &after);
        return true;
    }
    bool takes = !strcmp(name, "popleft") || (pops && first && number_exact(first, &at));
    bool puts = (left && first) || (inserts && second && number_exact(first, &at));
    at += at < 0 ? before.count : 0;
    if ((!takes && !puts) || at < 0 || at >= before.count + puts)
        return false;
    for (int i = 0; i < before.count + puts; i++) {
        if (puts && i == at)
            LIST_ADD(d->p->f->scratch, &after, left ? *first : *second);
        if (i < before.count && !(takes && i == at))
            LIST_ADD(d->p->f->scratch, &after, before.items[i]);
    }
    if (takes)
        *out = before.items[at];
    refill(d, dyn_object(of), &after);
    return true;
}

static bool list_method(struct dyn *d, const struct value *of, const char *name,
                        const struct arguments *a, bool *found, struct value *out)
{
    struct object *o = dyn_object(of);
    const struct value *first = argument_at(a, 0, NULL);
    int64_t length = container_length(d, of);
    *found = true;
    *out = value_null();
    if ((!strcmp(name, "append") || !strcmp(name, "add")) && first) {
        container_append(d, o, first);
    } else if ((!strcmp(name, "extend") || !strcmp(name, "update")) && first) {
        struct value list = *first;
        bool is_other = dyn_is_tensor(d, first) || dyn_is(first, DYNAMIC_INSTANCE);
        if (is_other && !iterate_all(d, first, DYNAMIC_LIST, &list))
            return false;
        extend(d, o, &list);
    } else if (!strcmp(name, "send") && first && o->is->kind == DYNAMIC_LIST) {
        return iterate_next(d, of, out); /* to a generator */
    } else if (list_moved(d, of, name, a, out)) {
        return true;
    } else if (!strcmp(name, "pop") && length > 0 && !first) {
        *out = container_item(d, of, length - 1);
        dyn_put(d, o, "(length)", value_int(length - 1));
    } else if (!strcmp(name, "copy")) {
        values_of items = {0};
        struct value any = value_any;
        if (container_items(d, of, &items))
            *out = container_make(d, o->is->kind, items.items, items.count);
        else
            *out = container_of_any(d, o->is->kind, &any);
    } else if (!strcmp(name, "clear")) {
        state_drop_object(d->p->s, o);
        dyn_put(d, o, "(length)", value_int(0));
    } else if (!strcmp(name, "index") || !strcmp(name, "count")) {
        *out = identified(d->p->f, value_range(0, INT64_MAX));
    } else if (!strcmp(name, "numel")) { /* of a size */
        *out = identified(d->p->f, value_range(0, INT64_MAX));
    } else if (!strcmp(name, "insert") || !strcmp(name, "remove") || !strcmp(name, "sort") ||
               !strcmp(name, "reverse") || !strcmp(name, "pop") || !strcmp(name, "popleft") ||
               !strcmp(name, "appendleft") || !strcmp(name, "rotate")) {
        struct value any = container_any(d, of);
        const struct value *more = argument_at(a, !strcmp(name, "appendleft") ? 0 : 1, NULL);
        bool puts = !strcmp(name, "insert") || !strcmp(name, "appendleft");
        *out = !strncmp(name, "pop", 3) ? any : value_null();
        state_drop_object(d->p->s, o);
        dyn_put(d, o, "(any)", puts && more ? value_one_of(d, any, *more) : any);
    } else {
        *found = false;
    }
    return true;
}

bool container_method(struct dyn *d, const struct value *of, const char *name,
                      const struct arguments *a, bool *found, struct value *out)
{
    struct object *o = dyn_object(of);
    return o->is->kind == DYNAMIC_DICT ? dict_method(d, o, name, a, found, out)
                                       : list_method(d, of, name, a, found, out);
}
