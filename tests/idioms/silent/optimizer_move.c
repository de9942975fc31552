/* The device is chosen after everything was set up. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct net {
    mc_tensor *w1, *w2;
};

static void net_to(struct net *n, mc_dtype d)
{
    mc_tensor **all[] = {&n->w1, &n->w2};
    for (int i = 0; i < 2; i++)
        *all[i] = mc_requires_grad_(mc_to(mc_detach(*all[i]), .dtype = d), true);
}

static mc_tensor *forward(struct net *n, mc_tensor *x)
{
    return mc_linear(mc_tanh(mc_linear(x, n->w1, NULL)), n->w2, NULL);
}

int main(int argc, char **argv)
{
    bool f64 = argc > 1 && !strcmp(argv[1], "--double");
    mc_manual_seed(6);
    struct net n = {mc_requires_grad_(mc_randn(mc_shape(8, 4)), true),
                    mc_requires_grad_(mc_randn(mc_shape(1, 8)), true)};
    mc_optimizer *o = mc_sgd(mc_params(n.w1, n.w2), 0.05);
    if (f64)
        net_to(&n, MC_F64);
    mc_tensor *x = mc_randn(mc_shape(32, 4), .dtype = f64 ? MC_F64 : MC_F32);
    for (int i = 0; i < 60; i++) {
        mc_tensor *loss = mc_mean(mc_square(mc_sub(forward(&n, x), 1.0)));
        mc_optimizer_zero_grad(o);
        mc_backward(loss);
        mc_optimizer_step(o);
        if (i % 59 == 0)
            printf("%g\n", mc_item(loss));
    }
    mc_optimizer_free(o);
    return 0;
}
