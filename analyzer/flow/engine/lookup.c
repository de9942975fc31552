/* Lookups: a function with a loop that returns either something or NULL, or one that takes out the
 * next of several. Programs that know that a key exists, or that there is one, do not check, so
 * that failures caused by such a NULL are not reported. Whether a lookup returned nothing is part
 * of the state: where states are merged, a field of an object that no program can name, so that it
 * splits with what was returned. */
#include "analyzer/flow/engine/engine.h"

static const struct loc *failed_at(struct flow *f)
{
    struct object *o = object_at(f->heap, key_of(KEY_LOOKUPS, 0, 0), OBJECT_MADE, "", NULL);
    return loc_field(f->heap, loc_root(f->heap, o), name_of(f->names, "lookup failed"));
}

static struct value flag(bool is_set)
{
    struct value v = value_int(is_set);
    v.is_bool = true;
    return v;
}

void lookups_begin(struct flow *f, struct state *s)
{
    if (f->merges)
        state_put(f->scratch, s, failed_at(f), flag(false));
}

bool lookup_has_failed(struct flow *f, const struct state *s)
{
    const struct value *v = f->merges ? state_get(s, failed_at(f)) : NULL;
    return v ? v->kind != VALUE_NUMBER || value_can_be_nonzero(v) : s->lookup_failed;
}

static bool is_null(const struct value *v)
{
    return (v->kind == VALUE_TENSOR || v->kind == VALUE_ADDRESS) && v->null == TRI_YES;
}

/* Whether some run returned something. */
static bool has_found(const exit_list *exits)
{
    for (int k = 0; k < exits->count; k++) {
        const struct exit_state *e = &exits->items[k];
        value_list all = guard_values(e->state->arena, e->state, &e->value);
        for (int i = 0; i < all.count; i++)
            if (!is_null(all.items[i]))
                return true;
    }
    return false;
}

/* The condition under which a value is NULL. */
static diagram null_where(const struct state *s, const struct value *v)
{
    struct conditions *c = guard_conditions(s->guards);
    diagram cases = guard_cases(s, v), where = DIAGRAM_NO;
    value_list all = guard_values(s->arena, s, v);
    for (int i = 0; i < all.count; i++)
        if (is_null(all.items[i]))
            where = condition_or(c, where, diagram_where(c, cases, guard_cases(s, all.items[i])));
    return where;
}

void lookup_note_nothing(struct flow *f, struct state *s)
{
    if (f->merges)
        state_put(f->scratch, s, failed_at(f), flag(true));
    s->lookup_failed |= !f->merges;
}

void lookup_note_exit(struct flow *f, const struct code *code, struct exit_state *e)
{
    if (!f->merges || !code->searches)
        return;
    diagram where = null_where(e->state, &e->value);
    const struct value *before = state_get_guarded(e->state, failed_at(f));
    struct value failed = flag(true);
    if (where != DIAGRAM_NO && before)
        state_put(f->scratch, e->state, failed_at(f),
                  guard_choose(e->state, where, &failed, before));
}

/* No run found anything: it is no lookup. */
static void take_back(struct flow *f, const struct state *before, exit_list *exits)
{
    const struct value *v = state_get_guarded(before, failed_at(f));
    for (int k = 0; k < exits->count && v; k++)
        state_put(f->scratch, exits->items[k].state, failed_at(f), *v);
}

void lookup_note_return(struct flow *f, const struct code *callee, const struct state *before,
                        exit_list *exits)
{
    if (!callee->searches)
        return;
    bool found = has_found(exits);
    if (f->merges && !found)
        take_back(f, before, exits);
    for (int k = 0; k < exits->count && found && !f->merges; k++)
        exits->items[k].state->lookup_failed |= is_null(&exits->items[k].value);
}
