/* Casts and moves: whether one made another tensor of a tensor. That is kept in the state, as a
 * field of an object that no program can name, so that it is one of several by the condition under
 * which the cast was reached, and multiplies the cases of nothing else. */
#include "analyzer/flow/calls/calls.h"

static struct object *moved_tensors(struct flow *f)
{
    struct object *o = object_at(f->heap, key_of(KEY_MOVED, 0, 0), OBJECT_GLOBAL, "", NULL);
    o->is_const = o->is_note = true;
    return o;
}

static const struct loc *note_at(struct flow *f, int id, const char *what)
{
    return loc_field(f->heap, loc_element(f->heap, loc_root(f->heap, moved_tensors(f)), id),
                     name_of(f->names, what));
}

static const struct loc *moved_at(struct flow *f, int id)
{
    return note_at(f, id, "was moved");
}

/* The same of a tensor whose memory a view that was moved shares. */
static const struct loc *copied_at(struct flow *f, int id)
{
    return note_at(f, id, "was copied");
}

static bool is_of_none(const struct cell *cell, const void *state)
{
    const struct loc *of = cell->loc->parent;
    return cell->loc->object->is_note && of && !state_tensor(state, (int)of->element);
}

void moves_forget(struct flow *f, struct state *s)
{
    state_drop_of(s, moved_tensors(f), is_of_none, s);
}

void move_note(const struct pack_call *call)
{
    const struct value *of = &call->choices[0].value;
    bool moves = call->f->merges && call->fn->family == FAMILY_CAST && call->choices[0].used;
    for (int k = 0; moves && of->kind == VALUE_TENSOR && k < of->count; k++) {
        const struct tensor *t = state_tensor(call->s, of->as.tensor[k]);
        state_put(call->f->scratch, call->s, moved_at(call->f, of->as.tensor[k]), value_int(1));
        if (t && of->count == 1)
            state_put(call->f->scratch, call->s, copied_at(call->f, tensor_storage(t)),
                      value_int(1));
    }
}

static void note_age(const struct pack_call *call, const struct loc *at, const struct loc *to)
{
    const struct value *is = state_get_guarded(call->s, at);
    if (!is)
        return;
    bool may_be = is->kind != VALUE_NUMBER || value_can_be_nonzero(is);
    if (to && may_be)
        state_put(call->f->scratch, call->s, to,
                  state_get_guarded(call->s, to) ? value_int(1) : *is);
    state_put(call->f->scratch, call->s, at, value_int(0));
}

void move_age(const struct pack_call *call, int id, int older)
{
    if (!call->f->merges)
        return;
    note_age(call, moved_at(call->f, id), older ? moved_at(call->f, older) : NULL);
    note_age(call, copied_at(call->f, id), older ? copied_at(call->f, older) : NULL);
}

bool copy_before(const struct pack_call *call, int id)
{
    const struct value *is = call->f->merges ? state_get(call->s, copied_at(call->f, id)) : NULL;
    return is && is->kind == VALUE_NUMBER && !value_can_be_zero(is);
}

/* With a state for each path all that is known is that it is moved somewhere. */
const struct step *move_before(const struct pack_call *call, const struct choice *c)
{
    const struct value *v = &c->value;
    if (!call->f->merges)
        return c->how;
    for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++) {
        const struct value *is = state_get(call->s, moved_at(call->f, v->as.tensor[k]));
        const struct tensor *t = state_tensor(call->s, v->as.tensor[k]);
        if (is && t && value_can_be_nonzero(is))
            return v->via ? v->via : t->how;
    }
    return NULL;
}
