/* Operators, conditions, regions, and what else the language defines for all values: by the kinds
 * of their operands. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

/* Methods that classes define for operators; tensors have them in packs. */
static const char *const names[PROTOCOL_COUNT] = {[PROTOCOL_ADD] = "__add__",
                                                  [PROTOCOL_SUB] = "__sub__",
                                                  [PROTOCOL_MUL] = "__mul__",
                                                  [PROTOCOL_MATMUL] = "__matmul__",
                                                  [PROTOCOL_DIV] = "__truediv__",
                                                  [PROTOCOL_FLOORDIV] = "__floordiv__",
                                                  [PROTOCOL_MOD] = "__mod__",
                                                  [PROTOCOL_POW] = "__pow__",
                                                  [PROTOCOL_AND] = "__and__",
                                                  [PROTOCOL_OR] = "__or__",
                                                  [PROTOCOL_XOR] = "__xor__",
                                                  [PROTOCOL_LSHIFT] = "__lshift__",
                                                  [PROTOCOL_RSHIFT] = "__rshift__",
                                                  [PROTOCOL_IADD] = "__iadd__",
                                                  [PROTOCOL_ISUB] = "__isub__",
                                                  [PROTOCOL_IMUL] = "__imul__",
                                                  [PROTOCOL_IMATMUL] = "__imatmul__",
                                                  [PROTOCOL_IDIV] = "__itruediv__",
                                                  [PROTOCOL_IFLOORDIV] = "__ifloordiv__",
                                                  [PROTOCOL_IMOD] = "__imod__",
                                                  [PROTOCOL_IPOW] = "__ipow__",
                                                  [PROTOCOL_IAND] = "__iand__",
                                                  [PROTOCOL_IOR] = "__ior__",
                                                  [PROTOCOL_IXOR] = "__ixor__",
                                                  [PROTOCOL_ILSHIFT] = "__ilshift__",
                                                  [PROTOCOL_IRSHIFT] = "__irshift__",
                                                  [PROTOCOL_NEG] = "__neg__",
                                                  [PROTOCOL_POS] = "__pos__",
                                                  [PROTOCOL_INVERT] = "__invert__",
                                                  [PROTOCOL_EQ] = "__eq__",
                                                  [PROTOCOL_NE] = "__ne__",
                                                  [PROTOCOL_LT] = "__lt__",
                                                  [PROTOCOL_LE] = "__le__",
                                                  [PROTOCOL_GT] = "__gt__",
                                                  [PROTOCOL_GE] = "__ge__"};

static const char *const reflected[PROTOCOL_COUNT] = {
    [PROTOCOL_ADD] = "__radd__",       [PROTOCOL_SUB] = "__rsub__",
    [PROTOCOL_MUL] = "__rmul__",       [PROTOCOL_MATMUL] = "__rmatmul__",
    [PROTOCOL_DIV] = "__rtruediv__",   [PROTOCOL_FLOORDIV] = "__rfloordiv__",
    [PROTOCOL_MOD] = "__rmod__",       [PROTOCOL_POW] = "__rpow__",
    [PROTOCOL_AND] = "__rand__",       [PROTOCOL_OR] = "__ror__",
    [PROTOCOL_XOR] = "__rxor__",       [PROTOCOL_LSHIFT] = "__rlshift__",
    [PROTOCOL_RSHIFT] = "__rrshift__", [PROTOCOL_EQ] = "__eq__",
    [PROTOCOL_NE] = "__ne__",          [PROTOCOL_LT] = "__gt__",
    [PROTOCOL_LE] = "__ge__",          [PROTOCOL_GT] = "__lt__",
    [PROTOCOL_GE] = "__le__"};

static bool is_inplace(enum ir_protocol p)
{
    return p >= PROTOCOL_IADD && p <= PROTOCOL_IRSHIFT;
}

static enum ir_protocol plain_of(enum ir_protocol p)
{
    return is_inplace(p) ? (enum ir_protocol)(p - PROTOCOL_IADD + PROTOCOL_ADD) : p;
}

