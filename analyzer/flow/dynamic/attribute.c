/* Members of values, by name: fields of an instance, then what its classes have in order; what
 * packs say of tensors; names in modules. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <stdlib.h>
#include <string.h>

/* ---- what was found in a class --------------------------------------------------------------- */

/* A function becomes a method of what it was found on; a property is run, and on a class itself it
 * is what it is. */
static bool bind_member(struct dyn *d, const struct value *self, struct object *class,
                        const struct value *found, struct member *out)
{
    struct object *o = dyn_object(found);
    *out = (struct member){.value = *found};
    bool is_property = o && o->is->kind == DYNAMIC_DESCRIPTOR && !strcmp(o->is->name, "property");
    if (is_property && !self)
        return true;
    if (o && o->is->kind == DYNAMIC_DESCRIPTOR) {
        const struct value *of = dyn_get(d, o, "(of)");
        out->value = of ? *of : value_any;
        if (!strcmp(o->is->name, "classmethod")) {
            out->has_self = true;
            out->self = dyn_value(d, class);
        } else if (strcmp(o->is->name, "staticmethod") != 0 && self) {
            struct arguments a = {0};
            argument_add(&a, NULL, *self);
            return invoke_value(d, &out->value, &a, &out->value);
        }
        return true;
    }
    if (self && o && (o->is->kind == DYNAMIC_FUNCTION)) {
        out->has_self = true;
        out->self = *self;
    }
    return true;
}

static bool missing(struct dyn *d, bool is_open, struct member *out)
{
    (void)d;
    *out = (struct member){.value = value_any, .is_missing = !is_open};
    return true;
}

/* What a container of modules holds under that name: of a list, its index. False: nothing. */
static bool find_registered(struct dyn *d, struct object *o, const char *name, struct value *all,
                            struct value *index)
{
    const struct value *members = dyn_get(d, o, "_mc_members");
    struct object *in = members ? dyn_object(members) : NULL;
    size_t digits = strspn(name, "0123456789");
    if (!in || in == o)
        return false;
    *all = *members;
    *index = dyn_text(d, name);
    if (in->is->kind == DYNAMIC_DICT)
        return container_has(d, all, index) == 1;
    if (in->is->kind != DYNAMIC_LIST || !digits || digits > 9 || name[digits])
        return false;
    int64_t at = atoi(name), length = container_length(d, all);
    *index = length < 0 ? value_any : value_int(at);
    return length < 0 || at < length;
}

/* What programs keep in attributes whose names they compute: no code, no object, no tensor. */
static bool is_setting(const struct value *v)
{
    return v->kind == VALUE_NUMBER || dyn_is_none(v) || dyn_is_text(v) || v->kind == VALUE_GUARDED;
}

/* A member of the class that is an object with such a method: __get__, __set__. */
static bool describes(struct dyn *d, const struct value *found, const char *method)
{
    struct object *o = found ? dyn_object(found) : NULL;
    return o && o->is->kind == DYNAMIC_INSTANCE && o->is->class &&
           class_member(d, o->is->class, 0, method);
}

/* It got its name when the class was made. */
static bool give_name(struct dyn *d, const struct value *descriptor, struct object *class,
                      const char *name)
{
    struct arguments a = {0};
    struct value ignored;
    bool found;
    if (dyn_get(d, dyn_object(descriptor), "(has name)"))
        return true;
    dyn_put(d, dyn_object(descriptor), "(has name)", dyn_bool(true));
    argument_add(&a, NULL, dyn_value(d, class));
    argument_add(&a, NULL, dyn_text(d, name));
    return invoke_special(d, descriptor, "__set_name__", &a, &found, &ignored);
}

static bool get_described(struct dyn *d, const struct value *descriptor, struct object *o,
                          const char *name, struct member *out)
{
    const struct value of = *descriptor;
    struct arguments a = {0};
    bool found;
    *out = (struct member){0};
    argument_add(&a, NULL, dyn_value(d, o));
    argument_add(&a, NULL, dyn_value(d, o->is->class));
    return give_name(d, &of, o->is->class, name) &&
           invoke_special(d, &of, "__get__", &a, &found, &out->value);
}

