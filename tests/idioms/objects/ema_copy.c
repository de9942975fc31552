#include <miscast/tensor.h>
#include <stdlib.h>

enum { N = 3 };

struct ema {
    mc_tensor *shadow[N];
    double decay;
};

static void ema_init(struct ema *e, mc_tensor *const *params)
{
    for (int i = 0; i < N; i++)
        e->shadow[i] = mc_clone(mc_detach(params[i]));
}

static void ema_update(struct ema *e, mc_tensor *const *params)
{
    mc_grad_mode g = mc_no_grad_begin();
    for (int i = 0; i < N; i++) {
        mc_mul_(e->shadow[i], e->decay);
        mc_add_(e->shadow[i], mc_mul(params[i], 1 - e->decay));
    }
    mc_grad_mode_end(g);
}

int main(int argc, char **argv)
{
    mc_tensor *params[N];
    (void)argv;
    for (int i = 0; i < N; i++)
        params[i] = mc_requires_grad_(mc_randn(mc_shape(4, 4)), true);
    struct ema e = {.decay = 0.9};
    ema_init(&e, params);
    mc_optimizer *o = mc_sgd(mc_paramsn(params, N), 0.1);
    for (int step = 0; step < 2; step++) {
        mc_tensor *x = mc_randn(mc_shape(2, 4));
        for (int i = 0; i < N; i++)
            x = mc_matmul(x, params[i]);
        mc_optimizer_zero_grad(o);
        mc_backward(mc_sum(x));
        mc_optimizer_step(o);
        ema_update(&e, params);
    }
    mc_tensor *y = mc_ones(mc_shape(1, 4));
    if (argc > 1)
        for (int i = 0; i < N; i++)
            e.shadow[i] = mc_half(e.shadow[i]);
    y = argc > 1 ? mc_half(y) : y;
    for (int i = 0; i < N; i++)
        y = mc_matmul(y, e.shadow[i]);
    mc_print(y);
    mc_optimizer_free(o);
    return 0;
}
