/* What model files need beyond the language: parameters and other tensors, regions of autocast and
 * gradients, options of the command line, copies, optimizers. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tensors --------------------------------------------------------------------------------- */

static bool call_on(struct dyn *d, const char *name, const struct value *x, const struct value *y,
                    struct value *out)
{
    struct arguments a = {0};
    bool found;
    argument_add(&a, NULL, *x);
    if (y)
        argument_add(&a, NULL, *y);
    return signature_call(d, name, &a, &found, out);
}

static bool parameter_one(struct dyn *d, const struct value *t, void *context, struct value *out)
{
    const struct value *requires_grad = context;
    struct value data, ignored;
    *out = value_any;
    if (!dyn_is_tensor(d, t) && !dyn_is(t, DYNAMIC_OUTSIDE))
        return true;
    if (!call_on(d, "Tensor.detach", t, NULL, &data) ||
        !call_on(d, "Tensor.requires_grad_", &data, requires_grad, &ignored))
        return false;
    tensor_set_class(d, &data, "Parameter");
    *out = data;
    return true;
}

static bool do_parameter(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value t = argument_nth(a, 0), flag = a->count > 1 ? a->values[1] : dyn_bool(true);
    return dyn_each(d, &t, parameter_one, &flag, out);
}

static bool do_unknown(struct dyn *d, const struct arguments *a, struct value *out)
{
    (void)d;
    (void)a;
    *out = value_any;
    return true;
}

/* What a generator gives, which is left after as many rounds. */
static bool do_rounds(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value count = argument_nth(a, 1);
    int64_t n;
    *out = argument_nth(a, 0);
    if (number_exact(&count, &n))
        container_note_rounds(d, out, (double)n);
    return true;
}

static bool do_data(struct dyn *d, const struct arguments *a, struct value *out)
{
    (void)a;
    *out = outside_data(d);
    return true;
}

static bool do_unknown_tensor(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct flow *f = d->p->f;
    int id = tensor_name(f->heap, key_of(KEY_UNKNOWN_RESULT, d->p->fr->context, (uint64_t)d->n));
    (void)a;
    state_tensor_put(f->scratch, d->p->s,
                     (struct tensor){.id = id, .unknown = true, .fact = fact_unknown()});
    *out = value_of_tensor(id);
    return true;
}

/* It is not known, or whoever calls the program decides what it is. */
static bool do_is_open(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    int64_t n;
    (void)d;
    *out = dyn_bool(v.kind == VALUE_ANY || dyn_is(&v, DYNAMIC_OUTSIDE) ||
                    (v.kind == VALUE_NUMBER && !number_exact(&v, &n)));
    return true;
}

static bool as_unknown(struct value *v, const void *context)
{
    (void)context;
    *v = dyn_bool(v->kind == VALUE_ANY);
    return true;
}

/* The same, or from outside, where it may be an object of any kind. */
static bool as_anything(struct value *v, const void *context)
{
    const struct object *o = dyn_object(v);
    bool is_outside = o && o->is->kind == DYNAMIC_OUTSIDE;
    (void)context;
    bool is_any = v->kind == VALUE_ANY && !v->names; /* with a name: a device */
    *v = dyn_bool(is_any || (is_outside && !o->is->is_text && !o->is->is_data));
    return true;
}

static bool ask_each(struct dyn *d, struct value v, bool (*ask)(struct value *, const void *),
                     struct value *out)
{
    *out = v;
    if (v.kind == VALUE_GUARDED)
        *out = guard_map(d->p->s, &v, ask, NULL);
    else
        ask(out, NULL);
    return true;
}

static bool do_is_anything(struct dyn *d, const struct arguments *a, struct value *out)
{
    return ask_each(d, argument_nth(a, 0), as_anything, out);
}

static bool do_is_unknown(struct dyn *d, const struct arguments *a, struct value *out)
{
    return ask_each(d, argument_nth(a, 0), as_unknown, out);
}

