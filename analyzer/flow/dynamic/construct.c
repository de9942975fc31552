/* Classes, new instances of them, and classes of named constants. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

/* ---- classes --------------------------------------------------------------------------------- */

enum { MOST_BASES = 64 };

/* Each class once, behind all that derive from it: the last place of each, depth first. */
static void order_add(struct object **all, int *count, struct object *class)
{
    for (int i = 0; i < class->is->order_count && *count < MOST_BASES; i++) {
        struct object *one = class->is->order[i];
        for (int k = 0; k < *count; k++)
            if (all[k] == one) {
                memmove(&all[k], &all[k + 1], sizeof(struct object *) * (size_t)(--*count - k));
                break;
            }
        all[(*count)++] = one;
    }
}

/* A base that the language has. */
static bool is_builtin(const struct object *o)
{
    return o->is->kind == DYNAMIC_NAMED && !strncmp(o->is->name, "builtins.", 9);
}

/* A container that model files have a class for. */
static bool is_container(const struct object *o)
{
    return is_builtin(o) && (!strcmp(o->is->name + 9, "dict") || !strcmp(o->is->name + 9, "list"));
}

static bool container_class(struct dyn *d, const char *name, struct value *out)
{
    struct value module;
    return name_import(d, "_containers", &module) && attribute_get(d, &module, name, out);
}

/* One that adds nothing that matters: no container, whose elements are not followed in instances of
 * other classes, and are their attributes in some. */
static bool is_plain_base(const struct object *o)
{
    static const char *const containers[] = {"dict", "list", "tuple", "set", "frozenset"};
    if (!is_builtin(o))
        return false;
    for (int i = 0; i < COUNT(containers); i++)
        if (!strcmp(o->is->name + 9, containers[i]))
            return false;
    return true;
}

/* A base may do something with each class that derives from it, which may have arguments for that.
 */
static bool tell_base(struct dyn *d, struct object *class, const struct ir_inst *i)
{
    const struct value *found = class_member(d, class, 1, "__init_subclass__");
    struct object *as = found ? dyn_object(found) : NULL;
    if (as && as->is->kind == DYNAMIC_DESCRIPTOR && dyn_get(d, as, "(of)"))
        as = dyn_object(dyn_get(d, as, "(of)"));
    if (!as || as->is->kind != DYNAMIC_FUNCTION)
        return true;
    struct arguments a = {0};
    struct value self = dyn_value(d, class), result;
    for (int k = 0; k < i->arg_count; k++)
        if (i->labels && i->labels[k] && strcmp(i->labels[k], "metaclass") != 0)
            argument_add(&a, i->labels[k], path_get(d->p, i->args[k]));
    return invoke_function(d, as, &self, &a, &result);
}

bool class_new(struct dyn *d, struct value *out)
{
    const struct ir_inst *i = &d->p->fr->code->fn->insts.items[d->n];
    struct object *all[MOST_BASES], *o = dyn_new(d, DYNAMIC_CLASS, NULL);
    int count = 1;
    all[0] = o;
    o->is->name = name_of(d->p->f->names, i->name);
    o->is->is_open = o->is->is_unseen = o->is->is_tuple = o->is->is_container = false;
    o->is->is_model = d->p->fr->code->unit->module != NULL;
    o->is->annotated.count = 0;
    o->is->order_count = 0;
    for (int k = 0; k < i->arg_count; k++) {
        struct value v = path_get(d->p, i->args[k]);
        struct object *base = dyn_object(&v);
        if (i->labels && i->labels[k]) /* for __init_subclass__; a metaclass is not followed */
            continue;
        if (base && is_container(base)) {
            if (!container_class(d, base->is->name + 9, &v))
                return false;
            base = dyn_object(&v);
            if (base)
                base->is->is_container = true;
        }
        if (base && base->is->kind == DYNAMIC_CLASS) {
            order_add(all, &count, base);
            o->is->is_open |= base->is->is_open;
            o->is->is_unseen |= base->is->is_unseen;
            o->is->is_record |= base->is->is_record;
            o->is->is_tuple |= base->is->is_tuple;
        } else {
            o->is->is_open |= !base || !is_plain_base(base);
            o->is->is_unseen |= (!base || !is_builtin(base)) && !d->p->fr->code->unit->module;
            o->is->is_tuple |= base && base->is->kind == DYNAMIC_NAMED &&
                               !strcmp(base->is->name, "typing.NamedTuple");
            o->is->is_record |= o->is->is_tuple;
        }
    }
    o->is->order = arena_copy(d->p->f->kept, all, sizeof *all * (size_t)count);
    o->is->order_count = count;
    *out = dyn_value(d, o);
    return tell_base(d, o, i);
}

/* ---- instances ------------------------------------------------------------------------------- */

/* What dataclasses.field(default=…) gives; a factory is called. */
static bool default_of(struct dyn *d, const struct value *v, struct value *out)
{
    struct object *o = dyn_object(v);
    const struct value *factory = o ? dyn_get(d, o, "(factory)") : NULL;
    const struct value *plain = o ? dyn_get(d, o, "(default)") : NULL;
    struct arguments none = {0};
    *out = plain ? *plain : *v;
    return factory ? invoke_value(d, factory, &none, out) : true;
}