static bool is_comparison(enum ir_protocol p)
{
    return p >= PROTOCOL_EQ && p <= PROTOCOL_GE;
}

/* ---- truth ----------------------------------------------------------------------------------- */

static bool simple_truth(struct dyn *d, const struct value *v, struct value *out)
{
    struct value zero = value_int(0);
    struct object *o = dyn_object(v);
    const char *text = dyn_literal(v);
    if (v->kind == VALUE_NUMBER && v->is_real && v->has_real)
        *out = dyn_bool(v->as.real != 0);
    else if (v->kind == VALUE_NUMBER && v->names)
        *out = dyn_bool(true);
    else if (v->kind == VALUE_NUMBER && !v->is_real && v->is_bool)
        *out = *v;
    else if (v->kind == VALUE_NUMBER && !v->is_real) {
        *out = compare_values(d->p->f->kept, ARITH_NE, v, &zero);
        out->is_bool = true;
    } else if (dyn_is_none(v))
        *out = dyn_bool(false);
    else if (text)
        *out = dyn_bool(*text);
    else if (o && o->is->kind == DYNAMIC_OUTSIDE)
        *out = outside_truth(d, o, "true");
    else if (o && o->is->kind >= DYNAMIC_LIST && o->is->kind <= DYNAMIC_DICT) {
        int64_t n = container_length(d, v);
        *out = n >= 0 ? dyn_bool(n > 0) : dyn_unknown_bool(d);
    } else if (o && o->is->kind == DYNAMIC_INSTANCE)
        return false;
    else if (o && o->is->kind != DYNAMIC_NAMED)
        *out = dyn_bool(true);
    else
        *out = dyn_unknown_bool(d);
    return true;
}

static bool truth_one(struct dyn *d, const struct value *v, void *context, struct value *out)
{
    static const char *const methods[] = {"__bool__", "__len__"};
    struct arguments none = {0};
    (void)context;
    if (simple_truth(d, v, out))
        return true;
    for (int i = 0; i < COUNT(methods); i++) {
        bool found;
        struct value gave;
        if (!invoke_special(d, v, methods[i], &none, &found, &gave))
            return false;
        if (found) {
            if (!simple_truth(d, &gave, out))
                *out = dyn_unknown_bool(d);
            return true;
        }
    }
    const struct object *class = dyn_object(v)->is->class;
    *out = class && !class->is->is_open ? dyn_bool(true) : dyn_unknown_bool(d);
    return true;
}

static bool map_truth(struct value *v, const void *context)
{
    struct value out;
    struct value before = *v;
    if (!simple_truth((struct dyn *)(uintptr_t)context, v, &out))
        out = before;
    *v = out;
    return true;
}

bool protocol_truth(struct dyn *d, const struct value *v, struct value *out)
{
    if (v->kind != VALUE_GUARDED)
        return truth_one(d, v, NULL, out);
    value_list all = guard_values(d->p->f->scratch, d->p->s, v);
    for (int i = 0; i < all.count; i++)
        if (dyn_is(all.items[i], DYNAMIC_INSTANCE))
            return dyn_each(d, v, truth_one, NULL, out);
    *out = guard_map(d->p->s, v, map_truth, d);
    return true;
}

static bool negate(struct value *v, const void *context)
{
    const struct dyn *d = context;
    struct value zero = value_int(0);
    *v = compare_values(d->p->f->kept, ARITH_EQ, v, &zero);
    v->is_bool = v->kind == VALUE_NUMBER;
    return true;
}

static struct value negated(struct dyn *d, struct value v)
{
    if (v.kind == VALUE_GUARDED)
        return guard_map(d->p->s, &v, negate, d);
    negate(&v, d);
    return v;
}

struct comparing {
    struct dyn *d;
    const struct value *with;
    struct value (*compare)(struct dyn *d, const struct value *x, const struct value *y);
};

static bool map_compare(struct value *v, const void *context)
{
    const struct comparing *c = context;
    *v = c->compare(c->d, v, c->with);
    return true;
}

