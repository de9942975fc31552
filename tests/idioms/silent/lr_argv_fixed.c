/* The learning rate is the first argument. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

struct args {
    double lr;
    int epochs;
};

static struct args parse(int argc, char **argv)
{
    struct args a = {1, 40};
    if (argc > 1)
        a.lr = atof(argv[1]);
    if (argc > 2)
        a.epochs = atoi(argv[2]);
    return a;
}

int main(int argc, char **argv)
{
    struct args a = parse(argc, argv);
    mc_manual_seed(10);
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(1, 4)), true);
    mc_optimizer *o = mc_adam(mc_params(w), a.lr);
    for (int i = 0; i < a.epochs; i++) {
        mc_tensor *x = mc_randn(mc_shape(32, 4));
        mc_tensor *loss = mc_mse_loss(mc_linear(x, w, NULL), mc_zeros(mc_shape(32, 1)));
        mc_optimizer_zero_grad(o);
        mc_backward(loss);
        mc_optimizer_step(o);
        printf("%g\n", mc_item(loss));
    }
    mc_optimizer_free(o);
    return 0;
}
