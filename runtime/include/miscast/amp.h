/* miscast/amp.h: mixed precision. Part of miscast/tensor.h, which includes it.
 *
 *     mc_autocast a = mc_autocast_begin(MC_CUDA, MC_F16);
 *     mc_tensor *loss = mc_cross_entropy(model_forward(m, x), y);
 *     mc_autocast_end(a);
 *     mc_backward(mc_grad_scaler_scale(scaler, loss));
 *     mc_grad_scaler_step(scaler, optimizer);
 *     mc_grad_scaler_update(scaler); */
#ifndef MISCAST_AMP_H
#define MISCAST_AMP_H

#include <miscast/tensor.h>

#ifdef __cplusplus
#pragma GCC system_header
extern "C" {
#endif

/* ---- autocast ------------------------------------------------------------------------ */

/* Inside a region, ops on tensors of its device cast their floating operands first, as PyTorch's
 * autocast does: matrix products, convolutions and attention to the region's dtype; losses and, on
 * cuda, exponentials, powers, norms and sums to f32; a few to the widest dtype among their
 * operands. f64 is left alone, and so are ops in place or with .out. Regions belong to their thread
 * and may be nested. */
typedef struct mc_autocast {
    uint64_t id;
} mc_autocast;

typedef struct mc_autocast_options {
    bool enabled; /* default: true. false: the region has no effect */
} mc_autocast_options;

/* dtype: f16 or bf16; on cuda also f32 or f64, with which a region of the CPU is off;
 * MC_DTYPE_DEFAULT: f16 on cuda, bf16 on the CPU. A region that may be off:
 *     mc_autocast_begin(MC_CPU, MC_BF16, .enabled = half) */
#define mc_autocast_begin(...)                                                                     \
    MC_AUTOCAST_PICK(__VA_ARGS__, MC_AUTOCAST_IF, MC_AUTOCAST_ON, )(__VA_ARGS__)
#define MC_AUTOCAST_PICK(device, dtype, enabled, name, ...) name
#define MC_AUTOCAST_ON(device, dtype)                       MC_AUTOCAST_IF(device, dtype, .enabled = true)
#define MC_AUTOCAST_IF(device, dtype, ...)                                                         \
    mc_op_autocast_begin(MC_AT, device, dtype, MC_OPTIONS(mc_autocast_options, __VA_ARGS__))
MC_API mc_autocast mc_op_autocast_begin(mc_place at, mc_device device, mc_dtype dtype,
                                        mc_autocast_options options);
/* Also ends the regions begun inside it that are still open. */
#define mc_autocast_end(region) mc_op_autocast_end(MC_AT, region)
MC_API void mc_op_autocast_end(mc_place at, mc_autocast region);

MC_API bool mc_is_autocast_enabled(mc_device device);
MC_API mc_dtype mc_get_autocast_dtype(mc_device device);

/* An f32 leaf that requires grad is cast once; the cast is reused until the outermost region ends.
 * If such a weight is changed inside a region, the cached cast is stale: clear the cache then. */
MC_API void mc_clear_autocast_cache(void);
MC_API void mc_set_autocast_cache_enabled(bool on); /* of this thread; on by default */
MC_API bool mc_is_autocast_cache_enabled(void);

/* ---- the gradient scaler --------------------------------------------------------------- */

/* Keeps f16 gradients from underflowing: the loss is multiplied by a scale, and the gradients are
 * divided by it before the optimizer's step. A step with infinite or NaN gradients is skipped and
 * the scale shrinks; after growth_interval steps without one it grows. */
typedef struct mc_grad_scaler mc_grad_scaler;
typedef struct mc_optimizer mc_optimizer;

typedef struct mc_grad_scaler_options {
    double init_scale;       /* default 65536 */
    double growth_factor;    /* default 2 */
    double backoff_factor;   /* default 0.5 */
    int64_t growth_interval; /* default 2000 */
    int mc_end;
} mc_grad_scaler_options;

/* A scaler that is not enabled does not scale, and always steps. */
#define mc_grad_scaler_new(...)                                                                    \
    MC_CALL_1(mc_op_grad_scaler_new, mc_grad_scaler_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_grad_scaler *mc_op_grad_scaler_new(mc_place at, bool enabled,
                                             mc_grad_scaler_options options);
MC_API void mc_grad_scaler_free(mc_grad_scaler *scaler);

/* x times the scale */
#define mc_grad_scaler_scale(scaler, x) mc_op_grad_scaler_scale(MC_AT, scaler, x)
MC_API mc_tensor *mc_op_grad_scaler_scale(mc_place at, mc_grad_scaler *scaler, mc_tensor *x);
/* Divides the gradients by the scale now, so that they can be inspected or clipped before the
 * step; otherwise the step does it. Once between updates. */
#define mc_grad_scaler_unscale_(scaler, optimizer)                                                 \
    mc_op_grad_scaler_unscale_(MC_AT, scaler, optimizer)
MC_API bool mc_op_grad_scaler_unscale_(mc_place at, mc_grad_scaler *scaler,
                                       mc_optimizer *optimizer);
/* The optimizer's step; false if it was skipped or failed. */
#define mc_grad_scaler_step(scaler, optimizer) mc_op_grad_scaler_step(MC_AT, scaler, optimizer)
MC_API bool mc_op_grad_scaler_step(mc_place at, mc_grad_scaler *scaler, mc_optimizer *optimizer);

typedef struct mc_grad_scaler_update_options {
    double new_scale; /* default: as the gradients were all finite or not */
    int mc_end;
} mc_grad_scaler_update_options;

/* Grows or shrinks the scale. Call it once all optimizers have stepped. */
#define mc_grad_scaler_update(...)                                                                 \
    MC_CALL_1(mc_op_grad_scaler_update, mc_grad_scaler_update_options, __VA_ARGS__, .mc_end = 0)
MC_API bool mc_op_grad_scaler_update(mc_place at, mc_grad_scaler *scaler,
                                     mc_grad_scaler_update_options options);
MC_API double mc_grad_scaler_get_scale(const mc_grad_scaler *scaler);
MC_API bool mc_grad_scaler_is_enabled(const mc_grad_scaler *scaler);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
