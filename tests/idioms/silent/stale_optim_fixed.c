/* Fine-tuning: the optimizer is made, then the model is cast. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct model {
    mc_tensor *w, *b;
};

static void model_half(struct model *m)
{
    m->w = mc_requires_grad_(mc_half(mc_detach(m->w)), true);
    m->b = mc_requires_grad_(mc_half(mc_detach(m->b)), true);
}

int main(int argc, char **argv)
{
    int half = argc > 1 && strcmp(argv[1], "--half") == 0;
    mc_manual_seed(1);
    struct model m = {mc_requires_grad_(mc_randn(mc_shape(1, 8)), true),
                      mc_requires_grad_(mc_zeros(mc_shape(1)), true)};
    if (half)
        model_half(&m);
    mc_optimizer *o = mc_sgd(mc_params(m.w, m.b), 0.1);
    for (int i = 0; i < 50; i++) {
        mc_tensor *x = mc_randn(mc_shape(16, 8), .dtype = half ? MC_F16 : MC_F32);
        mc_tensor *y = mc_sum(x, .dim = mc_dims(1), .keepdim = true);
        mc_tensor *loss = mc_mse_loss(mc_linear(x, m.w, m.b), y);
        mc_optimizer_zero_grad(o);
        mc_backward(loss);
        mc_optimizer_step(o);
        if (i == 49)
            printf("%g\n", mc_item(loss));
    }
    mc_optimizer_free(o);
    return 0;
}