static bool collate_one(struct dyn *d, const struct value *item, void *context, struct value *out)
{
    struct object *o = dyn_object(item);
    struct value zero = value_int(0);
    values_of items = {0};
    (void)context;
    *out = value_any;
    if (dyn_is_tensor(d, item)) {
        struct value t = *item;
        if (!strcmp(dyn_tensor_class(d, item), "ndarray") &&
            !call_on(d, "torch.from_numpy", item, NULL, &t))
            return false;
        return call_on(d, "torch.unsqueeze", &t, &zero, out);
    }
    if (item->kind == VALUE_NUMBER && !item->names) {
        struct value one = value_int(1);
        struct arguments a = {0};
        bool found;
        argument_add(&a, NULL, container_make(d, DYNAMIC_TUPLE, &one, 1));
        argument_add(&a, name_of(d->p->f->names, "dtype"),
                     dtype_value(d, item->is_real   ? DTYPE_F64
                                    : item->is_bool ? DTYPE_BOOL
                                                    : DTYPE_I64));
        return signature_call(d, "torch.empty", &a, &found, out);
    }
    if (o && o->is->kind == DYNAMIC_DICT) {
        struct object *to = dyn_new(d, DYNAMIC_DICT, NULL);
        loc_list all = dyn_fields(d, o);
        for (int i = 0; i < all.count; i++) {
            struct value v = *state_get(d->p->s, all.items[i]), gave;
            if (!dyn_each(d, &v, collate_one, NULL, &gave))
                return false;
            dyn_put(d, to, all.items[i]->field, gave);
        }
        *out = dyn_value(d, to);
        return true;
    }
    if (o && (o->is->kind == DYNAMIC_LIST || o->is->kind == DYNAMIC_TUPLE) &&
        container_items(d, item, &items)) {
        struct value list = container_make(d, DYNAMIC_LIST, NULL, 0), one;
        for (int i = 0; i < items.count; i++) {
            if (!dyn_each(d, &items.items[i], collate_one, NULL, &one))
                return false;
            container_append(d, dyn_object(&list), &one);
        }
        *out = list;
    }
    return true;
}

static bool do_collate(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value item = argument_nth(a, 0);
    return dyn_each(d, &item, collate_one, NULL, out);
}

/* ---- copies ---------------------------------------------------------------------------------- */

enum { COPY_DEPTH = 24, MOST_COPIED = 512 };

struct copied {
    struct object *from[MOST_COPIED], *to[MOST_COPIED];
    int count;
};

static bool copy_value(struct dyn *d, const struct value *v, struct copied *all, int depth,
                       struct value *out);

static bool copy_object(struct dyn *d, struct object *o, struct copied *all, int depth,
                        struct value *out)
{
    for (int i = 0; i < all->count; i++)
        if (all->from[i] == o) {
            *out = dyn_value(d, all->to[i]);
            return true;
        }
    struct object *to = dyn_new(d, o->is->kind, o->is->class);
    struct heap *h = d->p->f->heap;
    const struct loc *from = loc_root(h, o), *root = loc_root(h, to);
    LIST(struct cell) cells = {0};
    const struct cell *cell;
    if (all->count == MOST_COPIED)
        return true;
    all->from[all->count] = o;
    all->to[all->count++] = to;
    for (struct cursor w = {0}; (cell = cell_of(d->p->s, &w, o)); cursor_on(d->p->s, &w))
        if (cell->loc->object == o && cell->loc->parent == from)
            LIST_ADD(d->p->f->scratch, &cells, *cell);
    for (int i = 0; i < cells.count; i++) {
        struct value gave;
        const struct loc *l = cells.items[i].loc;
        if (!copy_value(d, &cells.items[i].value, all, depth + 1, &gave))
            return false;
        d->p->s->guarded |= gave.kind == VALUE_GUARDED;
        state_put(d->p->f->scratch, d->p->s,
                  l->field ? loc_field(h, root, l->field) : loc_element(h, root, l->element), gave);
    }
    *out = dyn_value(d, to);
    return true;
}

