/* Instructions of a dynamic language, one by one. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

static dyn_native *native_named(const char *name)
{
    dyn_native *builtin = builtin_function(name), *of_modules = registered_primitive(name);
    return builtin ? builtin : of_modules ? of_modules : primitive_named(name);
}

static const struct natives natives = {.named = native_named, .text_method = text_method};

static const struct ir_inst *inst_of(const struct dyn *d)
{
    return &d->p->fr->code->fn->insts.items[d->n];
}

/* ---- variables ------------------------------------------------------------------------------- */

static const struct loc *local_at(struct dyn *d, int64_t k)
{
    return loc_root(d->p->f->heap, d->p->fr->locals[k]);
}

static bool get(struct dyn *d, struct value *out)
{
    const struct value *v = state_get(d->p->s, local_at(d, inst_of(d)->integer));
    *out = v ? *v : value_any;
    return true;
}

static void set(struct dyn *d, int64_t local, struct value v)
{
    dyn_write(d, local_at(d, local), v);
}

/* ---- operands -------------------------------------------------------------------------------- */

/* The instruction with those operands. */
typedef bool with_operands(struct dyn *d, const struct value *operands, struct value *out);

/* A container that is spread out can be one of several, of other lengths or keys. */
struct spread {
    struct value *operands;
    int next; /* operands before it are not open */
    with_operands *run;
};

static bool run_spread(struct dyn *d, struct spread *c, struct value *out);

static bool run_chosen(struct dyn *d, const struct value *one, void *context, struct value *out)
{
    struct spread c = *(const struct spread *)context;
    struct value open = c.operands[c.next];
    c.operands[c.next] = *one;
    bool goes_on = run_spread(d, &(struct spread){c.operands, c.next + 1, c.run}, out);
    c.operands[c.next] = open;
    return goes_on;
}

static bool run_spread(struct dyn *d, struct spread *c, struct value *out)
{
    const struct ir_inst *i = inst_of(d);
    for (; i->labels && c->next < i->arg_count; c->next++) {
        const char *label = i->labels[c->next];
        struct value *v = &c->operands[c->next];
        bool is_spread = label && label[0] == '*';
        if (is_spread && value_is_open(v) && !dyn_is_tensor(d, v))
            return dyn_each(d, v, run_chosen, c, out);
        bool is_list = dyn_is_sequence(v);
        if (is_spread && !label[1] && !is_list && !outside_settings(v) &&
            !iterate_all(d, v, DYNAMIC_LIST, v))
            return false;
    }
    return c->run(d, c->operands, out);
}

