/* Arguments of a call: by position, by label, and spread out from containers; and the parameters of
 * a function that they are bound to. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

struct value argument_nth(const struct arguments *a, int n)
{
    return n < a->count && !a->labels[n] ? a->values[n] : value_any;
}

void argument_add(struct arguments *a, const char *label, struct value v)
{
    argument_add_from(a, label, v, 0);
}

void arguments_add(struct arguments *a, const struct arguments *more)
{
    a->has_more |= more->has_more;
    for (int i = 0; i < more->count; i++)
        argument_add_from(a, more->labels[i], more->values[i], more->from[i]);
}

void argument_add_from(struct arguments *a, const char *label, struct value v, ir_value from)
{
    if (a->count == DYN_ARGUMENTS) {
        a->has_more = true;
        return;
    }
    int at = a->count;
    while (!label && at > 0 && a->labels[at - 1]) { /* those by position come first */
        a->values[at] = a->values[at - 1];
        a->labels[at] = a->labels[at - 1];
        a->from[at] = a->from[at - 1];
        at--;
    }
    v.origin = NULL;
    a->values[at] = v;
    a->labels[at] = label;
    a->from[at] = from;
    a->count++;
}

void arguments_spread(struct dyn *d, const struct value *of, struct arguments *out)
{
    values_of all = {0};
    const struct value own = record_as_tuple(d, of), *v = &own;
    bool is_known = container_items(d, v, &all) && out->count + all.count <= DYN_ARGUMENTS;
    for (int i = 0; is_known && i < all.count; i++)
        argument_add(out, NULL, all.items[i]);
    if (is_known)
        return;
    out->elements = out->has_more ? NULL : arena_copy(d->p->f->scratch, v, sizeof *v);
    out->has_more = true;
}

static void add_entries(struct dyn *d, const struct value *v, struct arguments *out)
{
    struct value of = plain_container(d, v);
    struct object *o = dyn_object(&of);
    if (!o || o->is->kind != DYNAMIC_DICT || dyn_get(d, o, "(any)")) {
        out->has_more = true;
        return;
    }
    loc_list all = dyn_fields(d, o);
    for (int i = 0; i < all.count; i++) {
        struct value key = dict_key_value(d, all.items[i]->field);
        const char *label = dyn_literal(&key);
        if (label)
            argument_add(out, name_of(d->p->f->names, label), *state_get(d->p->s, all.items[i]));
    }
}

static const struct loc *place_to_wait(struct dyn *d)
{
    struct flow *f = d->p->f;
    return loc_field(f->heap, loc_root(f->heap, d->p->fr->regs), name_of(f->names, "(waiting)"));
}

void arguments_hold(struct dyn *d, const struct arguments *a)
{
    struct flow *f = d->p->f;
    for (int i = 0; i < a->count; i++)
        state_put(f->scratch, d->p->s, loc_element(f->heap, place_to_wait(d), i), a->values[i]);
}

void arguments_release(struct dyn *d, int raised_before)
{
    const exit_list *raised = d->p->raised;
    state_drop(d->p->s, place_to_wait(d));
    for (int i = raised_before; raised && i < raised->count; i++)
        state_drop(raised->items[i].state, place_to_wait(d));
}

bool arguments_of(struct dyn *d, int first, struct arguments *out)
{
    const struct ir_inst *i = &d->p->fr->code->fn->insts.items[d->n];
    out->count = 0;
    out->has_more = false;
    out->elements = NULL;
    for (int k = first; k < i->arg_count; k++) {
        struct value v = path_get(d->p, i->args[k]);
        const char *label = i->labels ? i->labels[k] : NULL;
        if (label && !strcmp(label, "*"))
            arguments_spread(d, &v, out);
        else if (label && !strcmp(label, "**"))
            add_entries(d, &v, out);
        else
            argument_add_from(out, label ? name_of(d->p->f->names, label) : NULL, v, i->args[k]);
    }
    return true;
}

const struct value *argument_at(const struct arguments *a, int position, const char *label)
{
    if (position >= 0 && position < a->count && !a->labels[position])
        return &a->values[position];
    for (int i = 0; label && i < a->count; i++)
        if (a->labels[i] && !strcmp(a->labels[i], label))
            return &a->values[i];
    return NULL;
}

/* ---- parameters ------------------------------------------------------------------------------ */

static bool takes_position(enum ir_mode mode)
{
    return mode == MODE_PLAIN || mode == MODE_POSITION;
}

static bool takes_label(enum ir_mode mode)
{
    return mode == MODE_PLAIN || mode == MODE_KEYWORD;
}

/* Neither by position nor by label. */
static struct value left_out(struct dyn *d, const struct object *function, const struct ir_local *l,
                             bool has_more)
{
    const struct value *v = function && l->has_default
                                ? dyn_get(d, (struct object *)(uintptr_t)function,
                                          dyn_join(d, "(default ", l->name, ")"))
                                : NULL;
    return v && !has_more ? *v : value_any;
}

static void bind_rest(struct dyn *d, const struct arguments *a, int from, struct value *out)
{
    int count = 0;
    while (from + count < a->count && !a->labels[from + count])
        count++;
    if (a->has_more) {
        bool are_known = !count && a->elements && dyn_object(a->elements);
        struct value any = are_known ? container_any(d, a->elements) : value_any;
        for (int i = 0; i < count; i++)
            any = i ? value_any : a->values[from];
        *out = container_of_any(d, DYNAMIC_TUPLE, &any);
        return;
    }
    *out = container_make(d, DYNAMIC_TUPLE, &a->values[from], count);
}

static void bind_keywords(struct dyn *d, const struct arguments *a, const bool *used,
                          struct value *out)
{
    struct object *o = dyn_new(d, DYNAMIC_DICT, NULL);
    for (int i = 0; i < a->count; i++) {
        if (!a->labels[i] || used[i])
            continue;
        struct value key = dyn_text(d, a->labels[i]);
        dyn_put(d, o, dict_key(d, &key), a->values[i]);
    }
    if (a->has_more)
        dyn_put(d, o, "(any)", value_any);
    *out = dyn_value(d, o);
}

void arguments_bind(struct dyn *d, const struct object *function, const struct arguments *a,
                    struct value *bound)
{
    const struct ir_function *fn = function->is->code;
    bool used[DYN_ARGUMENTS] = {false};
    int position = 0, keywords = -1;
    for (int k = 0; k < fn->param_count; k++) {
        const struct ir_local *l = &fn->locals.items[k];
        bool by_position = position < a->count && !a->labels[position];
        if (l->mode == MODE_REST) {
            bind_rest(d, a, position, &bound[k]);
            while (position < a->count && !a->labels[position])
                used[position++] = true;
        } else if (l->mode == MODE_KEYWORDS) {
            keywords = k;
        } else if (takes_position(l->mode) && by_position) {
            used[position] = true;
            bound[k] = a->values[position++];
        } else {
            bound[k] = left_out(d, function, l, a->has_more);
            for (int i = 0; takes_label(l->mode) && i < a->count; i++)
                if (a->labels[i] && !strcmp(a->labels[i], l->name)) {
                    used[i] = true;
                    bound[k] = a->values[i];
                }
        }
    }
    if (keywords >= 0)
        bind_keywords(d, a, used, &bound[keywords]);
}
