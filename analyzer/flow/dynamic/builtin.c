/* Functions that the language has built in. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool give_none(struct dyn *d, const struct arguments *a, struct value *out)
{
    (void)d;
    (void)a;
    *out = value_null();
    return true;
}

static bool give_any(struct dyn *d, const struct arguments *a, struct value *out)
{
    (void)d;
    (void)a;
    *out = value_any;
    return true;
}

static bool give_int(struct dyn *d, const struct arguments *a, struct value *out)
{
    (void)a;
    *out = identified(d->p->f, dyn_unknown_int());
    return true;
}

static bool do_len(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    return protocol_apply(d, PROTOCOL_LEN, &v, 1, out);
}

static bool do_iter(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    return iterate_begin(d, &v, out);
}

static bool do_next(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0), more;
    if (a->count > 1) {
        if (!iterate_more(d, &v, &more))
            return false;
        if (more.kind == VALUE_NUMBER && !value_can_be_nonzero(&more)) {
            *out = a->values[1];
            return true;
        }
    }
    return iterate_next(d, &v, out);
}

static bool do_bool(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    *out = dyn_bool(false);
    return a->count ? protocol_truth(d, &v, out) : true;
}

static bool do_int(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    const char *text = dyn_literal(&v);
    char *end;
    *out = identified(d->p->f, dyn_unknown_int());
    if (v.kind == VALUE_NUMBER && v.is_real && v.has_real && v.as.real > -9e18 && v.as.real < 9e18)
        *out = value_int((int64_t)v.as.real);
    else if (v.kind == VALUE_NUMBER && !v.is_real && !v.names) {
        *out = v;
        out->is_bool = false;
    } else if (text && *text) {
        long long n = strtoll(text, &end, 10);
        if (!*end)
            *out = value_int(n);
    } else if (dyn_is(&v, DYNAMIC_OUTSIDE)) {
        static const struct type type = {.kind = TYPE_INT, .bits = 64, .is_signed = true};
        *out =
            memory_read(d->p->f, d->p->fr, d->p->s, dyn_field(d, dyn_object(&v), "(int)"), &type);
    }
    return true;
}

static bool do_float(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    const char *text = dyn_literal(&v);
    int64_t n;
    char *end;
    bool found;
    *out = value_unknown_real();
    if (dyn_is_tensor(d, &v))
        return signature_call(d, "Tensor.__float__", a, &found, out);
    if (v.kind == VALUE_NUMBER && v.is_real)
        *out = v;
    else if (v.kind == VALUE_NUMBER && number_exact(&v, &n))
        *out = value_real((double)n);
    else if (text && *text) {
        double r = strtod(text, &end);
        if (!*end)
            *out = value_real(r);
    }
    return true;
}

static bool do_str(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    int64_t n;
    char number[32];
    *out = value_any;
    if (!a->count)
        *out = dyn_text(d, "");
    else if (dyn_is_text(&v) || dyn_is(&v, DYNAMIC_OUTSIDE))
        *out = v;
    else if (v.kind == VALUE_NUMBER && !v.is_real && !v.is_bool && !v.names &&
             number_exact(&v, &n)) {
        snprintf(number, sizeof number, "%lld", (long long)n);
        *out = dyn_text(d, number);
    } else if (v.kind == VALUE_NUMBER && v.names == NAMES_DEVICE && number_exact(&v, &n) &&
               n <= LAST_CUDA) {
        snprintf(number, sizeof number, "cuda:%lld", (long long)n - 101);
        *out = dyn_text(d, n == 100 ? "cpu" : number);
    }
    return true;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool do_abs(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0), zero = value_int(0), is;
    struct arguments one = {0};
    bool found;
    if (dyn_is_tensor(d, &v)) {
        argument_add_from(&one, NULL, v, a->from[0]);
        return signature_call(d, "Tensor.abs", &one, &found, out);
    }
    *out = v;
    if (v.kind != VALUE_NUMBER)
        *out = value_any;
    else {
        is = number_compare(d, PROTOCOL_LT, &v, &zero);
        if (is.kind != VALUE_NUMBER || is.count != 1)
            *out = v.is_real ? value_unknown_real() : identified(d->p->f, dyn_unknown_int());
        else if (is.as.number[0])
            return protocol_apply(d, PROTOCOL_NEG, &v, 1, out);
    }
    return true;
}

static bool do_round(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    *out = a->count > 1 ? value_unknown_real() : identified(d->p->f, dyn_unknown_int());
    if (v.kind == VALUE_NUMBER && !v.is_real && a->count == 1)
        *out = v;
    return true;
}

/* ---- objects --------------------------------------------------------------------------------- */

