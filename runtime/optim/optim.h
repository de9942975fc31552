/* runtime/optim: optimizers.
 *
 *     optimizer.c  construction, groups of parameters, queries
 *     step.c       the step; the arithmetic is in kernels/optim.h
 *     clip.c       clipping gradients */
#ifndef RUNTIME_OPTIM_H
#define RUNTIME_OPTIM_H

#include "runtime/compute/compute.h"

enum optimizer_kind { SGD, ADAM, ADAMW };

/* The settings of a group of parameters. */
struct group {
    double lr, weight_decay;
    double momentum;          /* sgd */
    double beta1, beta2, eps; /* adam, adamw */
};

/* The state of a parameter. */
struct memory {
    size_t group;
    int64_t steps;
    mc_tensor *state[OPTIM_STATES]; /* NULL: not needed, or not yet */
};

struct mc_optimizer {
    enum optimizer_kind kind;
    uint64_t id; /* unique in this process, unlike an address */
    struct group defaults;
    double dampening;
    bool nesterov, maximize, amsgrad;
    bool f32_state;
    struct group *groups;
    size_t group_count;
    mc_tensor **params; /* held, each with its state */
    struct memory *memories;
    size_t count;
};

/* Begins an op on an optimizer and its parameters, which must all be alive; false: it has failed.
 */
bool optimizer_begin(struct op *op, const char *name, mc_place at, const mc_optimizer *o);
/* The same on a list of parameters. Nothing it does is recorded. */
bool params_begin(struct op *op, const char *name, mc_place at, mc_params params);
/* The step of a running op; false after op_fail. */
bool optimizer_step(struct op *op, mc_optimizer *o);

/* x's memory in the layout that kernels need, to be changed in place: x, or a copy that put_back
 * copies into x. NULL after op_fail. */
mc_tensor *take_out(struct op *op, mc_tensor *x);
bool put_back(struct op *op, mc_tensor *x, mc_tensor *taken);

#endif
