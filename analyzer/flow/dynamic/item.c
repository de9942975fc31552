/* x[i], and whether something is in a container: by the kind of what it is asked of. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

struct item {
    const struct value *index, *value;
};

/* What a tensor is indexed with; basic: slices, numbers and the like, which give views. */
enum index_kind { INDEX_PLAIN, INDEX_BASIC, INDEX_LIST, INDEX_TENSOR };

static bool is_basic(const struct value *v)
{
    const struct object *o = dyn_object(v);
    return (v->kind == VALUE_NUMBER && !v->is_bool && !v->is_real) || dyn_is_none(v) ||
           (o && o->is->kind == DYNAMIC_SLICE) || index_is_ellipsis(v);
}

/* Bounds that are tensors have to be whole. */
static bool slice_bounds(struct dyn *d, const struct value *v)
{
    struct object *o = dyn_object(v);
    static const char *const bounds[] = {"start", "stop", "step"};
    if (!o || o->is->kind != DYNAMIC_SLICE)
        return true;
    for (int i = 0; i < 3; i++) {
        const struct value *bound = dyn_get(d, o, bounds[i]);
        struct arguments a = {0};
        struct value ignored;
        bool found;
        if (!bound || !dyn_is_tensor(d, bound))
            continue;
        argument_add(&a, NULL, *bound);
        if (!signature_call(d, "Tensor.__index__", &a, &found, &ignored))
            return false;
    }
    return true;
}

/* What was read as one of several indices; 0: not known, as they were not written there. */
static ir_value index_from(const struct dyn *d, int nth)
{
    const struct ir_function *fn = d->p->fr->code->fn;
    const struct ir_inst *i = &fn->insts.items[d->n];
    const struct ir_inst *all =
        i->op == IR_APPLY && i->arg_count > 1 ? &fn->insts.items[i->args[1]] : NULL;
    return all && all->op == IR_MAKE && nth < all->arg_count ? all->args[nth] : 0;
}

/* One of several indices, as an operand of its own. */
static bool check_index(struct dyn *d, const struct value *of, const struct value *index, int nth)
{
    struct arguments a = {0};
    struct value ignored;
    bool found;
    argument_add_operand(d, &a, of, 0);
    argument_add_from(&a, NULL, *index, index_from(d, nth));
    return signature_call(d, "Tensor.__index_among__", &a, &found, &ignored);
}

/* among, from: the first tensor among several indices; the others are only checked. False: the path
 * ends. */
static bool index_kind_of(struct dyn *d, const struct value *of, const struct value *index,
                          enum index_kind *kind, struct value *among, ir_value *from)
{
    values_of items = {0};
    *kind = dyn_is(index, DYNAMIC_LIST) ? INDEX_LIST : INDEX_PLAIN;
    if (!dyn_is(index, DYNAMIC_TUPLE))
        return slice_bounds(d, index);
    if (!container_items(d, index, &items))
        return true;
    bool basic = items.count > 0;
    for (int i = 0; i < items.count; i++) {
        const struct value *v = &items.items[i];
        basic &= is_basic(v);
        if (!slice_bounds(d, v))
            return false;
        if (dyn_is_tensor(d, v) && *kind == INDEX_TENSOR) {
            if (!check_index(d, of, v, i))
                return false;
        } else if (dyn_is_tensor(d, v)) {
            *kind = INDEX_TENSOR;
            *among = *v;
            *from = index_from(d, i);
        } else if (dyn_is(v, DYNAMIC_LIST) && *kind == INDEX_PLAIN)
            *kind = INDEX_LIST;
    }
    if (basic)
        *kind = INDEX_BASIC;
    return true;
}