static bool do_isinstance(struct dyn *d, const struct arguments *a, struct value *out)
{
    return protocol_apply(d, PROTOCOL_ISA, a->values, 2, out);
}

static bool do_issubclass(struct dyn *d, const struct arguments *a, struct value *out)
{
    const struct object *x = dyn_object(&a->values[0]), *y = dyn_object(&a->values[1]);
    bool are_classes = x && y && x->is->kind == DYNAMIC_CLASS && y->is->kind == DYNAMIC_CLASS;
    bool is = are_classes && dyn_is_subclass(x, y);
    *out = are_classes && (is || !x->is->is_open) ? dyn_bool(is) : dyn_unknown_bool(d);
    return true;
}

/* Whether it has the member: 0, 1, or -1, not known. */
struct having {
    const char *name;
    const struct value *otherwise; /* NULL: whether it has it */
};

static bool has_one(struct dyn *d, const struct value *of, void *context, struct value *out)
{
    const struct having *h = context;
    struct member m = {.value = value_any};
    struct object *o = dyn_object(of);
    bool is_open = of->kind == VALUE_ANY || (o && o->is->kind == DYNAMIC_OUTSIDE);
    if (o && o->is->kind == DYNAMIC_OUTSIDE && !h->otherwise) {
        *out = outside_truth(d, o, dyn_join(d, "has ", "", h->name));
        return true;
    }
    if (dyn_is_none(of)) {
        *out = h->otherwise ? *h->otherwise : dyn_bool(false);
        return true;
    }
    if (o && o->is->kind == DYNAMIC_NAMED) { /* whether a library has it depends on its version */
        *out = h->otherwise ? value_any : dyn_unknown_bool(d);
        return true;
    }
    if (!member_find(d, of, h->name, &m))
        return false;
    bool is_unknown = !m.is_missing && m.value.kind == VALUE_ANY && !m.has_self;
    if (h->otherwise) {
        *out = m.is_missing ? *h->otherwise : m.value;
        if (m.has_self)
            return attribute_get(d, of, h->name, out);
    } else {
        *out = is_open || is_unknown ? dyn_unknown_bool(d) : dyn_bool(!m.is_missing);
    }
    return true;
}

static bool do_hasattr(struct dyn *d, const struct arguments *a, struct value *out)
{
    const char *name = a->count > 1 ? dyn_literal(&a->values[1]) : NULL;
    struct having h = {name, NULL};
    *out = dyn_unknown_bool(d);
    return name ? dyn_each(d, &a->values[0], has_one, &h, out) : true;
}

/* The same where it is that text; a dtype: only if it is one. */
static bool getattr_where(struct dyn *d, const struct value *of, struct object *option,
                          const char *name, bool is_dtype, struct value *out)
{
    struct value one, unknown = value_any;
    struct having h = {name_of(d->p->f->names, name), &unknown};
    if (!dyn_each(d, of, has_one, &h, &one))
        return false;
    if (!is_dtype || (one.kind == VALUE_NUMBER && one.names == NAMES_DTYPE))
        *out = outside_choose(d, option, name, &one, out);
    return true;
}

/* The member whose name is not known: that of the name which an option is by default, or one that
 * programs name dtypes with. */
