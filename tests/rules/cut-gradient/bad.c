#include <miscast/tensor.h>

#define LAYERS 3

static double penalty(mc_tensor **w)
{
    double sum = 0;
    for (int i = 0; i < LAYERS; i++)
        sum += mc_item(mc_sum(mc_square(w[i]))); /* expect: cut-gradient warning */
    return sum;
}

int main(void)
{
    mc_tensor *w[LAYERS];
    for (int i = 0; i < LAYERS; i++)
        w[i] = mc_randn(mc_shape(4, 4), .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_paramsn(w, LAYERS), 0.1);
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    for (int step = 0; step < 5; step++) {
        mc_tensor *h = x;
        for (int i = 0; i < LAYERS; i++)
            h = mc_tanh(mc_matmul(h, w[i]));
        mc_optimizer_zero_grad(o);
        mc_backward(mc_add(mc_mean(mc_square(h)), 1e-3 * penalty(w)));
        mc_optimizer_step(o);
    }
    mc_optimizer_free(o);
    return 0;
}