static bool copy_value(struct dyn *d, const struct value *v, struct copied *all, int depth,
                       struct value *out)
{
    struct object *o = dyn_object(v);
    *out = *v;
    if (depth > COPY_DEPTH)
        return true;
    if (dyn_is_tensor(d, v)) {
        const char *class = dyn_tensor_class(d, v);
        struct value data, flag;
        bool found;
        if (strcmp(class, "Parameter") != 0)
            return call_on(d, "Tensor.clone", v, NULL, out);
        if (!signature_attribute(d, "Tensor.requires_grad", v, &found, &flag) ||
            !call_on(d, "Tensor.detach", v, NULL, &data) ||
            !call_on(d, "Tensor.clone", &data, NULL, &data))
            return false;
        flag = found ? flag : dyn_bool(true);
        return parameter_one(d, &data, &flag, out);
    }
    bool is_copied = o && (o->is->kind <= DYNAMIC_DICT);
    return is_copied ? copy_object(d, o, all, depth, out) : true;
}

static bool do_copy(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    struct copied *all = arena_one(d->p->f->scratch, struct copied);
    return copy_value(d, &v, all, 0, out);
}

/* ---- regions --------------------------------------------------------------------------------- */

static bool is_true(const struct value *v, const void *context)
{
    (void)context;
    return v->kind == VALUE_NUMBER && value_can_be_nonzero(v);
}

static bool is_open_truth(const struct value *v, const void *context)
{
    (void)context;
    return v->kind != VALUE_NUMBER || (value_can_be_nonzero(v) && value_can_be_zero(v));
}

/* The condition under which a truth holds; DIAGRAM_NONE: not known. */
static diagram where_true(struct dyn *d, struct value v)
{
    struct value zero = value_int(0);
    if (value_is_initial(&v))
        v = compare_values(d->p->f->kept, ARITH_NE, &v, &zero);
    v = guard_truth(d->p->s, &v);
    if (v.kind == VALUE_GUARDED ? guard_any(d->p->s, &v, is_open_truth, NULL)
                                : is_open_truth(&v, NULL))
        return DIAGRAM_NONE;
    return guard_where(d->p->s, &v, is_true, NULL);
}

static bool as_region_dtype(struct value *v, const void *otherwise)
{
    const struct value *usual = otherwise;
    bool is_dtype = v->kind == VALUE_NUMBER && v->names == NAMES_DTYPE;
    bool is_cpu = usual->as.number[0] == DTYPE_BF16;
    int64_t n;
    if (!is_dtype)
        *v = *usual;
    else if (is_cpu && number_exact(v, &n) && n != DTYPE_BF16 && n != DTYPE_F16)
        *v = value_int(DTYPE_NONE); /* it is off with another dtype */
    v->names = NAMES_NOTHING;
    return true;
}

/* One of two, which is not known, but the same throughout the region. */
static struct value one_of(struct dyn *d, struct value a, struct value b)
{
    value_list both = {0};
    LIST_ADD(d->p->f->scratch, &both, arena_copy(d->p->f->scratch, &a, sizeof a));
    LIST_ADD(d->p->f->scratch, &both, arena_copy(d->p->f->scratch, &b, sizeof b));
    return guard_one_of(d->p->s, &both);
}

/* The dtype that the region casts to on the device; DTYPE_NONE where it is off. */
static struct value region_dtype(struct dyn *d, enum device on, struct value dtype,
                                 struct value is_on)
{
    struct value usual = value_int(on == DEVICE_CUDA ? DTYPE_F16 : DTYPE_BF16),
                 off = value_int(DTYPE_NONE);
    if (dtype.kind == VALUE_GUARDED)
        dtype = guard_map(d->p->s, &dtype, as_region_dtype, &usual);
    else
        as_region_dtype(&dtype, &usual);
    diagram where = where_true(d, is_on);
    return where == DIAGRAM_NONE ? one_of(d, dtype, off)
                                 : guard_choose(d->p->s, where, &dtype, &off);
}