static bool getattr_by_default(struct dyn *d, const struct value *of, struct object *option,
                               struct value *out)
{
    static const char *const dtypes[] = {"float64", "float32", "bfloat16", "float16"};
    const struct value *set = dyn_get(d, option, "(default)");
    const char *usual = set ? dyn_literal(set) : NULL;
    bool is_text = option->is->is_text || option->is->is_data;
    *out = value_any;
    if (usual && *usual && !getattr_where(d, of, option, usual, false, out))
        return false;
    for (int i = 0; is_text && i < COUNT(dtypes); i++)
        if (!getattr_where(d, of, option, dtypes[i], true, out))
            return false;
    return true;
}

/* The member whose name an option is, of all that it can be. */
static bool getattr_of_option(struct dyn *d, const struct value *of, struct object *option,
                              struct value *out)
{
    if (!option->is->choices.count)
        return getattr_by_default(d, of, option, out);
    for (int i = option->is->choices.count - 1; i >= 0; i--) {
        const char *name = option->is->choices.items[i];
        struct value one, unknown = value_any;
        struct having h = {name, &unknown};
        if (!dyn_each(d, of, has_one, &h, &one))
            return false;
        *out =
            i == option->is->choices.count - 1 ? one : outside_choose(d, option, name, &one, out);
    }
    return true;
}

static bool do_getattr(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct object *option = a->count > 1 ? dyn_object(&a->values[1]) : NULL;
    if (option && option->is->kind == DYNAMIC_OUTSIDE)
        return getattr_of_option(d, &a->values[0], option, out);
    const char *name = a->count > 1 ? dyn_literal(&a->values[1]) : NULL;
    struct having h = {name ? name_of(d->p->f->names, name) : NULL,
                       a->count > 2 ? &a->values[2] : NULL};
    *out = value_any;
    if (!name)
        return true;
    if (!h.otherwise)
        return attribute_get(d, &a->values[0], h.name, out);
    struct value otherwise = a->values[2];
    h.otherwise = &otherwise;
    return dyn_each(d, &a->values[0], has_one, &h, out);
}

/* Module.__getattr__(self, name) */
static bool get_registered(struct dyn *d, const struct arguments *a, struct value *out)
{
    const char *name = a->count > 1 ? dyn_literal(&a->values[1]) : NULL;
    *out = value_any;
    return !name || attribute_registered(d, &a->values[0], name_of(d->p->f->names, name), out);
}

static bool do_setattr(struct dyn *d, const struct arguments *a, struct value *out)
{
    const char *name = a->count > 2 ? dyn_literal(&a->values[1]) : NULL;
    *out = value_null();
    if (!name)
        return a->count < 3 || attribute_set_any(d, &a->values[0], &a->values[1]);
    return attribute_set(d, &a->values[0], name_of(d->p->f->names, name), &a->values[2]);
}

/* object.__new__(cls) */
static bool new_instance(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct object *class = a->count ? dyn_object(&a->values[0]) : NULL;
    bool is_class = class && class->is->kind == DYNAMIC_CLASS;
    *out = is_class ? dyn_value(d, dyn_new(d, DYNAMIC_INSTANCE, class)) : value_any;
    return true;
}

/* object.__setattr__(self, name, value) */
static bool set_plainly(struct dyn *d, const struct arguments *a, struct value *out)
{
    const char *name = a->count > 2 ? dyn_literal(&a->values[1]) : NULL;
    *out = value_null();
    if (!name)
        return a->count < 3 || attribute_set_any(d, &a->values[0], &a->values[1]);
    return attribute_set_plainly(d, &a->values[0], name_of(d->p->f->names, name), &a->values[2]);
}

static bool do_super(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct object *class = a->count ? dyn_object(&a->values[0]) : NULL;
    *out = value_any;
    if (!class || class->is->kind != DYNAMIC_CLASS || a->count < 2)
        return true;
    struct object *o = dyn_new(d, DYNAMIC_SUPER, class);
    dyn_put(d, o, "(self)", a->values[1]);
    *out = dyn_value(d, o);
    return true;
}