static bool compare_case(struct dyn *d, const struct value *v, void *context, struct value *out)
{
    const struct comparing *c = context;
    *out = c->compare(d, v, c->with);
    return true;
}

static bool is_list(const struct value *v, const void *what)
{
    (void)what;
    return dyn_is_sequence(v);
}

/* What is in a list is known in the states in which there is one. */
static bool compare_one(struct dyn *d, const struct value *x, void *context, struct value *out)
{
    struct comparing *c = context;
    struct comparing other = {d, x, c->compare};
    c->d = d;
    if (c->with->kind != VALUE_GUARDED)
        *out = c->compare(d, x, c->with);
    else if (dyn_is_sequence(x) && guard_any(d->p->s, c->with, is_list, NULL))
        return dyn_each(d, c->with, compare_case, &other, out);
    else
        *out = guard_map(d->p->s, c->with, map_compare, &other);
    return true;
}

static bool is_outside(const struct value *v, const void *what)
{
    (void)what;
    return dyn_is(v, DYNAMIC_OUTSIDE);
}

/* What is one of several is compared in each case, without new states where that is enough: what
 * is from outside is equal or not by conditions of its own. */
static bool compare_all(struct dyn *d, const struct value *x, const struct value *y,
                        struct value (*compare)(struct dyn *, const struct value *,
                                                const struct value *),
                        struct value *out)
{
    struct comparing c = {d, y, compare};
    bool are_lists = dyn_is_sequence(y) && guard_any(d->p->s, x, is_list, NULL);
    if (x->kind == VALUE_GUARDED && y->kind != VALUE_GUARDED && !dyn_is(y, DYNAMIC_OUTSIDE) &&
        !are_lists && !guard_any(d->p->s, x, is_outside, NULL)) {
        *out = guard_map(d->p->s, x, map_compare, &c);
        return true;
    }
    return dyn_each(d, x, compare_one, &c, out);
}

/* ---- operators ------------------------------------------------------------------------------- */

/* Whether the second operand's class computes what the first one's would: an array with a tensor
 * gives a tensor. */
static bool yields_to(struct dyn *d, const struct value *x, const struct value *y)
{
    return strcmp(dyn_method_class(d, x), "Tensor") != 0 &&
           !strcmp(dyn_method_class(d, y), "Tensor");
}

/* Tensors: the first operand's method, or the second's. In place only where there is one. */
static bool tensor_operator(struct dyn *d, enum ir_protocol p, const struct value *x,
                            const struct value *y, struct value *out)
{
    struct arguments a = {0};
    enum ir_protocol plain = plain_of(p);
    bool found, is_second = y && dyn_is_tensor(d, y),
                first = dyn_is_tensor(d, x) ? !is_second || !reflected[plain] || !yields_to(d, x, y)
                                            : !is_second;
    const char *class = dyn_method_class(d, first ? x : y);
    bool own_place = is_inplace(p) && first;
    const char *name = own_place ? names[p] : first ? names[plain] : reflected[plain];
    argument_add_operand(d, &a, first ? x : y, first ? 0 : 1);
    if (y)
        argument_add_operand(d, &a, first ? y : x, first ? 1 : 0);
    if (!name) {
        *out = value_any;
        return true;
    }
    bool goes_on = signature_call(d, dyn_join(d, class, ".", name), &a, &found, out);
    if (!found && own_place)
        return tensor_operator(d, plain, x, y, out);
    if (!found)
        *out = call_unknown(d, &a);
    return goes_on;
}

/* Methods of classes; found: there is one. Those of tensors are in packs. */
static bool instance_operator(struct dyn *d, enum ir_protocol p, const struct value *x,
                              const struct value *y, bool *found, struct value *out)
{
    struct arguments a = {0};
    bool goes_on = true;
    *found = false;
    bool is_first = !dyn_is_tensor(d, x);
    if (y)
        argument_add(&a, NULL, *y);
    if (is_first && names[p])
        goes_on = invoke_special(d, x, names[p], &a, found, out);
    if (is_first && !*found && is_inplace(p))
        goes_on = invoke_special(d, x, names[plain_of(p)], &a, found, out);
    if (*found || !y || !reflected[plain_of(p)] || dyn_is_tensor(d, y))
        return goes_on;
    struct arguments b = {0};
    argument_add(&b, NULL, *x);
    return invoke_special(d, y, reflected[plain_of(p)], &b, found, out);
}