/* A model file need not describe all that its class has, unless it says so: of what a program gives
 * its own members, and asks for them, nothing may be assumed. */
static bool may_have_more(struct dyn *d, struct object *class)
{
    return class->is->is_open ||
           (class->is->is_model && !class_member(d, class, 0, "_mc_has_nothing_else"));
}

static bool instance_member(struct dyn *d, struct object *o, const char *name, struct member *out)
{
    struct object *class = o->is->class;
    struct value self = dyn_value(d, o);
    const struct value *found = class ? class_member(d, class, 0, name) : NULL;
    struct object *as = found ? dyn_object(found) : NULL;
    const struct value *own = dyn_get(d, o, name);
    if (describes(d, found, "__get__") && (!own || describes(d, found, "__set__")))
        return get_described(d, found, o, name, out);
    if (as && as->is->kind == DYNAMIC_DESCRIPTOR && !strcmp(as->is->name, "property"))
        return bind_member(d, &self, class, found, out);
    if (own) {
        *out = (struct member){.value = *own};
        return true;
    }
    if (found && is_enumeration(d, class) && enumerates_as(found, name)) {
        *out = (struct member){0};
        return enumerator_named(d, class, name, found, &out->value);
    }
    if (found && dyn_get(d, o, "(any)") && is_setting(found)) { /* it may have one of its own */
        struct value usual = *found;
        *out = (struct member){.value = o->many ? value_any : outside_setting(d, o, name, &usual)};
        return true;
    }
    if (found)
        return bind_member(d, &self, class, found, out);
    if (!strcmp(name, "__dict__")) {
        struct object *all = dyn_new(d, DYNAMIC_DICT, NULL);
        dyn_put(d, all, "(instance)", self);
        loc_list fields = dyn_fields(d, o);
        for (int i = 0; i < fields.count; i++) {
            struct value key = dyn_text(d, fields.items[i]->field);
            dyn_put(d, all, dict_key(d, &key), *state_get(d->p->s, fields.items[i]));
        }
        if (dyn_get(d, o, "(any)"))
            dyn_put(d, all, "(any)", value_any);
        *out = (struct member){.value = dyn_value(d, all)};
        return true;
    }
    if (class && !strcmp(name, "__class__")) {
        *out = (struct member){.value = dyn_value(d, class)};
        return true;
    }
    /* Of dicts of modules, the model file has its own way. */
    struct value all, index;
    if (find_registered(d, o, name, &all, &index) && index.kind != VALUE_ADDRESS) {
        *out = (struct member){0};
        return container_getitem(d, &all, &index, &out->value);
    }
    const struct value *attributes = dyn_get(d, o, "(attributes)");
    struct value key = dyn_text(d, name);
    if (attributes && container_has(d, attributes, &key) == 1) {
        struct value of = *attributes;
        *out = (struct member){0};
        return container_getitem(d, &of, &key, &out->value);
    }
    const struct value *fallback = class ? class_member(d, class, 0, "__getattr__") : NULL;
    struct object *function = fallback ? dyn_object(fallback) : NULL;
    if (function && function->is->kind == DYNAMIC_NAMED) { /* dict.__getitem__ */
        struct arguments a = {0};
        argument_add(&a, NULL, self);
        argument_add(&a, NULL, key);
        *out = (struct member){0};
        return invoke_value(d, fallback, &a, &out->value);
    }
    if (function && function->is->kind == DYNAMIC_FUNCTION) {
        struct arguments a = {0};
        argument_add(&a, NULL, dyn_text(d, name));
        *out = (struct member){0};
        return invoke_function(d, function, &self, &a, &out->value);
    }
    if (class && !o->many && dyn_get(d, o, "(any)")) { /* set by a name that is not known */
        *out = (struct member){.value = outside_setting(d, o, name, NULL)};
        return true;
    }
    return missing(d, !class || o->many || may_have_more(d, class), out);
}