static bool do_type(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    struct object *o = dyn_object(&v);
    *out = value_any;
    if (o && o->is->kind == DYNAMIC_INSTANCE && o->is->class)
        *out = dyn_value(d, o->is->class);
    else if (v.kind == VALUE_TENSOR)
        *out = dyn_named(d, !strcmp(dyn_tensor_class(d, &v), "ndarray") ? "ndarray" : "Tensor");
    else if (v.kind == VALUE_NUMBER && !v.names)
        *out = dyn_named(d, v.is_bool   ? "builtins.bool"
                            : v.is_real ? "builtins.float"
                                        : "builtins.int");
    else if (dyn_is_text(&v))
        *out = dyn_named(d, "builtins.str");
    else if (dyn_is(&v, DYNAMIC_LIST))
        *out = dyn_named(d, "builtins.list");
    else if (dyn_is(&v, DYNAMIC_TUPLE))
        *out = dyn_named(d, "builtins.tuple");
    else if (dyn_is(&v, DYNAMIC_DICT))
        *out = dyn_named(d, "builtins.dict");
    return true;
}

static struct value descriptor(struct dyn *d, const char *name, const struct value *of)
{
    struct object *o = dyn_new(d, DYNAMIC_DESCRIPTOR, NULL);
    o->is->name = name;
    dyn_put(d, o, "(of)", *of);
    return dyn_value(d, o);
}

static bool do_property(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    *out = descriptor(d, "property", &v);
    if (a->count > 1)
        dyn_put(d, dyn_object(out), "(set)", a->values[1]);
    return true;
}

static bool do_staticmethod(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    *out = descriptor(d, "staticmethod", &v);
    return true;
}

static bool do_classmethod(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    *out = descriptor(d, "classmethod", &v);
    return true;
}

/* @x.setter: the same property with one. */
static bool do_setter(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct object *o = a->count > 1 ? dyn_object(&a->values[0]) : NULL;
    *out = a->count ? a->values[0] : value_any;
    if (o && o->is->kind == DYNAMIC_DESCRIPTOR)
        dyn_put(d, o, "(set)", a->values[1]);
    return true;
}

static bool do_callable(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    const struct object *o = dyn_object(&v);
    bool is_function = o && (o->is->kind == DYNAMIC_FUNCTION || o->is->kind == DYNAMIC_METHOD ||
                             o->is->kind == DYNAMIC_CLASS);
    bool is_known = is_function || v.kind == VALUE_NUMBER || dyn_is_text(&v) || dyn_is_none(&v);
    *out = is_known ? dyn_bool(is_function) : dyn_unknown_bool(d);
    return true;
}

static bool do_vars(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    *out = value_any;
    return dyn_is(&v, DYNAMIC_INSTANCE) ? attribute_get(d, &v, "__dict__", out) : true;
}

static bool do_open(struct dyn *d, const struct arguments *a, struct value *out)
{
    (void)a;
    *out = dyn_named(d, FILE_NAME);
    return true;
}

/* In a function it sets none of its variables. */
static bool do_exec(struct dyn *d, const struct arguments *a, struct value *out)
{
    if (d->p->fr->code->symbol.is_initialiser && a->count == 1)
        name_run_text(d);
    *out = value_null();
    return true;
}

/* Only read, as in "x in globals()", or in a method that changes nothing. */
static bool is_only_read(const struct dyn *d)
{
    static const char *const reads[] = {"copy", "get", "items", "keys", "values"};
    const struct ir_function *fn = d->p->fr->code->fn;
    for (int i = d->n + 1; i < fn->insts.count; i++) {
        const struct ir_inst *in = &fn->insts.items[i];
        bool uses = false, is_read = in->op == IR_APPLY && in->integer != PROTOCOL_SETITEM &&
                                     in->integer != PROTOCOL_DELITEM;
        for (int k = 0; k < in->arg_count; k++)
            uses |= in->args[k] == d->n;
        for (int k = 0; in->op == IR_INVOKE && k < COUNT(reads); k++)
            is_read |= !strcmp(in->name, reads[k]);
        if (uses && !is_read)
            return false;
    }
    return true;
}

static bool do_globals(struct dyn *d, const struct arguments *a, struct value *out)
{
    (void)a;
    if (!is_only_read(d))
        name_run_text(d);
    *out = value_any;
    return true;
}

