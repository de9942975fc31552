/* What modules register: parameters, buffers and other modules, found by walking their fields; and
 * what they hold but do not register. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Modules list their own tensors before those of the modules they hold. */
enum pass { PASS_TENSORS, PASS_MODULES };

/* Each on its own, also where one of several is held, whichever. */
static values_of one_by_one(struct dyn *d, const struct value *v)
{
    struct arena *a = d->p->f->scratch;
    value_list each = guard_values(a, d->p->s, v);
    values_of all = {0};
    for (int i = 0; i < each.count; i++) {
        const struct value *one = each.items[i];
        bool are_many = one->kind == VALUE_TENSOR && one->count > 1;
        for (int k = 0; are_many && k < one->count; k++)
            LIST_ADD(a, &all, value_of_tensor(one->as.tensor[k]));
        if (!are_many)
            LIST_ADD(a, &all, *one);
    }
    return all;
}

static void register_one(struct dyn *d, struct object *owner, const char *prefix, const char *name,
                         const struct loc *field, const struct value *v, enum pass pass, int depth,
                         registered_list *out)
{
    values_of each = one_by_one(d, v);
    struct registered r = {.name = dotted(d, prefix, name), .owner = owner, .field = field};
    for (int i = 0; i < each.count; i++) {
        struct object *o = dyn_object(&each.items[i]);
        bool is_tensor = each.items[i].kind == VALUE_TENSOR;
        bool is_parameter = is_tensor && !strcmp(dyn_tensor_class(d, &each.items[i]), "Parameter");
        bool is_buffer = is_tensor && dyn_get(d, owner, dyn_join(d, "(buffer ", name, ")"));
        r.value = each.items[i];
        r.value.origin = NULL;
        r.kind = is_parameter ? MEMBER_PARAMETER : is_buffer ? MEMBER_BUFFER : MEMBER_MODULE;
        if (is_listed(out, &r.value))
            continue;
        if (is_parameter || is_buffer) {
            if (pass == PASS_TENSORS)
                LIST_ADD(d->p->f->scratch, out, r);
        } else if (pass == PASS_MODULES && is_module(d, o)) {
            LIST_ADD(d->p->f->scratch, out, r);
            walk(d, o, r.name, depth + 1, out);
        }
    }
}

/* What a container registers: the elements of a list, the entries of a dict. */
static void walk_members(struct dyn *d, struct object *module, const char *prefix,
                         const struct value *of, enum pass pass, int depth, registered_list *out)
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
                register_one(d, module, prefix, dyn_literal(&key), all.items[i], &v, pass, depth,
                             out);
        }
        const struct value *any = dyn_get(d, o, "(any)"); /* by names that are not known */
        if (any)
            register_one(d, module, prefix, "*", NULL, any, pass, depth, out);
        return;
    }
    int64_t length = container_length(d, of);
    for (int64_t i = 0; i < length; i++) {
        char name[24];
        struct value v = container_item(d, of, i);
        snprintf(name, sizeof name, "%lld", (long long)i);
        register_one(d, module, prefix, name, loc_element(h, loc_root(h, o), i), &v, pass, depth,
                     out);
    }
    if (length < 0) {
        struct value v = container_any(d, of);
        register_one(d, module, prefix, "*", NULL, &v, pass, depth, out);
    }
}

static void walk_once(struct dyn *d, struct object *module, const char *prefix, enum pass pass,
                      int depth, registered_list *out)
{
    loc_list all = dyn_fields(d, module);
    for (int i = 0; i < all.count; i++) {
        struct value v = *state_get(d->p->s, all.items[i]);
        value_list lists = {0};
        if (!strcmp(all.items[i]->field, "_mc_members"))
            lists = guard_values(d->p->f->scratch, d->p->s, &v);
        for (int k = 0; k < lists.count; k++)
            walk_members(d, module, prefix, lists.items[k], pass, depth, out);
        if (!lists.count)
            register_one(d, module, prefix, all.items[i]->field, all.items[i], &v, pass, depth,
                         out);
    }
}

