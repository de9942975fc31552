/* miscast/optim.h: optimizers. Part of miscast/tensor.h, which includes it.
 *
 *     mc_optimizer *o = mc_adamw(mc_params(m.w1, m.b1, m.w2, m.b2), 1e-3);
 *     …
 *     mc_optimizer_zero_grad(o);
 *     mc_backward(loss);
 *     mc_optimizer_step(o);
 *
 * An optimizer holds the very tensors it was given, as PyTorch's do: a model that is cast or moved
 * afterwards, by putting other tensors into its place, is not what it trains. */
#ifndef MISCAST_OPTIM_H
#define MISCAST_OPTIM_H

#include <miscast/tensor.h>

#ifdef __cplusplus
#pragma GCC system_header
extern "C" {
#endif

/* ---- parameters ------------------------------------------------------------------------ */

/* A list of tensors, which it does not own. mc_params(w, b) is valid until the end of the
 * enclosing block. */
typedef struct mc_params {
    mc_tensor *const *tensors;
    size_t count;
} mc_params;

#define mc_params(...)             mc_params_make(MC_LIST(__VA_ARGS__))
#define mc_paramsn(tensors, count) mc_params_make(tensors, count)
static inline mc_params mc_params_make(mc_tensor *const *tensors, size_t count)
{
    mc_params p;
    p.tensors = tensors;
    p.count = count;
    return p;
}

/* ---- optimizers ------------------------------------------------------------------------ */

typedef struct mc_optimizer mc_optimizer;

typedef struct mc_sgd_options {
    double momentum;
    double dampening;
    double weight_decay;
    bool nesterov;
    bool maximize;
    mc_dtype state_dtype; /* default: the parameter's; MC_F32: f32 for f16 and bf16 parameters */
    int mc_end;
} mc_sgd_options;

typedef struct mc_adam_options {
    mc_arg beta1;        /* default 0.9: .beta1 = MC_NUM(0.8) */
    mc_arg beta2;        /* default 0.999 */
    mc_arg eps;          /* default 1e-8 */
    mc_arg weight_decay; /* default 0; of adamw 0.01 */
    bool amsgrad;
    bool maximize;
    mc_dtype state_dtype; /* as for sgd */
    int mc_end;
} mc_adam_options;

/* Momentum and Adam's averages are allocated at the first step, on the parameter's device. Steps
 * of f16 and bf16 are computed in f32 and rounded once, as in PyTorch's fused optimizers. */
#define mc_sgd(...) MC_CALL_2(mc_op_sgd, mc_sgd_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_optimizer *mc_op_sgd(mc_place at, mc_params params, double lr, mc_sgd_options options);
#define mc_adam(...) MC_CALL_2(mc_op_adam, mc_adam_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_optimizer *mc_op_adam(mc_place at, mc_params params, double lr, mc_adam_options options);
/* decays the weights themselves, not their gradients */
#define mc_adamw(...) MC_CALL_2(mc_op_adamw, mc_adam_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_optimizer *mc_op_adamw(mc_place at, mc_params params, double lr, mc_adam_options options);
MC_API void mc_optimizer_free(mc_optimizer *optimizer);

typedef struct mc_param_group_options {
    mc_arg lr;           /* default, here and below: the optimizer's */
    mc_arg weight_decay; /* .weight_decay = MC_NUM(0) */
    mc_arg momentum;
    mc_arg beta1;
    mc_arg beta2;
    mc_arg eps;
    int mc_end;
} mc_param_group_options;

/* More parameters, with settings of their own. Groups are numbered from 0, the constructor's. */
#define mc_optimizer_add_param_group(...)                                                          \
    MC_CALL_2(mc_op_optimizer_add_param_group, mc_param_group_options, __VA_ARGS__, .mc_end = 0)
MC_API bool mc_op_optimizer_add_param_group(mc_place at, mc_optimizer *optimizer, mc_params params,
                                            mc_param_group_options options);

/* Updates every parameter that has a gradient. */
#define mc_optimizer_step(optimizer) mc_op_optimizer_step(MC_AT, optimizer)
MC_API bool mc_op_optimizer_step(mc_place at, mc_optimizer *optimizer);
/* Drops the gradients of all parameters. */
#define mc_optimizer_zero_grad(optimizer) mc_op_optimizer_zero_grad(MC_AT, optimizer)
MC_API bool mc_op_optimizer_zero_grad(mc_place at, mc_optimizer *optimizer);

/* For all groups, or for one. */
#define mc_optimizer_set_lr(optimizer, lr) mc_op_optimizer_set_lr(MC_AT, optimizer, lr)
MC_API bool mc_op_optimizer_set_lr(mc_place at, mc_optimizer *optimizer, double lr);
#define mc_optimizer_set_group_lr(optimizer, group, lr)                                            \
    mc_op_optimizer_set_group_lr(MC_AT, optimizer, group, lr)
MC_API bool mc_op_optimizer_set_group_lr(mc_place at, mc_optimizer *optimizer, size_t group,
                                         double lr);
MC_API double mc_optimizer_lr(const mc_optimizer *optimizer, size_t group); /* NaN: no such group */

/* All its parameters, group by group; valid until the next group is added. */
MC_API mc_params mc_optimizer_params(const mc_optimizer *optimizer);
/* Its state for a parameter: "momentum_buffer", "exp_avg", "exp_avg_sq", "max_exp_avg_sq".
 * Borrowed; NULL before the first step. */
MC_API mc_tensor *mc_optimizer_state(const mc_optimizer *optimizer, const mc_tensor *param,
                                     const char *name);

/* ---- clipping gradients ---------------------------------------------------------------- */

typedef struct mc_clip_options {
    double norm_type; /* default 2; INFINITY: the largest element */
    bool error_if_nonfinite;
    int mc_end;
} mc_clip_options;

/* Scales all gradients down if their norm, taken as that of one vector, exceeds max_norm. Returns
 * the norm before scaling, a 0-dim tensor: mc_clip_grad_norm_(mc_optimizer_params(o), 1.0) */
#define mc_clip_grad_norm_(...)                                                                    \
    MC_CALL_2(mc_op_clip_grad_norm_, mc_clip_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_clip_grad_norm_(mc_place at, mc_params params, double max_norm,
                                        mc_clip_options options);
/* Clamps each element of the gradients to [-value, value]. */
#define mc_clip_grad_value_(params, value) mc_op_clip_grad_value_(MC_AT, params, value)
MC_API bool mc_op_clip_grad_value_(mc_place at, mc_params params, double value);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
