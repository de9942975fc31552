/* What model files need beyond the language: the members that a module registers, regions of
 * autocast and gradients, options of the command line, copies, optimizers. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct type bool_type = {.kind = TYPE_BOOL};
static const struct type int_type = {.kind = TYPE_INT, .bits = 64, .is_signed = true};

static struct value nth(const struct arguments *a, int n)
{
    return n < a->count && !a->labels[n] ? a->values[n] : value_any;
}

/* ---- members of modules ---------------------------------------------------------------------- */

enum member_kind { MEMBER_PARAMETER = 1, MEMBER_BUFFER = 2, MEMBER_MODULE = 4 };

struct registered {
    enum member_kind kind;
    const char *name;        /* dotted, from the module that was asked */
    struct object *owner;    /* the module */
    const struct loc *field; /* where it is; NULL: the module that was asked */
    struct value value;
};
typedef LIST(struct registered) registered_list;

enum { WALK_DEPTH = 24 };

static bool is_module(struct dyn *d, const struct object *o)
{
    /* A base that is not known may be one that registers. */
    return o && o->is->kind == DYNAMIC_INSTANCE && o->is->class &&
           (o->is->class->is->is_open || class_member(d, o->is->class, 0, "_mc_registers"));
}

static const char *dotted(struct dyn *d, const char *prefix, const char *name)
{
    return *prefix ? dyn_join(d, prefix, ".", name) : name_of(d->p->f->names, name);
}

static bool is_listed(const registered_list *all, const struct value *v)
{
    for (int i = 0; i < all->count; i++)
        if (value_equal(&all->items[i].value, v))
            return true;
    return false;
}

static void walk(struct dyn *d, struct object *module, const char *prefix, int depth,
                 registered_list *out);

static void register_one(struct dyn *d, struct object *owner, const char *prefix, const char *name,
                         const struct loc *field, const struct value *v, int depth,
                         registered_list *out)
{
    value_list each = guard_values(d->p->f->scratch, d->p->s, v);
    struct registered r = {.name = dotted(d, prefix, name), .owner = owner, .field = field};
    for (int i = 0; i < each.count; i++) {
        struct object *o = dyn_object(each.items[i]);
        bool is_tensor = each.items[i]->kind == VALUE_TENSOR;
        bool is_parameter = is_tensor && !strcmp(dyn_tensor_class(d, each.items[i]), "Parameter");
        bool is_buffer = is_tensor && dyn_get(d, owner, dyn_join(d, "(buffer ", name, ")"));
        r.value = *each.items[i];
        r.value.origin = NULL;
        r.kind = is_parameter ? MEMBER_PARAMETER : is_buffer ? MEMBER_BUFFER : MEMBER_MODULE;
        if (is_listed(out, &r.value))
            continue;
        if (is_parameter || is_buffer) {
            LIST_ADD(d->p->f->scratch, out, r);
        } else if (is_module(d, o)) {
            LIST_ADD(d->p->f->scratch, out, r);
            walk(d, o, r.name, depth + 1, out);
        }
    }
}

/* What a container registers: the elements of a list, the entries of a dict. */
static void walk_members(struct dyn *d, struct object *module, const char *prefix,
                         const struct value *of, int depth, registered_list *out)
{
    struct object *o = dyn_object(of);
    struct heap *h = d->p->f->heap;
    if (!o)
        return;
    if (o->is->kind == DYNAMIC_DICT) {
        loc_list all = dyn_fields(d, o);
        for (int i = 0; i < all.count; i++) {
            struct value key = dict_key_value(d, all.items[i]->field);
            struct value v = *state_get(d->p->s, all.items[i]);
            if (dyn_literal(&key))
                register_one(d, module, prefix, dyn_literal(&key), all.items[i], &v, depth, out);
        }
        return;
    }
    int64_t length = container_length(d, of);
    for (int64_t i = 0; i < length; i++) {
        char name[24];
        struct value v = container_item(d, of, i);
        snprintf(name, sizeof name, "%lld", (long long)i);
        register_one(d, module, prefix, name, loc_element(h, loc_root(h, o), i), &v, depth, out);
    }
    if (length < 0) {
        struct value v = container_any(d, of);
        register_one(d, module, prefix, "*", NULL, &v, depth, out);
    }
}