static struct value lists_joined(struct dyn *d, const struct value *x, const struct value *y)
{
    values_of items = {0};
    enum dynamic_kind kind = dyn_object(x)->is->kind;
    bool all = container_items(d, x, &items) && container_items(d, y, &items);
    if (all)
        return container_make(d, kind, items.items, items.count);
    struct value any = container_any_of_both(d, x, y);
    return container_of_any(d, kind, &any);
}

static struct value list_repeated(struct dyn *d, const struct value *x, const struct value *y)
{
    values_of items = {0}, all = {0};
    int64_t n;
    enum dynamic_kind kind = dyn_object(x)->is->kind;
    if (!container_items(d, x, &items) || !number_exact(y, &n) || n < 0 || n * items.count > 256) {
        struct value any = container_any(d, x);
        return container_of_any(d, kind, &any);
    }
    for (int64_t k = 0; k < n; k++)
        for (int i = 0; i < items.count; i++)
            LIST_ADD(d->p->f->scratch, &all, items.items[i]);
    return container_make(d, kind, all.items, all.count);
}

/* "+=" of a list, "|=" of a dict: it stays the same object. */
static bool grows(enum ir_protocol p, const struct value *x, const struct value *y)
{
    return (plain_of(p) == PROTOCOL_ADD && dyn_is(x, DYNAMIC_LIST) && dyn_is_sequence(y)) ||
           (plain_of(p) == PROTOCOL_OR && dyn_is(x, DYNAMIC_DICT) && dyn_is(y, DYNAMIC_DICT));
}

struct operation_of {
    enum ir_protocol protocol;
    const struct value *other; /* NULL: unary */
    bool is_swapped;
};

/* Values of which nothing is known compare to a truth value, or to a mask, if they are tensors;
 * nobody inverts the bits of the former. */
static bool is_answer_of_unknown(const struct value *x)
{
    return x->kind == VALUE_NUMBER && x->is_bool && x->count != 1;
}

static bool operate(struct dyn *d, enum ir_protocol p, const struct value *x, const struct value *y,
                    struct value *out)
{
    bool found, has_tensor = dyn_is_tensor(d, x) || (y && dyn_is_tensor(d, y));
    bool has_instance = dyn_is(x, DYNAMIC_INSTANCE) || (y && dyn_is(y, DYNAMIC_INSTANCE));
    bool goes_on = !has_instance || instance_operator(d, p, x, y, &found, out);
    if (has_instance && found)
        return goes_on;
    if (has_tensor)
        return tensor_operator(d, p, x, y, out);
    if (has_instance) {
        if (p == PROTOCOL_EQ || p == PROTOCOL_NE) {
            *out = protocol_equal(d, x, y);
            *out = p == PROTOCOL_NE ? negated(d, *out) : *out;
            return true;
        }
    }
    enum ir_protocol plain = plain_of(p);
    *out = value_any;
    if (p == PROTOCOL_EQ || p == PROTOCOL_NE) {
        *out = protocol_equal(d, x, y);
        *out = p == PROTOCOL_NE ? negated(d, *out) : *out;
    } else if (p == PROTOCOL_INVERT && is_answer_of_unknown(x)) {
        *out = value_any;
    } else if (!y && x->kind == VALUE_NUMBER && !x->names) {
        struct value zero = value_int(0), ones = value_int(-1);
        *out = p == PROTOCOL_NEG
                   ? (x->is_real && x->has_real ? value_real(-x->as.real)
                                                : number_operator(d, PROTOCOL_SUB, &zero, x))
               : p == PROTOCOL_INVERT ? number_operator(d, PROTOCOL_XOR, x, &ones)
                                      : *x;
    } else if (y && is_comparison(p) && x->kind == VALUE_NUMBER && y->kind == VALUE_NUMBER) {
        *out = number_compare(d, p, x, y);
    } else if (y && is_comparison(p)) {
        *out = dyn_unknown_bool(d);
    } else if (y && is_inplace(p) && grows(p, x, y)) {
        struct arguments a = {0};
        struct value none;
        argument_add(&a, NULL, *y);
        *out = *x;
        return container_method(d, x, plain == PROTOCOL_ADD ? "extend" : "update", &a, &found,
                                &none);
    } else if (y && plain == PROTOCOL_ADD && dyn_is_sequence(x) && dyn_is_sequence(y)) {
        *out = lists_joined(d, x, y);
    } else if (y && plain == PROTOCOL_OR && dyn_is(x, DYNAMIC_DICT) && dyn_is(y, DYNAMIC_DICT)) {
        struct arguments none = {0}, a = {0};
        struct value ignored;
        argument_add(&a, NULL, *y);
        return container_method(d, x, "copy", &none, &found, out) &&
               container_method(d, out, "update", &a, &found, &ignored);
    } else if (y && plain == PROTOCOL_MUL && dyn_is_sequence(x)) {
        *out = list_repeated(d, x, y);
    } else if (y && plain == PROTOCOL_MUL && dyn_is_sequence(y)) {
        *out = list_repeated(d, y, x);
    } else if (y) {
        *out = number_operator(d, plain, x, y);
    }
    return true;
}

