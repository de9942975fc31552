#include <miscast/tensor.h>
#include <stdio.h>

#define LAYERS 3

struct net {
    mc_tensor *w[LAYERS];
    double weight_decay;
};

static double penalty(const struct net *n)
{
    double sum = 0;
    for (int i = 0; i < LAYERS; i++)
        sum += mc_item(mc_sum(mc_square(n->w[i])));
    return sum * n->weight_decay;
}

int main(void)
{
    struct net n = {.weight_decay = 1e-3};
    for (int i = 0; i < LAYERS; i++)
        n.w[i] = mc_randn(mc_shape(6, 6), .requires_grad = true);
    mc_optimizer *opt = mc_sgd(mc_paramsn(n.w, LAYERS), 0.01);
    mc_tensor *x = mc_randn(mc_shape(12, 6)), *y = mc_randn(mc_shape(12, 6));
    for (int step = 0; step < 10; step++) {
        mc_tensor *h = x;
        for (int i = 0; i < LAYERS; i++)
            h = mc_tanh(mc_matmul(h, n.w[i]));
        mc_tensor *loss = mc_add(mc_mse_loss(h, y), penalty(&n));
        mc_optimizer_zero_grad(opt);
        mc_backward(loss);
        mc_optimizer_step(opt);
        printf("%.4f\n", mc_item(loss));
    }
    mc_optimizer_free(opt);
    return 0;
}