static void walk(struct dyn *d, struct object *module, const char *prefix, int depth,
                 registered_list *out)
{
    if (depth > WALK_DEPTH)
        return;
    walk_once(d, module, prefix, PASS_TENSORS, depth, out);
    walk_once(d, module, prefix, PASS_MODULES, depth, out);
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

bool module_registers(struct dyn *d, const struct object *o)
{
    return is_module(d, o) && !o->is->class->is->is_open;
}

static bool is_container(const struct object *o)
{
    return o && (o->is->kind == DYNAMIC_LIST || o->is->kind == DYNAMIC_TUPLE ||
                 o->is->kind == DYNAMIC_DICT);
}

/* A module with tensors. */
static bool has_tensors(struct dyn *d, const struct value *v)
{
    registered_list all = {0};
    if (module_registers(d, dyn_object(v)))
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
        value_list each = guard_values(d->p->f->scratch, d->p->s, &values.items[i]);
        int most = 0; /* of one item, which is one of several */
        for (int k = 0; k < each.count; k++) {
            struct value v = *each.items[k];
            int here = has_tensors(d, &v);
            if (is_container(dyn_object(&v)) && depth)
                here = held_in(d, dyn_object(&v), all, depth - 1, missed);
            v.origin = NULL;
            *missed |= here && !is_container(dyn_object(&v)) && !is_listed(all, &v);
            most = here > most ? here : most;
        }
        held += most;
    }
    return held;
}

static bool is_method_of_program(struct dyn *d, const struct object *o, const char *name)
{
    const struct value *v = class_member(d, o->is->class, 0, name);
    const struct object *as = v ? dyn_object(v) : NULL;
    const struct code *code = as && as->is->code ? code_of(d->p->f, as->is->code) : NULL;
    return code && !code->unit->module;
}

/* The program has its own way to move, or to list, what the object holds. */
static bool is_by_program(struct dyn *d, const struct object *o)
{
    static const char *const names[] = {"_apply", "to", "cuda", "parameters", "named_parameters"};
    for (int i = 0; i < COUNT(names); i++)
        if (is_method_of_program(d, o, names[i]))
            return true;
    return false;
}

static struct flow_left_out left_out_at(struct dyn *d, const struct set_place *at, const char *name,
                                        bool is_moved)
{
    ir_value inst = d->n;
    const struct frame *fr = frame_in_program(d->p->fr, &inst);
    return (struct flow_left_out){.function = at->function,
                                  .inst = at->inst,
                                  .name = name,
                                  .is_moved = is_moved,
                                  .at = fr->code->fn->insts.items[inst].span};
}

/* Each once. */
static void left_out_put(struct dyn *d, const struct flow_left_out *what)
{
    struct flow *f = d->p->f;
    for (int i = 0; i < f->own.left_out.count; i++)
        if (f->own.left_out.items[i].function == what->function &&
            f->own.left_out.items[i].inst == what->inst &&
            f->own.left_out.items[i].is_unsaved == what->is_unsaved)
            return;
    LIST_ADD(f->kept, &f->own.left_out, *what);
}

static void left_out_add(struct dyn *d, const struct set_place *at, const char *name, bool is_moved)
{
    struct flow_left_out what = left_out_at(d, at, name, is_moved);
    left_out_put(d, &what);
}

/* Whether the node was recorded for a leaf that some module registers. */
static bool is_from_registered(struct dyn *d, const struct tensor *t, const registered_list *all)
{
    const struct tape_node *n = t->node > 0 ? state_node_seen(d->p->s, t->node) : NULL;
    for (int i = 0; n && i < n->input_count; i++) {
        struct value leaf = value_of_tensor(n->inputs[i] < 0 ? -n->inputs[i] : 0);
        if (n->inputs[i] >= 0 || is_listed(all, &leaf))
            return true;
    }
    return !n;
}

/* A tensor that requires a gradient: a parameter, where a container has it, or one that was not
 * made a parameter, or is computed from one that nobody registers. */
static void note_left_tensor(struct dyn *d, const struct set_place *at, const char *name,
                             const struct value *v, const registered_list *all, bool is_held)
{
    struct value one = *v;
    one.origin = NULL;
    const struct tensor *t =
        v->kind == VALUE_TENSOR && v->count == 1 ? state_tensor(d->p->s, v->as.tensor[0]) : NULL;
    if (!t || t->fact.grad != TRI_YES || is_listed(all, &one))
        return;
    bool is_parameter = !strcmp(dyn_tensor_class(d, &one), "Parameter");
    bool is_leaf = t->fact.leaf == TRI_YES;
    const struct tape_node *n = t->node > 0 ? state_node_seen(d->p->s, t->node) : NULL;
    if (is_held ? !is_parameter : !is_leaf && is_from_registered(d, t, all))
        return;
    struct left_tensor left = {.tensor = t->id, .what = left_out_at(d, at, name, false)};
    if (!is_leaf && n && n->input_count == 1)
        left.tensor = -n->inputs[0];
    left.what.are_tensors = true;
    LIST_ADD(d->p->f->kept, &d->p->f->own.left_tensors, left);
}

