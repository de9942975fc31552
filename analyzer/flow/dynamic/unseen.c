/* Code that cannot be seen: what a call of it may change, and what is assumed of it. Each
 * assumption is counted where it is made; if the analysis is strict, it is not made. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

bool unseen_is_assumed(struct dyn *d, enum flow_assumed what)
{
    ir_value call = d->n;
    const struct frame *fr = frame_in_program(d->p->fr, &call);
    if (d->p->f->options.strict)
        return false;
    assumed_note(d->p->f, fr->code, (int)(fr == d->p->fr ? d->n : call), what);
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

enum { ESCAPE_DEPTH = 6 };

/* Unknown code may call the function, and so change what that reaches by the variables of others.
 */
static void escape_captured(struct dyn *d, struct object *function, int depth)
{
    const struct ir_function *fn = function->is->code;
    for (int k = 0; fn && k < fn->locals.count; k++) {
        if (fn->locals.items[k].mode != MODE_CAPTURED)
            continue;
        const struct value *cell =
            dyn_get(d, function, dyn_join(d, "(cell ", fn->locals.items[k].name, ")"));
        const struct value *v =
            cell && cell->kind == VALUE_ADDRESS && cell->count == 1
                ? state_get(d->p->s, loc_root(d->p->f->heap, cell->as.loc[0]->object))
                : NULL;
        struct object *o = v ? dyn_object(v) : NULL;
        if (o && o->is->kind >= DYNAMIC_LIST && o->is->kind <= DYNAMIC_DICT)
            call_escape(d, v, depth + 1);
    }
}

/* Unknown code may change containers and tensors of objects that it can reach, but not what they
 * are. A tensor keeps its dtype and device. */
void call_escape(struct dyn *d, const struct value *v, int depth)
{
    struct object *o = dyn_object(v);
    if (!o || depth > ESCAPE_DEPTH)
        return;
    if (o->is->kind == DYNAMIC_LIST || o->is->kind == DYNAMIC_DICT || o->is->kind == DYNAMIC_SET) {
        state_drop_object(d->p->s, o);
        dyn_put(d, o, "(any)", value_any);
        return;
    }
    if (o->is->kind == DYNAMIC_FUNCTION)
        escape_captured(d, o, depth);
    d->p->f->own.escaped |= o->is->kind == DYNAMIC_INSTANCE || o->is->kind == DYNAMIC_METHOD ||
                            o->is->kind == DYNAMIC_FUNCTION;
    if (o->is->kind != DYNAMIC_INSTANCE && o->is->kind != DYNAMIC_TUPLE &&
        o->is->kind != DYNAMIC_METHOD)
        return;
    loc_list all = dyn_fields(d, o);
    for (int i = 0; i < all.count; i++) {
        struct value now = *state_get(d->p->s, all.items[i]);
        if (o->is->kind == DYNAMIC_INSTANCE && now.kind == VALUE_TENSOR)
            state_put(d->p->f->scratch, d->p->s, all.items[i], value_any);
        else
            call_escape(d, &now, depth + 1);
    }
    const struct value *self = o->is->kind == DYNAMIC_METHOD ? dyn_get(d, o, "(self)") : NULL;
    if (self)
        call_escape(d, self, depth + 1);
}

/* What unknown code may do to a tensor through its data: another dtype, another device. */
static void forget_tensor(struct dyn *d, const struct value *v)
{
    value_list each = guard_values(d->p->f->scratch, d->p->s, v);
    for (int i = 0; i < each.count; i++)
        for (int k = 0; each.items[i]->kind == VALUE_TENSOR && k < each.items[i]->count; k++) {
            const struct tensor *t = state_tensor(d->p->s, each.items[i]->as.tensor[k]);
            if (!t)
                continue;
            struct tensor open = *t;
            open.cases = 0;
            open.unknown = true;
            open.fact = fact_unknown();
            state_tensor_put(d->p->f->scratch, d->p->s, open);
        }
}

/* Unknown code may run a backward from it, or clear its gradient. */
static void note_graded(struct dyn *d, const struct value *v)
{
    value_list each = guard_values(d->p->f->scratch, d->p->s, v);
    for (int i = 0; i < each.count; i++)
        for (int k = 0; each.items[i]->kind == VALUE_TENSOR && k < each.items[i]->count; k++) {
            const struct tensor *t = state_tensor(d->p->s, each.items[i]->as.tensor[k]);
            bool is_graded = t && t->fact.grad & TRI_YES;
            d->p->f->own.escaped_graded |= is_graded;
            d->p->f->own.escaped |= is_graded && t->fact.leaf & TRI_YES;
        }
}