struct autocast_args {
    struct value dtype, is_on;
};

static bool autocast_one(struct dyn *d, const struct value *device, void *context,
                         struct value *out)
{
    const struct autocast_args *a = context;
    struct flow *f = d->p->f;
    struct state *s = d->p->s;
    const char *text = dyn_literal(device);
    *out = value_null();
    if (text) {
        enum device on = !strncmp(text, "cpu", 3) ? DEVICE_CPU : DEVICE_CUDA;
        region_set(f, s, on, region_dtype(d, on, a->dtype, a->is_on));
    } else {
        struct value is_cuda = one_of(d, value_int(0), value_int(1));
        diagram where = guard_where(s, &is_cuda, is_true, NULL);
        for (int on = 0; on < AUTOCAST_DEVICES; on++) {
            struct value inside = region_dtype(d, (enum device)on, a->dtype, a->is_on),
                         before = region_get(f, s, on);
            region_set(f, s, on,
                       on == DEVICE_CUDA ? guard_choose(s, where, &inside, &before)
                                         : guard_choose(s, where, &before, &inside));
        }
    }
    for (int on = 0; on < AUTOCAST_DEVICES; on++)
        s->guarded |= region_get(f, s, on).kind == VALUE_GUARDED;
    return true;
}

static bool do_autocast_begin(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value device = argument_nth(a, 0),
                 enabled = a->count > 2 ? a->values[2] : dyn_bool(true), none;
    struct autocast_args args = {.dtype = argument_nth(a, 1)};
    *out = regions_keep(d->p->f, d->p->s,
                        key_of(KEY_SAVED_REGIONS, d->p->fr->context, (uint64_t)d->n));
    return protocol_truth(d, &enabled, &args.is_on) &&
           dyn_each(d, &device, autocast_one, &args, &none);
}

static bool do_autocast_end(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value token = argument_nth(a, 0);
    *out = value_null();
    regions_put_back(d->p->f, d->p->s, &token, false);
    return true;
}

static bool do_grad_mode(struct dyn *d, const struct arguments *a, struct value *out)
{
    int64_t n;
    (void)a;
    *out = region_get(d->p->f, d->p->s, REGION_GRAD);
    if (out->kind == VALUE_GUARDED)
        return true;
    *out = number_exact(out, &n) ? dyn_bool(n != 0) : dyn_unknown_bool(d);
    return true;
}

static bool do_grad_mode_begin(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct flow *f = d->p->f;
    struct value enabled = argument_nth(a, 0), is_on;
    *out = regions_keep(f, d->p->s, key_of(KEY_SAVED_REGIONS, d->p->fr->context, (uint64_t)d->n));
    if (!protocol_truth(d, &enabled, &is_on))
        return false;
    is_on = guard_truth(d->p->s, &is_on);
    d->p->s->guarded |= is_on.kind == VALUE_GUARDED;
    region_set(f, d->p->s, REGION_GRAD, is_on);
    return true;
}

/* The module of that name, as it is found from where the model file was called. */
static bool do_import_module(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value name = argument_nth(a, 0);
    const char *text = dyn_literal(&name);
    *out = value_any;
    return !text || name_import_for_caller(d, text, out);
}

/* No gradients, and tensors that will never have one. */
static bool do_inference_mode_begin(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct flow *f = d->p->f;
    struct value enabled = argument_nth(a, 0), is_on;
    *out = regions_keep(f, d->p->s, key_of(KEY_SAVED_REGIONS, d->p->fr->context, (uint64_t)d->n));
    if (!protocol_truth(d, &enabled, &is_on))
        return false;
    bool is_known = is_on.kind == VALUE_NUMBER && is_on.count == 1;
    bool is = is_known && is_on.as.number[0];
    region_set(f, d->p->s, REGION_GRAD, is_known ? value_int(!is) : value_any);
    region_set(f, d->p->s, REGION_INFERENCE, is_known ? value_int(is) : value_any);
    return true;
}

