/* Floating values are written into integers, which drops their fractions without a word. */
#include "rules/engine/engine.h"

static void check(struct check *c, const struct call *call)
{
    const struct argument *to = call_written(call), *from = call_argument(call, "from");
    if (call->family != FAMILY_COPY || !to || !from ||
        !dtypes_are(argument_dtypes(to), SET_INTS | SET_BOOL) ||
        !dtypes_are(argument_dtypes(from), SET_FLOATS | SET_F8))
        return;
    struct finding *out =
        say(c, SEVERITY_WARNING, call->function, call_span(call),
            "'%s' is %s and loses its fractions in '%s', which is %s", from->name,
            say_dtypes(c, argument_dtypes(from)), to->name, say_dtypes(c, argument_dtypes(to)));
    say_mark(c, out, to->span);
    say_mark(c, out, from->span);
    origin_add(c, out, to->name, to->seen->how, ASPECT_DTYPE, argument_dtypes(to));
    origin_add(c, out, from->name, from->seen->how, ASPECT_DTYPE, argument_dtypes(from));
}

const struct rule_code rule_float_into_int = {.call = check};
