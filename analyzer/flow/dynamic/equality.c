/* Whether two values are equal, or the same: the operators == and is, for values of a dynamic
 * language. The answer is a truth value that may hold under a condition. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

enum { MAX_DEPTH = 3 }; /* of lists in lists */

/* A device, or its kind, compared with the name of one. */
static struct value device_is(struct dyn *d, const struct value *device, const char *text)
{
    struct value cpu = value_int(FIRST_CPU);
    cpu.names = NAMES_DEVICE;
    int64_t n;
    bool is_exact = number_exact(device, &n);
    if (is_exact && n == NUMBER_OTHER)
        return strcmp(text, "cpu") != 0 && strncmp(text, "cuda", 4) != 0 &&
                       strcmp(text, "meta") != 0
                   ? dyn_unknown_bool(d)
                   : dyn_bool(false);
    if (is_exact && n == NUMBER_META)
        return dyn_bool(!strcmp(text, "meta"));
    if (strcmp(text, "cpu") != 0 && strncmp(text, "cuda", 4) != 0)
        return dyn_bool(false);
    struct value v = compare_values(
        d->p->f->kept, *text == 'c' && text[1] == 'p' ? ARITH_EQ : ARITH_NE, device, &cpu);
    v.is_bool = true;
    return v;
}

static struct value outside_equals(struct dyn *d, struct object *o, const struct value *y)
{
    const char *text = dyn_literal(y);
    if (text)
        return outside_is_text(d, o, text);
    const char *key = dict_key(d, y);
    return key ? outside_truth(d, o, dyn_join(d, "== ", "", key)) : dyn_unknown_bool(d);
}

static bool is_kind_of_its_own(const struct value *v)
{
    return dyn_is_none(v) || dyn_is_text(v) || v->kind == VALUE_NUMBER || v->kind == VALUE_TENSOR;
}

/* Whether the beginning of an unknown text already differs from this one. */
static bool begins_otherwise(const struct value *unknown, const char *text)
{
    const char *beginning = dyn_beginning(unknown);
    return beginning && strncmp(beginning, text, strlen(beginning)) != 0;
}

static struct value equal(struct dyn *d, const struct value *x, const struct value *y, int depth);

/* Two lists or two tuples, item by item. Of several items that are equal under conditions, it is
 * not known whether all are. */
static struct value sequences_equal(struct dyn *d, const struct value *x, const struct value *y,
                                    int depth)
{
    values_of left = {0}, right = {0};
    int64_t lengths[] = {container_length(d, x), container_length(d, y)};
    if (lengths[0] >= 0 && lengths[1] >= 0 && lengths[0] != lengths[1])
        return dyn_bool(false);
    if (depth == MAX_DEPTH || !container_items(d, x, &left) || !container_items(d, y, &right))
        return dyn_unknown_bool(d);
    struct value all = dyn_bool(true);
    bool is_known = true, is_decided = true;
    for (int i = 0; i < left.count; i++) {
        const struct value *l = &left.items[i], *r = &right.items[i];
        bool has_tensor = l->kind == VALUE_TENSOR || r->kind == VALUE_TENSOR;
        struct value one = has_tensor ? dyn_unknown_bool(d) : equal(d, l, r, depth + 1);
        int64_t n;
        bool is_exact = number_exact(&one, &n);
        if (is_exact && !n)
            return one;
        is_known &= is_exact || is_decided;
        is_decided &= is_exact;
        all = is_exact ? all : one;
    }
    return is_known ? all : dyn_unknown_bool(d);
}