static bool do_grad_mode_end(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value token = argument_nth(a, 0);
    *out = value_null();
    regions_put_back(d->p->f, d->p->s, &token, true);
    return true;
}

/* Of a context manager, which keeps where it was left: up to the first yield, of which the value is
 * returned. */
static bool do_run_to_yield(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct flow *f = d->p->f;
    struct value self = argument_nth(a, 0), fn = argument_nth(a, 1);
    struct object *o = dyn_object(&self);
    struct arguments passed;
    arguments_from(a, 2, &passed);
    f->stops_at_yield = true;
    f->suspended = (struct suspended){0};
    bool goes_on = invoke_value(d, &fn, &passed, out);
    f->stops_at_yield = false;
    struct suspended left = f->suspended;
    f->suspended = (struct suspended){0};
    if (!goes_on || !o)
        return goes_on;
    bool is_known = left.block > 0 && left.function;
    dyn_put(d, o, "(block)", value_int(is_known ? left.block : 0));
    dyn_put(d, o, "(context)", value_int((int64_t)left.context));
    dyn_put(d, o, "(handles)", dyn_bool(!is_known || left.handles));
    if (is_known)
        dyn_put(d, o, "(function)", dyn_value(d, (struct object *)(uintptr_t)left.function));
    return true;
}

/* What is behind that yield; whether it is known. */
static bool do_run_from_yield(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value self = argument_nth(a, 0);
    struct object *o = dyn_object(&self);
    const struct value *block = o ? dyn_get(d, o, "(block)") : NULL;
    const struct value *context = o ? dyn_get(d, o, "(context)") : NULL;
    const struct value *of = o ? dyn_get(d, o, "(function)") : NULL;
    struct object *function = of ? dyn_object(of) : NULL;
    int64_t n, number;
    *out = dyn_bool(false);
    if (!function || !block || !context || !number_exact(block, &n) || n <= 0 ||
        !number_exact(context, &number))
        return true;
    struct suspended at = {.context = (uint64_t)number,
                           .function = function,
                           .code = code_of(d->p->f, function->is->code),
                           .block = (int)n};
    *out = dyn_bool(true);
    return run_suspended(d, &at);
}

/* Whether the context manager does something when an exception is raised at its yield. */
static bool do_handles_at_yield(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value self = argument_nth(a, 0);
    struct object *o = dyn_object(&self);
    const struct value *handles = o ? dyn_get(d, o, "(handles)") : NULL;
    *out = handles ? *handles : dyn_bool(true);
    return true;
}

static bool do_regions_keep(struct dyn *d, const struct arguments *a, struct value *out)
{
    (void)a;
    *out = regions_keep(d->p->f, d->p->s,
                        key_of(KEY_SAVED_REGIONS, d->p->fr->context, (uint64_t)d->n));
    return true;
}

static bool do_regions_restore(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value token = argument_nth(a, 0);
    *out = value_null();
    regions_restore(d->p->f, d->p->s, &token);
    return true;
}

static bool do_set_default_dtype(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    bool is_dtype = v.kind == VALUE_NUMBER && v.names == NAMES_DTYPE;
    v.names = NAMES_NOTHING;
    *out = value_null();
    region_set(d->p->f, d->p->s, REGION_DEFAULT_DTYPE, is_dtype ? v : value_any);
    return true;
}

static bool do_set_default_device(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0), cpu = value_int(FIRST_CPU);
    cpu.names = NAMES_DEVICE;
    *out = value_null();
    region_set(d->p->f, d->p->s, REGION_DEFAULT_DEVICE, dyn_is_none(&v) ? cpu : device_of(d, &v));
    return true;
}

/* ---- devices --------------------------------------------------------------------------------- */

