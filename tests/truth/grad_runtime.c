/* Rows about gradients, asked of the runtime: what a row's name stands for is done, and the
 * gradient that is left, or the error, put into words. */
#include "tests/truth/truth.h"

#include "tests/truth/helpers.h"

#include <math.h>
#include <miscast/amp.h>
#include <miscast/optim.h>
#include <stdio.h>
#include <string.h>

/* ---- the calls ------------------------------------------------------------------------------ */

#define ONE(name, ...)                                                                             \
    static mc_tensor *one_##name(mc_tensor *x)                                                     \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
#define TWO(name, ...)                                                                             \
    static mc_tensor *two_##name(mc_tensor *a, mc_tensor *b)                                       \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
#include "tests/truth/grad.def"
#undef ONE
#undef TWO

static const struct grad_call {
    const char *name;
    mc_tensor *(*one)(mc_tensor *x);
    mc_tensor *(*two)(mc_tensor *a, mc_tensor *b);
} calls[] = {
#define ONE(name, ...) {#name, one_##name, NULL},
#define TWO(name, ...) {#name, NULL, two_##name},
#include "tests/truth/grad.def"
#undef ONE
#undef TWO
};

static const struct grad_call *find(const char *name, bool two)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0 && !calls[i].two == !two)
            return &calls[i];
    return NULL;
}

/* An op that is no row of grad.def, but one of the others with a tensor for a result. */
static const struct entry *entry_of(const struct check *c)
{
    if (c->grad != GRAD_BACKWARD || find(c->grad_op, c->count == 2))
        return NULL;
    const struct entry *entry = entry_find(c->grad_op, c->operands, c->count);
    return entry && entry->run ? entry : NULL;
}

static mc_tensor *make(const struct grad_call *call, mc_tensor *a, mc_tensor *b)
{
    return call->two ? call->two(a, b) : call->one(a);
}

/* ---- what the names stand for ---------------------------------------------------------------- */

static mc_tensor *operand_at(const struct check *c, int i, bool requires_grad)
{
    mc_tensor *t = operand_tensor(&c->operands[i], mc_shape(2, 2));
    return requires_grad ? mc_requires_grad_(t, true) : t;
}

static mc_tensor *gradient_of(const struct check *c, const struct grad_call *call, int which)
{
    mc_tensor *t[2] = {NULL, NULL};
    for (int i = 0; i < c->count; i++)
        t[i] = operand_at(c, i, i == which);
    mc_backward(mc_sum(mc_float(make(call, t[0], t[1]))));
    return mc_grad(t[which]);
}

/* The same for an op of the other rows, on operands of its own shapes. */
static mc_tensor *gradient_of_entry(const struct check *c, const struct entry *entry)
{
    struct call call = {.a = operand_tensor(&c->operands[0], entry->a)};
    if (c->count == 2)
        call.b = operand_tensor(&c->operands[1], entry->b);
    call.arg = mc_arg_tensor(call.b);
    mc_requires_grad_(call.a, true);
    mc_backward(mc_sum(mc_float(entry->run(&call))));
    return mc_grad(call.a);
}

static mc_tensor *backward(const struct check *c)
{
    const struct entry *entry = entry_of(c);
    return entry ? gradient_of_entry(c, entry) : gradient_of(c, find(c->grad_op, c->count == 2), 0);
}

static mc_tensor *half(const struct check *c, bool requires_grad)
{
    return mc_full(mc_shape(2, 2), 0.5, .device = c->operands[0].device,
                   .requires_grad = requires_grad);
}

