/* Calls of what packs describe: the first signature whose arity, labels and sorts fit is called. If
 * several may fit, since a sort is not known, the result is not known. */
#include "analyzer/flow/dynamic/bound_call.h"

#include <string.h>

/* ---- the call -------------------------------------------------------------------------------- */

/* What is called in a model file is shown as a part of the program's own call, but is another place
 * each time. */
static const struct frame *frame_shown(struct dyn *d, ir_value *inst)
{
    struct flow *f = d->p->f;
    const struct frame *fr = d->p->fr;
    ir_value at = *inst;
    const struct frame *shown = frame_in_program(fr, &at);
    int nth = d->calls++; /* one instruction may make several */
    if (shown == fr && !nth)
        return fr;
    struct frame *one = arena_copy(f->scratch, shown, sizeof *shown);
    struct key key = key_of_index(KEY_SHOWN, fr->context, (uint64_t)*inst, nth);
    uintptr_t context = (uintptr_t)key_map_get(f->contexts, key);
    if (!context)
        key_map_put(f->contexts, key, (void *)(context = ++f->context_count));
    one->context = context;
    one->regs = fr->regs;
    *inst = at;
    return one;
}

/* Whether the program handles what is raised here. */
static bool is_handled(const struct frame *fr, int block)
{
    for (; fr; fr = fr->outer) {
        int handler = fr->code->fn->blocks.items[block].catch;
        if (handler && ir_handles(fr->code->fn, handler))
            return true;
        block = fr->outer && fr->call ? fr->outer->code->block_of[fr->call] : 0;
    }
    return false;
}

/* The call failed: whoever handles exceptions goes on from there. */
static void raise_in_case(struct bound_call *c, struct state *s)
{
    struct flow *f = c->d->p->f;
    if (!c->d->p->raised || (f->options.past_errors && !c->is_handled))
        return;
    struct cases *k = s->cases;
    struct state *after = state_fork_counted(f, s);
    diagram care = k->care;
    cases_end(after, c->before, k);
    state_narrow(after, care);
    after->past = c->before->past;
    after->ends = false;
    struct path q = *c->d->p;
    q.s = after;
    struct dyn own = *c->d;
    own.p = &q;
    raise_named(&own, "RuntimeError");
}

static bool call_in_case(struct path *p, void *context, struct exit_state *e)
{
    struct bound_call *c = context;
    struct value bound[PACK_MAX_PARAMS];
    for (int i = 0; i < c->signature->fn->param_count; i++)
        bound[i] =
            c->bound[i].kind == VALUE_GUARDED ? *guard_read(p->s, &c->bound[i]) : c->bound[i];
    struct pack_call call = {.f = p->f,
                             .fr = c->shown,
                             .s = e->state,
                             .inst = c->inst,
                             .fn = c->signature->fn,
                             .args = bound,
                             .arg_count = 0,
                             .bound = bound,
                             .is_hidden = c->shown->code != p->fr->code,
                             .from = c->from,
                             .names = c->names,
                             .sizes = c->sizes,
                             .size_count = c->size_count,
                             .listed = c->listed};
    call.is_caught = c->is_handled;
    bool returns =
        run_pack_call(&call, &e->value) && !(c->is_handled && e->state->past && !c->before->past);
    if (!returns || (call.may_fail && c->is_handled))
        raise_in_case(c, e->state);
    return returns;
}

static bool set_names(struct value *v, const void *names)
{
    bool is_number = v->kind == VALUE_NUMBER;
    if (is_number)
        v->names = *(const uint8_t *)names;
    return is_number;
}

static bool set_bool(struct value *v, const void *context)
{
    (void)context;
    bool is_number = v->kind == VALUE_NUMBER && !v->is_real;
    v->is_bool |= is_number;
    return is_number;
}

