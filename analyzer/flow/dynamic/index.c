/* What indices leave of dimensions: of those of a tensor, and of the length of a list. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

bool slice_bound(struct dyn *d, struct object *slice, const char *name, int64_t otherwise,
                 int64_t length, int64_t *out)
{
    const struct value *v = dyn_get(d, slice, name);
    *out = otherwise;
    if (!v || dyn_is_none(v))
        return true;
    if (!number_exact(v, out))
        return false;
    *out += *out < 0 ? length : 0;
    *out = *out < 0 ? 0 : *out > length ? length : *out;
    return true;
}

/* What is known of the dimensions, of which there are at least so many: false if not even how many
 * there are. */
static bool dims_of(struct dyn *d, const struct value *v, int least, struct shape *out)
{
    const struct tensor *t =
        v->kind == VALUE_TENSOR && v->count == 1 ? state_tensor(d->p->s, v->as.tensor[0]) : NULL;
    if (!t || t->cases)
        return false;
    if (t->fact.shape) {
        *out = *t->fact.shape;
        return true;
    }
    unsigned ranks = t->fact.ranks;
    if (least < SHAPE_MAX)
        ranks &= ~0u << least;
    *out = (struct shape){0};
    if (!ranks || ranks & (ranks - 1) || ranks >= 1u << SHAPE_MAX)
        return false;
    while (ranks >> out->count != 1)
        out->dims[out->count++] = -1;
    return true;
}

/* How much of a dimension a slice leaves; -1: not known. */
static int64_t size_of_slice(struct dyn *d, struct object *slice, int64_t size)
{
    const struct value *step = dyn_get(d, slice, "step");
    int64_t from, to;
    if (size < 0 || (step && !dyn_is_none(step)) ||
        !slice_bound(d, slice, "start", 0, size, &from) ||
        !slice_bound(d, slice, "stop", size, size, &to))
        return -1;
    return to > from ? to - from : 0;
}

bool index_is_ellipsis(const struct value *v)
{
    const struct object *o = dyn_object(v);
    return o && o->is->kind == DYNAMIC_NAMED && !strcmp(o->is->name, "builtins.Ellipsis");
}

bool index_has_slices(struct dyn *d, const struct value *index)
{
    values_of items = {0};
    if (!dyn_is(index, DYNAMIC_TUPLE) || !container_items(d, index, &items))
        return false;
    for (int i = 0; i < items.count; i++)
        if (index_is_ellipsis(&items.items[i]) || dyn_is(&items.items[i], DYNAMIC_SLICE))
            return true;
    return false;
}

/* How many dimensions they are for. */
static int dims_used(const values_of *items)
{
    int used = 0;
    for (int i = 0; i < items->count; i++)
        used += !dyn_is_none(&items->items[i]) && !index_is_ellipsis(&items->items[i]);
    return used;
}

/* The sizes that numbers, slices, None and one ellipsis leave of them. */
static bool dims_left(struct dyn *d, const values_of *items, const struct shape *x,
                      struct shape *out)
{
    int used = dims_used(items), at = 0;
    *out = (struct shape){0};
    for (int i = 0; i <= items->count; i++) {
        const struct value *v = i < items->count ? &items->items[i] : NULL;
        int skipped =
            !v || index_is_ellipsis(v) ? x->count - used : 0; /* without one, at the end */
        if (x->count < used || out->count + (skipped ? skipped : 1) > SHAPE_MAX)
            return false;
        for (int k = 0; k < skipped; k++)
            out->dims[out->count++] = x->dims[at++];
        used += skipped;
        if (v && dyn_is_none(v))
            out->dims[out->count++] = 1;
        else if (v && !index_is_ellipsis(v)) {
            if (dyn_is(v, DYNAMIC_SLICE))
                out->dims[out->count++] = size_of_slice(d, dyn_object(v), x->dims[at]);
            at++;
        }
    }
    return true;
}

bool index_sizes(struct dyn *d, const struct value *of, const values_of *items, struct shape *out)
{
    struct shape x;
    return dims_of(d, of, dims_used(items), &x) && dims_left(d, items, &x, out);
}