static struct value equal(struct dyn *d, const struct value *x, const struct value *y, int depth)
{
    struct object *a = dyn_object(x), *b = dyn_object(y);
    const char *s = dyn_literal(x), *t = dyn_literal(y);
    if (x->kind == VALUE_NUMBER && y->kind == VALUE_NUMBER)
        return number_compare(d, PROTOCOL_EQ, x, y);
    if (x->kind == VALUE_NUMBER && x->names == NAMES_DEVICE && t)
        return device_is(d, x, t);
    if (y->kind == VALUE_NUMBER && y->names == NAMES_DEVICE && s)
        return device_is(d, y, s);
    if (s && t)
        return dyn_bool(!strcmp(s, t));
    if ((s && begins_otherwise(y, s)) || (t && begins_otherwise(x, t)))
        return dyn_bool(false);
    if (a && a->is->kind == DYNAMIC_OUTSIDE)
        return outside_equals(d, a, y);
    if (b && b->is->kind == DYNAMIC_OUTSIDE)
        return outside_equals(d, b, x);
    d->p->f->compared += a && b;
    if (a && a == b && !a->many)
        return dyn_bool(true);
    if (a && b && a->is->kind == b->is->kind && dyn_is_sequence(x))
        return sequences_equal(d, x, y, depth);
    bool are_known = (is_kind_of_its_own(x) || a) && (is_kind_of_its_own(y) || b);
    bool is_text = dyn_is_text(x) && dyn_is_text(y);
    bool are_objects = a && b && a->is->kind == b->is->kind && a->is->kind <= DYNAMIC_DICT;
    return are_known && !is_text && !are_objects ? dyn_bool(false) : dyn_unknown_bool(d);
}

struct value protocol_equal(struct dyn *d, const struct value *x, const struct value *y)
{
    return equal(d, x, y, 0);
}

struct value protocol_same(struct dyn *d, const struct value *x, const struct value *y)
{
    struct object *a = dyn_object(x), *b = dyn_object(y);
    const struct value *other = dyn_is_none(x) ? y : x;
    if (dyn_is_none(x) || dyn_is_none(y)) {
        struct object *o = dyn_object(other);
        if (o && o->is->kind == DYNAMIC_OUTSIDE)
            return o->is->is_given ? dyn_bool(false) : outside_truth(d, o, "is None");
        if ((other->kind == VALUE_ANY && !other->names) ||
            (o && o->is->kind == DYNAMIC_NAMED && strncmp(o->is->name, "builtins.", 9) != 0))
            return dyn_unknown_bool(d);
        if (other->kind == VALUE_TENSOR && other->null == TRI_MAYBE)
            return dyn_unknown_bool(d);
        return dyn_bool(dyn_is_none(other));
    }
    if (x->kind == VALUE_NUMBER && y->kind == VALUE_NUMBER)
        return number_compare(d, PROTOCOL_EQ, x, y);
    d->p->f->compared += (a && b) || (x->kind == VALUE_TENSOR && y->kind == VALUE_TENSOR);
    if (a && b && !a->many && !b->many && a->is->kind != DYNAMIC_OUTSIDE &&
        b->is->kind != DYNAMIC_OUTSIDE)
        return dyn_bool(a == b);
    if (x->kind == VALUE_TENSOR && y->kind == VALUE_TENSOR && x->count == 1 && y->count == 1 &&
        x->as.tensor[0] != y->as.tensor[0])
        return dyn_bool(false);
    bool is_outside =
        (a && a->is->kind == DYNAMIC_OUTSIDE) || (b && b->is->kind == DYNAMIC_OUTSIDE);
    bool are_of_two_kinds = (is_kind_of_its_own(x) && b) || (is_kind_of_its_own(y) && a) ||
                            (is_kind_of_its_own(x) && is_kind_of_its_own(y) &&
                             (x->kind != y->kind || dyn_is_text(x) != dyn_is_text(y)));
    return are_of_two_kinds && !is_outside ? dyn_bool(false) : dyn_unknown_bool(d);
}

int container_has(struct dyn *d, const struct value *of, const struct value *v)
{
    struct object *o = dyn_object(of);
    values_of items = {0};
    if (o->is->kind == DYNAMIC_DICT) {
        const char *field = dict_key(d, v);
        if (field && dyn_get(d, o, field))
            return 1;
        return field && !dyn_get(d, o, "(any)") && !o->many ? 0 : -1;
    }
    if (!container_items(d, of, &items))
        return -1;
    bool unknown = false;
    for (int i = 0; i < items.count; i++) {
        struct value is = protocol_equal(d, &items.items[i], v);
        if (is.kind == VALUE_NUMBER && is.count == 1 && is.as.number[0])
            return 1;
        unknown |= !(is.kind == VALUE_NUMBER && is.count == 1);
    }
    return unknown ? -1 : 0;
}