/* By its name, or by that and a number. */
static bool do_device(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value of = argument_nth(a, 0), index = argument_nth(a, 1);
    const char *text = dyn_literal(&of);
    int64_t n = 0;
    *out = value_any;
    if (of.kind == VALUE_NUMBER && of.names == NAMES_DEVICE)
        *out = of;
    else if (text && a->count > 1 && number_exact(&index, &n)) {
        char full[64];
        snprintf(full, sizeof full, "%s:%lld", text, (long long)n);
        if (!device_of_text(d, strchr(text, ':') ? text : full, out))
            *out = value_any;
    } else
        *out = device_of(d, &of);
    return true;
}

/* ---- options --------------------------------------------------------------------------------- */

/* What the option is by default, in all cases. */
/* All texts that an option can be, if they are known: its choices, and what it is by default. */
static void set_choices(struct dyn *d, struct object *option, const struct value *choices,
                        const struct value *otherwise)
{
    values_of items = {0};
    value_list defaults = guard_values(d->p->f->scratch, d->p->s, otherwise);
    option->is->choices.count = 0;
    if (!dyn_object(choices) || !container_items(d, choices, &items))
        return;
    for (int i = 0; i < items.count; i++) {
        const char *one =
            dyn_literal(items.items[i].kind == VALUE_GUARDED ? &value_any : &items.items[i]);
        if (!one) {
            option->is->choices.count = 0;
            return;
        }
        LIST_ADD(d->p->f->kept, &option->is->choices, name_of(d->p->f->names, one));
    }
    for (int i = 0; i < defaults.count; i++) {
        const char *text = dyn_literal(defaults.items[i]);
        if (text && !outside_can_be(option, text))
            LIST_ADD(d->p->f->kept, &option->is->choices, name_of(d->p->f->names, text));
        if (!text && !dyn_is_none(defaults.items[i])) {
            option->is->choices.count = 0;
            return;
        }
    }
}

static bool do_option(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value name = argument_nth(a, 0), type = argument_nth(a, 1),
                 otherwise = argument_nth(a, 2);
    const char *text = dyn_literal(&name);
    const struct object *of = dyn_object(&type);
    const char *kind = of && of->is->kind == DYNAMIC_NAMED ? of->is->name : "";
    *out = value_any;
    if (!text)
        return true;
    struct object *o = outside_option(d, text);
    struct value choices = argument_nth(a, 3);
    outside_set_defaults(d, o, kind, &otherwise);
    set_choices(d, o, &choices, &otherwise);
    *out = outside_read(d, o, kind, &otherwise);
    return true;
}

/* ---- optimizers ------------------------------------------------------------------------------ */

static void add_parameters(struct dyn *d, const struct value *of, const struct loc *held,
                           int64_t *count)
{
    values_of items = {0};
    struct object *o = dyn_object(of);
    if (dyn_is_tensor(d, of)) {
        struct value v = *of;
        v.origin = NULL;
        d->p->s->guarded |= v.kind == VALUE_GUARDED;
        state_put(d->p->f->scratch, d->p->s, loc_element(d->p->f->heap, held, (*count)++), v);
        return;
    }
    if (o && o->is->kind == DYNAMIC_DICT) { /* a group */
        struct value key = dyn_text(d, "params");
        const struct value *params = dyn_get(d, o, dict_key(d, &key));
        if (params) {
            struct value v = *params;
            add_parameters(d, &v, held, count);
        }
        return;
    }
    if (o && o->is->kind == DYNAMIC_ITERATOR) {
        const struct value *in = dyn_get(d, o, "(of)");
        struct value v = in ? *in : value_any;
        add_parameters(d, &v, held, count);
        return;
    }
    if (o && o->is->kind <= DYNAMIC_SET && container_items(d, of, &items))
        for (int i = 0; i < items.count; i++)
            add_parameters(d, &items.items[i], held, count);
}

static bool do_optimizer(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct object *o = dyn_new(d, DYNAMIC_INSTANCE, NULL);
    struct value params = argument_nth(a, 0);
    int64_t count = 0;
    *out = dyn_value(d, o);
    add_parameters(d, &params, call_held(d->p->f, loc_root(d->p->f->heap, o)), &count);
    return true;
}

