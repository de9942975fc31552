/* The head of a loop: what is left of a value once the iteration that computed it is over. */
#include "analyzer/flow/states/loop.h"

/* It is an element at an index that is another one each time. */
bool loop_has_fresh_index(const struct loc *l)
{
    for (; l; l = l->parent)
        if (l->index && l->index->object->is_fresh)
            return true;
    return false;
}

bool loop_is_of_family(struct loop *l, const struct state *s, const struct loc *at)
{
    while (at->parent && (at->field || at->element != ELEMENT_ANY))
        at = at->parent;
    const struct type *type = at->parent ? loc_type(at) : NULL;
    const struct value *marker =
        type && type_is_tagged(type)
            ? state_get_guarded(s, loc_field(l->ways->heap, at, written_field))
            : NULL;
    return marker && marker->kind != VALUE_ANY;
}

/* Which of several it was in one iteration is over with that. */
static const struct loc *any_among(const struct loc *l)
{
    if (l->any && loop_has_fresh_index(l))
        return l->any;
    const struct loc *any = l->object->among;
    bool is_there =
        any && (l->parent != NULL) == (any->parent != NULL) && l->element == any->element;
    return is_there ? any : l;
}

/* Comparisons that it stands for are made anew in every iteration. */
struct value loop_plain(struct value v)
{
    if (v.kind == VALUE_GUARDED)
        return v;
    if (!value_is_initial(&v) || v.test->of->origin->object->is_fresh)
        v.test = NULL;
    if (v.kind == VALUE_NUMBER)
        v.query = NULL;
    if (v.kind == VALUE_TENSOR) /* a cast without effect explains, and decides nothing */
        v.via = NULL;
    for (int i = 0; i < v.count && v.kind == VALUE_ADDRESS; i++)
        v.as.loc[i] = any_among(v.as.loc[i]);
    v.origin = NULL;
    return v;
}
