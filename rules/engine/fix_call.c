/* Fixes of findings about one call: an argument is cast or moved, a result is cast back, a scaling
 * comes before a product instead of after it. All of them change what the program computes, so none
 * is safe. */
#include "rules/engine/engine.h"

#include <string.h>

bool feeds_failure(struct check *c, const struct call *call)
{
    const consumer_list *uses = consumers_of(c, call->function, call->inst);
    struct call by;
    for (int i = 0; i < uses->count; i++)
        if (call_view(c, uses->items[i].by->function, uses->items[i].by->inst, &by) &&
            call_fails(&by))
            return true;
    return false;
}

bool fix_argument(struct check *c, struct finding *f, const struct call *call,
                  const struct argument *x, enum dtype d)
{
    const struct written_call at = as_written(call);
    if (!x || !fix_cast(c, f, &at, x->span, write_dtype(call->callee, d)))
        return false;
    f->fix.what = arena_printf(c->in->arena, "cast %s to %s", x->name, dtype_word(d));
    return true;
}

bool fix_argument_like(struct check *c, struct finding *f, const struct call *call,
                       const struct argument *x, const struct argument *like)
{
    const struct written_call at = as_written(call);
    const char *name = value_name(c->in->arena, call->function, like->value);
    dtype_set dtypes = argument_dtypes(like);
    const char *to = name             ? write_dtype_of(c, &at, name)
                     : is_one(dtypes) ? write_dtype(call->callee, dtype_of_set(dtypes))
                                      : NULL;
    if (!fix_cast(c, f, &at, x->span, to))
        return false;
    f->fix.what = name ? arena_printf(c->in->arena, "cast %s to the dtype of %s", x->name, name)
                       : arena_printf(c->in->arena, "cast %s to %s", x->name,
                                      dtype_word(dtype_of_set(dtypes)));
    return true;
}

/* The first tensor of the call that has a name and is changed or computed with; NULL: none. */
static const char *tensor_named(struct check *c, const struct call *call)
{
    const char *name = NULL;
    for (int k = 0; k < call->count && !name; k++) {
        const struct argument *a = &call->arguments[k];
        if (argument_is_tensor(a) && dtypes_are(argument_dtypes(a), SET_FLOATS))
            name = value_name(c->in->arena, call->function, a->value);
    }
    return name;
}

bool fix_limit(struct check *c, struct finding *f, const struct call *call,
               const struct argument *number)
{
    const struct pack_spelling *how = pack_spelling_of(call->callee);
    const struct written_call at = as_written(call);
    const char *name = tensor_named(c, call);
    const char *spelling = number->number < 0 ? how->lowest : how->largest;
    const char *mark = spelling ? strstr(spelling, "{tensor}") : NULL;
    if (!name || !mark || !is_argument_of(c, &at, number->span))
        return false;
    fix_edit(c, f, number->span,
             arena_printf(c->in->arena, "%.*s%s%s", (int)(mark - spelling), spelling, name,
                          mark + strlen("{tensor}")));
    return true;
}

/* Computes in another dtype, and returns that of the operand. */
bool fix_computed_in(struct check *c, struct finding *f, const struct call *call,
                     const struct argument *x, enum dtype d)
{
    const struct written_call at = as_written(call);
    const char *name = value_name(c->in->arena, call->function, x->value);
    const char *back = name ? write_dtype_of(c, &at, name) : NULL;
    if (!back && is_one(argument_dtypes(x)))
        back = write_dtype(call->callee, dtype_of_set(argument_dtypes(x)));
    if (!back || !is_spelled_out(c, call) ||
        !fix_cast(c, f, &at, x->span, write_dtype(call->callee, d)) ||
        !fix_wrap(c, f, call_span(call), write_cast(call->callee, back), back))
        return false;
    f->fix.what = arena_printf(c->in->arena, "compute %s in %s, and cast the result back",
                               call->callee->shown, dtype_word(d));
    return true;
}

/* ---- earlier -------------------------------------------------------------------------------- */

enum { MAX_EARLIER = 16 };

static const struct argument *only_tensor(const struct call *call)
{
    const struct argument *x = NULL;
    for (int k = 0; k < call->count; k++) {
        if (argument_is_tensor(&call->arguments[k]) && x)
            return NULL;
        x = argument_is_tensor(&call->arguments[k]) ? &call->arguments[k] : x;
    }
    return x;
}

/* The first of the calls in this function that lead to the argument, each of them by its only
 * tensor; the argument itself if there is none. */
bool fix_argument_early(struct check *c, struct finding *f, const struct call *call,
                        const struct argument *x, enum dtype d)
{
    struct call at = *call, made;
    struct argument first = *x;
    for (int n = 0; n < MAX_EARLIER && argument_maker(c, &first, &made); n++) {
        const struct argument *from = only_tensor(&made);
        if (made.function != call->function || !from || call_is_cast(&made) ||
            argument_dtypes(from) != argument_dtypes(x) || !is_spelled_out(c, &made))
            break;
        at = made;
        first = *from;
    }
    return fix_argument(c, f, &at, &first, d);
}

/* ---- scaling -------------------------------------------------------------------------------- */

/* "mul(matmul(q, k), s)" becomes "matmul(mul(q, s), k)". */
bool fix_scale_before(struct check *c, struct finding *f, const struct call *product,
                      const struct call *scaling)
{
    const struct argument *left = call_argument(product, ROLE_LEFT),
                          *by = call_argument(scaling, ROLE_RIGHT),
                          *scaled = call_argument(scaling, ROLE_LEFT);
    const struct written_call at = as_written(product), to = as_written(scaling);
    const char *text = by ? text_of(c, by->span) : NULL;
    bool pure =
        text && (is_literal(scaling, by) || value_name(c->in->arena, scaling->function, by->value));
    if (!pure || product->function != scaling->function || !left || !scaled ||
        !is_argument_of(c, &at, left->span) || !is_argument_of(c, &to, scaled->span) ||
        !is_spelled_out(c, scaling) || !fix_unwrap(c, f, scaling, scaled))
        return false;
    const char *name = pack_written_name(c->in->arena, scaling->callee);
    fix_wrap(c, f, left->span, arena_printf(c->in->arena, "%s({tensor}, %s)", name, text), NULL);
    f->fix.what =
        arena_printf(c->in->arena, "scale %s before %s", left->name, product->callee->shown);
    return true;
}
