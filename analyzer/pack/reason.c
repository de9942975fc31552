/* Reasons in words: "{op} needs one dtype: {a} is {a.dtype}" with what the operands are. */
#include "analyzer/pack/private.h"

#include <string.h>

static void add_number(const struct operand *o, struct text *out)
{
    static const char *const kinds[] = {
        [OPERAND_BOOL] = "a bool", [OPERAND_INT] = "an int", [OPERAND_FLOAT] = "a float"};
    if (!o->known)
        text_add(out, kinds[o->kind]);
    else if (o->kind == OPERAND_BOOL)
        text_add(out, o->number ? "true" : "false");
    else
        text_printf(out, "%.6g", o->number);
}

/* What is asked of an operand: nothing (its name, or its value), dtype, device. */
static void add_operand(const struct operand *o, const char *name, const char *part,
                        struct text *out)
{
    if (strncmp(part, "dtype", 5) == 0)
        text_add(out, operand_is_number(o)     ? "a number"
                      : o->dtype == DTYPE_NONE ? "of unknown dtype"
                                               : dtype_name(o->dtype));
    else if (strncmp(part, "device", 6) == 0)
        text_add(out, device_name(o->device));
    else if (operand_is_number(o))
        add_number(o, out);
    else if (o->kind == OPERAND_DTYPE)
        text_add(out, o->dtype == DTYPE_NONE ? "the default" : dtype_name(o->dtype));
    else if (o->kind == OPERAND_DEVICE)
        text_add(out, device_name(o->device));
    else
        text_printf(out, "'%s'", name);
}

static bool add_brace(const struct pack_function *f, const struct operand *operands,
                      const char *const *names, const char *word, size_t length, struct text *out)
{
    size_t name = strcspn(word, ".}");
    if (length == 2 && strncmp(word, "op", 2) == 0) {
        text_add(out, f->shown);
        return true;
    }
    for (int i = 0; i < f->param_count; i++) {
        const char *param = f->params[i].name;
        if (strlen(param) != name || strncmp(param, word, name) != 0)
            continue;
        add_operand(&operands[i], names && names[i] ? names[i] : param,
                    word[name] == '.' ? word + name + 1 : "", out);
        return true;
    }
    return false;
}

void pack_reason_print(const struct pack_function *f, const struct operand *operands,
                       const char *const *names, const char *reason, struct text *out)
{
    while (*reason) {
        size_t plain = strcspn(reason, "{");
        text_add_range(out, reason, plain);
        reason += plain;
        const char *end = strchr(reason, '}');
        if (!*reason)
            break;
        if (end && add_brace(f, operands, names, reason + 1, (size_t)(end - reason - 1), out)) {
            reason = end + 1;
        } else {
            text_add_range(out, reason, 1);
            reason++;
        }
    }
}