static void walk(struct dyn *d, struct object *module, const char *prefix, int depth,
                 registered_list *out)
{
    if (depth > WALK_DEPTH)
        return;
    loc_list all = dyn_fields(d, module);
    for (int i = 0; i < all.count; i++) {
        struct value v = *state_get(d->p->s, all.items[i]);
        if (!strcmp(all.items[i]->field, "_mc_members"))
            walk_members(d, module, prefix, &v, depth, out);
        else
            register_one(d, module, prefix, all.items[i]->field, all.items[i], &v, depth, out);
    }
}

static registered_list registered_in(struct dyn *d, const struct value *module)
{
    registered_list all = {0};
    value_list each = guard_values(d->p->f->scratch, d->p->s, module);
    for (int i = 0; i < each.count; i++)
        if (is_module(d, dyn_object(each.items[i])))
            walk(d, dyn_object(each.items[i]), "", 0, &all);
    return all;
}

/* ---- what is not registered ------------------------------------------------------------------ */

struct set_place {
    const struct ir_function *function;
    ir_value inst;
};

static bool does_register(struct dyn *d, const struct object *o)
{
    return is_module(d, o) && !o->is->class->is->is_open;
}

static bool is_container(const struct object *o)
{
    return o && (o->is->kind == DYNAMIC_LIST || o->is->kind == DYNAMIC_TUPLE ||
                 o->is->kind == DYNAMIC_DICT);
}

void attribute_note(struct dyn *d, struct object *o, const char *name)
{
    const struct value *v = dyn_get(d, o, name);
    const struct code *code = d->p->fr->code;
    if (code->unit->module || !v || !is_container(dyn_object(v)) || !does_register(d, o))
        return;
    struct set_place *at = arena_one(d->p->f->kept, struct set_place);
    *at = (struct set_place){code->fn, d->n};
    d->p->f->own.keeps_containers = true;
    map_put(d->p->f->own.set_at, (uint64_t)(uintptr_t)dyn_field(d, o, name), at);
}

/* A module with tensors. */
static bool has_tensors(struct dyn *d, const struct value *v)
{
    registered_list all = {0};
    if (does_register(d, dyn_object(v)))
        all = registered_in(d, v);
    for (int i = 0; i < all.count; i++)
        if (all.items[i].kind != MEMBER_MODULE)
            return true;
    return false;
}

/* The values of a dict; the elements of a list, or twice whichever of them, if it is not known how
 * many there are. */
static values_of values_in(struct dyn *d, struct object *o)
{
    values_of all = {0};
    struct value of = dyn_value(d, o);
    loc_list fields = {0};
    if (o->is->kind == DYNAMIC_DICT)
        fields = dyn_fields(d, o);
    for (int i = 0; i < fields.count; i++)
        LIST_ADD(d->p->f->scratch, &all, *state_get(d->p->s, fields.items[i]));
    if (o->is->kind == DYNAMIC_DICT || container_items(d, &of, &all))
        return all;
    struct value any = container_any(d, &of);
    for (int i = 0; i < 2; i++)
        LIST_ADD(d->p->f->scratch, &all, any);
    return all;
}

/* How many modules with tensors a container holds; *missed: one of them is not registered. */
static int held_in(struct dyn *d, struct object *o, const registered_list *all, int depth,
                   bool *missed)
{
    values_of values = values_in(d, o);
    int held = 0;
    for (int i = 0; i < values.count; i++) {
        struct value *v = &values.items[i];
        if (is_container(dyn_object(v)) && depth)
            held += held_in(d, dyn_object(v), all, depth - 1, missed);
        if (!has_tensors(d, v))
            continue;
        v->origin = NULL;
        held++;
        *missed |= !is_listed(all, v);
    }
    return held;
}