static void note_left_tensors(struct dyn *d, const struct set_place *at, const char *name,
                              const struct value *v, const registered_list *all)
{
    struct object *o = dyn_object(v);
    values_of values = {0};
    if (is_container(o))
        values = values_in(d, o);
    for (int i = 0; i < values.count && values.count > 1; i++)
        note_left_tensor(d, at, name, &values.items[i], all, true);
    if (v->kind == VALUE_TENSOR)
        note_left_tensor(d, at, name, v, all, false);
}

/* A list of one is how programs keep a module without registering it. */
static void note_left_out_of(struct dyn *d, struct object *owner, const registered_list *all,
                             bool is_moved)
{
    if (!module_registers(d, owner) || is_by_program(d, owner))
        return;
    loc_list fields = dyn_fields(d, owner);
    for (int i = 0; i < fields.count; i++) {
        const struct value *v = state_get(d->p->s, fields.items[i]);
        const struct set_place *at =
            map_get(d->p->f->own.set_at, (uint64_t)(uintptr_t)fields.items[i]);
        bool missed = false;
        if (at && v && !is_moved)
            note_left_tensors(d, at, fields.items[i]->field, v, all);
        if (at && v && is_container(dyn_object(v)) &&
            held_in(d, dyn_object(v), all, 1, &missed) > 1 && missed)
            left_out_add(d, at, fields.items[i]->field, is_moved);
    }
}

static void set_at_note(struct dyn *d, const struct loc *field)
{
    struct set_place *at = arena_one(d->p->f->kept, struct set_place);
    *at = (struct set_place){d->p->fr->code->fn, d->n};
    d->p->f->own.keeps_unregistered = true;
    map_put(d->p->f->own.set_at, (uint64_t)(uintptr_t)field, at);
}

/* A member that is set after its owner was asked for its parameters. */
static void late_note(struct dyn *d, struct object *owner, const char *name, const struct value *v)
{
    const struct flow_left_out *listed = map_get(d->p->f->own.listed, (uint64_t)(uintptr_t)owner);
    registered_list all = {0};
    struct registered own = {.kind = MEMBER_PARAMETER, .value = *v};
    if (listed && is_module(d, dyn_object(v)))
        all = registered_in(d, v);
    else if (listed && v->kind == VALUE_TENSOR && !strcmp(dyn_tensor_class(d, v), "Parameter"))
        LIST_ADD(d->p->f->scratch, &all, own);
    for (int i = 0; i < all.count; i++) {
        const struct value *t = &all.items[i].value;
        if (all.items[i].kind != MEMBER_PARAMETER || t->kind != VALUE_TENSOR || t->count != 1)
            continue;
        struct left_tensor left = {.tensor = t->as.tensor[0],
                                   .what = {.function = d->p->fr->code->fn,
                                            .inst = d->n,
                                            .name = name,
                                            .are_tensors = true,
                                            .is_late = true,
                                            .at = listed->at}};
        LIST_ADD(d->p->f->kept, &d->p->f->own.left_tensors, left);
    }
}

/* The name that is nearly this one, in two letters at most. */
static bool is_misspelt(const char *name, const char *right)
{
    struct nearest n = {.wanted = name, .far = 3};
    nearest_try(&n, right);
    return n.name && strcmp(name, right) != 0;
}

static void switched_put(struct dyn *d, const char *name, const char *right)
{
    struct flow_left_out what =
        left_out_at(d, &(struct set_place){d->p->fr->code->fn, d->n}, name, false);
    what.is_of_parameters = true;
    what.meant = strcmp(name, right) != 0 ? right : NULL;
    left_out_put(d, &what);
}

/* What is switched off in the module itself, though only its parameters have it. */
static void switched_note(struct dyn *d, struct object *o, const char *name, const struct value *v)
{
    const struct value *of = class_member(d, o->is->class, 0, "_mc_of_parameters");
    const char *right = of ? dyn_literal(of) : NULL;
    int64_t n;
    if (!right || (strcmp(right, name) != 0 && !(v->is_bool && is_misspelt(name, right))) ||
        class_member(d, o->is->class, 0, name) || (number_exact(v, &n) && n))
        return;
    switched_put(d, name, right);
}

