/* Tensors that the program gives names, and finds by them again: as elements of an object that no
 * program can name. A name that two tensors were given says nothing. */
#include "analyzer/flow/calls/calls.h"

static const struct loc *place_of(struct flow *f, const char *name)
{
    struct object *o = object_at(f->heap, key_of(KEY_NAMES, 0, 0), OBJECT_GLOBAL, "", NULL);
    o->is_const = true;
    return loc_element(f->heap, loc_root(f->heap, o), text_key(name));
}

/* NULL: it is not known. */
static const char *name_in(const struct pack_call *call, const struct text_made *made)
{
    int text = call->fn->named.text;
    struct value string = made->string;
    if (!call->f->merges || !call->fn->named.is_written || text >= call->arg_count)
        return NULL;
    if (text >= 0)
        string = string_at(call->f, call->s, &call->args[text]);
    return string_literal(&string);
}

void name_give(const struct pack_call *call, const struct text_made *made)
{
    int tensor = call->fn->named.tensor;
    const char *name = name_in(call, made);
    if (!name || tensor < 0 || tensor >= call->arg_count)
        return;
    const struct loc *at = place_of(call->f, name);
    const struct value *before = state_get_guarded(call->s, at);
    struct value v = call->args[tensor];
    v.origin = NULL;
    if (v.kind != VALUE_TENSOR || (before && !value_equal(before, &v)))
        v = value_any;
    state_put(call->f->scratch, call->s, at, v);
}

bool name_find(const struct pack_call *call, struct value *out)
{
    const struct text_made none = {.string = value_any};
    const char *name = call->fn->named.tensor < 0 ? name_in(call, &none) : NULL;
    const struct value *is = name ? state_get(call->s, place_of(call->f, name)) : NULL;
    if (!is || is->kind != VALUE_TENSOR)
        return false;
    *out = *is;
    out->null = TRI_NO;
    return true;
}
