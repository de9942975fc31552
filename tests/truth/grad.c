/* Rows about gradients: what the row's name stands for, which README.md says in words. */
#include "tests/truth/truth.h"

#include <stdio.h>
#include <string.h>

static bool begins(const char *text, const char *with, const char **rest)
{
    size_t length = strlen(with);
    *rest = text + length;
    return strncmp(text, with, length) == 0;
}

bool grad_understand(struct check *c)
{
    static const struct {
        const char *prefix;
        enum grad_form form;
    } forms[] = {
        {"requires_grad", GRAD_REQUIRES},
        {"backward:", GRAD_BACKWARD},
        {"backward1:", GRAD_BACKWARD_SECOND},
        {"set_grad", GRAD_SET},
        {"leaf_add_", GRAD_LEAF_ADD},
        {"no_grad_leaf_add_", GRAD_NO_GRAD_LEAF_ADD},
        {"modify_input_after:", GRAD_MODIFY_INPUT},
        {"modify_output_after:", GRAD_MODIFY_OUTPUT},
        {"modify_arg0_after:", GRAD_MODIFY_ARG0},
        {"modify_arg1_after:", GRAD_MODIFY_ARG1},
        {"grad:", GRAD_VALUES},
        {"program", GRAD_PROGRAM},
        {"gradscaler_unscale_step", GRAD_SCALER},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *rest;
        if (!begins(c->row.op, forms[i].prefix, &rest) || (rest[-1] != ':' && *rest))
            continue;
        c->grad = forms[i].form;
        const char *y = strstr(rest, ":ygrad");
        c->y_grad = y && y[6] == '1';
        snprintf(c->grad_op, sizeof c->grad_op, "%.*s", y ? (int)(y - rest) : (int)strlen(rest),
                 rest);
        return true;
    }
    return false;
}
