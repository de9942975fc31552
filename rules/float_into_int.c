/* Floating values are written into an integer tensor, which silently drops their fractions. */
#include "rules/engine/engine.h"

/* How the tensor became an integer tensor, in some runs at least; NULL: as far as known it never
 * is. */
static const struct step *whole_way(const struct argument *to)
{
    const struct flow_value *v = to->flow;
    if (dtypes_are(argument_dtypes(to), SET_INTS | SET_BOOL))
        return to->seen->how;
    if (v && v->how && dtypes_are(v->how->fact.dtypes, SET_INTS | SET_BOOL))
        return v->how;
    for (int i = 0; v && i < v->other_way_count; i++)
        if (dtypes_are(v->other_ways[i]->fact.dtypes, SET_INTS | SET_BOOL))
            return v->other_ways[i];
    return NULL;
}

/* The tensor is created with the dtype of what is copied into it. */
static void offer(struct check *c, const struct call *call, const struct step *how,
                  const struct argument *from, struct finding *out)
{
    const struct argument *to = call_written(call);
    struct origin_fix fix = {.name = to->name,
                             .how = how,
                             .is = dtype_of_set(how->fact.dtypes),
                             .to = dtype_of_set(argument_dtypes(from)),
                             .function = call->function,
                             .replaces = true};
    if (is_one(how->fact.dtypes) && is_one(argument_dtypes(from)) && fix_at_origin(c, out, &fix))
        out->fix.what = fix.what;
}

static bool is_whole(const struct fact *f)
{
    return f->range.is_known && f->range.is_whole;
}

/* Elements of what was whole when it was made: code that is not here may have changed it since, but
 * nothing says that it did. */
static enum back find_whole(const struct argument *at, const struct call *made, void *context)
{
    enum pack_values what = made->callee->values;
    (void)context;
    if ((at->seen && at->seen->changed) || (at->flow && at->flow->changed))
        return BACK_NO;
    if (made->result && is_whole(&made->result->fact))
        return BACK_YES;
    return call_is_view(made) || what == VALUES_SOME || what == VALUES_SAME ? BACK_GO_ON : BACK_NO;
}

/* What was rounded, or counted in floats. */
static bool has_no_fractions(struct check *c, const struct argument *from)
{
    return is_whole(&from->seen->fact) || trace_back(c, from, find_whole, NULL);
}

/* Numbers that were limited to what a byte holds, as those of a picture are: whoever did that wants
 * bytes, and half a step more or less is what bytes cost. Numbers from 0 to 1 would all become 0.
 */
static bool is_fitted(const struct argument *from, dtype_set whole)
{
    const struct value_range *r = &from->seen->fact.range;
    struct value_range all = dtype_range(is_one(whole) ? dtype_of_set(whole) : DTYPE_U8);
    return dtypes_are(whole, DTYPE_SET(DTYPE_U8) | DTYPE_SET(DTYPE_I8)) && r->is_known &&
           r->low >= all.low && r->high <= all.high && range_most(r) > all.high / 2;
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *to = call_written(call), *from = call_argument(call, ROLE_SOURCE);
    if (call->family != FAMILY_COPY || !to || !from ||
        !dtypes_are(argument_dtypes(from), SET_FLOATS | SET_F8) || has_no_fractions(c, from))
        return;
    const struct step *how = whole_way(to);
    dtype_set whole = argument_dtypes(to) & (SET_INTS | SET_BOOL);
    if (!how || !whole)
        return;
    struct finding *out =
        finding_new(c, is_fitted(from, whole) ? SEVERITY_NOTE : SEVERITY_WARNING, call->function,
                    call_span(call), "'%s' is %s and loses its fractions in '%s', which %s %s",
                    from->name, dtypes_text(c, argument_dtypes(from)), to->name,
                    whole == argument_dtypes(to) ? "is" : "can be", dtypes_text(c, whole));
    finding_mark(c, out, to->span);
    finding_mark(c, out, from->span);
    origin_add(c, out, to->name, how, ASPECT_DTYPE, how->fact.dtypes);
    origin_add(c, out, from->name, from->seen->how, ASPECT_DTYPE, argument_dtypes(from));
    offer(c, call, how, from, out);
}

const struct rule_code rule_float_into_int = {.call = check, .by_case = true};
