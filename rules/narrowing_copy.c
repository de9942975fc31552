/* Wider floats are copied into a narrower tensor, which silently rounds them. */
#include "rules/engine/engine.h"

static void check(struct check *c, const struct call *call)
{
    const struct argument *to = call_written(call), *from = call_argument(call, ROLE_SOURCE);
    if (call->family != FAMILY_COPY || !to || !from || !is_one(argument_dtypes(to)) ||
        !is_one(argument_dtypes(from)) || !dtypes_are(argument_dtypes(to), SET_FLOATS | SET_F8) ||
        !dtypes_are(argument_dtypes(from), SET_FLOATS))
        return;
    enum dtype narrow = dtype_of_set(argument_dtypes(to)),
               wide = dtype_of_set(argument_dtypes(from));
    if (dtype_bits(narrow) >= dtype_bits(wide))
        return;
    struct finding *out = finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                                      "'%s' is %s and is rounded to %s", from->name,
                                      dtype_word(wide), dtype_word(narrow));
    finding_mark(c, out, to->span);
    finding_mark(c, out, from->span);
    origin_add(c, out, to->name, to->seen->how, ASPECT_DTYPE, argument_dtypes(to));
    origin_add(c, out, from->name, from->seen->how, ASPECT_DTYPE, argument_dtypes(from));
}

const struct rule_code rule_narrowing_copy = {.call = check, .by_case = true};