static bool class_attribute(struct dyn *d, struct object *o, const char *name, struct member *out)
{
    const struct value *found = class_member(d, o, 0, name);
    if (found && is_enumeration(d, o) && enumerates_as(found, name)) {
        *out = (struct member){0};
        return enumerator_named(d, o, name, found, &out->value);
    }
    if (found)
        return bind_member(d, NULL, o, found, out);
    if (!strcmp(name, "__name__") && o->is->name) {
        *out = (struct member){.value = dyn_text(d, o->is->name)};
        return true;
    }
    if (!strcmp(name, "__setattr__") && !o->is->is_open) {
        *out = (struct member){.value = dyn_named(d, "builtins.object.__setattr__")};
        return true;
    }
    return missing(d, true, out);
}

/* A method that packs or the language have by that name. */
static struct member method_named(struct dyn *d, const char *class, const char *name,
                                  const struct value *self)
{
    const char *full = dyn_join(d, class, ".", name);
    return (struct member){.value = dyn_named(d, full), .self = *self, .has_self = true};
}

static bool super_member(struct dyn *d, struct object *o, const char *name, struct member *out)
{
    const struct value *self = dyn_get(d, o, "(self)");
    struct object *of = self ? dyn_object(self) : NULL;
    struct object *class = !of ? NULL : of->is->kind == DYNAMIC_CLASS ? of : of->is->class;
    int at = 0;
    while (class && at < class->is->order_count && class->is->order[at] != o->is->class)
        at++;
    const struct value *found = class ? class_member(d, class, at + 1, name) : NULL;
    if (found)
        return bind_member(d, self, class, found, out);
    /* What all objects have: __new__, __setattr__, and __init__ and others, which do nothing. What
     * asks __getattr__ is in none of the classes that are known, but what is registered. */
    if (!strcmp(name, "__new__") && class && !class->is->is_open) {
        *out = (struct member){.value = dyn_named(d, "builtins.object.__new__")};
        return true;
    }
    if (self && !strcmp(name, "__setattr__")) {
        *out = method_named(d, "builtins.object", name, self);
        return true;
    }
    if (self && !strcmp(name, "__getattr__") && class_member(d, class, 0, "_mc_registers")) {
        *out = method_named(d, "builtins.object", name, self);
        return true;
    }
    *out = (struct member){.value = dyn_named(d, "builtins.object.__init__")};
    bool is_object = !strcmp(name, "__init__") || !strcmp(name, "__init_subclass__");
    bool is_open = !class || class->is->is_open || strcmp(name, "__getattr__") != 0;
    return is_object ? true : missing(d, is_open, out);
}

/* ---- other values ---------------------------------------------------------------------------- */

/* What is known of a tensor that may be one of several: of its shape, that of all of them. */
static struct fact fact_of_all(struct dyn *d, const struct value *v)
{
    struct fact all = {0};
    value_list values = guard_values(d->p->f->scratch, d->p->s, v);
    for (int k = 0; k < values.count; k++) {
        const struct value *one = values.items[k];
        for (int i = 0; one->kind == VALUE_TENSOR && i < one->count; i++) {
            const struct tensor *t = state_tensor(d->p->s, one->as.tensor[i]);
            fact_join(&all, t ? &t->fact : &(const struct fact){.dtypes = DTYPES_ALL});
        }
    }
    return all;
}

/* How many dimensions it has; -1: not known. */
static int rank_of(const struct fact *f)
{
    int rank = 0;
    if (f->shape)
        return f->shape->count;
    if (!f->ranks || f->ranks & (f->ranks - 1) || f->ranks >= 1u << SHAPE_MAX)
        return -1;
    while (f->ranks >> rank != 1)
        rank++;
    return rank;
}

/* A tuple of its sizes. */
static struct value sizes_of(struct dyn *d, const struct value *v)
{
    struct value any = value_range(0, INT64_MAX), items[SHAPE_MAX];
    struct fact is = fact_of_all(d, v);
    int rank = rank_of(&is);
    for (int i = 0; i < rank; i++)
        items[i] = is.shape && is.shape->dims[i] >= 0 ? value_int(is.shape->dims[i])
                                                      : identified(d->p->f, any);
    return rank >= 0 ? container_make(d, DYNAMIC_TUPLE, items, rank)
                     : container_of_any(d, DYNAMIC_TUPLE, &any);
}