/* With what the function of the pack takes before the arguments: where it is called. */
static bool call_plain(struct dyn *d, unsigned effects, const struct arguments *a, bool is_object,
                       struct value *out)
{
    struct value args[4] = {value_any};
    int count = 1;
    struct value made;
    for (int i = 0; i < a->count && i < 3; i++)
        args[count++] = a->values[i];
    if (is_object)
        made = dyn_value(d, dyn_new(d, DYNAMIC_INSTANCE, NULL));
    return function_call(d, effects, args, count, is_object ? &made : NULL, out);
}

#define PLAIN(function, effects)                                                                   \
    static bool function(struct dyn *d, const struct arguments *a, struct value *out)              \
    {                                                                                              \
        return call_plain(d, effects, a, false, out);                                              \
    }
PLAIN(do_step, EFFECT_STEPS)
PLAIN(do_zero_grad, EFFECT_ZERO_GRAD)
PLAIN(do_scale, EFFECT_SCALES)
PLAIN(do_unscale, EFFECT_UNSCALES)
PLAIN(do_scaler_step, EFFECT_STEPS | EFFECT_UNSCALES)
PLAIN(do_scaler_update, EFFECT_SCALER_UPDATE)

static bool do_scaler(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct arguments own = {0};
    (void)a;
    argument_add(&own, NULL, dyn_bool(true));
    return call_plain(d, EFFECT_SCALER_NEW, &own, true, out);
}

/* The tensors as an array of the pack's. */
static bool do_clip(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct flow *f = d->p->f;
    struct object *o = dyn_new(d, DYNAMIC_INSTANCE, NULL), *array = dyn_new(d, DYNAMIC_LIST, NULL);
    struct value params = argument_nth(a, 0);
    int64_t count = 0;
    add_parameters(d, &params, loc_root(f->heap, array), &count);
    dyn_put(d, o, "tensors", dyn_value(d, array));
    dyn_put(d, o, "count", value_int(count));
    struct arguments own = {0};
    argument_add(&own, NULL, dyn_value(d, o));
    *out = value_any;
    return count ? call_plain(d, EFFECT_CLIPS | EFFECT_GRADIENT_NORM, &own, false, out) : true;
}

/* ---- records --------------------------------------------------------------------------------- */

static bool do_dataclass(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    struct object *o = dyn_object(&v);
    (void)d;
    if (o && o->is->kind == DYNAMIC_CLASS)
        o->is->is_record = true;
    *out = v;
    return true;
}

static bool do_field(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct object *o = dyn_new(d, DYNAMIC_INSTANCE, NULL);
    struct value plain = argument_nth(a, 0), factory = argument_nth(a, 1);
    if (!dyn_is_none(&factory))
        dyn_put(d, o, "(factory)", factory);
    else
        dyn_put(d, o, "(default)", plain);
    *out = dyn_value(d, o);
    return true;
}

/* Those of a dataclass, or of an instance of one. */
static bool do_field_names(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value of = argument_nth(a, 0);
    struct object *o = dyn_object(&of);
    struct object *class = o && o->is->kind == DYNAMIC_INSTANCE ? o->is->class : o;
    values_of names = {0};
    *out = value_any;
    if (!class || class->is->kind != DYNAMIC_CLASS || class->is->is_open)
        return true;
    text_list all = record_names(d, class);
    for (int i = 0; i < all.count; i++)
        LIST_ADD(d->p->f->scratch, &names, dyn_text(d, all.items[i]));
    *out = container_make(d, DYNAMIC_LIST, names.items, names.count);
    return true;
}

/* Of the first parameter of a function, and whether it has one that is known. */
static bool do_annotation(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value of = argument_nth(a, 0);
    const struct value *v =
        dyn_is(&of, DYNAMIC_FUNCTION) ? dyn_get(d, dyn_object(&of), "(first annotation)") : NULL;
    *out = v ? *v : value_any;
    return true;
}

