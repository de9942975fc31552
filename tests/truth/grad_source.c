/* Rows about gradients as C: what the row's name stands for, said in README.md's words, becomes the
 * body of a function that returns the gradient. An op in a name is one of the .def files, or one of
 * those below. */
#include "tests/truth/static.h"
#include "tests/truth/truth.h"

#include <stdio.h>
#include <string.h>

/* Each op of grad.def as text, over x, or a and b. */
static const struct {
    const char *name;
    int count;
    const char *text;
} ops[] = {
#define ONE(name, ...) {#name, 1, #__VA_ARGS__},
#define TWO(name, ...) {#name, 2, #__VA_ARGS__},
#include "tests/truth/grad.def"
#undef ONE
#undef TWO
};

/* ---- writing -------------------------------------------------------------------------------- */

/* The op's text with its operands called x, or a and b; NULL: no such op. */
static const char *op_text(const struct check *c, int count)
{
    struct operand operands[2] = {c->operands[0], c->operands[0]};
    const struct entry *e;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (strcmp(c->grad_op, ops[i].name) == 0 && ops[i].count == count)
            return ops[i].text;
    e = entry_find(c->grad_op, operands, count);
    return e ? e->text : NULL;
}

bool grad_knows(const struct check *c)
{
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (strcmp(c->grad_op, ops[i].name) == 0 && ops[i].count == c->count)
            return true;
    return false;
}

/* Names of operands are words by themselves. */
static void add_renamed(struct text *to, const char *text, const char *names, const char *by)
{
    for (const char *p = text; *p; p++) {
        bool word = (p == text || !(strchr("_.", p[-1]) || (p[-1] >= 'a' && p[-1] <= 'z'))) &&
                    !(p[1] == '_' || (p[1] >= 'a' && p[1] <= 'z'));
        const char *found = word && *p != ' ' ? strchr(names, *p) : NULL;
        text_add_range(to, found ? &by[found - names] : p, 1);
    }
}

static bool add_op(struct text *to, const struct check *c, int count, const char *names,
                   const char *by)
{
    const char *text = op_text(c, count);
    if (text)
        add_renamed(to, text, names, by);
    return text != NULL;
}

static void add_leaf(struct text *to, const char *maker)
{
    text_printf(to, "    mc_tensor *l = mc_requires_grad_(%s(), true);\n", maker);
}

/* a is what the row is about; what it was saved by may be found out in backward. */
static bool add_modified(struct text *to, const struct check *c, const char *maker)
{
    bool two = c->grad == GRAD_MODIFY_ARG0 || c->grad == GRAD_MODIFY_ARG1;
    const char *changed = c->grad == GRAD_MODIFY_OUTPUT ? "z"
                          : c->grad == GRAD_MODIFY_ARG1 ? "y"
                                                        : "x";
    add_leaf(to, maker);
    text_add(to, "    mc_tensor *x = mc_mul(l, 1.0);\n");
    if (two)
        text_printf(to,
                    "    mc_tensor *m = mc_requires_grad_(%s(), %s);\n"
                    "    mc_tensor *y = mc_mul(m, 1.0);\n",
                    maker, c->y_grad ? "true" : "false");
    text_add(to, "    mc_tensor *z = ");
    if (!add_op(to, c, two ? 2 : 1, "xab", two ? "xxy" : "xab"))
        return false;
    text_printf(to,
                ";\n    if (mc_ndim(z) == 0)\n        z = mc_reshape(z, 1);\n"
                "    mc_add_(%s, 1.0);\n"
                "    mc_backward(mc_sum(z));\n    return mc_grad(l);\n",
                changed);
    return true;
}

static bool add_backward(struct text *to, const struct check *c, const char *const *makers)
{
    bool second = c->grad == GRAD_BACKWARD_SECOND;
    text_printf(to, "    mc_tensor *a = mc_requires_grad_(%s(), %s), *x = a;\n", makers[0],
                second ? "false" : "true");
    if (c->count > 1)
        text_printf(to, "    mc_tensor *b = mc_requires_grad_(%s(), %s);\n", makers[1],
                    second ? "true" : "false");
    text_add(to, "    mc_tensor *z = ");
    if (strcmp(c->grad_op, "to") == 0 && c->count > 1)
        text_add(to, "mc_to_dtype(a, mc_dtype_of(b))");
    else if (!add_op(to, c, c->count, "", ""))
        return false;
    text_printf(to,
                ";\n    (void)x;\n    mc_backward(mc_sum(mc_float(z)));\n    return mc_grad(%s);\n",
                second ? "b" : "a");
    return true;
}

static void add_scaler(struct text *to, const struct check *c, const char *maker)
{
    text_printf(to,
                "    mc_tensor *p = mc_requires_grad_(%s(), true);\n"
                "    mc_optimizer *o = mc_sgd(mc_params(p), 0.1);\n"
                "    mc_grad_scaler *scaler = mc_grad_scaler_new(true);\n"
                "    mc_autocast region = mc_autocast_begin(MC_CUDA, %s, .enabled = %s);\n"
                "    mc_tensor *loss = mc_sum(mc_mul(p, p));\n"
                "    mc_autocast_end(region);\n"
                "    mc_backward(mc_grad_scaler_scale(scaler, loss));\n"
                "    mc_grad_scaler_unscale_(scaler, o);\n"
                "    mc_grad_scaler_step(scaler, o);\n"
                "    mc_grad_scaler_update(scaler);\n"
                "    return p;\n",
                maker, c->region == MC_BF16 ? "MC_BF16" : "MC_F16",
                c->row.mode[strlen("autocast")] == '1' ? "true" : "false");
}

bool grad_source(struct text *to, const struct check *c, const char *const *makers)
{
    switch (c->grad) {
    case GRAD_NONE:
    case GRAD_PROGRAM:
    case GRAD_VALUES: /* numbers are not inferred */
        return false;
    case GRAD_REQUIRES:
        text_printf(to, "    return mc_requires_grad_(%s(), true);\n", makers[0]);
        return true;
    case GRAD_BACKWARD:
    case GRAD_BACKWARD_SECOND:
        return add_backward(to, c, makers);
    case GRAD_SET:
        text_printf(to,
                    "    mc_tensor *a = mc_requires_grad_(%s(), true);\n"
                    "    mc_set_grad(a, %s());\n    return mc_grad(a);\n",
                    makers[0], makers[1]);
        return true;
    case GRAD_LEAF_ADD:
        add_leaf(to, makers[0]);
        text_printf(to, "    return mc_add_(l, %s());\n", makers[1]);
        return true;
    case GRAD_NO_GRAD_LEAF_ADD:
        add_leaf(to, makers[0]);
        text_printf(to,
                    "    mc_grad_mode mode = mc_no_grad_begin();\n"
                    "    mc_add_(l, %s());\n    mc_grad_mode_end(mode);\n    return l;\n",
                    makers[1]);
        return true;
    case GRAD_MODIFY_INPUT:
    case GRAD_MODIFY_OUTPUT:
    case GRAD_MODIFY_ARG0:
    case GRAD_MODIFY_ARG1:
        return add_modified(to, c, makers[0]);
    case GRAD_SCALER:
        add_scaler(to, c, makers[0]);
        return true;
    }
    return false;
}
