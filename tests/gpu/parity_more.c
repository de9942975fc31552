/* The calls of parity_more.def, and what they need besides the API. */
#include "tests/gpu/parity.h"

#include <math.h>
#include <miscast/optim.h>

/* u · s · vh: the vectors themselves may have either sign. */
static mc_tensor *svd_rebuilt(mc_tensor *a)
{
    mc_tensor *u = NULL, *vh = NULL;
    mc_tensor *s = mc_svd(a, .u = &u, .vh = &vh, .reduced = true);
    return s ? mc_matmul(mc_mul(u, s), vh) : NULL;
}

/* The parameter after four steps with that gradient. */
static mc_tensor *stepped(mc_tensor *a, mc_tensor *gradient, mc_optimizer *optimizer)
{
    mc_set_grad(a, gradient);
    for (int i = 0; i < 4; i++)
        mc_optimizer_step(optimizer);
    mc_optimizer_free(optimizer);
    return a;
}

static mc_tensor *clipped(mc_tensor *a, mc_tensor *gradient, bool by_norm)
{
    mc_set_grad(a, gradient);
    if (by_norm)
        mc_clip_grad_norm_(mc_params(a), 1.5);
    else
        mc_clip_grad_value_(mc_params(a), 1.5);
    return mc_grad(a);
}

/* A step that is taken, and one that an infinite gradient prevents. */
static mc_tensor *scaled_step(mc_tensor *a, mc_tensor *gradient)
{
    mc_optimizer *optimizer = mc_sgd(mc_params(a), 0.1);
    mc_grad_scaler *scaler = mc_grad_scaler_new(true);
    for (int i = 0; i < 2; i++) {
        mc_set_grad(a, mc_mul(gradient, i ? INFINITY : 65536));
        mc_grad_scaler_step(scaler, optimizer);
        mc_grad_scaler_update(scaler);
    }
    mc_grad_scaler_free(scaler);
    mc_optimizer_free(optimizer);
    return a;
}

/* Where they were, instead of what they are. */
#define index_of(call) (call) ? indices : NULL

#define MORE(name, dtypes, closeness, terms, data_a, data_b, shape_a, shape_b, ...)                \
    static mc_tensor *run_##name(mc_tensor *a, mc_tensor *b, mc_device at)                         \
    {                                                                                              \
        mc_tensor *indices = NULL;                                                                 \
        (void)a, (void)b, (void)at, (void)indices;                                                 \
        return __VA_ARGS__;                                                                        \
    }
#include "tests/gpu/parity_more.def"
#undef MORE

/* clang-format off */
#define SHAPE(...) {sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), {__VA_ARGS__}}
#define MORE(name, dtypes, closeness, terms, data_a, data_b, shape_a, shape_b, ...) \
    {{"more:" #name, closeness, terms, {data_a, data_b}, {shape_a, shape_b}, false}, dtypes, run_##name},
const struct more more_calls[] = {
#include "tests/gpu/parity_more.def"
};
/* clang-format on */

const int more_count = sizeof more_calls / sizeof *more_calls;