static bool by_operands(struct dyn *d, with_operands *run, struct value *out)
{
    const struct ir_inst *i = inst_of(d);
    struct spread c = {arena_array(d->p->f->scratch, struct value, i->arg_count + 1), 0, run};
    for (int k = 0; k < i->arg_count; k++)
        c.operands[k] = path_get(d->p, i->args[k]);
    return run_spread(d, &c, out);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* "x:" of "x". */
static bool is_of(const char *label, const char *name)
{
    size_t length = strlen(name);
    return !strncmp(label, name, length) && !strcmp(label + length, ":");
}

/* Captured variables are those of the frame that makes the function. */
static bool closure(struct dyn *d, struct value *out)
{
    const struct ir_inst *i = inst_of(d);
    const struct ir_function *fn = ir_function_find(d->p->fr->code->unit, i->name);
    struct object *o = dyn_new(d, DYNAMIC_FUNCTION, NULL);
    o->is->code = fn;
    o->is->name = i->name;
    for (int k = 0; k < i->arg_count; k++) {
        const char *label = i->labels ? i->labels[k] : NULL;
        size_t length = label ? strlen(label) : 0;
        struct value v = path_get(d->p, i->args[k]);
        if (!label || !length)
            continue;
        if (label[length - 1] != ':')
            dyn_put(d, o, dyn_join(d, "(default ", label, ")"), v);
        else if (value_is_tensor_class(&v)) /* an annotation */
            dyn_put(d, o, dyn_join(d, "(tensor ", label, ")"), value_int(1));
        if (label[length - 1] == ':' && fn->param_count && is_of(label, fn->locals.items[0].name))
            dyn_put(d, o, "(first annotation)", v);
    }
    for (int k = 0; k < fn->locals.count; k++)
        if (fn->locals.items[k].mode == MODE_CAPTURED)
            dyn_put(d, o, dyn_join(d, "(cell ", fn->locals.items[k].name, ")"),
                    value_of_loc(local_at(d, fn->locals.items[k].outer)));
    *out = dyn_value(d, o);
    return true;
}

/* rest: what else it has, however many of them; nothing if they are all known. */
static void items_of(struct dyn *d, const struct value *operands, values_of *out,
                     struct value *rest)
{
    const struct ir_inst *i = inst_of(d);
    *rest = value_nothing;
    for (int k = 0; k < i->arg_count; k++) {
        const char *label = i->labels ? i->labels[k] : NULL;
        if (!label)
            LIST_ADD(d->p->f->scratch, out, operands[k]);
        else if (!container_items(d, &operands[k], out))
            *rest = value_one_of(d, *rest, container_any(d, &operands[k]));
    }
}

static bool make_dict(struct dyn *d, const struct value *operands, struct value *out)
{
    const struct ir_inst *i = inst_of(d);
    struct object *o = dyn_new(d, DYNAMIC_DICT, NULL);
    struct value of = dyn_value(d, o), ignored;
    bool found;
    for (int k = 0; k < i->arg_count; k++) {
        const char *label = i->labels ? i->labels[k] : NULL;
        if (label && !strcmp(label, ":") && k + 1 < i->arg_count) {
            container_setitem(d, &of, &operands[k], &operands[k + 1]);
            k++;
        } else { /* all of another one */
            struct arguments a = {0};
            argument_add(&a, NULL, operands[k]);
            container_method(d, &of, "update", &a, &found, &ignored);
        }
    }
    *out = of;
    return true;
}

/* A text of parts: known if all are; else what it begins with. */
static bool make_text(struct dyn *d, const struct ir_inst *i, struct value *out)
{
    const char *all = "";
    struct computation c = computation_of(COMPUTATION_FORMAT, 1, NULL);
    for (int k = 0; k < i->arg_count; k++) {
        struct value v = path_get(d->p, i->args[k]);
        const char *text = dyn_literal(&v);
        struct arguments a = {0};
        struct value as;
        argument_add(&a, NULL, v);
        if (!text && v.kind == VALUE_NUMBER && builtin_function("builtins.str")(d, &a, &as))
            text = dyn_literal(&as);
        if (!text || dyn_is_too_long(all)) {
            computation_add(d->p->f, d->p->s, &c, &v, false);
            if (c.is_unknown) /* it is another one each time */
                c.words[c.count++ < COMPUTATION_WORDS - 1 ? c.count - 1 : 0] =
                    (uint64_t)++d->p->f->versions;
            *out = string_formatted(d->p->f, &c, all, NULL);
            return true;
        }
        all = dyn_join(d, all, "", text);
        computation_add_text(&c, text);
    }
    *out = dyn_text(d, all);
    return true;
}

static bool make(struct dyn *d, const struct value *operands, struct value *out)
{
    static const enum dynamic_kind kinds[KIND_COUNT] = {
        [KIND_LIST] = DYNAMIC_LIST, [KIND_TUPLE] = DYNAMIC_TUPLE, [KIND_SET] = DYNAMIC_SET};
    static const char *const bounds[] = {"start", "stop", "step"};
    const struct ir_inst *i = inst_of(d);
    values_of items = {0};
    struct value rest;
    switch ((enum ir_kind)i->integer) {
    case KIND_LIST:
    case KIND_TUPLE:
    case KIND_SET:
        items_of(d, operands, &items, &rest);
        *out = container_make(d, kinds[i->integer], items.items, items.count);
        if (rest.kind != VALUE_NOTHING)
            dyn_put(d, dyn_object(out), "(any)", rest);
        return true;
    case KIND_DICT:
        return make_dict(d, operands, out);
    case KIND_SLICE: {
        struct object *o = dyn_new(d, DYNAMIC_SLICE, NULL);
        for (int k = 0; k < 3 && k < i->arg_count; k++)
            dyn_put(d, o, bounds[k], operands[k]);
        *out = dyn_value(d, o);
        return true;
    }
    case KIND_TEXT:
        return make_text(d, i, out);
    case KIND_ELLIPSIS:
        *out = dyn_named(d, "builtins.Ellipsis");
        return true;
    case KIND_BYTES:
    case KIND_COMPLEX:
    case KIND_COUNT:
        break;
    }
    *out = value_any;
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool call(struct dyn *d, const struct value *operands, struct value *out)
{
    struct arguments a;
    d->p->f->own.counts.calls++;
    arguments_of(d, operands, &a);
    return invoke_value(d, &operands[0], &a, out);
}

static bool invoke(struct dyn *d, const struct value *operands, struct value *out)
{
    struct arguments a;
    d->p->f->own.counts.calls++;
    arguments_of(d, operands, &a);
    return invoke_member(d, &operands[0], name_of(d->p->f->names, inst_of(d)->name), &a, out);
}

static bool apply(struct dyn *d, struct value *out)
{
    const struct ir_inst *i = inst_of(d);
    struct value operands[4];
    int count = i->arg_count < COUNT(operands) ? i->arg_count : COUNT(operands);
    for (int k = 0; k < count; k++)
        operands[k] = path_get(d->p, i->args[k]);
    return protocol_apply(d, (enum ir_protocol)i->integer, operands, count, out);
}

enum { ENOUGH = 4 };

/* One that never ends is left behind one of its yields, after a few of them or when the state is
 * that of all iterations, which it is the last time. How many it yields is not known. */
static bool leave(struct dyn *d, const struct value *list)
{
    struct flow *f = d->p->f;
    int64_t length = container_length(d, list);
    if (length >= 0 && length < ENOUGH)
        return true;
    if (length >= 0)
        dyn_put(d, dyn_object(list), "(any)", container_any(d, list));
    struct exit_state now = {state_fork(f->scratch, d->p->s), value_int(d->n)};
    for (int k = 0; k < f->yielded->count; k++)
        if (length < 0 && f->yielded->items[k].value.as.number[0] == d->n) {
            f->yielded->items[k] = now;
            return true;
        }
    LIST_ADD(f->scratch, f->yielded, now);
    return length < 0;
}

/* The block behind the yield at hand, which ends its own; -1: not known. */
static int block_behind(const struct dyn *d)
{
    const struct ir_function *fn = d->p->fr->code->fn;
    const struct ir_block *b = &fn->blocks.items[d->p->block];
    const struct ir_inst *last = &fn->insts.items[b->insts[b->count - 1]];
    bool is_end = b->count > 1 && b->insts[b->count - 2] == d->n && last->op == IR_JUMP;
    return is_end ? last->target[0] : -1;
}

/* A generator is run to its end: what it yields is added to a list. */
static bool yield(struct dyn *d, struct value *out)
{
    struct flow *f = d->p->f;
    const struct value *list =
        state_get(d->p->s, loc_field(f->heap, loc_root(f->heap, d->p->fr->regs),
                                     name_of(f->names, "(yields)")));
    struct value v = path_get(d->p, inst_of(d)->args[0]);
    if (f->until_yield == d->p->fr) {
        int behind = block_behind(d);
        f->suspended.block = f->suspended.block && f->suspended.block != behind ? -1 : behind;
        f->suspended.handles |= d->p->fr->code->fn->blocks.items[d->p->block].catch;
        LIST_ADD(f->scratch, f->yielded, ((struct exit_state){d->p->s, v}));
        return false;
    }
    if (list && dyn_object(list))
        container_append(d, dyn_object(list), &v);
    *out = value_any; /* what is sent to it */
    if (f->leaves_at_yield == d->p->fr && list)
        return leave(d, list);
    return true;
}

static bool caught(struct dyn *d, struct value *out)
{
    struct flow *f = d->p->f;
    const struct value *v = state_get(d->p->s, loc_field(f->heap, loc_root(f->heap, d->p->fr->regs),
                                                         name_of(f->names, "(caught)")));
    *out = v ? *v : value_any;
    return true;
}

static bool run_dynamic(struct path *p, ir_value n, struct value *out)
{
    struct dyn d = {.p = p, .n = n, .natives = &natives};
    const struct ir_inst *i = inst_of(&d);
    struct value of, v;
    *out = value_any;
    switch (i->op) {
    case IR_GET:
        return get(&d, out);
    case IR_SET:
        set(&d, i->integer, path_get(p, i->args[0]));
        return true;
    case IR_NAME:
        return name_get(&d, name_of(p->f->names, i->name), out);
    case IR_SETNAME:
        name_set(&d, name_of(p->f->names, i->name), path_get(p, i->args[0]));
        return true;
    case IR_IMPORT:
        return name_import(&d, i->name, out);
    case IR_ATTR:
        of = path_get(p, i->args[0]);
        return attribute_get(&d, &of, name_of(p->f->names, i->name), out);
    case IR_SETATTR:
        of = path_get(p, i->args[0]);
        v = path_get(p, i->args[1]);
        return attribute_set(&d, &of, name_of(p->f->names, i->name), &v);
    case IR_INVOKE:
        return by_operands(&d, invoke, out);
    case IR_CALL:
        return by_operands(&d, call, out);
    case IR_APPLY:
        return apply(&d, out);
    case IR_MAKE:
        return by_operands(&d, make, out);
    case IR_CLOSURE:
        return closure(&d, out);
    case IR_CLASS:
        return class_new(&d, out);
    case IR_YIELD:
        return yield(&d, out);
    case IR_CAUGHT:
        return caught(&d, out);
    default:
        return true;
    }
}

/* What the program's own expressions yield; what a call of an op yields is observed there. */
static bool run(struct path *p, ir_value n, struct value *out)
{
    enum ir_op op = p->fr->code->fn->insts.items[n].op;
    bool goes_on = run_dynamic(p, n, out);
    bool is_expression = op == IR_GET || op == IR_NAME || op == IR_ATTR || op == IR_INVOKE ||
                         op == IR_CALL || op == IR_APPLY;
    if (goes_on && is_expression && !p->fr->code->unit->module)
        observe_value(p->f, p->fr, n, p->s, out, NULL);
    return goes_on;
}

static void begin(struct flow *f, const struct frame *fr, struct state *s)
{
    struct path p = {.f = f, .fr = fr, .s = s};
    struct dyn d = {.p = &p, .natives = &natives};
    modules_find(f);
    struct object *module = module_object(&d, fr->code);
    dyn_put(&d, module, "(ran)", value_int(1));
    dyn_put(&d, module, "__name__", dyn_text(&d, "__main__"));
}

/* ---- what nobody calls ----------------------------------------------------------------------- */

static bool is_shown_here(struct flow *f, const struct object *function, const struct ir_unit *u)
{
    const struct code *c = function->is->code ? code_of(f, function->is->code) : NULL;
    return c && c->unit == u && c->root != f->root && !c->was_entered;
}

/* Each has its own part of the budget, and of the memory. */
enum { REST_PARTS = 4, REST_TIMES = 4 };

struct rest {
    struct flow *f;
    struct allowance outer;
    size_t used;
};

static struct rest rest_begin(struct flow *f)
{
    struct rest r = {.f = f, .used = arena_used(f->scratch)};
    allowance_begin_own(f, f->options.max_visits / REST_PARTS, &r.outer);
    return r;
}

/* True: it was spent. */
static bool rest_end(struct rest *r)
{
    bool is_spent = allowance_end(r->f, &r->outer);
    arena_rewind(r->f->scratch, r->used);
    return is_spent;
}

/* By the name that it has. */
static struct value parameter_from_outside(struct dyn *d, const struct object *function,
                                           const struct code *code, int k)
{
    struct flow *f = d->p->f;
    const struct ir_local *l = &code->fn->locals.items[k];
    struct key key = key_of(KEY_OUTSIDE, (uint64_t)code->order + 1, ((uint64_t)k << 8) | 3);
    if (l->mode == MODE_REST || l->mode == MODE_KEYWORDS)
        return value_any;
    if (dyn_get(d, (struct object *)(uintptr_t)function, dyn_join(d, "(tensor ", l->name, ":)")))
        return outside_argument(d, code, k);
    return outside_value(d, key, access_variable(f->arena, name_of(f->names, l->name)));
}

/* Where a method of a module uses it as a tensor, it is one, on the CPU or on a GPU. */
static struct value passed_to_module(struct dyn *d, const struct object *function,
                                     const struct code *code, int k)
{
    struct value v = parameter_from_outside(d, function, code, k);
    struct object *o = dyn_object(&v);
    if (o && o->is->kind == DYNAMIC_OUTSIDE) {
        o->is->passed_to = code;
        o->is->passed_as = k;
    }
    return v;
}

static void run_function(struct flow *f, const struct frame *fr, struct state *s,
                         const struct object *function, const struct value *self,
                         const setter_list *setters)
{
    exit_list raised = {0};
    struct rest rest = rest_begin(f);
    struct path p = {.f = f, .fr = fr, .s = state_fork_counted(f, s), .raised = &raised};
    struct dyn d = {.p = &p, .natives = &natives};
    const struct ir_function *fn = function->is->code;
    struct code *code = code_of(f, fn);
    struct value *bound = arena_array(f->scratch, struct value, fn->param_count + 1), out;
    bool is_in_module = self && module_registers(&d, dyn_object(self));
    if (self && setters && dyn_object(self))
        setters_forget(&d, dyn_object(self), setters, fn);
    for (int k = 0; k < fn->param_count; k++)
        bound[k] = k == 0 && self ? *self
                   : is_in_module ? passed_to_module(&d, function, code, k)
                                  : parameter_from_outside(&d, function, code, k);
    run_body(&d, code, bound, function, &out);
    rest_end(&rest);
}

/* Of the constructor; none of one that is not known. */
static struct arguments arguments_from_outside(struct dyn *d, const struct object *class)
{
    struct arguments all = {.has_more = true, .more_at = 1};
    const struct value *v = class_member(d, class, 0, "__init__");
    struct object *function = v ? dyn_object(v) : NULL;
    const struct code *code = function && function->is->kind == DYNAMIC_FUNCTION
                                  ? code_of(d->p->f, function->is->code)
                                  : NULL;
    for (int k = 1; code && !code->unit->module && k < code->fn->param_count; k++) {
        const struct ir_local *l = &code->fn->locals.items[k];
        if (l->mode == MODE_PLAIN || l->mode == MODE_KEYWORD)
            argument_add(&all, l->name, parameter_from_outside(d, function, code, k));
    }
    return all;
}

/* An instance that is made with arguments that are not known; false: there is none. Nothing is
 * known of it if that takes too much. */
static bool make_instance(struct dyn *d, struct object *class, struct value *self)
{
    struct arguments unknown = arguments_from_outside(d, class);
    struct state *before = d->p->s;
    struct allowance outer;
    d->p->s = state_fork_counted(d->p->f, before);
    allowance_begin_own(d->p->f, d->p->f->options.max_visits / REST_PARTS, &outer);
    bool is_made = construct(d, class, &unknown, self);
    if (allowance_end(d->p->f, &outer)) { /* what it would have checked is not known, either */
        d->p->s = before;
        d->p->s->blurred = d->p->s->joined = true;
        *self = value_any;
        return true;
    }
    if (is_made && !module_assume(d, class, self))
        module_open(d, self);
    return is_made;
}

static void run_class(struct flow *f, const struct frame *fr, struct state *s, struct object *class,
                      const struct ir_unit *u)
{
    exit_list raised = {0};
    struct path p = {.f = f, .fr = fr, .s = state_fork_counted(f, s), .raised = &raised};
    struct dyn d = {.p = &p, .natives = &natives};
    struct value self = value_any;
    setter_list setters = {0};
    bool is_made = false;
    loc_list all = dyn_fields(&d, class);
    for (int i = 0; i < all.count; i++) {
        const struct value *v = state_get(p.s, all.items[i]);
        struct object *o = v ? dyn_object(v) : NULL, *as = o;
        const struct value *of =
            o && o->is->kind == DYNAMIC_DESCRIPTOR ? dyn_get(&d, o, "(of)") : NULL;
        o = of ? dyn_object(of) : o;
        if (!o || o->is->kind != DYNAMIC_FUNCTION || !is_shown_here(f, o, u))
            continue;
        if (of && strcmp(as->is->name, "property") != 0) { /* it needs none */
            struct value itself = dyn_value(&d, class);
            bool has_self = !strcmp(as->is->name, "classmethod");
            run_function(f, fr, p.s, o, has_self ? &itself : NULL, NULL);
            continue;
        }
        if (!is_made) { /* one instance for all methods */
            is_made = true;
            if (!make_instance(&d, class, &self))
                return;
            setters = setters_of(&d, class);
        }
        if (is_shown_here(f, o, u))
            run_function(f, fr, p.s, o, &self, &setters);
    }
}

static void run_rest(struct flow *f, const struct frame *fr, struct state *s)
{
    exit_list raised = {0};
    struct path p = {.f = f, .fr = fr, .s = s, .raised = &raised};
    struct dyn d = {.p = &p, .natives = &natives};
    const struct ir_unit *u = fr->code->unit;
    struct object *module = module_object(&d, fr->code);
    loc_list all = dyn_fields(&d, module);
    struct allowance outer;
    f->left += REST_TIMES * f->options.max_visits;
    f->spent += REST_TIMES * f->options.max_visits;
    allowance_begin_own(f, f->left, &outer);
    for (int i = 0; i < all.count && !budget_is_spent(f); i++) {
        const struct value *v = state_get(s, all.items[i]);
        struct object *o = v ? dyn_object(v) : NULL;
        if (o && o->is->kind == DYNAMIC_FUNCTION && is_shown_here(f, o, u))
            run_function(f, fr, s, o, NULL, NULL);
        else if (o && o->is->kind == DYNAMIC_CLASS) {
            size_t used = arena_used(f->scratch);
            run_class(f, fr, s, o, u);
            arena_rewind(f->scratch, used);
        }
    }
    allowance_end(f, &outer);
}

/* A loop over a container has as many iterations as that has elements, if none leaves it early. */
static double iterations(struct path *p, ir_value condition)
{
    const struct ir_inst *i = &p->fr->code->fn->insts.items[condition];
    bool is_asked = i->op == IR_APPLY && i->integer == PROTOCOL_MORE;
    struct value iterator = is_asked ? path_get(p, i->args[0]) : value_any;
    struct dyn d = {.p = p, .n = condition};
    return is_asked ? iterate_length(&d, &iterator) : 0;
}

const struct dynamic_language dynamic_language = {run,          begin,      run_rest,
                                                  garbage_drop, iterations, alike_skip};