void tensor_attribute_note(struct dyn *d, const char *name, const struct value *v)
{
    int64_t n;
    if (v->kind == VALUE_NUMBER && v->is_bool && !(number_exact(v, &n) && n) &&
        is_misspelt(name, "requires_grad") && !d->p->fr->code->unit->module)
        switched_put(d, name, "requires_grad");
}

void attribute_note(struct dyn *d, struct object *o, const char *name)
{
    const struct value *v = dyn_get(d, o, name);
    bool may_hold = v && (is_container(dyn_object(v)) || v->kind == VALUE_TENSOR);
    if (d->p->fr->code->unit->module || !v || !module_registers(d, o))
        return;
    if (may_hold)
        set_at_note(d, dyn_field(d, o, name));
    late_note(d, o, name, v);
    switched_note(d, o, name, v);
}

/* The modules are asked for their parameters. */
static void listed_note(struct dyn *d, const struct value *module, const registered_list *all)
{
    struct flow_left_out *at = arena_one(d->p->f->kept, struct flow_left_out);
    *at = left_out_at(d, &(struct set_place){0}, NULL, false);
    for (int i = -1; i < all->count; i++) {
        const struct object *o = dyn_object(i < 0 ? module : &all->items[i].value);
        if (o && (i < 0 || all->items[i].kind == MEMBER_MODULE) &&
            !map_get(d->p->f->own.listed, (uint64_t)(uintptr_t)o))
            map_put(d->p->f->own.listed, (uint64_t)(uintptr_t)o, at);
    }
}

static void note_left_out(struct dyn *d, const struct value *module, bool is_moved)
{
    registered_list all = {0};
    if (!is_moved || d->p->f->own.keeps_unregistered)
        all = registered_in(d, module);
    if (!is_moved)
        listed_note(d, module, &all);
    if (!d->p->f->own.keeps_unregistered)
        return;
    note_left_out_of(d, dyn_object(module), &all, is_moved);
    for (int i = 0; i < all.count; i++)
        if (all.items[i].kind == MEMBER_MODULE)
            note_left_out_of(d, dyn_object(&all.items[i].value), &all, is_moved);
}

/* The program has its own way to save what the object holds. */
static bool is_saved_by_program(struct dyn *d, const struct object *o)
{
    static const char *const names[] = {"state_dict", "get_extra_state", "_save_to_state_dict"};
    for (int i = 0; i < COUNT(names); i++)
        if (is_method_of_program(d, o, names[i]))
            return true;
    return false;
}

/* Whether it is a floating tensor, whichever, that has no gradient and is not registered. */
static bool is_plain_tensor(struct dyn *d, const struct value *v, const registered_list *all)
{
    values_of each = one_by_one(d, v);
    bool is = each.count > 0;
    for (int i = 0; is && i < each.count; i++) {
        struct value one = each.items[i];
        const struct tensor *t =
            one.kind == VALUE_TENSOR ? state_tensor(d->p->s, one.as.tensor[0]) : NULL;
        one.origin = NULL;
        is = t && t->fact.grad == TRI_NO && !(t->fact.dtypes & ~DTYPES_FLOATING) &&
             !is_listed(all, &one);
    }
    return is;
}

/* Those that the owner keeps as plain attributes. */
static void note_unsaved_of(struct dyn *d, struct object *owner, const registered_list *all)
{
    if (!module_registers(d, owner) || is_saved_by_program(d, owner))
        return;
    loc_list fields = dyn_fields(d, owner);
    for (int i = 0; i < fields.count; i++) {
        struct value v = *state_get(d->p->s, fields.items[i]);
        const struct set_place *at =
            map_get(d->p->f->own.set_at, (uint64_t)(uintptr_t)fields.items[i]);
        if (!at || !is_plain_tensor(d, &v, all))
            continue;
        struct flow_left_out what = left_out_at(d, at, fields.items[i]->field, false);
        what.is_unsaved = true;
        left_out_put(d, &what);
    }
}