static bool do_is_annotated(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v;
    do_annotation(d, a, &v);
    *out = dyn_bool(v.kind != VALUE_ANY && !dyn_is_text(&v));
    return true;
}

static bool do_is_function(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = argument_nth(a, 0);
    (void)d;
    *out = dyn_bool(dyn_is(&v, DYNAMIC_FUNCTION));
    return true;
}

/* collections.namedtuple("Name", "a b") or ["a", "b"]. */
static bool do_namedtuple(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct object *o = dyn_new(d, DYNAMIC_CLASS, NULL);
    struct value fields = argument_nth(a, 1);
    const char *text = dyn_literal(&fields);
    values_of items = {0};
    o->is->is_record = o->is->is_tuple = true;
    o->is->name = "namedtuple";
    o->is->annotated.count = 0;
    o->is->order = arena_copy(d->p->f->kept, &o, sizeof(struct object *));
    o->is->order_count = 1;
    *out = dyn_value(d, o);
    for (const char *p = text; p && *p;) {
        size_t length = strcspn(p, " ,");
        if (length)
            LIST_ADD(d->p->f->kept, &o->is->annotated, name_of_range(d->p->f->names, p, length));
        p += length + (p[length] != 0);
    }
    if (!text && container_items(d, &fields, &items))
        for (int i = 0; i < items.count; i++)
            if (dyn_literal(&items.items[i]))
                LIST_ADD(d->p->f->kept, &o->is->annotated,
                         name_of(d->p->f->names, dyn_literal(&items.items[i])));
    return true;
}

/* Sorted by name. */
static const struct native primitives[] = {{"_mc.annotation", do_annotation},
                                           {"_mc.autocast_begin", do_autocast_begin},
                                           {"_mc.autocast_end", do_autocast_end},
                                           {"_mc.clip", do_clip},
                                           {"_mc.collate", do_collate},
                                           {"_mc.copy", do_copy},
                                           {"_mc.data", do_data},
                                           {"_mc.dataclass", do_dataclass},
                                           {"_mc.device", do_device},
                                           {"_mc.field", do_field},
                                           {"_mc.field_names", do_field_names},
                                           {"_mc.grad_mode", do_grad_mode},
                                           {"_mc.grad_mode_begin", do_grad_mode_begin},
                                           {"_mc.grad_mode_end", do_grad_mode_end},
                                           {"_mc.handles_at_yield", do_handles_at_yield},
                                           {"_mc.import_module", do_import_module},
                                           {"_mc.inference_mode_begin", do_inference_mode_begin},
                                           {"_mc.is_annotated", do_is_annotated},
                                           {"_mc.is_anything", do_is_anything},
                                           {"_mc.is_function", do_is_function},
                                           {"_mc.is_open", do_is_open},
                                           {"_mc.is_unknown", do_is_unknown},
                                           {"_mc.namedtuple", do_namedtuple},
                                           {"_mc.optimizer", do_optimizer},
                                           {"_mc.option", do_option},
                                           {"_mc.parameter", do_parameter},
                                           {"_mc.regions_keep", do_regions_keep},
                                           {"_mc.regions_restore", do_regions_restore},
                                           {"_mc.rounds", do_rounds},
                                           {"_mc.run_from_yield", do_run_from_yield},
                                           {"_mc.run_to_yield", do_run_to_yield},
                                           {"_mc.scale", do_scale},
                                           {"_mc.scaler", do_scaler},
                                           {"_mc.scaler_step", do_scaler_step},
                                           {"_mc.scaler_update", do_scaler_update},
                                           {"_mc.set_default_device", do_set_default_device},
                                           {"_mc.set_default_dtype", do_set_default_dtype},
                                           {"_mc.step", do_step},
                                           {"_mc.unknown", do_unknown},
                                           {"_mc.unknown_tensor", do_unknown_tensor},
                                           {"_mc.unscale", do_unscale},
                                           {"_mc.zero_grad", do_zero_grad}};

dyn_native *primitive_named(const char *name)
{
    return native_in(primitives, COUNT(primitives), name);
}