/* The program has its own way to move, or to list, what the object holds. */
static bool is_by_program(struct dyn *d, const struct object *o)
{
    static const char *const names[] = {"_apply", "to", "cuda", "parameters", "named_parameters"};
    for (int i = 0; i < COUNT(names); i++) {
        const struct value *v = class_member(d, o->is->class, 0, names[i]);
        const struct object *as = v ? dyn_object(v) : NULL;
        const struct code *code = as && as->is->code ? code_of(d->p->f, as->is->code) : NULL;
        if (code && !code->unit->module)
            return true;
    }
    return false;
}

static void left_out_add(struct dyn *d, const struct set_place *at, const char *name, bool is_moved)
{
    struct flow *f = d->p->f;
    ir_value inst = d->n;
    const struct frame *fr = frame_in_program(d->p->fr, &inst);
    for (int i = 0; i < f->own.left_out.count; i++)
        if (f->own.left_out.items[i].function == at->function &&
            f->own.left_out.items[i].inst == at->inst)
            return;
    struct flow_left_out one = {at->function, at->inst, name, is_moved,
                                fr->code->fn->insts.items[inst].span};
    LIST_ADD(f->kept, &f->own.left_out, one);
}

/* A list of one is how programs keep a module without registering it. */
static void note_left_out_of(struct dyn *d, struct object *owner, const registered_list *all,
                             bool is_moved)
{
    if (!does_register(d, owner) || is_by_program(d, owner))
        return;
    loc_list fields = dyn_fields(d, owner);
    for (int i = 0; i < fields.count; i++) {
        const struct value *v = state_get(d->p->s, fields.items[i]);
        const struct set_place *at =
            map_get(d->p->f->own.set_at, (uint64_t)(uintptr_t)fields.items[i]);
        bool missed = false;
        if (at && v && is_container(dyn_object(v)) &&
            held_in(d, dyn_object(v), all, 1, &missed) > 1 && missed)
            left_out_add(d, at, fields.items[i]->field, is_moved);
    }
}

static void note_left_out(struct dyn *d, const struct value *module, bool is_moved)
{
    if (!d->p->f->own.keeps_containers)
        return;
    registered_list all = registered_in(d, module);
    note_left_out_of(d, dyn_object(module), &all, is_moved);
    for (int i = 0; i < all.count; i++)
        if (all.items[i].kind == MEMBER_MODULE)
            note_left_out_of(d, dyn_object(&all.items[i].value), &all, is_moved);
}

/* ---- lists of what is registered ------------------------------------------------------------- */

/* Of the kinds wanted, themselves or with their names. is_near: only those of the module itself. */
static struct value listed(struct dyn *d, const struct value *module, unsigned kinds, bool named,
                           bool with_itself, bool is_near)
{
    registered_list all = registered_in(d, module);
    values_of items = {0};
    if (!dyn_is(module, DYNAMIC_INSTANCE)) {
        struct value any = value_any;
        return container_of_any(d, DYNAMIC_LIST, &any);
    }
    for (int i = with_itself ? -1 : 0; i < all.count; i++) {
        const struct registered *r = i >= 0 ? &all.items[i] : NULL;
        const struct value pair[] = {dyn_text(d, r ? r->name : ""), r ? r->value : *module};
        if (r && (!(r->kind & kinds) || (is_near && strchr(r->name, '.'))))
            continue;
        LIST_ADD(d->p->f->scratch, &items,
                 named ? container_make(d, DYNAMIC_TUPLE, pair, 2) : pair[1]);
    }
    return container_make(d, DYNAMIC_LIST, items.items, items.count);
}

#define LISTED(function, kinds, named, with_itself, is_near)                                       \
    static bool function(struct dyn *d, const struct arguments *a, struct value *out)              \
    {                                                                                              \
        struct value module = nth(a, 0);                                                           \
        if ((kinds) == MEMBER_PARAMETER)                                                           \
            note_left_out(d, &module, false);                                                      \
        *out = listed(d, &module, kinds, named, with_itself, is_near);                             \
        return true;                                                                               \
    }