/* The module is asked for its state. */
static bool do_saved(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value module = argument_nth(a, 0);
    registered_list all = {0};
    *out = value_null();
    if (!d->p->f->own.keeps_unregistered)
        return true;
    all = registered_in(d, &module);
    note_unsaved_of(d, dyn_object(&module), &all);
    for (int i = 0; i < all.count; i++)
        if (all.items[i].kind == MEMBER_MODULE)
            note_unsaved_of(d, dyn_object(&all.items[i].value), &all);
    return true;
}

/* ---- lists of what is registered ------------------------------------------------------------- */

/* Whether a member before it is in the same field: of a field that holds one of several tensors,
 * each is a member. */
static bool is_in_field_of_one_before(const registered_list *all, int n)
{
    const struct registered *r = &all->items[n];
    for (int i = 0; i < n && r->field && r->kind != MEMBER_MODULE; i++)
        if (all->items[i].field == r->field)
            return true;
    return false;
}

/* What a member is for someone who lists it: a tensor under the conditions under which the field
 * holds it. */
static struct value listed_member(struct dyn *d, const struct registered *r)
{
    struct value v = r->value;
    if (r->field && r->kind != MEMBER_MODULE)
        v = *state_get(d->p->s, r->field);
    v.origin = NULL;
    return v;
}

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
        const struct value pair[] = {dyn_text(d, r ? r->name : ""),
                                     r ? listed_member(d, r) : *module};
        if (r && (!(r->kind & kinds) || (is_near && strchr(r->name, '.')) ||
                  is_in_field_of_one_before(&all, i)))
            continue;
        LIST_ADD(d->p->f->scratch, &items,
                 named ? container_make(d, DYNAMIC_TUPLE, pair, 2) : pair[1]);
    }
    return container_make(d, DYNAMIC_LIST, items.items, items.count);
}