/* Annotated names are parameters, with what the class has as their defaults. */
static bool fill_record(struct dyn *d, struct object *o, struct object *class,
                        const struct arguments *a)
{
    int position = 0;
    for (int c = class->is->order_count - 1; c >= 0; c--) {
        const struct dynamic *is = class->is->order[c]->is;
        for (int k = 0; is->is_record && k < is->annotated.count; k++) {
            const char *name = is->annotated.items[k];
            bool is_behind = a->more_at && position >= a->more_at - 1;
            const struct value *given = argument_at(a, is_behind ? -1 : position, name);
            const struct value *other = class_member(d, class, 0, name);
            struct value v = value_any;
            if (given)
                v = *given;
            else if (other && !default_of(d, other, &v))
                return false;
            else
                v = argument_missing(d, a, name, other ? &v : NULL);
            dyn_put(d, o, name, v);
            position++;
        }
    }
    return true;
}

/* The instance of a class that the program never makes: one for all of its methods. */
bool construct(struct dyn *d, struct object *class, const struct arguments *a, struct value *out)
{
    if (class->is->is_unseen && !unseen_is_assumed(d, FLOW_ASSUMED_BASE)) {
        *out = call_unknown(d, a);
        return true;
    }
    const struct value *maker = class_member(d, class, 0, "__new__");
    if (maker && dyn_is(maker, DYNAMIC_FUNCTION)) {
        struct value of = dyn_value(d, class);
        if (!invoke_function(d, dyn_object(maker), &of, a, out))
            return false;
        struct object *made = dyn_object(out);
        if (!made || made->is->kind != DYNAMIC_INSTANCE || made->is->class != class ||
            is_enumeration(d, class))
            return true;
    }
    struct object *o =
        maker && dyn_object(out) ? dyn_object(out) : dyn_new(d, DYNAMIC_INSTANCE, class);
    const struct value *init = class_member(d, class, 0, "__init__");
    struct object *function = init ? dyn_object(init) : NULL;
    struct value self = dyn_value(d, o), result;
    *out = self;
    if (class->is->is_record && !function) {
        const struct value *after;
        struct arguments none = {0};
        d->waiting = a; /* for fields behind one whose default is made by a function */
        bool is_filled = fill_record(d, o, class, a);
        d->waiting = NULL;
        if (!is_filled)
            return false;
        after = class_member(d, class, 0, "__post_init__");
        function = after ? dyn_object(after) : NULL;
        return !function || invoke_function(d, function, &self, &none, &result);
    }
    if (function && function->is->kind == DYNAMIC_FUNCTION) {
        if (!invoke_function(d, function, &self, a, &result))
            return false;
        module_assume(d, class, &self);
        return true;
    }
    if (a->count)
        dyn_put(d, o, "args", container_make(d, DYNAMIC_TUPLE, a->values, a->labels[0] ? 0 : 1));
    return true;
}

/* ---- enumerations ---------------------------------------------------------------------------- */

/* What the body of such a class binds is, from outside, an instance of the class with a name and a
 * value; there is one for each name. */

/* A constant of the body of the class, which is an instance of it everywhere else. */
bool enumerates_as(const struct value *v, const char *name)
{
    struct object *o = dyn_object(v);
    bool is_code = o && (o->is->kind == DYNAMIC_FUNCTION || o->is->kind == DYNAMIC_DESCRIPTOR ||
                         o->is->kind == DYNAMIC_CLASS);
    return !is_code && name[0] != '_' && name[0] != '(';
}

bool enumerator_named(struct dyn *d, struct object *class, const char *name,
                      const struct value *plain, struct value *out)
{
    const char *kept = dyn_join(d, "(member ", name, ")");
    const struct value *made = dyn_get(d, class, kept);
    const struct value *init = class_member(d, class, 0, "__init__");
    if (made) {
        *out = *made;
        return true;
    }
    struct object *o = dyn_new(d, DYNAMIC_INSTANCE, class);
    *out = dyn_value(d, o);
    dyn_put(d, o, "name", dyn_text(d, name));
    dyn_put(d, o, "value", *plain);
    dyn_put(d, class, kept, *out);
    if (!init || !dyn_is(init, DYNAMIC_FUNCTION))
        return true;
    struct arguments a = {0};
    struct value result;
    values_of items = {0};
    if (dyn_is(plain, DYNAMIC_TUPLE) && container_items(d, plain, &items))
        for (int i = 0; i < items.count && i < DYN_ARGUMENTS; i++)
            argument_add(&a, NULL, items.items[i]);
    else
        argument_add(&a, NULL, *plain);
    return invoke_function(d, dyn_object(init), out, &a, &result);
}