/* A tuple of what x[index] has as sizes, if it is known how many there are. */
static bool sizes_at(struct dyn *d, const struct value *of, const struct value *index,
                     struct value *out)
{
    values_of items = {0};
    struct shape left;
    struct value sizes[SHAPE_MAX];
    if (!container_items(d, index, &items) || !index_sizes(d, of, &items, &left))
        return false;
    for (int i = 0; i < left.count; i++)
        sizes[i] = left.dims[i] >= 0 ? value_int(left.dims[i]) : value_range(0, INT64_MAX);
    *out = container_make(d, DYNAMIC_TUPLE, sizes, left.count);
    return true;
}

/* Whether it is one integer, as a tensor without dimensions: x[i] is a view, as with a number. */
static bool is_one_index(struct dyn *d, const struct value *v)
{
    const dtype_set integers =
        DTYPE_BIT(DTYPE_I8) | DTYPE_BIT(DTYPE_I16) | DTYPE_BIT(DTYPE_I32) | DTYPE_BIT(DTYPE_I64);
    const struct tensor *t =
        v->kind == VALUE_TENSOR && v->count == 1 ? state_tensor(d->p->s, v->as.tensor[0]) : NULL;
    return t && !t->unknown && t->fact.zero_dim == TRI_YES && t->fact.dtypes &&
           !(t->fact.dtypes & ~integers);
}

/* The index, with numbers for such tensors. */
static struct value with_numbers(struct dyn *d, const struct value *index)
{
    values_of items = {0};
    bool has_one = false;
    if (is_one_index(d, index))
        return dyn_unknown_int();
    if (!dyn_is(index, DYNAMIC_TUPLE) || !container_items(d, index, &items))
        return *index;
    for (int i = 0; i < items.count; i++) {
        if (!is_one_index(d, &items.items[i]))
            continue;
        has_one = true;
        items.items[i] = dyn_unknown_int();
    }
    return has_one ? container_make(d, DYNAMIC_TUPLE, items.items, items.count) : *index;
}

static bool tensor_getitem(struct dyn *d, const struct value *of, const struct value *at,
                           struct value *out)
{
    struct value number = strcmp(dyn_method_class(d, of), "Tensor") ? *at : with_numbers(d, at);
    const struct value *index = &number;
    const char *class = dyn_method_class(d, of), *name = "__getitem__";
    struct arguments a = {0};
    enum index_kind kind;
    struct value among, sizes;
    ir_value from = 0;
    bool found;
    if (!index_kind_of(d, of, index, &kind, &among, &from))
        return false;
    bool is_tensor = !strcmp(class, "Tensor");
    if (kind == INDEX_BASIC && sizes_at(d, of, index, &sizes)) {
        argument_add_operand(d, &a, of, 0);
        argument_add_operand(d, &a, &sizes, 1);
        if (!signature_call(d, dyn_join(d, class, ".", "__getitem_sized__"), &a, &found, out))
            return false;
        if (found)
            return true;
        a = (struct arguments){0};
    }
    if (kind == INDEX_BASIC && is_tensor)
        name = "__getitem_basic__";
    else if (kind == INDEX_TENSOR && is_tensor)
        name = "__getitem_at__";
    argument_add_operand(d, &a, of, 0);
    if (kind == INDEX_TENSOR && is_tensor)
        argument_add_from(&a, NULL, among, from);
    else
        argument_add_operand(d, &a, index, 1);
    return signature_call(d, dyn_join(d, class, ".", name), &a, &found, out);
}

static bool tensor_setitem(struct dyn *d, const struct value *of, const struct value *index,
                           const struct value *v, struct value *out)
{
    const char *class = dyn_method_class(d, of), *name = "__setitem__";
    struct arguments a = {0};
    enum index_kind kind;
    struct value among;
    ir_value from = 0;
    bool found, is_tensor = !strcmp(class, "Tensor");
    if (!index_kind_of(d, of, index, &kind, &among, &from))
        return false;
    if (is_tensor && kind == INDEX_LIST && dyn_is_tensor(d, v))
        name = "__setitem_list__";
    argument_add_operand(d, &a, of, 0);
    if (kind == INDEX_TENSOR && is_tensor)
        argument_add_from(&a, NULL, among, from);
    else if (strcmp(name, "__setitem_list__") != 0)
        argument_add_operand(d, &a, index, 1);
    argument_add_operand(d, &a, v, 2);
    return signature_call(d, dyn_join(d, class, ".", name), &a, &found, out);
}

