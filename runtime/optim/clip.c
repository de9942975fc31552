/* Clipping gradients, by their common norm and element by element. */
#include "runtime/optim/optim.h"

#include <math.h>
#include <stdlib.h>

#include "runtime/compute/axes.h"
#include "runtime/core/hooks.h"

static mc_tensor *norm(struct op *op, mc_tensor *x, double p)
{
    struct axes all;
    return x && axes_of(op, x, (mc_dims){0}, false, &all)
               ? op_reduce(op, REDUCE_NORM, x, &all, x->dtype, p)
               : NULL;
}

/* The norm of the gradients as one vector: the norm of their norms, on the device of the first.
 * NULL also if there are none. */
static mc_tensor *norm_together(struct op *op, mc_params params, double p)
{
    size_t count = 0;
    mc_tensor **norms = malloc((params.count + 1) * sizeof(mc_tensor *));
    if (!norms)
        return op_fail(op, MC_ERROR_MEMORY, "no memory for %zu norms", params.count);
    for (size_t i = 0; i < params.count && op->ok; i++) {
        mc_tensor *grad = mc_grad(params.tensors[i]);
        mc_tensor *one = grad ? norm(op, grad, p) : NULL;
        one = one && count ? op_to_device(op, one, tensor_device(norms[0])) : one;
        if (one)
            norms[count++] = op_unsqueeze(op, one, 0);
    }
    mc_tensor *total = count && op->ok ? norm(op, op_cat(op, 0, norms, count), p) : NULL;
    free(norms);
    return total;
}

static bool scale(struct op *op, mc_params params, double factor)
{
    for (size_t i = 0; i < params.count && op->ok; i++) {
        mc_tensor *grad = mc_grad(params.tensors[i]);
        if (grad)
            op_binary_(op, BINARY_mul, grad, mc_arg_float(factor));
    }
    return op->ok;
}

static mc_tensor *clip_norm(struct op *op, mc_params params, double max_norm, mc_clip_options o)
{
    double p = o.norm_type != 0 ? o.norm_type : 2;
    mc_tensor *total = norm_together(op, params, p);
    if (!op->ok)
        return NULL;
    if (!total)
        return op_fill(op, op_new(op, mc_shape(), MC_F32, MC_CPU), mc_arg_int(0));
    double value = op_item(op, total).as.f;
    if (o.error_if_nonfinite && !isfinite(value))
        return op_fail(op, MC_ERROR_VALUE, "the norm of the gradients is %g", value);
    op_note_number(op, "norm", value);
    op_note_number(op, "max_norm", max_norm);
    double factor = max_norm / (value + 1e-6);
    return factor >= 1 || scale(op, params, factor) ? total : NULL;
}

mc_tensor *mc_op_clip_grad_norm_(mc_place at, mc_params params, double max_norm, mc_clip_options o)
{
    struct op op;
    bool ready = params_begin(&op, "clip_grad_norm_", at, params);
    return op_end(&op, ready ? clip_norm(&op, params, max_norm, o) : NULL);
}

static void clip_value(struct op *op, mc_tensor *grad, double value)
{
    if (op_writes(op, grad))
        op_copy(op, grad, op_unary_with(op, UNARY_hardtanh, grad, -value, value));
}

bool mc_op_clip_grad_value_(mc_place at, mc_params params, double value)
{
    struct op op;
    if (params_begin(&op, "clip_grad_value_", at, params) && !(value >= 0))
        op_fail(&op, MC_ERROR_ARGUMENT, "a bound of %g: it must be 0 or more", value);
    for (size_t i = 0; op.ok && i < params.count; i++) {
        mc_tensor *grad = mc_grad(params.tensors[i]);
        if (grad)
            clip_value(&op, grad, value);
    }
    bool done = op.ok;
    op_finish(&op);
    return done;
}