static bool tensor_member(struct dyn *d, const struct value *v, const char *name,
                          struct member *out)
{
    const char *class = dyn_method_class(d, v);
    bool found = false, goes_on;
    if (!strcmp(name, "shape")) {
        *out = (struct member){.value = sizes_of(d, v)};
        return true;
    }
    *out = (struct member){0};
    goes_on = signature_attribute(d, dyn_join(d, class, ".", name), v, &found, &out->value);
    if (!found)
        *out = method_named(d, class, name, v);
    return goes_on;
}

static bool named_number_member(struct dyn *d, const struct value *v, const char *name,
                                struct member *out)
{
    int64_t n;
    bool is_exact = number_exact(v, &n);
    *out = (struct member){.value = value_any};
    if (v->names == NAMES_DEVICE && !strcmp(name, "type")) {
        if (is_exact && n == NUMBER_OTHER) /* which is not known */
            out->value = value_any;
        else if (is_exact)
            out->value = dyn_text(d, n == FIRST_CPU ? "cpu" : n == NUMBER_META ? "meta" : "cuda");
        else if (v->kind == VALUE_NUMBER && value_low(v) > FIRST_CPU)
            out->value = dyn_text(d, "cuda");
        else { /* which of both is a question about the device */
            struct value cpu = value_int(FIRST_CPU);
            cpu.names = NAMES_DEVICE;
            struct value is_cpu = compare_values(d->p->f->kept, ARITH_EQ, v, &cpu);
            struct value yes = dyn_text(d, "cpu"), no = dyn_text(d, "cuda");
            diagram holds = guard_holds(d->p->s, &is_cpu);
            if (holds != DIAGRAM_NONE) {
                out->value = guard_choose(d->p->s, holds, &yes, &no);
                d->p->s->guarded = true;
            } else if (is_cpu.test) {
                /* Not a condition of its own: the number is kept, and compared as such. */
                out->value = *v;
            }
        }
    }
    if (v->names == NAMES_DEVICE && !strcmp(name, "index"))
        out->value =
            is_exact && n >= FIRST_CUDA && n <= LAST_CUDA ? value_int(n - FIRST_CUDA) : value_any;
    if (v->names == NAMES_DTYPE && !strcmp(name, "is_floating_point") && is_exact)
        out->value = dyn_bool(DTYPES_FLOATING >> n & 1);
    if (v->names == NAMES_DTYPE && !strcmp(name, "itemsize") && is_exact)
        out->value = value_int(dtype_bytes((enum dtype)n));
    return true;
}

/* "forward" of "Net.forward". */
static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

/* A field of a named tuple, of a container, or a method of these. */
static bool container_member(struct dyn *d, struct object *o, const struct value *v,
                             const char *name, struct member *out)
{
    static const char *const classes[DYNAMIC_COUNT] = {
        [DYNAMIC_LIST] = "list", [DYNAMIC_TUPLE] = "tuple", [DYNAMIC_SET] = "set",
        [DYNAMIC_DICT] = "dict", [DYNAMIC_SLICE] = "slice", [DYNAMIC_ITERATOR] = "iterator"};
    const struct value *own = dyn_get(d, o, name);
    if (own)
        *out = (struct member){.value = *own};
    else
        *out = method_named(d, classes[o->is->kind], name, v);
    return true;
}

/* What is passed to a module is asked where it is before it is used as a tensor: by an attribute of
 * tensors. */
static void place_passed(struct dyn *d, const char *name, struct value *out)
{
    struct value yes = dyn_bool(true), no = dyn_bool(false);
    int count = 0;
    const struct signature *s =
        packs_signatures(d->p->f->packs, dyn_join(d, "Tensor", ".", name), &count);
    enum question asks = s && s->is_attribute && s->fn ? s->fn->question : QUESTION_NONE;
    bool is_device = asks == QUESTION_DEVICE_OF && device_of_text(d, "cuda", &yes) &&
                     device_of_text(d, "cpu", &no);
    if (is_device || asks == QUESTION_IS_CUDA)
        *out = guard_choose(d->p->s, outside_on_gpu(d), &yes, &no);
}

