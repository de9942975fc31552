/* A cast that is given a dtype by a name that says device, or the other way round: the tensor is
 * cast where it should be moved. */
#include "rules/engine/engine.h"

#include <string.h>

/* The last part of a dotted name, as of 'config.device'. */
static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

static bool says(const struct argument *a, const char *word, const char *not_word)
{
    const char *name = last_part(a->name);
    return strstr(name, word) && !strstr(name, not_word) && !strchr(name, '(');
}

static void check(struct check *c, const struct call *call)
{
    for (int k = 0; call_is_cast(call) && k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        bool is_known = a->value && a->seen && a->seen->number_count && !a->seen->any_number;
        bool is_dtype = is_known && a->seen->kind == OPERAND_DTYPE && says(a, "device", "dtype");
        bool is_device = is_known && a->seen->kind == OPERAND_DEVICE && says(a, "dtype", "device");
        if ((!is_dtype && !is_device) || was_reported(c, call->function, call->inst))
            continue;
        struct finding *out =
            finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                        is_dtype ? "'%s' is a dtype: the tensor is cast, and stays where it is"
                                 : "'%s' is a device: the tensor is moved, and keeps its dtype",
                        a->name);
        finding_mark(c, out, a->span);
    }
}

const struct rule_code rule_dtype_for_device = {.call = check, .by_case = true};
