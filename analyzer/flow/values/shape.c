/* Shapes: element counts and printing. Which shape a call makes is in calls/shape_rules.c. */
#include "analyzer/flow/values/values.h"

int64_t shape_elements(const struct shape *s)
{
    int64_t all = 1;
    for (int i = 0; s && i < s->count; i++)
        if (s->dims[i] < 0 || __builtin_mul_overflow(all, s->dims[i], &all))
            return -1;
    return s ? all : -1;
}

void shape_print(const struct shape *s, struct text *out)
{
    text_add(out, "[");
    for (int i = 0; i < s->count; i++) {
        text_add(out, i ? ", " : "");
        if (s->dims[i] < 0)
            text_add(out, "?");
        else
            text_printf(out, "%lld", (long long)s->dims[i]);
    }
    text_add(out, "]");
}