/* A name for the part of a list from outside; NULL: where it begins or ends is not known. */
static const char *slice_key(struct dyn *d, struct object *slice)
{
    static const char *const bounds[] = {"start", "stop", "step"};
    const char *key = name_of(d->p->f->names, "[slice]");
    for (int i = 0; i < COUNT(bounds); i++) {
        const struct value *v = dyn_get(d, slice, bounds[i]);
        const char *one = v ? dict_key(d, v) : name_of(d->p->f->names, "[none]");
        if (!one)
            return NULL;
        key = dyn_join(d, key, ":", one);
    }
    return key;
}

static bool getitem_one(struct dyn *d, const struct value *of, void *context, struct value *out)
{
    const struct item *t = context;
    struct object *o = dyn_object(of);
    struct arguments a = {0};
    bool found;
    *out = value_any;
    if (dyn_is_tensor(d, of))
        return tensor_getitem(d, of, t->index, out);
    if (o && o->is->kind >= DYNAMIC_LIST && o->is->kind <= DYNAMIC_DICT)
        return container_getitem(d, of, t->index, out);
    if (o && o->is->passed_to && index_has_slices(d, t->index)) {
        struct value tensor = outside_tensor(d, o, true);
        return tensor_getitem(d, &tensor, t->index, out);
    }
    if (o && o->is->kind == DYNAMIC_OUTSIDE) {
        const char *key = dyn_is(t->index, DYNAMIC_SLICE) ? slice_key(d, dyn_object(t->index))
                                                          : dict_key(d, t->index);
        *out = key ? outside_member(d, o, key) : value_any;
        return true;
    }
    if (o && is_enumeration(d, o)) {
        struct value all;
        return enumerators(d, o, &all) && container_getitem(d, &all, t->index, out);
    }
    argument_add(&a, NULL, *t->index);
    if (o && o->is->kind == DYNAMIC_CLASS && !class_member(d, o, 0, "__class_getitem__")) {
        *out = *of; /* Base[int], of a generic class */
        return true;
    }
    if (o && o->is->kind == DYNAMIC_INSTANCE) {
        struct value tuple = record_as_tuple(d, of);
        return dyn_is(&tuple, DYNAMIC_TUPLE)
                   ? container_getitem(d, &tuple, t->index, out)
                   : invoke_special(d, of, "__getitem__", &a, &found, out);
    }
    if (o && o->is->kind == DYNAMIC_NAMED) {
        struct arguments b = {0};
        argument_add(&b, NULL, *t->index);
        dyn_native *native = d->natives->named(dyn_join(d, o->is->name, ".", "__getitem__"));
        return native ? native(d, &b, out) : true;
    }
    return true;
}

struct getting {
    const struct value *of;
};

static bool getitem_at(struct dyn *d, const struct value *index, void *context, struct value *out)
{
    const struct getting *g = context;
    struct item item = {index, NULL};
    return getitem_one(d, g->of, &item, out);
}

/* The index may be one of several, too. */
static bool getitem_each(struct dyn *d, const struct value *of, void *context, struct value *out)
{
    const struct item *t = context;
    struct getting g = {of};
    bool is_split = value_is_open(t->index) && dyn_object(of);
    return is_split ? dyn_each(d, t->index, getitem_at, &g, out) : getitem_one(d, of, context, out);
}

