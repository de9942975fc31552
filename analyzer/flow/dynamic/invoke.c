/* Calls: of functions, methods, classes, objects that can be called, and of what is only known by
 * its name. What is raised goes to whoever handles it. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

/* ---- exceptions ------------------------------------------------------------------------------ */

bool raise_value(struct dyn *d, struct value exception)
{
    struct exit_state e = {d->p->s, exception};
    if (d->p->raised)
        LIST_ADD(d->p->f->scratch, d->p->raised, e);
    return false;
}

bool raise_named(struct dyn *d, const char *class)
{
    struct object *o = dyn_new(d, DYNAMIC_INSTANCE, NULL);
    dyn_put(d, o, "(named)", dyn_named(d, dyn_join(d, "builtins", ".", class)));
    return raise_value(d, dyn_value(d, o));
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Freeing less than that takes longer than it helps. */
enum { MOST_DEPTH = 120, MOST_INSTANCES = 4, MUCH_MEMORY = 64 << 10 };

static int instances_of(const struct frame *fr, const struct code *c)
{
    int n = 0;
    for (; fr; fr = fr->outer)
        n += fr->code == c;
    return n;
}

/* What a function has captured is that of the frame in which it was made. */
static void bind_cells(struct dyn *d, struct frame *fr, const struct object *function)
{
    const struct ir_function *fn = fr->code->fn;
    for (int k = 0; function && k < fn->locals.count; k++) {
        if (fn->locals.items[k].mode != MODE_CAPTURED)
            continue;
        const struct value *cell = dyn_get(d, (struct object *)(uintptr_t)function,
                                           dyn_join(d, "(cell ", fn->locals.items[k].name, ")"));
        if (cell && cell->kind == VALUE_ADDRESS && cell->count == 1)
            fr->locals[k] = cell->as.loc[0]->object;
    }
}

static void bind_values(struct dyn *d, struct frame *fr, const struct value *bound)
{
    struct flow *f = d->p->f;
    for (int k = 0; k < fr->code->fn->param_count; k++) {
        struct value v = bound ? bound[k] : value_any;
        dyn_write(d, loc_root(f->heap, fr->locals[k]), v);
    }
}

/* All that a generator yields, as a list. */
static struct value yields_of(struct dyn *d, const struct frame *fr)
{
    const struct value *v =
        state_get(d->p->s, loc_field(d->p->f->heap, loc_root(d->p->f->heap, fr->regs),
                                     name_of(d->p->f->names, "(yields)")));
    return v ? *v : value_any;
}

static bool run_followed(struct dyn *d, struct code *code, const struct value *bound,
                         const struct object *function, struct value *out)
{
    struct flow *f = d->p->f;
    struct path *p = d->p;
    *out = value_any;
    if (p->fr->depth >= MOST_DEPTH || instances_of(p->fr, code) >= MOST_INSTANCES) {
        limit_note(f, code, 0, FLOW_LIMIT_RECURSION);
        return true;
    }
    code_prepare(f, code);
    struct frame *fr = frame_new(f, code, p->fr, d->n, p->fr->code->fn->insts.items[d->n].span);
    bind_cells(d, fr, function);
    bind_values(d, fr, bound);
    if (code->is_generator) {
        struct value list = container_make(d, DYNAMIC_LIST, NULL, 0);
        dyn_write(d, loc_field(f->heap, loc_root(f->heap, fr->regs), name_of(f->names, "(yields)")),
                  list);
    }
    struct value yields = code->is_generator ? yields_of(d, fr) : value_nothing;
    exit_list exits = {0}, raised = {0}, yielded = {0};
    bool stops = f->stops_at_yield && code->is_generator;
    bool is_left = code->is_endless && !stops; /* by whoever takes no more */
    const struct frame *until = f->until_yield, *leaves = f->leaves_at_yield;
    exit_list *others = f->yielded;
    f->stops_at_yield = false;
    if (stops || is_left)
        f->yielded = &yielded;
    if (stops)
        f->until_yield = fr;
    if (is_left)
        f->leaves_at_yield = fr;
    const struct in_use **in_use = guards_in_use(f->guards);
    struct in_use own = {bound, bound ? code->fn->param_count : 0, *in_use};
    struct call_mark before = call_begin(f);
    state_disown(p->s);
    *in_use = &own;
    struct spending spending = spending_begin(f);
    run_code(f, fr, p->s, &exits, &raised);
    spending_end(f, &spending, code);
    *in_use = own.others;
    f->until_yield = until;
    f->leaves_at_yield = leaves;
    f->yielded = others;
    if (stops || is_left)
        exits = yielded;
    for (int k = 0; k < raised.count; k++)
        state_drop_frame(raised.items[k].state, (const void *)(uintptr_t)fr->context);
    bool goes_on = stops && f->suspended.block > 0; /* its variables are still in use */
    if (goes_on) {
        f->suspended.context = fr->context;
        f->suspended.function = function;
        f->suspended.code = code;
    }
    for (int k = 0; stops && !goes_on && k < exits.count; k++) /* else its end has */
        state_drop_frame(exits.items[k].state, (const void *)(uintptr_t)fr->context);
    join_exits(f, p->fr, &exits, 1);
    if (arena_used(f->scratch) - before.used > MUCH_MEMORY)
        call_end(f, before, &exits, &raised);
    for (int k = 0; p->raised && k < raised.count; k++)
        LIST_ADD(f->scratch, p->raised, raised.items[k]);
    if (!exits.count)
        return false;
    p->s = exits.items[0].state;
    *out = code->is_generator && !stops ? yields : exits.items[0].value;
    if (out->kind == VALUE_NOTHING)
        *out = value_null();
    return true;
}

bool run_suspended(struct dyn *d, const struct suspended *at)
{
    struct flow *f = d->p->f;
    struct path *p = d->p;
    struct frame *fr = frame_again(f, at->code, p->fr, d->n, at->context);
    exit_list exits = {0}, raised = {0};
    bind_cells(d, fr, at->function);
    run_code_from(f, fr, at->block, p->s, &exits, &raised);
    for (int k = 0; k < raised.count; k++) {
        state_drop_frame(raised.items[k].state, (const void *)(uintptr_t)fr->context);
        if (p->raised)
            LIST_ADD(f->scratch, p->raised, raised.items[k]);
    }
    join_exits(f, p->fr, &exits, 1);
    if (!exits.count)
        return false;
    p->s = exits.items[0].state;
    return true;
}

/* The share of the budget that a call may take; 1: all. Imports, what bodies of imported files
 * call, and decorators fill tables and write texts: that is seldom what a program is about. */
static double share_of(const struct dyn *d, const struct code *code, const struct value *bound)
{
    const struct code *caller = d->p->fr->code;
    if (code->unit->module || caller->unit->module)
        return 1;
    if (is_initialiser(code))
        return 0.99;
    if (bound && code->fn->param_count && unseen_decorates(d, bound))
        return 1. / 64;
    return is_initialiser(caller) && d->p->fr->outer ? 1. / 8 : 1;
}

static bool run_given_up(struct dyn *d, const struct code *code, const struct value *bound,
                         struct value *out)
{
    for (int k = 0; bound && k < code->fn->param_count; k++)
        call_escape(d, &bound[k], 0);
    bool is_kept = bound && code->fn->param_count && unseen_decorates(d, bound) &&
                   unseen_is_assumed(d, FLOW_ASSUMED_DECORATOR);
    *out = is_kept ? bound[0] : value_any;
    return true;
}

/* What takes more than its share is called as if it were not known. */
static bool run_with_share(struct dyn *d, struct code *code, const struct value *bound,
                           const struct object *function, double share, struct value *out)
{
    struct flow *f = d->p->f;
    struct path *p = d->p;
    struct state *before = p->s;
    struct allowance outer;
    struct call_mark mark = call_begin(f);
    if (code->given_up == f->root)
        return run_given_up(d, code, bound, out);
    exit_list exits = {0}, raised = {0}, *handles = p->raised;
    p->s = state_fork_counted(f, before);
    p->raised = handles ? &raised : NULL;
    allowance_begin(f, share, &outer);
    bool goes_on = run_followed(d, code, bound, function, out);
    bool is_spent = allowance_end(f, &outer);
    p->raised = handles;
    if (is_spent) {
        arena_rewind(f->scratch, mark.used);
        p->s = before;
        code->given_up = f->root;
        return run_given_up(d, code, bound, out);
    }
    if (goes_on)
        LIST_ADD(f->scratch, &exits, ((struct exit_state){p->s, *out}));
    call_end(f, mark, &exits, &raised);
    p->s = goes_on ? exits.items[0].state : p->s;
    for (int k = 0; k < raised.count; k++)
        LIST_ADD(f->scratch, p->raised, raised.items[k]);
    return goes_on;
}

static bool run_now(struct dyn *d, struct code *code, const struct value *bound,
                    const struct object *function, struct value *out)
{
    if (is_too_costly(d->p->f, code) && !budget_is_spent(d->p->f) && !d->p->f->stops_at_yield) {
        cut_short(d->p->f, code->fn->span);
        return run_given_up(d, code, bound, out);
    }
    double share = share_of(d, code, bound);
    return share < 1 ? run_with_share(d, code, bound, function, share, out)
                     : run_followed(d, code, bound, function, out);
}

bool run_body(struct dyn *d, struct code *code, const struct value *bound,
              const struct object *function, struct value *out)
{
    const struct arguments *waiting = d->waiting;
    int raised = d->p->raised ? d->p->raised->count : 0;
    if (!waiting)
        return run_now(d, code, bound, function, out);
    d->waiting = NULL;
    arguments_hold(d, waiting);
    bool goes_on = run_now(d, code, bound, function, out);
    arguments_release(d, raised);
    d->waiting = waiting;
    return goes_on;
}

/* Which arguments of a library's function name devices: fixes write them again elsewhere. */
static void note_devices(struct dyn *d, const struct code *callee, const struct arguments *a)
{
    if (!callee->unit->module || d->p->fr->code->unit->module)
        return;
    for (int i = 0; i < a->count; i++) {
        unsigned sorts = a->from[i] ? sorts_of(d, &a->values[i]) : 0;
        if (sorts & SORT_DEVICE && !(sorts & ~(unsigned)(SORT_DEVICE | SORT_TEXT)))
            device_note(d->p->f, d->p->fr->code, a->from[i]);
    }
}

bool invoke_function(struct dyn *d, const struct object *function, const struct value *self,
                     const struct arguments *a, struct value *out)
{
    struct code *code = code_of(d->p->f, function->is->code);
    struct arguments all = {0};
    note_devices(d, code, a);
    if (self) {
        argument_add(&all, NULL, *self);
        arguments_add(&all, a);
    }
    struct value *bound =
        arena_array(d->p->f->scratch, struct value, function->is->code->param_count + 1);
    arguments_bind(d, function, self ? &all : a, bound);
    return run_body(d, code, bound, function, out);
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool unknown_callee(struct dyn *d, const struct arguments *a, struct value *out)
{
    bool is_decorator = unseen_decorator(d, a) && unseen_is_assumed(d, FLOW_ASSUMED_DECORATOR);
    *out = is_decorator ? a->values[0] : call_unknown(d, a);
    return true;
}

/* dict.__setitem__(self, …): what the class of model files has, whatever others have in its place.
 */
static bool call_of_base(struct dyn *d, const char *name, const struct arguments *a,
                         struct value *out)
{
    const struct object *class = dyn_object(&a->values[0])->is->class;
    for (int i = 0; class && i < class->is->order_count; i++) {
        struct object *base = class->is->order[i];
        size_t length = base->is->name ? strlen(base->is->name) : 0;
        const struct value *v =
            length && !strncmp(base->is->name, name, length) && name[length] == '.'
                ? dyn_get(d, base, name + length + 1)
                : NULL;
        if (v)
            return invoke_value(d, v, a, out);
    }
    *out = call_unknown(d, a);
    return true;
}

/* One of the settings that a file holds, by a method of dicts; false: it is none of these, or the
 * key is not known. */
static bool get_setting(struct dyn *d, struct object *of, const char *name,
                        const struct arguments *a, struct value *out)
{
    const char *key = outside_gets(of, name) && a->count ? dict_key(d, &a->values[0]) : NULL;
    if (key)
        *out = outside_setting(d, of, key, argument_at(a, 1, "default"));
    return key != NULL;
}

static bool call_named(struct dyn *d, const char *name, const struct arguments *a,
                       struct value *out)
{
    dyn_native *native = d->natives->named(name);
    bool found;
    if (native)
        return native(d, a, out);
    /* Methods of containers and texts are called by name, on their first argument. */
    const char *dot = strrchr(name, '.');
    if (dot && a->count && !a->labels[0]) {
        struct arguments rest;
        arguments_from(a, 1, &rest);
        if (!strncmp(name, "str.", 4))
            return d->natives->text_method(d, &a->values[0], dot + 1, &rest, out);
        struct object *o = dyn_object(&a->values[0]);
        if (o && o->is->kind >= DYNAMIC_LIST && o->is->kind <= DYNAMIC_SLICE) {
            bool goes_on = container_method(d, &a->values[0], dot + 1, &rest, &found, out);
            if (found)
                return goes_on;
        }
        if (o && get_setting(d, o, dot + 1, &rest, out))
            return true;
    }
    if (a->count &&
        (!strncmp(name, "builtins.dict.", 14) || !strncmp(name, "builtins.list.", 14)) &&
        dyn_is(&a->values[0], DYNAMIC_INSTANCE))
        return call_of_base(d, name + 9, a, out);
    if (!strcmp(name, "Tensor.size") && a->count == 1) /* of all dimensions */
        return attribute_get(d, &a->values[0], "shape", out);
    if (!strncmp(name, "builtins.", 9)) { /* an exception */
        struct object *o = dyn_new(d, DYNAMIC_INSTANCE, NULL);
        dyn_put(d, o, "(named)", dyn_named(d, name));
        *out = dyn_value(d, o);
        return true;
    }
    bool goes_on = signature_call(d, name, a, &found, out);
    return found ? goes_on : unknown_callee(d, a, out);
}

/* ---- all callees ----------------------------------------------------------------------------- */

static bool call_method(struct dyn *d, struct object *o, const struct arguments *a,
                        struct value *out)
{
    struct value self = *dyn_get(d, o, "(self)"), function = *dyn_get(d, o, "(function)");
    struct arguments all = {0};
    argument_add(&all, NULL, self);
    arguments_add(&all, a);
    return invoke_value(d, &function, &all, out);
}

/* A dtype that is called converts what it is passed. */
static bool call_dtype(struct dyn *d, const struct value *dtype, const struct arguments *a,
                       struct value *out)
{
    struct arguments all = {0};
    bool found;
    argument_add(&all, NULL, *dtype);
    arguments_add(&all, a);
    bool goes_on = signature_call(d, "dtype.__call__", &all, &found, out);
    return found ? goes_on : unknown_callee(d, a, out);
}

static bool call_one(struct dyn *d, const struct value *callee, void *context, struct value *out)
{
    const struct arguments *a = context;
    struct object *o = dyn_object(callee);
    bool found;
    if (callee->kind == VALUE_NUMBER && callee->names == NAMES_DTYPE)
        return call_dtype(d, callee, a, out);
    if (!o)
        return unknown_callee(d, a, out);
    switch (o->is->kind) {
    case DYNAMIC_FUNCTION:
        return invoke_function(d, o, NULL, a, out);
    case DYNAMIC_METHOD:
        return call_method(d, o, a, out);
    case DYNAMIC_CLASS:
        return construct(d, o, a, out);
    case DYNAMIC_NAMED:
        return call_named(d, o->is->name, a, out);
    case DYNAMIC_INSTANCE: {
        /* A class of a model file may name what a call of its instances calls. */
        const struct value *own = dyn_get(d, o, "_mc_call");
        const struct value *named = own            ? own
                                    : o->is->class ? class_member(d, o->is->class, 0, "_mc_call")
                                                   : NULL;
        if (named && dyn_literal(named))
            return invoke_member(d, callee, dyn_literal(named), a, out);
        bool goes_on = invoke_special(d, callee, "__call__", a, &found, out);
        return found ? goes_on : unknown_callee(d, a, out);
    }
    case DYNAMIC_DESCRIPTOR: {
        const struct value *of = dyn_get(d, o, "(of)");
        return of ? invoke_value(d, of, a, out) : unknown_callee(d, a, out);
    }
    default:
        return unknown_callee(d, a, out);
    }
}

bool invoke_value(struct dyn *d, const struct value *callee, const struct arguments *a,
                  struct value *out)
{
    struct arguments own = *a;
    return dyn_each(d, callee, call_one, &own, out);
}

struct invoked {
    const char *name;
    const struct arguments *arguments;
};

static bool invoke_one(struct dyn *d, const struct value *of, void *context, struct value *out)
{
    const struct invoked *c = context;
    struct member m;
    struct object *o = dyn_object(of);
    if (o && o->is->passed_to && packs_tell_tensors(d->p->f->packs, c->name)) {
        struct value tensor = outside_tensor(d, o, true);
        return invoke_one(d, &tensor, context, out);
    }
    if (registered_of_unknown(d, of, c->name, out))
        return true;
    bool found, goes_on = record_method(d, of, c->name, c->arguments, &found, out);
    if (found)
        return goes_on;
    d->waiting = c->arguments; /* a property, or __getattr__, runs before the call */
    bool is_found = member_find(d, of, c->name, &m);
    d->waiting = NULL;
    if (!is_found)
        return false;
    if (m.is_missing)
        return raise_named(d, "AttributeError");
    if (!m.has_self)
        return invoke_value(d, &m.value, c->arguments, out);
    struct arguments all = {0};
    const struct ir_inst *i = &d->p->fr->code->fn->insts.items[d->n];
    argument_add_from(&all, NULL, m.self, i->op == IR_INVOKE ? i->args[0] : 0);
    arguments_add(&all, c->arguments);
    return invoke_value(d, &m.value, &all, out);
}

bool invoke_member(struct dyn *d, const struct value *of, const char *name,
                   const struct arguments *a, struct value *out)
{
    struct invoked c = {name, a};
    if (dyn_is_tensor(d, of))
        return invoke_one(d, of, &c, out);
    return dyn_each(d, of, invoke_one, &c, out);
}

bool invoke_special(struct dyn *d, const struct value *of, const char *name,
                    const struct arguments *a, bool *found, struct value *out)
{
    struct object *o = dyn_object(of);
    const struct value *v =
        o && o->is->kind == DYNAMIC_INSTANCE && o->is->class ? class_member(d, o->is->class, 0,
                                                                            name)
                                                             : NULL;
    *found = v != NULL;
    return v ? invoke_member(d, of, name, a, out) : true;
}
