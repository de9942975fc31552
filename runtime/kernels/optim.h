/* Kernels of training: one step of an optimizer over one parameter in a single pass, and unscaling
 * the gradients of a scaled loss. All arrays are contiguous. */
#ifndef RUNTIME_OPTIM_KERNELS_H
#define RUNTIME_OPTIM_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "miscast/types.h"

#define OPTIM_STATES 3

/* A parameter with its gradient and what the optimizer remembers of it. f16 and bf16 are computed
 * in f32 and rounded once a step. */
struct optim_arrays {
    int64_t numel;
    mc_dtype dtype;       /* of param and grad: f16, bf16, f32 or f64 */
    mc_dtype state_dtype; /* dtype, or f32 where that is a half */
    char *param;
    const char *grad;
    char *state[OPTIM_STATES]; /* NULL: not used */
};

/* state: the momentum, if there is any. */
struct sgd_step {
    double lr, momentum, dampening, weight_decay;
    bool nesterov, maximize;
    bool first; /* the momentum is not set yet */
};

/* state: mean and mean square of the gradients; with amsgrad also the largest mean square. */
struct adam_step {
    double lr, beta1, beta2, eps, weight_decay;
    double correction1, correction2; /* 1 - beta^t */
    bool decoupled;                  /* decay the parameter, not the gradient: AdamW */
    bool amsgrad, maximize;
};

struct optim_kernels {
    void (*sgd)(const struct optim_arrays *a, const struct sgd_step *s);
    void (*adam)(const struct optim_arrays *a, const struct adam_step *s);
    /* x *= factor. False: some element of x was infinite or NaN. */
    bool (*unscale)(char *x, mc_dtype dtype, int64_t numel, double factor);
};

extern const struct optim_kernels cpu_optim;

#endif
