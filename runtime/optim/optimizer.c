/* Optimizers as objects: groups of parameters, the settings of each group, and the public queries.
 * An optimizer holds its parameters and their state. */
#include "runtime/optim/optim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/thread.h"
#include "runtime/core/hooks.h"

static const struct {
    const char *name, *step_name;
    const char *states[OPTIM_STATES];
} kinds[] = {
    [SGD] = {"sgd", "sgd_step", {"momentum_buffer"}},
    [ADAM] = {"adam", "adam_step", {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"}},
    [ADAMW] = {"adamw", "adamw_step", {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"}},
};

/* ---- ops on parameters ----------------------------------------------------------------------- */

bool params_begin(struct op *op, const char *name, mc_place at, mc_params params)
{
    int count = params.tensors ? (int)params.count : 0;
    op_begin(op, name, at, params.tensors, count, "");
    op->tracks = false;
    if (op->ok && params.count && !params.tensors)
        op_fail(op, MC_ERROR_ARGUMENT, "the list of parameters is NULL");
    return op->ok;
}

bool optimizer_begin(struct op *op, const char *name, mc_place at, const mc_optimizer *o)
{
    params_begin(op, name, at, o ? mc_optimizer_params(o) : (mc_params){0});
    if (!o && op->thread->has_error)
        op->ok = false; /* it results from that error */
    else if (!o)
        op_fail(op, MC_ERROR_ARGUMENT, "the optimizer is NULL");
    if (o)
        op_note_number(op, "optimizer", (double)o->id);
    return op->ok;
}

static bool finish(struct op *op)
{
    bool ok = op->ok;
    op_finish(op);
    return ok;
}

/* ---- settings -------------------------------------------------------------------------------- */

static bool in_range(struct op *op, const char *name, double value, double below)
{
    if (value >= 0 && value < below)
        return true;
    return op_fail(op, MC_ERROR_ARGUMENT, "%s of %g: it must be 0 or more%s", name, value,
                   below == 1 ? ", and less than 1" : ", and finite");
}

static bool group_valid(struct op *op, const struct group *g)
{
    return in_range(op, "a learning rate", g->lr, INFINITY) &&
           in_range(op, "a weight_decay", g->weight_decay, INFINITY) &&
           in_range(op, "a momentum", g->momentum, INFINITY) &&
           in_range(op, "a beta1", g->beta1, 1) && in_range(op, "a beta2", g->beta2, 1) &&
           in_range(op, "an eps", g->eps, INFINITY);
}

/* A number that was given replaces the current one. */
static bool take_number(struct op *op, const char *name, mc_arg given, double *number)
{
    if (given.kind == MC_ARG_FLOAT)
        *number = given.as.f;
    else if (given.kind == MC_ARG_INT || given.kind == MC_ARG_BOOL)
        *number = (double)given.as.i;
    else if (given.kind != MC_ARG_NONE)
        return op_fail(op, MC_ERROR_ARGUMENT, "%s must be a number", name);
    return true;
}

/* ---- parameters ------------------------------------------------------------------------------ */

static bool holds(const mc_optimizer *o, const mc_tensor *x)
{
    for (size_t i = 0; i < o->count; i++)
        if (o->params[i] == x)
            return true;
    return false;
}

static bool param_fits(struct op *op, const mc_optimizer *o, size_t nth, const mc_tensor *x)
{
    if (!mc_is_leaf(x))
        return op_fail(op, MC_ERROR_LEAF,
                       "parameter %zu is no leaf: an op computed it, at %s:%d; give what that was "
                       "computed from, or detach it",
                       nth + 1, x->made.file ? x->made.file : "?", x->made.line);
    if (holds(o, x))
        return op_fail(op, MC_ERROR_ARGUMENT, "parameter %zu is listed twice", nth + 1);
    return true;
}

/* Room for more of each; on failure the contents stay. */
static bool make_room(struct op *op, mc_optimizer *o, size_t more)
{
    struct group *groups = realloc(o->groups, (o->group_count + 1) * sizeof *groups);
    o->groups = groups ? groups : o->groups;
    mc_tensor **params = realloc(o->params, (o->count + more) * sizeof(mc_tensor *));
    o->params = params ? params : o->params;
    struct memory *memories = realloc(o->memories, (o->count + more) * sizeof *memories);
    o->memories = memories ? memories : o->memories;
    if (groups && params && memories)
        return true;
    return op_fail(op, MC_ERROR_MEMORY, "no memory for %zu more parameters", more);
}

static void drop_params(mc_optimizer *o, size_t from)
{
    for (size_t i = from; i < o->count; i++) {
        for (int s = 0; s < OPTIM_STATES; s++)
            if (o->memories[i].state[s])
                tensor_free(o->memories[i].state[s]);
        tensor_unref(o->params[i]);
    }
    o->count = from;
}

static bool add_group(struct op *op, mc_optimizer *o, mc_params params, struct group group)
{
    size_t before = o->count;
    if (!params.count)
        return op_fail(op, MC_ERROR_ARGUMENT, "there are no parameters");
    if (!group_valid(op, &group) || !make_room(op, o, params.count))
        return false;
    for (size_t i = 0; i < params.count; i++) {
        if (!param_fits(op, o, i, params.tensors[i])) {
            drop_params(o, before);
            return false;
        }
        atomic_fetch_add(&params.tensors[i]->refs, 1);
        o->memories[o->count] = (struct memory){.group = o->group_count};
        o->params[o->count++] = params.tensors[i];
    }
    o->groups[o->group_count++] = group;
    return true;
}

/* ---- construction ---------------------------------------------------------------------------- */

void mc_optimizer_free(mc_optimizer *o)
{
    if (!o)
        return;
    drop_params(o, 0);
    free(o->groups);
    free(o->params);
    free(o->memories);
    free(o);
}

static bool state_dtype_valid(struct op *op, mc_dtype dtype)
{
    if (dtype == MC_DTYPE_DEFAULT || dtype == MC_F32)
        return true;
    return op_fail(op, MC_ERROR_ARGUMENT, "state_dtype is left out, or f32");
}

/* of is the request, on the stack. */
static mc_optimizer *make(struct op *op, const mc_optimizer *of, mc_params params,
                          mc_dtype state_dtype)
{
    static atomic_uint_fast64_t last_id;
    mc_optimizer *o = op->ok && state_dtype_valid(op, state_dtype) ? malloc(sizeof *o) : NULL;
    if (!o) {
        op_fail(op, MC_ERROR_MEMORY, "no memory for an optimizer");
        return NULL;
    }
    *o = *of;
    o->id = atomic_fetch_add(&last_id, 1) + 1;
    o->f32_state = state_dtype == MC_F32;
    op_note_number(op, "optimizer", (double)o->id);
    op_note_number(op, "lr", o->defaults.lr);
    if (add_group(op, o, params, o->defaults))
        return o;
    mc_optimizer_free(o);
    return NULL;
}

mc_optimizer *mc_op_sgd(mc_place at, mc_params params, double lr, mc_sgd_options s)
{
    struct op op;
    params_begin(&op, kinds[SGD].name, at, params);
    if (op.ok && s.nesterov && (s.momentum <= 0 || s.dampening != 0))
        op_fail(&op, MC_ERROR_ARGUMENT, "nesterov needs a momentum and no dampening");
    mc_optimizer of = {
        .kind = SGD,
        .defaults = {.lr = lr, .weight_decay = s.weight_decay, .momentum = s.momentum},
        .dampening = s.dampening,
        .nesterov = s.nesterov,
        .maximize = s.maximize,
    };
    mc_optimizer *o = make(&op, &of, params, s.state_dtype);
    op_finish(&op);
    return o;
}

static mc_optimizer *make_adam(mc_place at, enum optimizer_kind kind, mc_params params,
                               struct group defaults, mc_adam_options a)
{
    struct op op;
    params_begin(&op, kinds[kind].name, at, params);
    if (op.ok)
        (void)(take_number(&op, "beta1", a.beta1, &defaults.beta1) &&
               take_number(&op, "beta2", a.beta2, &defaults.beta2) &&
               take_number(&op, "eps", a.eps, &defaults.eps) &&
               take_number(&op, "weight_decay", a.weight_decay, &defaults.weight_decay));
    mc_optimizer of = {
        .kind = kind, .defaults = defaults, .amsgrad = a.amsgrad, .maximize = a.maximize};
    mc_optimizer *o = make(&op, &of, params, a.state_dtype);
    op_finish(&op);
    return o;
}

mc_optimizer *mc_op_adam(mc_place at, mc_params params, double lr, mc_adam_options a)
{
    struct group defaults = {.lr = lr, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8};
    return make_adam(at, ADAM, params, defaults, a);
}

mc_optimizer *mc_op_adamw(mc_place at, mc_params params, double lr, mc_adam_options a)
{
    struct group defaults = {
        .lr = lr, .weight_decay = 0.01, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8};
    return make_adam(at, ADAMW, params, defaults, a);
}

/* A setting that the optimizer does not have is an error. */
static bool options_fit(struct op *op, const mc_optimizer *o, const mc_param_group_options *p)
{
    bool of_sgd = p->momentum.kind != MC_ARG_NONE;
    bool of_adam =
        p->beta1.kind != MC_ARG_NONE || p->beta2.kind != MC_ARG_NONE || p->eps.kind != MC_ARG_NONE;
    if (o->kind == SGD ? !of_adam : !of_sgd)
        return true;
    return op_fail(op, MC_ERROR_ARGUMENT, "%s has no %s", kinds[o->kind].name,
                   of_sgd ? "momentum" : "beta1, beta2 or eps");
}

bool mc_op_optimizer_add_param_group(mc_place at, mc_optimizer *o, mc_params params,
                                     mc_param_group_options p)
{
    struct op op;
    params_begin(&op, "optimizer_add_param_group", at, params);
    if (op.ok && !o)
        op_fail(&op, MC_ERROR_ARGUMENT, "the optimizer is NULL");
    struct group g = o ? o->defaults : (struct group){0};
    if (op.ok && options_fit(&op, o, &p) && take_number(&op, "lr", p.lr, &g.lr) &&
        take_number(&op, "weight_decay", p.weight_decay, &g.weight_decay) &&
        take_number(&op, "momentum", p.momentum, &g.momentum) &&
        take_number(&op, "beta1", p.beta1, &g.beta1) &&
        take_number(&op, "beta2", p.beta2, &g.beta2) && take_number(&op, "eps", p.eps, &g.eps))
        add_group(&op, o, params, g);
    return finish(&op);
}

/* ---- using ----------------------------------------------------------------------------------- */

bool mc_op_optimizer_step(mc_place at, mc_optimizer *o)
{
    struct op op;
    if (optimizer_begin(&op, o ? kinds[o->kind].step_name : "optimizer_step", at, o))
        optimizer_step(&op, o);
    return finish(&op);
}

bool mc_op_optimizer_zero_grad(mc_place at, mc_optimizer *o)
{
    struct op op;
    if (optimizer_begin(&op, "optimizer_zero_grad", at, o))
        for (size_t i = 0; i < o->count; i++)
            mc_op_zero_grad(at, o->params[i]);
    return finish(&op);
}

static bool set_lr(mc_place at, mc_optimizer *o, size_t from, size_t to, double lr)
{
    struct op op;
    if (optimizer_begin(&op, "optimizer_set_lr", at, o) &&
        in_range(&op, "a learning rate", lr, INFINITY)) {
        if (from >= o->group_count)
            op_fail(&op, MC_ERROR_INDEX, "group %zu of %zu", from, o->group_count);
        for (size_t i = from; op.ok && i < to && i < o->group_count; i++)
            o->groups[i].lr = lr;
    }
    return finish(&op);
}

bool mc_op_optimizer_set_lr(mc_place at, mc_optimizer *o, double lr)
{
    return set_lr(at, o, 0, SIZE_MAX, lr);
}

bool mc_op_optimizer_set_group_lr(mc_place at, mc_optimizer *o, size_t group, double lr)
{
    return set_lr(at, o, group, group + 1, lr);
}

double mc_optimizer_lr(const mc_optimizer *o, size_t group)
{
    return o && group < o->group_count ? o->groups[group].lr : NAN;
}

mc_params mc_optimizer_params(const mc_optimizer *o)
{
    return o ? mc_paramsn(o->params, o->count) : (mc_params){0};
}

mc_tensor *mc_optimizer_state(const mc_optimizer *o, const mc_tensor *param, const char *name)
{
    for (size_t i = 0; o && name && i < o->count; i++)
        for (int s = 0; o->params[i] == param && s < OPTIM_STATES; s++)
            if (kinds[o->kind].states[s] && strcmp(kinds[o->kind].states[s], name) == 0)
                return o->memories[i].state[s];
    return NULL;
}