/* x, or the result, or an argument, has 1 added in place between the call and backward. */
static mc_tensor *after_change(const struct check *c, const struct grad_call *call)
{
    mc_tensor *leaf = half(c, true);
    mc_tensor *a = copy_of(leaf), *b = call->two ? copy_of(half(c, c->y_grad)) : NULL;
    mc_tensor *z = make(call, a, b);
    if (c->grad == GRAD_MODIFY_OUTPUT && mc_ndim(z) == 0)
        z = mc_reshape(z, 1);
    if (mc_add_(c->grad == GRAD_MODIFY_OUTPUT ? z : c->grad == GRAD_MODIFY_ARG1 ? b : a, 1.0))
        mc_backward(mc_sum(z));
    return mc_grad(leaf);
}

static mc_tensor *set_grad(const struct check *c)
{
    mc_tensor *x = operand_at(c, 0, true);
    mc_set_grad(x, operand_at(c, 1, false));
    return mc_grad(x);
}

static mc_tensor *leaf_add(const struct check *c)
{
    return mc_add_(operand_at(c, 0, true), operand_at(c, 1, false));
}

static mc_tensor *leaf_add_without(const struct check *c)
{
    mc_tensor *x = operand_at(c, 0, true), *y = operand_at(c, 1, false);
    mc_grad_mode mode = mc_no_grad_begin();
    mc_tensor *z = mc_add_(x, y);
    mc_grad_mode_end(mode);
    return z;
}

/* One step with scaled gradients: a parameter of that dtype, inside or outside a region. */
static mc_tensor *scaled_step(const struct check *c)
{
    bool on = strncmp(c->row.mode, "autocast1", 9) == 0;
    mc_tensor *p = operand_at(c, 0, true);
    mc_optimizer *sgd = mc_sgd(mc_params(p), 0.1);
    mc_grad_scaler *scaler = mc_grad_scaler_new(true);
    mc_autocast region = {0};
    if (on)
        region = mc_autocast_begin(MC_CUDA, c->region);
    mc_tensor *loss = mc_sum(mc_float(mc_mul(p, p)));
    if (on)
        mc_autocast_end(region);
    if (mc_backward(mc_grad_scaler_scale(scaler, loss)) && mc_grad_scaler_unscale_(scaler, sgd) &&
        mc_grad_scaler_step(scaler, sgd))
        mc_grad_scaler_update(scaler);
    mc_grad_scaler_free(scaler);
    mc_optimizer_free(sgd);
    return p;
}

/* ---- a row ---------------------------------------------------------------------------------- */

bool grad_call_known(const char *name, int operands)
{
    return find(name, operands == 2) != NULL;
}

mc_tensor *grad_call(const char *name, mc_tensor *a, mc_tensor *b)
{
    return make(find(name, b != NULL), a, b);
}

bool grad_known(const struct check *c)
{
    if (c->grad == GRAD_VALUES || c->grad == GRAD_PROGRAM)
        return true;
    bool two = c->grad == GRAD_MODIFY_ARG0 || c->grad == GRAD_MODIFY_ARG1 || c->count == 2;
    return !c->grad_op[0] || find(c->grad_op, two) || entry_of(c);
}

mc_tensor *grad_ask(const struct check *c)
{
    switch (c->grad) {
    case GRAD_NONE:
    case GRAD_VALUES:
    case GRAD_PROGRAM:
        break;
    case GRAD_REQUIRES:
        return operand_at(c, 0, true);
    case GRAD_BACKWARD:
        return backward(c);
    case GRAD_BACKWARD_SECOND:
        return gradient_of(c, find(c->grad_op, true), 1);
    case GRAD_SET:
        return set_grad(c);
    case GRAD_LEAF_ADD:
        return leaf_add(c);
    case GRAD_NO_GRAD_LEAF_ADD:
        return leaf_add_without(c);
    case GRAD_MODIFY_INPUT:
    case GRAD_MODIFY_OUTPUT:
        return after_change(c, find(c->grad_op, false));
    case GRAD_MODIFY_ARG0:
    case GRAD_MODIFY_ARG1:
        return after_change(c, find(c->grad_op, true));
    case GRAD_SCALER:
        return scaled_step(c);
    }
    return NULL;
}