static bool operate_second(struct dyn *d, const struct value *v, void *context, struct value *out)
{
    const struct operation_of *o = context;
    return operate(d, o->protocol, o->is_swapped ? o->other : v, o->is_swapped ? v : o->other, out);
}

static bool operate_first(struct dyn *d, const struct value *v, void *context, struct value *out)
{
    const struct operation_of *o = context;
    if (!o->other || !value_is_open(o->other) || dyn_is_tensor(d, o->other))
        return operate(d, o->protocol, v, o->other, out);
    struct operation_of other = {o->protocol, v, true};
    return dyn_each(d, o->other, operate_second, &other, out);
}

static bool operator_on(struct dyn *d, enum ir_protocol p, const struct value *x,
                        const struct value *y, struct value *out)
{
    struct operation_of o = {p, y, false};
    if (dyn_is_tensor(d, x) && (!y || !value_is_open(y) || dyn_is_tensor(d, y)))
        return operate(d, p, x, y, out);
    if ((p == PROTOCOL_EQ || p == PROTOCOL_NE) && !dyn_is_tensor(d, x) && !dyn_is_tensor(d, y) &&
        (value_is_open(x) || value_is_open(y)) && !dyn_is(x, DYNAMIC_INSTANCE) &&
        !dyn_is(y, DYNAMIC_INSTANCE)) {
        if (!compare_all(d, x, y, protocol_equal, out))
            return false;
        *out = p == PROTOCOL_NE ? negated(d, *out) : *out;
        return true;
    }
    return dyn_each(d, x, operate_first, &o, out);
}

/* ---- unpacking, regions ---------------------------------------------------------------------- */

/* So many elements of a list from outside; false: it is none, or takes any number. */
static bool take_settings(struct dyn *d, const struct value *of, const int64_t *counts,
                          values_of *out)
{
    struct object *o = dyn_object(of);
    if (o->is->kind != DYNAMIC_OUTSIDE || !o->is->is_data || counts[1] >= 0)
        return false;
    for (int64_t i = 0; i < counts[0]; i++) {
        struct value index = value_int(i);
        LIST_ADD(d->p->f->scratch, out, outside_member(d, o, dict_key(d, &index)));
    }
    return true;
}