static bool object_member(struct dyn *d, struct object *o, const struct value *v, const char *name,
                          struct member *out)
{
    switch (o->is->kind) {
    case DYNAMIC_INSTANCE:
        return instance_member(d, o, name, out);
    case DYNAMIC_CLASS:
        return class_attribute(d, o, name, out);
    case DYNAMIC_MODULE:
        *out = (struct member){0};
        return module_attribute(d, o, name, &out->value);
    case DYNAMIC_NAMED:
        *out = (struct member){0};
        return named_attribute(d, o, name, &out->value);
    case DYNAMIC_SUPER:
        return super_member(d, o, name, out);
    case DYNAMIC_OUTSIDE:
        *out = (struct member){.value = outside_member(d, o, name)};
        if (o->is->passed_to)
            place_passed(d, name, &out->value);
        if (outside_gets(o, name))
            *out = method_named(d, "dict", name, v);
        if (outside_has_method(o, name))
            *out = (struct member){
                .value = dyn_named(d, dyn_join(d, "str.", "", name)), .self = *v, .has_self = true};
        return true;
    case DYNAMIC_METHOD:
        if (!strcmp(name, "__self__") && dyn_get(d, o, "(self)")) {
            *out = (struct member){.value = *dyn_get(d, o, "(self)")};
            return true;
        }
        return missing(d, true, out);
    case DYNAMIC_FUNCTION:
    case DYNAMIC_DESCRIPTOR: {
        const struct value *own = dyn_get(d, o, name);
        *out = (struct member){.value = own ? *own : value_any};
        if (!own && !strcmp(name, "__name__") && o->is->kind == DYNAMIC_FUNCTION && o->is->code)
            out->value = dyn_text(d, last_part(o->is->code->name));
        if (o->is->kind == DYNAMIC_DESCRIPTOR &&
            (!strcmp(name, "setter") || !strcmp(name, "getter") || !strcmp(name, "deleter")))
            *out = method_named(d, "property", name, v);
        return true;
    }
    case DYNAMIC_LIST:
    case DYNAMIC_TUPLE:
    case DYNAMIC_SET:
    case DYNAMIC_DICT:
    case DYNAMIC_SLICE:
    case DYNAMIC_ITERATOR:
        return container_member(d, o, v, name, out);
    case DYNAMIC_COUNT:
        break;
    }
    return missing(d, true, out);
}

bool member_find(struct dyn *d, const struct value *of, const char *name, struct member *out)
{
    struct object *o = dyn_object(of);
    if (dyn_is_tensor(d, of))
        return tensor_member(d, of, name, out);
    if (o)
        return object_member(d, o, of, name, out);
    if (of->kind == VALUE_NUMBER && of->names)
        return named_number_member(d, of, name, out);
    if (dyn_is_text(of)) {
        *out = method_named(d, "str", name, of);
        return true;
    }
    if (dyn_is_none(of)) {
        raise_named(d, "AttributeError");
        return false;
    }
    return missing(d, true, out);
}

static bool get_one(struct dyn *d, const struct value *of, void *name, struct value *out)
{
    struct member m;
    if (!member_find(d, of, name, &m))
        return false;
    *out = m.value;
    if (m.has_self) {
        struct object *o = dyn_new(d, DYNAMIC_METHOD, NULL);
        dyn_put(d, o, "(self)", m.self);
        dyn_put(d, o, "(function)", m.value);
        *out = dyn_value(d, o);
    }
    return m.is_missing ? raise_named(d, "AttributeError") : true;
}

bool attribute_get(struct dyn *d, const struct value *of, const char *name, struct value *out)
{
    if (dyn_is_tensor(d, of))
        return get_one(d, of, (void *)(uintptr_t)name, out);
    return dyn_each(d, of, get_one, (void *)(uintptr_t)name, out);
}

bool attribute_registered(struct dyn *d, const struct value *of, const char *name,
                          struct value *out)
{
    struct object *o = dyn_object(of);
    const struct value *own = o ? dyn_get(d, o, name) : NULL;
    bool is_open =
        !o || o->many || !o->is->class || o->is->class->is->is_open || dyn_get(d, o, "(any)");
    *out = own ? *own : value_any;
    return own || is_open || raise_named(d, "AttributeError");
}