/* A number that a question has as its answer, as the language has it. */
static struct value as_answer(struct dyn *d, const struct pack_function *fn, struct value v)
{
    uint8_t names = fn->question == QUESTION_DTYPE_OF    ? NAMES_DTYPE
                    : fn->question == QUESTION_DEVICE_OF ? NAMES_DEVICE
                                                         : NAMES_NOTHING;
    bool is_bool = fn->question == QUESTION_IS_CUDA || fn->question == QUESTION_IS_FLOATING ||
                   fn->question == QUESTION_REQUIRES_GRAD || fn->question == QUESTION_IS_LEAF ||
                   fn->question == QUESTION_SAME_STORAGE;
    if (names && v.kind == VALUE_GUARDED)
        return guard_map(d->p->s, &v, set_names, &names);
    if (is_bool && v.kind == VALUE_GUARDED)
        return guard_map(d->p->s, &v, set_bool, NULL);
    if (v.kind == VALUE_NUMBER) {
        v.names = names;
        v.is_bool |= is_bool;
    }
    return v;
}

static bool set_class(struct tensor *t, void *class)
{
    t->class = class;
    return true;
}

void tensor_set_class(struct dyn *d, const struct value *v, const char *class)
{
    value_list all = guard_values(d->p->f->scratch, d->p->s, v);
    for (int i = 0; i < all.count; i++)
        for (int k = 0; all.items[i]->kind == VALUE_TENSOR && k < all.items[i]->count; k++) {
            struct tensor *t = state_tensor_own(d->p->s, all.items[i]->as.tensor[k]);
            if (t && t->cases) { /* in each of them */
                int id = t->id;
                *t = guard_map_tensor(d->p->s, t, set_class, (void *)(uintptr_t)class);
                t->id = id;
            }
            if (t)
                t->class = class;
        }
}

/* A tuple of the result and of what the op wrote, or a list of unknown length. */
static struct value members_of(struct bound_call *c, struct value result)
{
    struct dyn *d = c->d;
    struct heap *h = d->p->f->heap;
    const struct signature *s = c->signature;
    struct value items[PACK_MAX_RESULTS];
    for (int i = 0; i < s->member_count; i++) {
        int64_t at = s->result == RESULT_LIST ? ELEMENT_ANY : s->members[i];
        const struct value *v = c->tuple && s->members[i]
                                    ? state_get(d->p->s, loc_element(h, loc_root(h, c->tuple), at))
                                    : NULL;
        if (!v && c->tuple && s->result == RESULT_LIST)
            v = state_get(d->p->s, loc_element(h, loc_root(h, c->tuple), 0));
        items[i] = s->members[i] == 0 ? result : v ? *v : value_any;
    }
    if (s->result == RESULT_LIST)
        return container_of_any(d, DYNAMIC_TUPLE, &items[0]);
    if (s->result == RESULT_PLAIN)
        return items[0];
    struct value all = container_make(d, DYNAMIC_TUPLE, items, s->member_count);
    for (int i = 0; s->fields && i < s->member_count; i++)
        dyn_put(d, dyn_object(&all), s->fields[i], items[i]);
    return all;
}

/* The name by which callers pass the parameter of the op; NULL: none does. */
static const char *passed_as(const struct signature *s, int param)
{
    for (int i = 0; i < s->param_count; i++)
        if (s->params[i].param == param)
            return s->params[i].name;
    return NULL;
}

/* The operands are not those of what is shown: a variable, or a member of an object. */
static void name_operands(struct bound_call *c, const struct ir_function *fn)
{
    for (int i = 0; i < PACK_MAX_PARAMS; i++) {
        const struct ir_inst *from = c->from[i] ? &fn->insts.items[c->from[i]] : NULL;
        if (from && from->op == IR_GET && *fn->locals.items[from->integer].name)
            c->names[i] = fn->locals.items[from->integer].name;
        else if (from && from->op == IR_ATTR)
            c->names[i] = from->name;
        else
            c->names[i] = passed_as(c->signature, i);
        c->from[i] = 0;
    }
}