static bool unpack_one(struct dyn *d, const struct value *v, void *context, struct value *out)
{
    const int64_t *counts = context; /* at the beginning and, behind a list, at the end; -1: none */
    values_of items = {0}, all = {0};
    struct value of = record_as_tuple(d, v);
    if (dyn_is_tensor(d, v) || dyn_is(&of, DYNAMIC_INSTANCE)) {
        struct value iterator;
        if (!iterate_begin(d, v, &iterator))
            return false;
        struct object *o = dyn_object(&iterator);
        const struct value *from = o ? dyn_get(d, o, "(of)") : NULL;
        of = from ? *from : value_any;
    }
    bool is_known = dyn_object(&of) &&
                    (take_settings(d, &of, counts, &items) || container_items(d, &of, &items));
    int64_t rest = is_known && counts[1] >= 0 ? items.count - counts[0] - counts[1] : 0;
    if (is_known && (counts[1] < 0 ? items.count != counts[0] : rest < 0))
        return raise_named(d, "ValueError");
    struct value any = dyn_object(&of) && !is_known ? container_any(d, &of) : value_any;
    for (int64_t i = 0; i < counts[0]; i++)
        LIST_ADD(d->p->f->scratch, &all, is_known ? items.items[i] : any);
    if (counts[1] >= 0)
        LIST_ADD(d->p->f->scratch, &all,
                 is_known ? container_make(d, DYNAMIC_LIST, &items.items[counts[0]], (int)rest)
                          : container_of_any(d, DYNAMIC_LIST, &any));
    for (int64_t i = 0; counts[1] >= 0 && i < counts[1]; i++)
        LIST_ADD(d->p->f->scratch, &all, is_known ? items.items[counts[0] + rest + i] : any);
    *out = container_make(d, DYNAMIC_TUPLE, all.items, all.count);
    return true;
}

/* "with torch.device(...)": it is the default device until the end. */
static void device_region(struct dyn *d, const struct value *v, bool begins)
{
    struct flow *f = d->p->f;
    const struct ir_inst *i = &d->p->fr->code->fn->insts.items[d->n];
    struct key key = key_of(KEY_SAVED_REGIONS, d->p->fr->context, (uint64_t)i->args[0]);
    if (begins) {
        regions_keep(f, d->p->s, key);
        region_set(f, d->p->s, REGION_DEFAULT_DEVICE, *v);
        return;
    }
    struct value token = regions_kept(f, key);
    default_device_put_back(f, d->p->s, &token);
}

/* What the language opens. */
static bool is_file(const struct value *v)
{
    struct object *o = dyn_object(v);
    return o && o->is->kind == DYNAMIC_NAMED && !strcmp(o->is->name, FILE_NAME);
}

static bool region_one(struct dyn *d, const struct value *v, void *context, struct value *out)
{
    const struct value *raised = context; /* NULL: it is entered */
    struct arguments a = {0};
    bool found, goes_on;
    *out = raised ? dyn_bool(false) : value_any;
    if (v->names == NAMES_DEVICE) {
        device_region(d, v, !raised);
        return true;
    }
    for (int i = 0; raised && i < 3; i++)
        argument_add(&a, NULL, i == 1 ? *raised : dyn_is_none(raised) ? value_null() : value_any);
    goes_on = invoke_special(d, v, raised ? "__exit__" : "__enter__", &a, &found, out);
    if (!found && !raised && dyn_object(v))
        *out = dyn_is(v, DYNAMIC_INSTANCE) ? *v : value_any;
    if (!found && !is_file(v))
        unseen_region(d, !raised, out);
    return goes_on;
}

static bool len_one(struct dyn *d, const struct value *v, void *context, struct value *out)
{
    struct arguments none = {0};
    struct value size;
    bool found;
    (void)context;
    *out = identified(d->p->f, value_range(0, INT64_MAX));
    const char *text = dyn_literal(v);
    if (text) {
        *out = value_int((int64_t)strlen(text));
    } else if (dyn_is_tensor(d, v)) {
        if (!attribute_get(d, v, "shape", &size))
            return false;
        if (container_length(d, &size) > 0)
            *out = container_item(d, &size, 0);
    } else if (dyn_object(v) && dyn_object(v)->is->kind >= DYNAMIC_LIST &&
               dyn_object(v)->is->kind <= DYNAMIC_DICT) {
        int64_t n = container_length(d, v);
        *out = n >= 0 ? value_int(n) : *out;
    } else if (dyn_is(v, DYNAMIC_INSTANCE)) {
        struct value tuple = record_as_tuple(d, v);
        if (dyn_is(&tuple, DYNAMIC_TUPLE))
            return len_one(d, &tuple, NULL, out);
        return invoke_special(d, v, "__len__", &none, &found, out);
    }
    return true;
}