LISTED(do_tensors, MEMBER_PARAMETER | MEMBER_BUFFER, false, false, false)
LISTED(do_parameters, MEMBER_PARAMETER, false, false, false)
LISTED(do_named_parameters, MEMBER_PARAMETER, true, false, false)
LISTED(do_buffers, MEMBER_BUFFER, false, false, false)
LISTED(do_named_buffers, MEMBER_BUFFER, true, false, false)
LISTED(do_modules, MEMBER_MODULE, false, true, false)
LISTED(do_named_modules, MEMBER_MODULE, true, true, false)
LISTED(do_children, MEMBER_MODULE, false, false, true)
LISTED(do_named_children, MEMBER_MODULE, true, false, true)

/* That people give to models; none is given f8 as a whole. */
#define PLAIN_FLOATS                                                                               \
    ((dtype_set)(1u << DTYPE_F16 | 1u << DTYPE_BF16 | 1u << DTYPE_F32 | 1u << DTYPE_F64))

/* NULL: it is none, or one of several. */
static const struct tensor *tensor_of(struct dyn *d, const struct registered *r)
{
    const struct value *v = &r->value;
    return v->kind == VALUE_TENSOR && v->count == 1 ? state_tensor(d->p->s, v->as.tensor[0]) : NULL;
}

/* What a module registers may have been cast and moved by whoever made it: the dtypes of floating
 * tensors are not known, nor where any of them is. */
static void open_registered(struct dyn *d, const struct value *module, bool has_dtype)
{
    registered_list all = registered_in(d, module);
    for (int i = 0; i < all.count; i++) {
        const struct tensor *t = tensor_of(d, &all.items[i]);
        if (!t)
            continue;
        struct tensor open = *t;
        open.cases = 0;
        open.unknown = true;
        if (!has_dtype && open.fact.dtypes & DTYPES_FLOATING)
            open.fact.dtypes |= PLAIN_FLOATS;
        open.fact.devices = fact_unknown().devices;
        open.fact.gpus = 0;
        state_tensor_put(d->p->f->scratch, d->p->s, open);
    }
}

/* Of each, only what the assumption says; a tensor of integers stays one. */
static void assume_tensor(struct dyn *d, const struct tensor *t, const struct fact *assumed)
{
    struct tensor is = *t;
    is.cases = 0;
    if (assumed->dtypes != fact_unknown().dtypes && is.fact.dtypes & DTYPES_FLOATING) {
        is.fact.dtypes = assumed->dtypes;
        is.unknown = false;
    }
    if (assumed->devices != fact_unknown().devices) {
        is.fact.devices = assumed->devices;
        is.fact.gpus = assumed->gpus;
    }
    state_tensor_put(d->p->f->scratch, d->p->s, is);
}

bool module_assume(struct dyn *d, const struct object *class, const struct value *module)
{
    bool any = false;
    if (!d->p->f->options.assume_count || !class->is->name)
        return false;
    registered_list all = registered_in(d, module);
    for (int i = 0; i < all.count; i++) {
        const struct tensor *t = tensor_of(d, &all.items[i]);
        const struct fact *assumed =
            t ? assumed_as(d->p->f, dyn_join(d, class->is->name, ".", all.items[i].name)) : NULL;
        if (assumed)
            assume_tensor(d, t, assumed);
        any |= assumed != NULL;
    }
    return any;
}

void module_open(struct dyn *d, const struct value *module)
{
    open_registered(d, module, false);
}

/* The module was moved to where is not known; the dtype of its tensors is, or is not either. */
static bool do_open(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value module = nth(a, 0), has_dtype = nth(a, 1);
    int64_t n;
    open_registered(d, &module, number_exact(&has_dtype, &n) && n);
    *out = value_null();
    return true;
}

