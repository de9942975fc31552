/* Which values are of which class: isinstance() of values of the language, of exceptions, of
 * tensors and of what is from outside. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

static bool builtin_is(struct dyn *d, const struct value *v, const char *class)
{
    const struct object *o = dyn_object(v);
    (void)d;
    if (!strcmp(class, "object"))
        return true;
    if (v->kind == VALUE_NUMBER && !v->names)
        return !strcmp(class, v->is_bool   ? "bool"
                              : v->is_real ? "float"
                                           : "int") ||
               (v->is_bool && !strcmp(class, "int"));
    if (dyn_is_text(v))
        return !strcmp(class, "str");
    static const char *const kinds[DYNAMIC_COUNT] = {
        [DYNAMIC_LIST] = "list", [DYNAMIC_TUPLE] = "tuple", [DYNAMIC_SET] = "set",
        [DYNAMIC_DICT] = "dict", [DYNAMIC_CLASS] = "type",  [DYNAMIC_SLICE] = "slice"};
    return o && kinds[o->is->kind] && !strcmp(kinds[o->is->kind], class);
}

static bool is_tensor_class(const char *name, const char *of)
{
    bool is_tensor = !strcmp(name, "Tensor");
    if (!strcmp(of, "ndarray"))
        return !strcmp(name, "ndarray");
    return is_tensor || (!strcmp(of, "Parameter") && strstr(name, "Parameter"));
}

bool value_is_tensor_class(const struct value *v)
{
    struct object *o = dyn_object(v);
    const char *text = dyn_literal(v), *last = text ? strrchr(text, '.') : NULL;
    if (text)
        return is_tensor_class(last ? last + 1 : text, "Tensor");
    return o && o->is->kind == DYNAMIC_NAMED && is_tensor_class(o->is->name, "Tensor");
}

/* Exceptions that are raised by the language: which are which. */
static int exception_is(const char *raised, const char *class)
{
    static const char *const kinds[][2] = {
        {"builtins.KeyError", "builtins.LookupError"},
        {"builtins.IndexError", "builtins.LookupError"},
        {"builtins.ModuleNotFoundError", "builtins.ImportError"},
        {"builtins.NotImplementedError", "builtins.RuntimeError"}};
    if (!strcmp(raised, class) || !strcmp(class, "builtins.Exception") ||
        !strcmp(class, "builtins.BaseException"))
        return 1;
    for (int i = 0; i < COUNT(kinds); i++)
        if (!strcmp(kinds[i][0], raised) && !strcmp(kinds[i][1], class))
            return 1;
    return 0;
}

static int outside_is_a(const struct object *o, const struct object *class)
{
    const char *name = class->is->name ? class->is->name : "";
    bool is_of_library = !strcmp(name, "dtype") || !strcmp(name, "device") ||
                         is_tensor_class(name, "Parameter") || is_tensor_class(name, "ndarray");
    if (o->is->is_data && is_of_library)
        return 0;
    if (!o->is->is_text || !class->is->name || !strcmp(class->is->name, "builtins.object"))
        return -1;
    return strcmp(class->is->name, "builtins.str") != 0 ? 0 : o->is->is_given ? 1 : -1;
}

/* Whether the class derives from that of a model file which stands for a container. */
static bool derives_from(const struct object *class, const struct object *builtin)
{
    for (int i = 0; i < class->is->order_count; i++) {
        const struct object *base = class->is->order[i];
        if (base->is->is_container && !strcmp(base->is->name, builtin->is->name + 9))
            return true;
    }
    return false;
}

int value_is_a(struct dyn *d, const struct value *v, const struct value *class)
{
    struct object *o = dyn_object(v), *c = dyn_object(class);
    values_of items = {0};
    if (c && c->is->kind == DYNAMIC_TUPLE) {
        int all = 0;
        if (!container_items(d, class, &items))
            return -1;
        for (int i = 0; i < items.count; i++) {
            int one = value_is_a(d, v, &items.items[i]);
            if (one == 1)
                return 1;
            all = one < 0 ? -1 : all;
        }
        return all;
    }
    if (c && v->kind == VALUE_ANY && v->names) /* a device that is not known */
        return c->is->kind == DYNAMIC_CLASS && c->is->name && !strcmp(c->is->name, "device");
    if (!c || v->kind == VALUE_ANY)
        return -1;
    if (o && o->is->kind == DYNAMIC_OUTSIDE)
        return outside_is_a(o, c);
    if (v->kind == VALUE_TENSOR) {
        if (c->is->kind == DYNAMIC_NAMED)
            return is_tensor_class(c->is->name, dyn_tensor_class(d, v));
        return strstr(c->is->name ? c->is->name : "", "Parameter") &&
               !strcmp(dyn_tensor_class(d, v), "Parameter");
    }
    const struct value *raised = o && !o->is->class ? dyn_get(d, o, "(named)") : NULL;
    if (raised && dyn_object(raised))
        return c->is->kind == DYNAMIC_NAMED
                   ? exception_is(dyn_object(raised)->is->name, c->is->name)
                   : 0;
    if (o && o->is->kind == DYNAMIC_INSTANCE && o->is->class && c->is->kind == DYNAMIC_CLASS)
        return dyn_is_subclass(o->is->class, c) ? 1 : o->is->class->is->is_open ? -1 : 0;
    if (c->is->kind == DYNAMIC_NAMED && !strncmp(c->is->name, "builtins.", 9)) {
        if (o && o->is->kind == DYNAMIC_INSTANCE && o->is->class && derives_from(o->is->class, c))
            return 1;
        if (o && o->is->kind == DYNAMIC_INSTANCE) /* of a class that derives from it, perhaps */
            return strcmp(c->is->name, "builtins.object") == 0                        ? 1
                   : strstr(c->is->name, "Error") || strstr(c->is->name, "Exception") ? -1
                                                                                      : 0;
        return builtin_is(d, v, c->is->name + 9);
    }
    if (c->is->kind == DYNAMIC_NAMED && o && o->is->kind == DYNAMIC_INSTANCE)
        return o->is->class && !o->is->class->is->is_open ? 0 : -1;
    if (v->kind == VALUE_NUMBER && v->names) /* model files have a class of that name */
        return c->is->kind == DYNAMIC_CLASS &&
               !strcmp(c->is->name, v->names == NAMES_DTYPE ? "dtype" : "device");
    return c->is->kind == DYNAMIC_CLASS ? 0 : o && o->is->kind == DYNAMIC_NAMED ? -1 : 0;
}

static bool isa_one(struct dyn *d, const struct value *v, void *context, struct value *out)
{
    int is = value_is_a(d, v, context);
    *out = is >= 0 ? dyn_bool(is) : dyn_unknown_bool(d);
    return true;
}

bool value_isinstance(struct dyn *d, const struct value *v, const struct value *class,
                      struct value *out)
{
    struct value of = *class;
    return dyn_each(d, v, isa_one, &of, out);
}
