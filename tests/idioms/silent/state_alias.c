/* A snapshot of the weights before training, to compare with afterwards. */
#include <miscast/tensor.h>
#include <stdio.h>

struct model {
    mc_tensor *w;
};

static struct model snapshot(const struct model *m, mc_dtype dtype)
{
    return (struct model){mc_to_dtype(mc_detach(m->w), dtype)};
}

int main(void)
{
    mc_manual_seed(1);
    struct model m = {mc_requires_grad_(mc_randn(mc_shape(4, 4)), true)};
    struct model before = snapshot(&m, MC_F32);
    mc_optimizer *o = mc_sgd(mc_params(m.w), 0.1);
    for (int i = 0; i < 3; i++) {
        mc_optimizer_zero_grad(o);
        mc_backward(mc_sum(mc_square(m.w)));
        mc_optimizer_step(o);
    }
    printf("moved by %g\n", mc_item(mc_norm(mc_sub(mc_detach(m.w), before.w))));
    mc_optimizer_free(o);
    return 0;
}