/* It is not known, or whoever calls the program decides what it is. */
static bool do_is_open(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = nth(a, 0);
    int64_t n;
    (void)d;
    *out = dyn_bool(v.kind == VALUE_ANY || dyn_is(&v, DYNAMIC_OUTSIDE) ||
                    (v.kind == VALUE_NUMBER && !number_exact(&v, &n)));
    return true;
}

static bool do_is_unknown(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = nth(a, 0);
    (void)d;
    *out = dyn_bool(v.kind == VALUE_ANY);
    return true;
}

/* A field that can be one of several is listed once for each. */
static bool is_same_field(const registered_list *all, int at)
{
    for (int i = 0; i < at; i++)
        if (all->items[at].field && all->items[i].field == all->items[at].field)
            return true;
    return false;
}

/* A parameter keeps its identity, a buffer is replaced. */
static bool do_each_tensor(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value module = nth(a, 0), fn = nth(a, 1);
    note_left_out(d, &module, true);
    registered_list all = registered_in(d, &module);
    *out = value_null();
    for (int i = 0; i < all.count; i++) {
        struct registered *r = &all.items[i];
        struct arguments one = {0};
        struct value data = r->value, gave;
        bool found;
        if (r->kind == MEMBER_MODULE || (r->kind == MEMBER_BUFFER && is_same_field(&all, i)))
            continue;
        if (r->kind == MEMBER_BUFFER && r->field) /* all that it can be */
            data = *state_get(d->p->s, r->field);
        if (r->kind == MEMBER_PARAMETER &&
            !signature_attribute(d, "Tensor.data", &r->value, &found, &data))
            return false;
        argument_add(&one, NULL, data);
        if (!invoke_value(d, &fn, &one, &gave))
            return false;
        if (r->kind == MEMBER_PARAMETER) {
            tensor_set_data(d, &r->value, &gave);
        } else if (r->field) {
            d->p->s->guarded |= gave.kind == VALUE_GUARDED;
            state_put(d->p->f->scratch, d->p->s, r->field, gave);
        }
    }
    return true;
}

static bool do_set_buffer(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value module = nth(a, 0), name = nth(a, 1), v = nth(a, 2);
    const char *text = dyn_literal(&name);
    *out = value_null();
    if (!dyn_object(&module) || !text)
        return true;
    dyn_put(d, dyn_object(&module), text, v);
    dyn_put(d, dyn_object(&module), dyn_join(d, "(buffer ", text, ")"), value_int(1));
    return true;
}

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
    struct value t = nth(a, 0), flag = a->count > 1 ? a->values[1] : dyn_bool(true);
    return dyn_each(d, &t, parameter_one, &flag, out);
}

