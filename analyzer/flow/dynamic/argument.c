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

static int positional(const struct arguments *a)
{
    int count = 0;
    while (count < a->count && !a->labels[count])
        count++;
    return count;
}

/* Others follow by position, however many. */
static void add_more(struct arguments *a, const struct value *elements)
{
    a->elements = a->more_at ? NULL : elements;
    a->more_at = a->more_at ? a->more_at : positional(a) + 1;
    a->has_more = true;
}

void arguments_add(struct arguments *a, const struct arguments *more)
{
    if (more->more_at && !a->more_at) {
        a->more_at = positional(a) + more->more_at;
        a->elements = more->elements;
    } else if (more->more_at) {
        a->elements = NULL;
    }
    a->settings = a->has_more ? NULL : more->settings;
    a->has_more |= more->has_more;
    for (int i = 0; i < more->count; i++)
        argument_add_from(a, more->labels[i], more->values[i], more->from[i]);
}

void arguments_from(const struct arguments *a, int first, struct arguments *out)
{
    *out = (struct arguments){
        .has_more = a->has_more, .elements = a->elements, .settings = a->settings};
    if (a->more_at)
        out->more_at = a->more_at > first ? a->more_at - first : 1;
    for (int i = first; i < a->count; i++)
        argument_add_from(out, a->labels[i], a->values[i], a->from[i]);
}

void argument_add_from(struct arguments *a, const char *label, struct value v, ir_value from)
{
    if (a->count == DYN_ARGUMENTS) {
        a->has_more = true;
        if (!label)
            add_more(a, NULL);
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

void argument_add_operand(struct dyn *d, struct arguments *a, const struct value *v, int k)
{
    const struct ir_inst *i = &d->p->fr->code->fn->insts.items[d->n];
    argument_add_from(a, NULL, *v, i->op == IR_APPLY && k < i->arg_count ? i->args[k] : 0);
}

void arguments_spread(struct dyn *d, const struct value *of, struct arguments *out)
{
    values_of all = {0};
    const struct value own = record_as_tuple(d, of), *v = &own;
    bool is_known = container_items(d, v, &all) && out->count + all.count <= DYN_ARGUMENTS;
    for (int i = 0; is_known && i < all.count; i++)
        argument_add(out, NULL, all.items[i]);
    if (!is_known)
        add_more(out, arena_copy(d->p->f->scratch, v, sizeof *v));
}

static void add_entries(struct dyn *d, const struct value *v, struct arguments *out)
{
    struct value of = plain_container(d, v);
    struct object *o = dyn_object(&of);
    bool is_dict = o && o->is->kind == DYNAMIC_DICT;
    const struct value *rest = is_dict ? dyn_get(d, o, "(settings)") : v;
    if (!is_dict || dyn_get(d, o, "(any)")) {
        out->settings = out->has_more || !rest ? NULL : outside_settings(rest);
        out->has_more = true;
    }
    if (!is_dict)
        return;
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

void arguments_of(struct dyn *d, const struct value *operands, struct arguments *out)
{
    const struct ir_inst *i = &d->p->fr->code->fn->insts.items[d->n];
    out->count = 0;
    out->has_more = false;
    out->more_at = 0;
    out->elements = NULL;
    out->settings = NULL;
    for (int k = 1; k < i->arg_count; k++) {
        const struct value v = operands[k];
        const char *label = i->labels ? i->labels[k] : NULL;
        if (label && !strcmp(label, "*"))
            arguments_spread(d, &v, out);
        else if (label && !strcmp(label, "**"))
            add_entries(d, &v, out);
        else
            argument_add_from(out, label ? name_of(d->p->f->names, label) : NULL, v, i->args[k]);
    }
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

struct value argument_missing(struct dyn *d, const struct arguments *a, const char *name,
                              const struct value *otherwise)
{
    struct value key = dyn_text(d, name), none = otherwise ? *otherwise : value_any;
    if (!a->has_more)
        return none;
    return a->settings
               ? outside_setting(d, a->settings, dict_key(d, &key), otherwise ? &none : NULL)
               : value_any;
}

/* NULL: it has none. */
static const struct value *default_of(struct dyn *d, const struct object *function,
                                      const struct ir_local *l)
{
    return function && l->has_default ? dyn_get(d, (struct object *)(uintptr_t)function,
                                                dyn_join(d, "(default ", l->name, ")"))
                                      : NULL;
}

/* Neither by position nor by label. */
static struct value left_out(struct dyn *d, const struct object *function, const struct ir_local *l,
                             const struct arguments *a)
{
    return argument_missing(d, a, l->name, default_of(d, function, l));
}

/* Any of those that are only known together. */
static struct value any_more(struct dyn *d, const struct arguments *a)
{
    return a->elements && dyn_object(a->elements) ? container_any(d, a->elements) : value_any;
}

static void bind_rest(struct dyn *d, const struct arguments *a, int from, struct value *out)
{
    *out = container_make(d, DYNAMIC_TUPLE, &a->values[from], positional(a) - from);
    if (a->more_at)
        dyn_put(d, dyn_object(out), "(any)", any_more(d, a));
}

/* Behind arguments whose number is not known: one of these, if none is left out. Of a list from
 * outside, the one at that position. */
static struct value bind_more(struct dyn *d, const struct object *function,
                              const struct arguments *a, const struct ir_local *l, int position)
{
    bool is_last = a->more_at > positional(a) && takes_position(l->mode);
    struct object *list = is_last && a->elements ? outside_settings(a->elements) : NULL;
    struct value index = value_int(position - (a->more_at - 1));
    if (list)
        return outside_setting(d, list, dict_key(d, &index), default_of(d, function, l));
    return is_last && !l->has_default ? any_more(d, a) : value_any;
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
    if (a->settings)
        dyn_put(d, o, "(settings)", dyn_value(d, a->settings));
    *out = dyn_value(d, o);
}

void arguments_bind(struct dyn *d, const struct object *function, const struct arguments *a,
                    struct value *bound)
{
    const struct ir_function *fn = function->is->code;
    bool used[DYN_ARGUMENTS] = {false};
    int position = 0, behind = 0, keywords = -1;
    for (int k = 0; k < fn->param_count; k++) {
        const struct ir_local *l = &fn->locals.items[k];
        bool by_position = position < a->count && !a->labels[position];
        bool is_behind = a->more_at && position >= a->more_at - 1;
        if (l->mode == MODE_REST) {
            bind_rest(d, a, position, &bound[k]);
            while (position < a->count && !a->labels[position])
                used[position++] = true;
        } else if (l->mode == MODE_KEYWORDS) {
            keywords = k;
        } else if (takes_position(l->mode) && by_position && !is_behind) {
            used[position] = true;
            bound[k] = a->values[position++];
        } else {
            bound[k] = is_behind ? bind_more(d, function, a, l, position + behind++)
                                 : left_out(d, function, l, a);
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