#define LISTED(function, kinds, named, with_itself, is_near)                                       \
    static bool function(struct dyn *d, const struct arguments *a, struct value *out)              \
    {                                                                                              \
        struct value module = argument_nth(a, 0);                                                  \
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

/* Which of the members of a module such a method lists. */
static const struct {
    const char *name;
    bool is_named;
} listings[] = {
    {"parameters", false}, {"named_parameters", true}, {"buffers", false}, {"named_buffers", true}};

bool registered_of_unknown(struct dyn *d, const struct value *of, const char *name,
                           struct value *out)
{
    struct object *o = dyn_object(of);
    bool is_outside = o && o->is->kind == DYNAMIC_OUTSIDE;
    for (int i = 0; (is_outside || of->kind == VALUE_ANY) && i < COUNT(listings); i++) {
        if (strcmp(name, listings[i].name) != 0)
            continue;
        struct key key = is_outside ? key_of(KEY_OUTSIDE, (uint64_t)o->id, name_id("(registered)"))
                                    : key_of(KEY_UNKNOWN_RESULT, d->p->fr->context, (uint64_t)d->n);
        const struct access_path *place = is_outside ? o->pointer : &place_unnamed;
        struct value each = outside_value(d, key, place ? place : &place_unnamed);
        struct value pair[] = {value_any, outside_tensor(d, dyn_object(&each), false)};
        struct value item =
            listings[i].is_named ? container_make(d, DYNAMIC_TUPLE, pair, 2) : pair[1];
        *out = container_of_any(d, DYNAMIC_LIST, &item);
        return true;
    }
    return false;
}

/* That people give to models; none is given f8 as a whole. */
#define PLAIN_FLOATS                                                                               \
    ((dtype_set)(DTYPE_BIT(DTYPE_F16) | DTYPE_BIT(DTYPE_BF16) | DTYPE_BIT(DTYPE_F32) |             \
                 DTYPE_BIT(DTYPE_F64)))

/* NULL: it is none, or one of several. */
static const struct tensor *tensor_of(struct dyn *d, const struct registered *r)
{
    const struct value *v = &r->value;
    return v->kind == VALUE_TENSOR && v->count == 1 ? state_tensor(d->p->s, v->as.tensor[0]) : NULL;
}

/* How it was made, without where it was then. */
static const struct step *reopened(struct flow *f, const struct step *how, const struct fact *is)
{
    struct step *open = how ? arena_copy(f->arena, how, sizeof *how) : NULL;
    if (open) {
        open->fact = *is;
        open->choice = NULL;
    }
    return open;
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
        open.how = reopened(d->p->f, open.how, &open.fact);
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
    struct value module = argument_nth(a, 0), has_dtype = argument_nth(a, 1);
    int64_t n;
    open_registered(d, &module, number_exact(&has_dtype, &n) && n);
    *out = value_null();
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

static bool set_name(struct tensor *t, void *id)
{
    t->storage = t->storage == t->id ? *(int *)id : t->storage;
    t->history = t->history == t->id ? *(int *)id : t->history;
    t->id = *(int *)id;
    return true;
}

enum { BUFFER_NAMES = 8 };

struct renaming {
    struct dyn *d;
    const struct loc *field;
    const struct value *before;
    int nth;
};

static bool has_tensor(const struct value *v, const void *id)
{
    for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++)
        if (v->as.tensor[k] == *(const int *)id)
            return true;
    return false;
}

static bool can_be(const struct state *s, const struct value *v, int id)
{
    return v->kind == VALUE_GUARDED ? guard_any(s, v, has_tensor, &id) : has_tensor(v, &id);
}

static int buffer_name(struct flow *f, const struct loc *field, int nth)
{
    return tensor_name(f->heap, key_of(KEY_REGISTERED, (uint64_t)field->id, (uint64_t)nth));
}

/* Unless it is a view, or was here before, or all names are in use. */
static bool give_name(struct value *v, const void *context)
{
    struct renaming *r = (struct renaming *)(uintptr_t)context;
    struct state *s = r->d->p->s;
    struct flow *f = r->d->p->f;
    bool is_one = v->kind == VALUE_TENSOR && v->count == 1;
    const struct tensor *t = is_one ? state_tensor(s, v->as.tensor[0]) : NULL;
    if (!t || t->storage != t->id || can_be(s, r->before, t->id))
        return false;
    while (r->nth < BUFFER_NAMES) {
        int id = buffer_name(f, r->field, r->nth++);
        if (state_refers_to(s, id))
            continue;
        struct tensor now = t->cases ? guard_map_tensor(s, t, set_name, &id) : *t;
        set_name(&now, &id);
        s->guarded |= now.cases != 0;
        state_tensor_put(f->scratch, s, now);
        *v = value_of_tensor(id);
        return true;
    }
    return false;
}

/* What the function made of a buffer, by a name of its own: the function makes one for each, and
 * where there are many, one would stand for several of different dtypes. */
static struct value named_after(struct dyn *d, const struct loc *field, const struct value *before,
                                struct value gave)
{
    struct renaming r = {d, field, before, 0};
    if (gave.kind == VALUE_GUARDED)
        return guard_map(d->p->s, &gave, give_name, &r);
    give_name(&gave, &r);
    return gave;
}

/* A parameter keeps its identity, a buffer is replaced. */
static bool do_each_tensor(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value module = argument_nth(a, 0), fn = argument_nth(a, 1);
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
            struct value now = named_after(d, r->field, &data, gave);
            d->p->s->guarded |= now.kind == VALUE_GUARDED;
            state_put(d->p->f->scratch, d->p->s, r->field, now);
        }
    }
    return true;
}

static bool do_set_buffer(struct dyn *d, const struct arguments *a, struct value *out)
{
    struct value module = argument_nth(a, 0), name = argument_nth(a, 1), v = argument_nth(a, 2);
    const char *text = dyn_literal(&name);
    *out = value_null();
    if (!dyn_object(&module) || !text)
        return true;
    dyn_put(d, dyn_object(&module), text, v);
    dyn_put(d, dyn_object(&module), dyn_join(d, "(buffer ", text, ")"), value_int(1));
    return true;
}

/* Sorted by name. */
static const struct native primitives[] = {{"_mc.buffers", do_buffers},
                                           {"_mc.children", do_children},
                                           {"_mc.each_tensor", do_each_tensor},
                                           {"_mc.modules", do_modules},
                                           {"_mc.named_buffers", do_named_buffers},
                                           {"_mc.named_children", do_named_children},
                                           {"_mc.named_modules", do_named_modules},
                                           {"_mc.named_parameters", do_named_parameters},
                                           {"_mc.open", do_open},
                                           {"_mc.parameters", do_parameters},
                                           {"_mc.saved", do_saved},
                                           {"_mc.set_buffer", do_set_buffer},
                                           {"_mc.tensors", do_tensors}};

dyn_native *registered_primitive(const char *name)
{
    return native_in(primitives, COUNT(primitives), name);
}