static void annotate(struct dyn *d, const struct value *class, const struct value *name)
{
    struct object *o = dyn_object(class);
    const char *text = dyn_literal(name);
    if (!o || o->is->kind != DYNAMIC_CLASS || !text)
        return;
    text = name_of(d->p->f->names, text);
    for (int i = 0; i < o->is->annotated.count; i++)
        if (o->is->annotated.items[i] == text)
            return;
    LIST_ADD(d->p->f->kept, &o->is->annotated, text);
}

bool protocol_apply(struct dyn *d, enum ir_protocol p, const struct value *v, int count,
                    struct value *out)
{
    struct value none = value_null();
    int64_t counts[2] = {0, -1};
    *out = value_null();
    switch (p) {
    case PROTOCOL_IS:
    case PROTOCOL_ISNOT:
        if (!compare_all(d, &v[0], &v[1], protocol_same, out))
            return false;
        *out = p == PROTOCOL_ISNOT ? negated(d, *out) : *out;
        return true;
    case PROTOCOL_IN:
    case PROTOCOL_NOTIN:
        if (!item_is_in(d, &v[0], &v[1], out))
            return false;
        *out = p == PROTOCOL_NOTIN ? negated(d, *out) : *out;
        return true;
    case PROTOCOL_TRUTH:
        return protocol_truth(d, &v[0], out);
    case PROTOCOL_NOT:
        if (!protocol_truth(d, &v[0], out))
            return false;
        *out = negated(d, *out);
        return true;
    case PROTOCOL_ISA:
        return value_isinstance(d, &v[0], &v[1], out);
    case PROTOCOL_LEN:
        return dyn_each(d, &v[0], len_one, NULL, out);
    case PROTOCOL_GETITEM:
        return item_get(d, &v[0], &v[1], out);
    case PROTOCOL_SETITEM:
        return item_set(d, &v[0], &v[1], &v[2], out);
    case PROTOCOL_DELITEM:
        if (dyn_is(&v[0], DYNAMIC_DICT) && dict_key(d, &v[1]))
            dyn_delete(d, dyn_object(&v[0]), dict_key(d, &v[1]));
        return true;
    case PROTOCOL_ITER:
        return iterate_begin(d, &v[0], out);
    case PROTOCOL_MORE:
        return iterate_more(d, &v[0], out);
    case PROTOCOL_NEXT:
        return iterate_next(d, &v[0], out);
    case PROTOCOL_UNPACK:
        number_exact(&v[1], &counts[0]);
        if (count > 2)
            number_exact(&v[2], &counts[1]);
        return dyn_each(d, &v[0], unpack_one, counts, out);
    case PROTOCOL_APPEND:
        if (dyn_object(&v[0]))
            container_append(d, dyn_object(&v[0]), &v[1]);
        return true;
    case PROTOCOL_ENTER:
        return dyn_each(d, &v[0], region_one, NULL, out);
    case PROTOCOL_EXIT: {
        struct value raised = count > 1 ? v[1] : none;
        return dyn_each(d, &v[0], region_one, &raised, out);
    }
    case PROTOCOL_AWAIT:
        *out = v[0];
        return true;
    case PROTOCOL_ALL:
        return name_import_all(d, &v[0]);
    case PROTOCOL_ANNOTATE:
        annotate(d, &v[0], &v[1]);
        return true;
    default:
        return operator_on(d, p, &v[0], count > 1 ? &v[1] : NULL, out);
    }
}