bool enumerators(struct dyn *d, struct object *class, struct value *by_name)
{
    struct object *all = dyn_new(d, DYNAMIC_DICT, NULL);
    loc_list fields = dyn_fields(d, class);
    *by_name = dyn_value(d, all);
    for (int i = 0; i < fields.count; i++) {
        struct value key = dyn_text(d, fields.items[i]->field), one;
        const struct value *plain = state_get(d->p->s, fields.items[i]);
        if (!enumerates_as(plain, fields.items[i]->field))
            continue;
        if (!enumerator_named(d, class, fields.items[i]->field, plain, &one))
            return false;
        dyn_put(d, all, dict_key(d, &key), one);
    }
    return true;
}

/* ---- named tuples ------------------------------------------------------------------------- */

/* The names of the members that the constructor takes, in its order. */
text_list record_names(struct dyn *d, const struct object *class)
{
    text_list all = {0};
    for (int c = class->is->order_count - 1; c >= 0; c--) {
        const struct dynamic *is = class->is->order[c]->is;
        for (int k = 0; is->is_record && k < is->annotated.count; k++)
            LIST_ADD(d->p->f->scratch, &all, is->annotated.items[k]);
    }
    return all;
}

static struct object *tuple_class(const struct value *v)
{
    struct object *o = dyn_object(v);
    struct object *class = o && o->is->kind == DYNAMIC_INSTANCE ? o->is->class : NULL;
    return class && class->is->is_tuple ? class : NULL;
}

struct value plain_container(struct dyn *d, const struct value *v)
{
    struct object *o = dyn_object(v);
    const struct value *items =
        o && o->is->kind == DYNAMIC_INSTANCE ? dyn_get(d, o, "_mc_items") : NULL;
    return items ? *items : *v;
}

struct value record_as_tuple(struct dyn *d, const struct value *v)
{
    struct object *class = tuple_class(v);
    values_of items = {0};
    if (!class)
        return plain_container(d, v);
    text_list names = record_names(d, class);
    for (int i = 0; i < names.count; i++) {
        const struct value *item = dyn_get(d, dyn_object(v), names.items[i]);
        LIST_ADD(d->p->f->scratch, &items, item ? *item : value_any);
    }
    return container_make(d, DYNAMIC_TUPLE, items.items, items.count);
}

/* One of several tuples of one length, as one tuple; anything else as it is. */
struct value tuple_of_each(struct dyn *d, const struct value *v)
{
    value_list all = {0};
    values_of items = {0};
    if (v->kind != VALUE_GUARDED)
        return record_as_tuple(d, v);
    all = guard_values(d->p->f->scratch, d->p->s, v);
    for (int i = 0; i < all.count; i++) {
        struct value one = record_as_tuple(d, all.items[i]);
        values_of own = {0};
        if (!dyn_is(&one, DYNAMIC_TUPLE) || !container_items(d, &one, &own) ||
            (i && own.count != items.count))
            return *v;
        for (int k = 0; k < own.count; k++)
            if (i)
                items.items[k] = value_one_of(d, items.items[k], own.items[k]);
            else
                LIST_ADD(d->p->f->scratch, &items, own.items[k]);
    }
    return container_make(d, DYNAMIC_TUPLE, items.items, items.count);
}

/* One with other members: those that are passed by name. */
static struct value record_replaced(struct dyn *d, const struct value *of,
                                    const struct arguments *a)
{
    struct object *class = tuple_class(of), *o = dyn_new(d, DYNAMIC_INSTANCE, class);
    text_list names = record_names(d, class);
    for (int i = 0; i < names.count; i++) {
        const struct value *given = argument_at(a, -1, names.items[i]);
        const struct value *item = dyn_get(d, dyn_object(of), names.items[i]);
        dyn_put(d, o, names.items[i], given ? *given : item && !a->has_more ? *item : value_any);
    }
    return dyn_value(d, o);
}

static struct value record_as_dict(struct dyn *d, const struct value *of)
{
    struct value all = container_make(d, DYNAMIC_DICT, NULL, 0);
    text_list names = record_names(d, tuple_class(of));
    for (int i = 0; i < names.count; i++) {
        const struct value *item = dyn_get(d, dyn_object(of), names.items[i]);
        struct value key = dyn_text(d, names.items[i]);
        container_setitem(d, &all, &key, item ? item : &value_any);
    }
    return all;
}

bool record_method(struct dyn *d, const struct value *of, const char *name,
                   const struct arguments *a, bool *found, struct value *out)
{
    struct object *o = dyn_object(of);
    bool makes = o && o->is->kind == DYNAMIC_CLASS && o->is->is_tuple && !strcmp(name, "_make"),
         replaces = tuple_class(of) && !strcmp(name, "_replace"),
         lists = tuple_class(of) && !strcmp(name, "_asdict");
    *found = makes || replaces || lists;
    if (replaces)
        *out = record_replaced(d, of, a);
    if (lists)
        *out = record_as_dict(d, of);
    if (!makes)
        return true;
    struct arguments all = {0};
    struct value items = argument_nth(a, 0);
    arguments_spread(d, &items, &all);
    return construct(d, o, &all, out);
}