/* Whether unknown code gets a leaf that requires a gradient, or an object that may hold some: it
 * may be an optimizer. */
static bool hands_out(struct dyn *d, const struct value *v, int depth)
{
    struct object *o = dyn_object(v);
    bool any = v->kind == VALUE_GUARDED;
    for (int k = 0; k < v->count && v->kind == VALUE_TENSOR && !any; k++) {
        const struct tensor *t = state_tensor(d->p->s, v->as.tensor[k]);
        any = t && t->fact.leaf & TRI_YES;
    }
    if (!o || depth > ESCAPE_DEPTH)
        return any;
    if (o->is->kind == DYNAMIC_INSTANCE || o->is->kind == DYNAMIC_METHOD ||
        o->is->kind == DYNAMIC_ITERATOR)
        return true;
    if (o->is->kind == DYNAMIC_CLASS || o->is->kind == DYNAMIC_MODULE)
        return false;
    values_of all = {0};
    loc_list fields = {0};
    if (o->is->kind == DYNAMIC_DICT)
        fields = dyn_fields(d, o);
    else if (o->is->kind <= DYNAMIC_SET && !container_items(d, v, &all))
        return true;
    for (int i = 0; i < fields.count && !any; i++)
        any = hands_out(d, state_get(d->p->s, fields.items[i]), depth + 1);
    for (int i = 0; i < all.count && !any; i++)
        any = hands_out(d, &all.items[i], depth + 1);
    return any;
}

struct value call_unknown(struct dyn *d, const struct arguments *a)
{
    bool reaches = false;
    for (int i = 0; i < a->count; i++) {
        d->p->f->own.handed_out |= hands_out(d, &a->values[i], 0);
        call_escape(d, &a->values[i], 0);
        note_graded(d, &a->values[i]);
        reaches |= a->values[i].kind == VALUE_TENSOR || a->values[i].kind == VALUE_GUARDED;
    }
    if (!d->p->s->past) /* else what is called may be unknown only because a call failed */
        missing_note(d->p->f, d->p->fr->code, d->n);
    bool keeps = !reaches || unseen_is_assumed(d, FLOW_ASSUMED_CALL);
    for (int i = 0; !keeps && i < a->count; i++)
        forget_tensor(d, &a->values[i]);
    if (reaches)
        state_forget_ranges(d->p->s);
    if (reaches || d->p->f->own.escaped)
        gradients_may_be(d->p->s);
    return value_any;
}

bool unseen_decorates(const struct dyn *d, const struct value *argument)
{
    const struct ir_inst *i = &d->p->fr->code->fn->insts.items[d->n];
    struct object *o = i->op == IR_CALL && i->arg_count == 2 ? dyn_object(argument) : NULL;
    if (!o || (o->is->kind != DYNAMIC_FUNCTION && o->is->kind != DYNAMIC_CLASS))
        return false;
    const struct ir_function *fn = d->p->fr->code->fn;
    const struct ir_inst *next = d->n + 1 < fn->insts.count ? &fn->insts.items[d->n + 1] : NULL;
    return next && next->arg_count && next->args[next->arg_count - 1] == d->n &&
           (next->op == IR_SETNAME || next->op == IR_SET || next->op == IR_SETATTR ||
            next->op == IR_CALL);
}

bool unseen_decorator(const struct dyn *d, const struct arguments *a)
{
    return a->count == 1 && !a->labels[0] && unseen_decorates(d, &a->values[0]);
}

/* ---- regions --------------------------------------------------------------------------------- */

static struct key region_key(const struct dyn *d)
{
    const struct ir_inst *i = &d->p->fr->code->fn->insts.items[d->n];
    return key_of(KEY_SAVED_REGIONS, d->p->fr->context, (uint64_t)i->args[0]);
}

void unseen_region(struct dyn *d, bool begins, struct value *out)
{
    struct flow *f = d->p->f;
    if (!f->options.strict) {
        if (begins)
            unseen_is_assumed(d, FLOW_ASSUMED_REGION);
        return;
    }
    if (begins) {
        regions_keep(f, d->p->s, region_key(d));
        for (int i = 0; i <= REGION_DEFAULT_DEVICE; i++)
            region_set(f, d->p->s, i, value_any);
        return;
    }
    struct value token = regions_kept(f, region_key(d));
    regions_restore(f, d->p->s, &token);
    *out = dyn_unknown_bool(d); /* whether it handled what was raised */
}