static bool do_unknown(struct dyn *d, const struct arguments *a, struct value *out)
{
    (void)d;
    (void)a;
    *out = value_any;
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

/* A batch of items. */
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
    struct value item = nth(a, 0);
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
    struct value v = nth(a, 0);
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

static bool do_autocast_begin(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct flow *f = d->p->f;
    struct value device = nth(a, 0), dtype = nth(a, 1),
                 enabled = a->count > 2 ? a->values[2] : dyn_bool(true), is_on;
    const char *text = dyn_literal(&device);
    enum device on = text && !strncmp(text, "cpu", 3) ? DEVICE_CPU : DEVICE_CUDA;
    struct value otherwise = value_int(on == DEVICE_CUDA ? DTYPE_F16 : DTYPE_BF16);
    *out = regions_keep(f, d->p->s, key_of(KEY_SAVED_REGIONS, d->p->fr->context, (uint64_t)d->n));
    if (!protocol_truth(d, &enabled, &is_on))
        return false;
    if (dtype.kind == VALUE_GUARDED)
        dtype = guard_map(d->p->s, &dtype, as_region_dtype, &otherwise);
    else
        as_region_dtype(&dtype, &otherwise);
    diagram where = where_true(d, is_on);
    struct value off = value_int(DTYPE_NONE);
    dtype = where == DIAGRAM_NONE ? value_any : guard_choose(d->p->s, where, &dtype, &off);
    if (!text) { /* which device is not known */
        region_set(f, d->p->s, DEVICE_CPU, value_any);
        region_set(f, d->p->s, DEVICE_CUDA, value_any);
        return true;
    }
    d->p->s->guarded |= dtype.kind == VALUE_GUARDED;
    region_set(f, d->p->s, on, dtype);
    return true;
}

static bool do_autocast_end(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value token = nth(a, 0);
    *out = value_null();
    regions_put_back(d->p->f, d->p->s, &token, false);
    return true;
}

static bool do_grad_mode_begin(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct flow *f = d->p->f;
    struct value enabled = nth(a, 0), is_on;
    *out = regions_keep(f, d->p->s, key_of(KEY_SAVED_REGIONS, d->p->fr->context, (uint64_t)d->n));
    if (!protocol_truth(d, &enabled, &is_on))
        return false;
    is_on = guard_truth(d->p->s, &is_on);
    d->p->s->guarded |= is_on.kind == VALUE_GUARDED;
    region_set(f, d->p->s, REGION_GRAD, is_on);
    return true;
}

static bool do_grad_mode_end(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value token = nth(a, 0);
    *out = value_null();
    regions_put_back(d->p->f, d->p->s, &token, true);
    return true;
}

/* Up to the first yield, of which the value is returned: what is behind it is not run. */
static bool do_run_to_yield(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value fn = nth(a, 0);
    struct arguments passed = {.has_more = a->has_more};
    for (int i = 1; i < a->count; i++)
        argument_add_from(&passed, a->labels[i], a->values[i], a->from[i]);
    d->p->f->stops_at_yield = true;
    bool goes_on = invoke_value(d, &fn, &passed, out);
    d->p->f->stops_at_yield = false;
    return goes_on;
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
    struct value token = nth(a, 0);
    *out = value_null();
    regions_restore(d->p->f, d->p->s, &token);
    return true;
}

static bool do_set_default_dtype(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value v = nth(a, 0);
    bool is_dtype = v.kind == VALUE_NUMBER && v.names == NAMES_DTYPE;
    v.names = NAMES_NOTHING;
    *out = value_null();
    region_set(d->p->f, d->p->s, REGION_DEFAULT_DTYPE, is_dtype ? v : value_any);
    return true;
}

/* ---- devices --------------------------------------------------------------------------------- */

/* By its name, or by that and a number. */
static bool do_device(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value of = nth(a, 0), index = nth(a, 1);
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

/* All texts that an option can be, if they are known: its choices, and what it is by default. */
static void set_choices(struct dyn *d, struct object *option, const struct value *choices,
                        const struct value *otherwise)
{
    values_of items = {0};
    const char *text = dyn_literal(otherwise);
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
    if (text && !outside_can_be(option, text))
        LIST_ADD(d->p->f->kept, &option->is->choices, name_of(d->p->f->names, text));
    if (!text && !dyn_is_none(otherwise))
        option->is->choices.count = 0;
}

static bool do_option(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct flow *f = d->p->f;
    struct value name = nth(a, 0), type = nth(a, 1), otherwise = nth(a, 2);
    const char *text = dyn_literal(&name);
    const struct object *of = dyn_object(&type);
    const char *kind = of && of->is->kind == DYNAMIC_NAMED ? of->is->name : "";
    *out = value_any;
    if (!text)
        return true;
    struct key key = key_of(KEY_OUTSIDE, name_id(text), 2);
    struct value v = outside_value(d, key, access_variable(f->kept, name_of(f->names, text)));
    struct object *o = dyn_object(&v);
    o->is->is_given = !dyn_is_none(&otherwise) && otherwise.kind != VALUE_ANY;
    o->is->is_text = !strcmp(kind, "builtins.str") && otherwise.kind == VALUE_ADDRESS &&
                     (dyn_is_none(&otherwise) || dyn_is_text(&otherwise));
    struct value choices = nth(a, 3);
    set_choices(d, o, &choices, &otherwise);
    if (dyn_literal(&otherwise))
        dyn_put(d, o, "(default)", otherwise);
    if (!strcmp(kind, "builtins.bool"))
        *out = memory_read(f, d->p->fr, d->p->s, dyn_field(d, o, "(true)"), &bool_type);
    else if (!strcmp(kind, "builtins.int") && o->is->is_given)
        *out = memory_read(f, d->p->fr, d->p->s, dyn_field(d, o, "(int)"), &int_type);
    else if (!strcmp(kind, "builtins.float") && o->is->is_given)
        *out = value_unknown_real();
    else
        *out = v;
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
    struct value params = nth(a, 0);
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
    struct value params = nth(a, 0);
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
    struct value v = nth(a, 0);
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
    struct value plain = nth(a, 0), factory = nth(a, 1);
    if (!dyn_is_none(&factory))
        dyn_put(d, o, "(factory)", factory);
    else
        dyn_put(d, o, "(default)", plain);
    *out = dyn_value(d, o);
    return true;
}

/* collections.namedtuple("Name", "a b") or ["a", "b"]. */
static bool do_namedtuple(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct object *o = dyn_new(d, DYNAMIC_CLASS, NULL);
    struct value fields = nth(a, 1);
    const char *text = dyn_literal(&fields);
    values_of items = {0};
    o->is->is_record = true;
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
static const struct native primitives[] = {{"_mc.autocast_begin", do_autocast_begin},
                                           {"_mc.autocast_end", do_autocast_end},
                                           {"_mc.buffers", do_buffers},
                                           {"_mc.children", do_children},
                                           {"_mc.clip", do_clip},
                                           {"_mc.collate", do_collate},
                                           {"_mc.copy", do_copy},
                                           {"_mc.dataclass", do_dataclass},
                                           {"_mc.device", do_device},
                                           {"_mc.each_tensor", do_each_tensor},
                                           {"_mc.field", do_field},
                                           {"_mc.grad_mode_begin", do_grad_mode_begin},
                                           {"_mc.grad_mode_end", do_grad_mode_end},
                                           {"_mc.is_open", do_is_open},
                                           {"_mc.is_unknown", do_is_unknown},
                                           {"_mc.modules", do_modules},
                                           {"_mc.named_buffers", do_named_buffers},
                                           {"_mc.named_children", do_named_children},
                                           {"_mc.named_modules", do_named_modules},
                                           {"_mc.named_parameters", do_named_parameters},
                                           {"_mc.namedtuple", do_namedtuple},
                                           {"_mc.open", do_open},
                                           {"_mc.optimizer", do_optimizer},
                                           {"_mc.option", do_option},
                                           {"_mc.parameter", do_parameter},
                                           {"_mc.parameters", do_parameters},
                                           {"_mc.regions_keep", do_regions_keep},
                                           {"_mc.regions_restore", do_regions_restore},
                                           {"_mc.run_to_yield", do_run_to_yield},
                                           {"_mc.scale", do_scale},
                                           {"_mc.scaler", do_scaler},
                                           {"_mc.scaler_step", do_scaler_step},
                                           {"_mc.scaler_update", do_scaler_update},
                                           {"_mc.set_buffer", do_set_buffer},
                                           {"_mc.set_default_device", do_unknown},
                                           {"_mc.set_default_dtype", do_set_default_dtype},
                                           {"_mc.step", do_step},
                                           {"_mc.tensors", do_tensors},
                                           {"_mc.unknown", do_unknown},
                                           {"_mc.unknown_tensor", do_unknown_tensor},
                                           {"_mc.unscale", do_unscale},
                                           {"_mc.zero_grad", do_zero_grad}};

dyn_native *primitive_named(const char *name)
{
    return native_in(primitives, COUNT(primitives), name);
}