static bool call_bound(struct dyn *d, struct bound_call *c, struct value *out)
{
    exit_list exits = {0};
    const struct signature *s = c->signature;
    gradients_before(s->fn, d->p->s);
    c->before = d->p->s;
    c->is_handled = is_handled(d->p->fr, d->p->block);
    c->inst = d->n;
    c->shown = frame_shown(d, &c->inst);
    if (c->shown->code != d->p->fr->code)
        name_operands(c, d->p->fr->code->fn);
    code_prepare(d->p->f, (struct code *)(uintptr_t)c->shown->code);
    call_by_cases(d->p, call_in_case, c, &exits);
    if (!exits.count)
        return false;
    int at = exits.count > 1 && exits.items[0].state->past ? 1 : 0;
    d->p->s = exits.items[at].state;
    *out = as_answer(d, s->fn, exits.items[at].value);
    if (out->kind == VALUE_NOTHING)
        *out = value_null();
    if (strcmp(s->makes ? s->makes : "Tensor", "Tensor") != 0)
        tensor_set_class(d, out, s->makes);
    if (s->result != RESULT_PLAIN || s->members[0])
        *out = members_of(c, *out);
    d->p->s->guarded |= out->kind == VALUE_GUARDED;
    return true;
}

/* ---- by the pack's own name ------------------------------------------------------------------ */

struct plain_call {
    struct bound_call how;
    const struct pack_function *fn;
    const struct value *args, *returns;
    int count;
};

static bool plain_in_case(struct path *p, void *context, struct exit_state *e)
{
    struct plain_call *c = context;
    struct value args[8];
    for (int i = 0; i < c->count && i < COUNT(args); i++)
        args[i] = c->args[i].kind == VALUE_GUARDED ? *guard_read(p->s, &c->args[i]) : c->args[i];
    struct pack_call call = {.f = p->f,
                             .fr = c->how.shown,
                             .s = e->state,
                             .inst = c->how.inst,
                             .fn = c->fn,
                             .args = args,
                             .arg_count = c->count,
                             .is_hidden = c->how.shown->code != p->fr->code,
                             .returns = c->returns};
    bool returns = run_pack_call(&call, &e->value);
    if (!returns)
        raise_in_case(&c->how, e->state);
    return returns;
}

/* That does exactly this; of those that clear gradients, the one of what an object holds. */
static const struct pack_function *function_with(const struct pack_set *packs, unsigned effects)
{
    const struct pack_function *fn;
    for (int at = 0; (fn = packs_next_effective(packs, &at));)
        if (fn->effects == effects && (effects != EFFECT_ZERO_GRAD || pack_held_argument(fn) >= 0))
            return fn;
    return NULL;
}

bool function_call(struct dyn *d, unsigned effects, const struct value *args, int count,
                   const struct value *returns, struct value *out)
{
    exit_list exits = {0};
    struct plain_call c = {.fn = function_with(d->p->f->packs, effects),
                           .args = args,
                           .returns = returns,
                           .count = count,
                           .how = {.d = d, .before = d->p->s, .inst = d->n}};
    *out = value_any;
    if (!c.fn)
        return true;
    c.how.shown = frame_shown(d, &c.how.inst);
    gradients_before(c.fn, d->p->s);
    call_by_cases(d->p, plain_in_case, &c, &exits);
    if (!exits.count)
        return false;
    int at = exits.count > 1 && exits.items[0].state->past ? 1 : 0;
    d->p->s = exits.items[at].state;
    *out = exits.items[at].value;
    return true;
}

/* ---- by signature ---------------------------------------------------------------------------- */

/* The first that fits; NULL: none, or it is not known which. */
static const struct signature *fitting(struct dyn *d, const struct signature *all, int count,
                                       const struct arguments *a, int *argument_of)
{
    const struct signature *found = NULL;
    int own[DYN_ARGUMENTS], perhaps = 0;
    for (int i = 0; i < count; i++) {
        enum fit fit =
            all[i].param_count <= DYN_ARGUMENTS ? signature_fits(d, &all[i], a, own) : FITS_NOT;
        if (fit == FITS_NOT)
            continue;
        perhaps += fit == FITS_PERHAPS;
        if (fit == FITS || !found) { /* one that takes anything stands for all before it */
            memcpy(argument_of, own, sizeof own);
            found = &all[i];
        }
        if (fit == FITS)
            return found;
    }
    return perhaps > 1 ? NULL : found;
}

static bool fits_any(struct dyn *d, const struct signature *all, int count,
                     const struct arguments *a)
{
    int own[DYN_ARGUMENTS];
    for (int i = 0; i < count; i++)
        if (all[i].param_count <= DYN_ARGUMENTS && signature_fits(d, &all[i], a, own) != FITS_NOT)
            return true;
    return false;
}