static bool do_exit(struct dyn *d, const struct arguments *a, struct value *out)
{
    (void)a;
    (void)out;
    return raise_named(d, "SystemExit");
}

static bool do_divmod(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value both[2];
    *out = value_any;
    if (a->count != 2)
        return true;
    if (!protocol_apply(d, PROTOCOL_FLOORDIV, a->values, 2, &both[0]) ||
        !protocol_apply(d, PROTOCOL_MOD, a->values, 2, &both[1]))
        return false;
    *out = container_make(d, DYNAMIC_TUPLE, both, 2);
    return true;
}

static bool do_pow(struct dyn *d, const struct arguments *a, struct value *out)
{
    *out = value_any;
    return a->count == 2 ? protocol_apply(d, PROTOCOL_POW, a->values, 2, out) : true;
}

static bool do_slice(struct dyn *d, const struct arguments *a, struct value *out)
{
    static const char *const fields[] = {"start", "stop", "step"};
    struct object *o = dyn_new(d, DYNAMIC_SLICE, NULL);
    for (int i = 0; i < 3; i++)
        dyn_put(d, o, fields[i],
                a->count == 1  ? (i == 1 ? a->values[0] : value_null())
                : i < a->count ? a->values[i]
                               : value_null());
    *out = dyn_value(d, o);
    return true;
}

/* As type checkers have it: what is known of the value, for those who ask. What is no tensor may be
 * one of which nothing is known. */
static bool do_reveal_type(struct dyn *d, const struct arguments *a, struct value *out)
{
    *out = argument_nth(a, 0);
    if (!dyn_is_tensor(d, out)) {
        struct fact unknown = fact_unknown();
        fact_join(&observed_at(d->p->f, d->p->fr->code, d->n)->fact, &unknown);
    }
    return true;
}

/* Sorted by name. */
static const struct native builtins[] = {{"builtins.abs", do_abs},
                                         {"builtins.bool", do_bool},
                                         {"builtins.callable", do_callable},
                                         {"builtins.classmethod", do_classmethod},
                                         {"builtins.delattr", give_none},
                                         {"builtins.divmod", do_divmod},
                                         {"builtins.exec", do_exec},
                                         {"builtins.exit", do_exit},
                                         {"builtins.float", do_float},
                                         {"builtins.format", give_any},
                                         {"builtins.getattr", do_getattr},
                                         {"builtins.globals", do_globals},
                                         {"builtins.hasattr", do_hasattr},
                                         {"builtins.hash", give_int},
                                         {"builtins.id", give_any},
                                         {"builtins.input", give_any},
                                         {"builtins.int", do_int},
                                         {"builtins.isinstance", do_isinstance},
                                         {"builtins.issubclass", do_issubclass},
                                         {"builtins.iter", do_iter},
                                         {"builtins.len", do_len},
                                         {"builtins.next", do_next},
                                         {"builtins.object.__getattr__", get_registered},
                                         {"builtins.object.__init__", give_none},
                                         {"builtins.object.__new__", new_instance},
                                         {"builtins.object.__setattr__", set_plainly},
                                         {"builtins.open", do_open},
                                         {"builtins.ord", give_int},
                                         {"builtins.pow", do_pow},
                                         {"builtins.print", give_none},
                                         {"builtins.property", do_property},
                                         {"builtins.quit", do_exit},
                                         {"builtins.repr", give_any},
                                         {"builtins.reveal_type", do_reveal_type},
                                         {"builtins.round", do_round},
                                         {"builtins.setattr", do_setattr},
                                         {"builtins.slice", do_slice},
                                         {"builtins.staticmethod", do_staticmethod},
                                         {"builtins.str", do_str},
                                         {"builtins.super", do_super},
                                         {"builtins.type", do_type},
                                         {"builtins.vars", do_vars},
                                         {"property.getter", do_setter},
                                         {"property.setter", do_setter}};

dyn_native *builtin_function(const char *name)
{
    dyn_native *of_sequences = sequence_function(name);
    return of_sequences ? of_sequences : native_in(builtins, COUNT(builtins), name);
}