/* ---- writing --------------------------------------------------------------------------------- */

/* What a tensor is to others stays; what it consists of is another's. */
static bool keep_identity(struct tensor *t, void *before)
{
    const struct tensor *is = before;
    struct tensor now = *is;
    now.fact = t->fact;
    now.fact.grad = is->fact.grad;
    now.fact.leaf = is->fact.leaf;
    now.fact.grad_open = is->fact.grad_open;
    now.unknown = t->unknown;
    now.how = t->how;
    now.cases = 0;
    *t = now;
    return true;
}

static bool set_data_to(struct dyn *d, const struct value *v, void *of, struct value *out)
{
    int id = *(const int *)of;
    const struct tensor *to = state_tensor(d->p->s, id);
    const struct tensor *from =
        v->kind == VALUE_TENSOR && v->count == 1 ? state_tensor(d->p->s, v->as.tensor[0]) : NULL;
    *out = value_null();
    if (!to)
        return true;
    struct tensor before = *to, now = *to;
    before.cases = 0;
    if (from && from->cases) {
        now = guard_map_tensor(d->p->s, from, keep_identity, &before);
        now.id = id;
    } else if (from) {
        now = *from;
        keep_identity(&now, &before);
    } else {
        now = before;
        now.fact = fact_unknown();
        now.unknown = true;
    }
    d->p->s->guarded |= now.cases != 0;
    state_tensor_put(d->p->f->scratch, d->p->s, now);
    return true;
}

void tensor_set_data(struct dyn *d, const struct value *of, const struct value *v)
{
    struct value out;
    int id = of->kind == VALUE_TENSOR && of->count == 1 ? of->as.tensor[0] : 0;
    if (id)
        dyn_each(d, v, set_data_to, &id, &out);
}

struct setting {
    const char *name;
    const struct value *value;
    bool is_plain; /* without __setattr__ of the class */
};

static bool set_property(struct dyn *d, struct object *o, struct object *descriptor,
                         const struct value *v)
{
    const struct value *setter = dyn_get(d, descriptor, "(set)");
    struct arguments a = {0};
    struct value result;
    if (!setter)
        return raise_named(d, "AttributeError");
    argument_add(&a, NULL, dyn_value(d, o));
    argument_add(&a, NULL, *v);
    return invoke_value(d, setter, &a, &result);
}

/* Other attributes at once: those of a dict or, of an object that is a dict itself, its items. */
static bool set_all(struct dyn *d, struct object *o, const struct value *v)
{
    struct object *from = dyn_object(v);
    const struct value *items = from ? dyn_get(d, from, "_mc_items") : NULL;
    struct value self = dyn_value(d, o), none = value_null();
    if (from == o && items) {
        dyn_put(d, o, "(attributes)", *items);
        return true;
    }
    if (!from || from->is->kind != DYNAMIC_DICT || dyn_get(d, from, "(any)"))
        return attribute_set_any(d, &self, &none);
    loc_list all = dyn_fields(d, from);
    for (int i = 0; i < all.count; i++) {
        struct value key = dict_key_value(d, all.items[i]->field);
        if (dyn_literal(&key))
            dyn_put(d, o, name_of(d->p->f->names, dyn_literal(&key)),
                    *state_get(d->p->s, all.items[i]));
    }
    return true;
}

