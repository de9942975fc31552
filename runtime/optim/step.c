/* The step of an optimizer: for each parameter with a gradient, its state is allocated if
 * necessary and one kernel does the rest. */
#include "runtime/optim/optim.h"

#include <math.h>

/* ---- memory for kernels ---------------------------------------------------------------------- */

mc_tensor *take_out(struct op *op, mc_tensor *x)
{
    return op_writes(op, x) ? op_contiguous(op, x) : NULL;
}

bool put_back(struct op *op, mc_tensor *x, mc_tensor *taken)
{
    return taken == x || op_copy(op, x, taken);
}

/* Zeros that outlive the op. */
static mc_tensor *new_state(struct op *op, const mc_tensor *param, bool f32)
{
    mc_dtype dtype = f32 && dtype_is_half(param->dtype) ? MC_F32 : param->dtype;
    mc_tensor *t = op_fill(op, op_new_like(op, param, dtype), mc_arg_int(0));
    if (t)
        scope_unlink(t);
    return t;
}

/* How many states a parameter of this group needs. */
static int states_needed(const mc_optimizer *o, const struct group *g)
{
    return o->kind == SGD ? g->momentum != 0 : o->amsgrad ? 3 : 2;
}

static bool have_states(struct op *op, const mc_optimizer *o, const mc_tensor *param,
                        struct memory *m, int count)
{
    for (int i = 0; i < count; i++)
        if (!m->state[i] && !(m->state[i] = new_state(op, param, o->f32_state)))
            return false;
    return true;
}

/* ---- settings for kernels -------------------------------------------------------------------- */

static struct sgd_step sgd_numbers(const mc_optimizer *o, const struct group *g, bool first)
{
    return (struct sgd_step){
        .lr = g->lr,
        .momentum = g->momentum,
        .dampening = o->dampening,
        .weight_decay = g->weight_decay,
        .nesterov = o->nesterov,
        .maximize = o->maximize,
        .first = first,
    };
}

static struct adam_step adam_numbers(const mc_optimizer *o, const struct group *g, int64_t steps)
{
    return (struct adam_step){
        .lr = g->lr,
        .beta1 = g->beta1,
        .beta2 = g->beta2,
        .eps = g->eps,
        .weight_decay = g->weight_decay,
        .correction1 = 1 - pow(g->beta1, (double)steps),
        .correction2 = 1 - pow(g->beta2, (double)steps),
        .decoupled = o->kind == ADAMW,
        .amsgrad = o->amsgrad,
        .maximize = o->maximize,
    };
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void run_kernel(const mc_optimizer *o, const struct memory *m, bool first,
                       const struct optim_arrays *arrays, const struct optim_kernels *kernels)
{
    const struct group *g = &o->groups[m->group];
    if (o->kind == SGD) {
        struct sgd_step numbers = sgd_numbers(o, g, first);
        kernels->sgd(arrays, &numbers);
    } else {
        struct adam_step numbers = adam_numbers(o, g, m->steps);
        kernels->adam(arrays, &numbers);
    }
}

static bool step_one(struct op *op, const mc_optimizer *o, mc_tensor *param, mc_tensor *grad,
                     struct memory *m)
{
    int states = states_needed(o, &o->groups[m->group]);
    bool first = !m->state[0];
    if (!op_takes(op, param->dtype, SET_FLOAT) || !have_states(op, o, param, m, states))
        return false;
    mc_tensor *p = take_out(op, param), *g = op_contiguous(op, grad);
    if (!p || !g)
        return false;
    struct optim_arrays arrays = {
        .numel = p->numel,
        .dtype = p->dtype,
        .state_dtype = states ? m->state[0]->dtype : p->dtype,
        .param = tensor_bytes(p),
        .grad = tensor_bytes(g),
    };
    for (int i = 0; i < states; i++)
        arrays.state[i] = tensor_bytes(m->state[i]);
    m->steps++;
    run_kernel(o, m, first, &arrays, tensor_backend(p)->kernels->optim);
    return put_back(op, param, p);
}

bool optimizer_step(struct op *op, mc_optimizer *o)
{
    for (size_t i = 0; i < o->count; i++) {
        mc_tensor *grad = mc_grad(o->params[i]);
        if (grad && !step_one(op, o, o->params[i], grad, &o->memories[i]))
            return false;
    }
    return true;
}