static bool is_of_class(struct dyn *d, const struct value *v, const char *class)
{
    return v->kind == VALUE_TENSOR && !strcmp(dyn_method_class(d, v), class);
}

/* Arguments without dimensions become numbers; others: only those that are not of the class of the
 * first one, a tensor. */
static void take_as_numbers(struct dyn *d, struct arguments *a, bool others)
{
    for (int i = others; i < a->count; i++) {
        const struct value *v = &a->values[i];
        const struct tensor *t = v->kind == VALUE_TENSOR && v->count == 1
                                     ? state_tensor(d->p->s, v->as.tensor[0])
                                     : NULL;
        if (!t || t->fact.zero_dim != TRI_YES || (others && is_of_class(d, v, "Tensor")))
            continue;
        bool is_whole = !(t->fact.dtypes & DTYPES_GRADED);
        a->values[i] = is_whole ? dyn_unknown_int() : value_unknown_real();
    }
}

/* What has no dimensions passes for a number: where no tensor is taken, and with tensors of another
 * class. */
static void pass_as_numbers(struct dyn *d, const struct signature *all, int count,
                            struct arguments *a)
{
    if (a->count > 1 && is_of_class(d, &a->values[0], "Tensor"))
        take_as_numbers(d, a, true);
    if (!fits_any(d, all, count, a))
        take_as_numbers(d, a, false);
}

static bool run_fitting(struct dyn *d, const struct signature *all, int count,
                        const struct arguments *given, struct value *out);

/* The same call with one of several lists, which may have other lengths and elements. */
struct list_call {
    const struct signature *all;
    int count, argument;
    struct arguments given;
};

static bool run_with_list(struct dyn *d, const struct value *one, void *context, struct value *out)
{
    struct list_call own = *(const struct list_call *)context;
    own.given.values[own.argument] = *one;
    return run_fitting(d, own.all, own.count, &own.given, out);
}

static bool is_list(const struct value *v, const void *context)
{
    (void)context;
    return dyn_is_sequence(v);
}

static bool run_fitting(struct dyn *d, const struct signature *all, int count,
                        const struct arguments *given, struct value *out)
{
    int argument_of[DYN_ARGUMENTS];
    for (int i = 0; i < given->count && !d->p->s->cases; i++) {
        const struct value *v = &given->values[i];
        if (v->kind == VALUE_GUARDED && guard_any(d->p->s, v, is_list, NULL))
            return dyn_each(d, v, run_with_list, &(struct list_call){all, count, i, *given}, out);
    }
    struct arguments own = *given;
    for (int i = 0; i < own.count; i++)
        own.values[i] = record_as_tuple(d, &given->values[i]);
    pass_as_numbers(d, all, count, &own);
    const struct arguments *a = &own;
    const struct signature *s = fitting(d, all, count, a, argument_of);
    if (!s) {
        *out = call_unknown(d, a);
        return true;
    }
    struct bound_call *c = arena_one(d->p->f->scratch, struct bound_call);
    c->d = d;
    c->signature = s;
    signature_bind(c, a, argument_of);
    return call_bound(d, c, out);
}

bool signature_call(struct dyn *d, const char *name, const struct arguments *a, bool *found,
                    struct value *out)
{
    int count = 0;
    const struct signature *all = packs_signatures(d->p->f->packs, name, &count);
    *found = all && count && !all->is_attribute;
    *out = value_any;
    return *found ? run_fitting(d, all, count, a, out) : true;
}

bool signature_attribute(struct dyn *d, const char *name, const struct value *self, bool *found,
                         struct value *out)
{
    int count = 0;
    const struct signature *all = packs_signatures(d->p->f->packs, name, &count);
    const struct ir_inst *i = &d->p->fr->code->fn->insts.items[d->n];
    struct arguments a = {0};
    *found = all && count && all->is_attribute;
    argument_add_from(&a, NULL, *self, i->op == IR_ATTR || i->op == IR_INVOKE ? i->args[0] : 0);
    return *found ? run_fitting(d, all, count, &a, out) : true;
}