static bool setitem_one(struct dyn *d, const struct value *of, void *context, struct value *out)
{
    const struct item *t = context;
    struct object *o = dyn_object(of);
    struct arguments a = {0};
    bool found;
    *out = value_null();
    if (dyn_is_tensor(d, of))
        return tensor_setitem(d, of, t->index, t->value, out);
    if (o && o->is->kind >= DYNAMIC_LIST && o->is->kind <= DYNAMIC_DICT)
        return container_setitem(d, of, t->index, t->value);
    if (o && o->is->kind == DYNAMIC_INSTANCE) {
        argument_add(&a, NULL, *t->index);
        argument_add(&a, NULL, *t->value);
        return invoke_special(d, of, "__setitem__", &a, &found, out);
    }
    return true;
}

static struct value text_has(struct dyn *d, const char *text, void *context)
{
    (void)d;
    return dyn_bool(strstr(text, context) != NULL);
}

struct searched {
    struct dyn *d;
    const struct value *in;
};

static bool map_contained(struct value *v, const void *context)
{
    const struct searched *c = context;
    int has = container_has(c->d, c->in, v);
    *v = has >= 0 ? dyn_bool(has) : dyn_unknown_bool(c->d);
    return true;
}

static bool contains_one(struct dyn *d, const struct value *of, void *context, struct value *out)
{
    const struct value *v = context;
    struct object *o = dyn_object(of), *outside = dyn_object(v);
    const char *s = dyn_literal(of), *t = dyn_literal(v);
    struct arguments a = {0};
    values_of items = {0};
    bool found;
    *out = dyn_unknown_bool(d);
    if (s && t) {
        *out = dyn_bool(strstr(s, t) != NULL);
        return true;
    }
    if (t && dyn_beginning(of) && strstr(dyn_beginning(of), t)) {
        *out = dyn_bool(true);
        return true;
    }
    if (o && o->is->kind == DYNAMIC_OUTSIDE && t) {
        *out = outside_truth(d, o, dyn_join(d, "has ", "", t));
        if (o->is->is_text)
            *out = outside_by_text(d, o, text_has, (void *)(uintptr_t)t, *out);
        return true;
    }
    if (o && o->is->kind >= DYNAMIC_LIST && o->is->kind <= DYNAMIC_DICT) {
        if (outside && outside->is->kind == DYNAMIC_OUTSIDE && container_items(d, of, &items)) {
            struct value is = dyn_bool(false);
            for (int i = 0; i < items.count; i++) { /* any of them */
                struct value one = protocol_equal(d, &items.items[i], v);
                if (one.kind != VALUE_GUARDED || !dyn_literal(&items.items[i]))
                    return true;
                struct value yes = dyn_bool(true);
                is = outside_choose(d, outside, dyn_literal(&items.items[i]), &yes, &is);
            }
            *out = is;
            return true;
        }
        if (v->kind == VALUE_GUARDED) { /* one of several, each of which is in it or not */
            struct searched c = {d, of};
            *out = guard_map(d->p->s, v, map_contained, &c);
            return true;
        }
        int has = container_has(d, of, v);
        *out = has >= 0 ? dyn_bool(has) : *out;
        return true;
    }
    argument_add(&a, NULL, *v);
    if (o && o->is->kind == DYNAMIC_INSTANCE)
        return invoke_special(d, of, "__contains__", &a, &found, out);
    return true;
}

bool item_get(struct dyn *d, const struct value *of, const struct value *index, struct value *out)
{
    struct item item = {index, NULL};
    return dyn_is_tensor(d, of) ? getitem_one(d, of, &item, out)
                                : dyn_each(d, of, getitem_each, &item, out);
}

bool item_set(struct dyn *d, const struct value *of, const struct value *index,
              const struct value *v, struct value *out)
{
    struct item item = {index, v};
    return dyn_is_tensor(d, of) ? setitem_one(d, of, &item, out)
                                : dyn_each(d, of, setitem_one, &item, out);
}

bool item_is_in(struct dyn *d, const struct value *v, const struct value *of, struct value *out)
{
    struct value what = *v;
    return dyn_each(d, of, contains_one, &what, out);
}