/* As object.__setattr__ does it: whatever the class has in place of that is not asked. */
static bool set_plainly(struct dyn *d, struct object *o, const struct setting *s)
{
    struct value all, index;
    if (o->is->kind == DYNAMIC_INSTANCE && find_registered(d, o, s->name, &all, &index))
        return container_setitem(d, &all, &index, s->value);
    struct object *class = o->is->kind == DYNAMIC_INSTANCE ? o->is->class : NULL;
    const struct value *found = class ? class_member(d, class, 0, s->name) : NULL;
    struct object *as = found ? dyn_object(found) : NULL;
    if (as && as->is->kind == DYNAMIC_DESCRIPTOR && !strcmp(as->is->name, "property"))
        return set_property(d, o, as, s->value);
    if (describes(d, found, "__set__")) {
        const struct value of = *found;
        struct arguments a = {0};
        struct value ignored;
        bool is_method;
        argument_add(&a, NULL, dyn_value(d, o));
        argument_add(&a, NULL, *s->value);
        return give_name(d, &of, class, s->name) &&
               invoke_special(d, &of, "__set__", &a, &is_method, &ignored);
    }
    if (class && !strcmp(s->name, "__dict__"))
        return set_all(d, o, s->value);
    const struct value *items = dyn_get(d, o, "(attributes)");
    if (items && !dyn_get(d, o, s->name)) {
        struct value key = dyn_text(d, s->name), of = *items;
        return container_setitem(d, &of, &key, s->value);
    }
    dyn_put(d, o, s->name, *s->value);
    attribute_note(d, o, s->name);
    return true;
}

static bool set_member(struct dyn *d, struct object *o, const struct setting *s)
{
    struct object *class = o->is->kind == DYNAMIC_INSTANCE ? o->is->class : NULL;
    const struct value *hook = class ? class_member(d, class, 0, "__setattr__") : NULL;
    struct object *function = hook && !s->is_plain ? dyn_object(hook) : NULL;
    struct arguments a = {0};
    struct value self = dyn_value(d, o), result;
    if (function && function->is->kind == DYNAMIC_NAMED) { /* dict.__setitem__ */
        argument_add(&a, NULL, self);
        argument_add(&a, NULL, dyn_text(d, s->name));
        argument_add(&a, NULL, *s->value);
        return invoke_value(d, hook, &a, &result);
    }
    if (!function || function->is->kind != DYNAMIC_FUNCTION)
        return set_plainly(d, o, s);
    argument_add(&a, NULL, dyn_text(d, s->name));
    argument_add(&a, NULL, *s->value);
    return invoke_function(d, function, &self, &a, &result);
}

static bool set_one(struct dyn *d, const struct value *of, void *context, struct value *out)
{
    const struct setting *s = context;
    struct object *o = dyn_object(of);
    *out = value_null();
    if (o)
        return set_member(d, o, s);
    if (of->kind == VALUE_TENSOR && !strcmp(s->name, "data"))
        tensor_set_data(d, of, s->value);
    if (of->kind == VALUE_TENSOR &&
        (!strcmp(s->name, "requires_grad") || !strcmp(s->name, "grad"))) {
        struct arguments a = {0};
        bool found;
        argument_add(&a, NULL, *of);
        argument_add(&a, NULL, *s->value);
        return signature_call(d, dyn_join(d, "Tensor.", s->name, ".set"), &a, &found, out);
    }
    if (of->kind == VALUE_TENSOR)
        tensor_attribute_note(d, s->name, s->value);
    return true;
}

bool attribute_set(struct dyn *d, const struct value *of, const char *name, const struct value *v)
{
    struct setting s = {name, v, false};
    struct value out;
    return dyn_each(d, of, set_one, &s, &out);
}

static bool set_any(struct dyn *d, const struct value *of, void *name, struct value *out)
{
    struct object *o = dyn_object(of);
    const char *beginning = dyn_beginning(name);
    *out = value_null();
    if (!o || o->is->kind != DYNAMIC_INSTANCE)
        return true;
    loc_list all = dyn_fields(d, o);
    for (int i = 0; i < all.count && !beginning; i++)
        if (is_setting(state_get(d->p->s, all.items[i])))
            state_put(d->p->f->scratch, d->p->s, all.items[i], value_any);
    dyn_put(d, o, "(any)", value_any);
    return true;
}

bool attribute_set_any(struct dyn *d, const struct value *of, const struct value *name)
{
    struct value out;
    return dyn_each(d, of, set_any, (void *)(uintptr_t)name, &out);
}

bool attribute_set_plainly(struct dyn *d, const struct value *of, const char *name,
                           const struct value *v)
{
    struct setting s = {name, v, true};
    struct value out;
    return dyn_each(d, of, set_one, &s, &out);
}
