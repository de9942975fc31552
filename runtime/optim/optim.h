/* runtime/optim: optimizers. Making and asking them (optimizer.c), their step (step.c), clipping
 * gradients (clip.c). The arithmetic is in kernels/optim.h. */
#ifndef RUNTIME_OPTIM_H
#define RUNTIME_OPTIM_H

#include "runtime/ops/ops.h"

enum optimizer_kind { SGD, ADAM, ADAMW };

/* What a group of parameters may have of its own. */
struct group {
    double lr, weight_decay;
    double momentum;          /* sgd */
    double beta1, beta2, eps; /* adam, adamw */
};

/* What is remembered of a parameter. */
struct memory {
    size_t group;
    int64_t steps;
    mc_tensor *state[OPTIM_STATES]; /* NULL: not needed, or not yet */
};

struct mc_optimizer {
    enum optimizer_kind kind;
    uint64_t id; /* of this process's optimizers: an address may come again */
    struct group defaults;
    double dampening;
    bool nesterov, maximize, amsgrad;
    bool f32_state;
    struct group *groups;
    size_t group_count;
    mc_tensor **params; /* held, with what is remembered of each beside it */
    struct memory *memories;
    size_t count;
};

/* Begins an op on an optimizer and its parameters, which must all be there; false: it has failed.
 */
bool optimizer_begin(struct op *op, const char *name, mc_place at, const mc_optimizer *o);
/* The same on a list of parameters. Nothing that it does is recorded. */
bool params_begin(struct op *op, const char *name, mc_place at, mc_params params);
/* The step of a running op; false after op_fail. */
bool optimizer_step(struct op *op, mc_optimizer *o);

/* x's memory as kernels want it, which is changed in place: x, or a copy that put_back copies into
 * x. NULL after op_fail. */
mc_tensor *take_out(struct op *op, mc_tensor *x);
bool put_back(struct op *op, mc_tensor *x, mc_tensor *taken);

#endif
