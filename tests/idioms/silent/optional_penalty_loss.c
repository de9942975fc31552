#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct model {
    mc_tensor *w, *gate;
};

static mc_tensor *penalty(const struct model *m)
{
    double size = mc_item(mc_sum(mc_square(m->gate)));
    return mc_full(mc_shape(), 0.1 * size);
}

int main(int argc, char **argv)
{
    bool use = argc > 1 && !strcmp(argv[1], "--penalty");
    struct model m = {mc_randn(mc_shape(2, 4), .requires_grad = true),
                      mc_ones(mc_shape(4), .requires_grad = true)};
    mc_optimizer *o = mc_sgd(mc_params(m.w, m.gate), 0.05);
    for (int i = 0; i < 4; i++) {
        mc_tensor *x = mc_mul(mc_rand(mc_shape(3, 4)), m.gate);
        mc_tensor *loss = mc_mean(mc_square(mc_linear(x, m.w, NULL)));
        if (use)
            loss = mc_add(loss, penalty(&m));
        mc_optimizer_zero_grad(o);
        mc_backward(loss);
        mc_optimizer_step(o);
    }
    mc_print(m.gate);
    mc_optimizer_free(o);
    return 0;
}
