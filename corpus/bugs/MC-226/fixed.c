/* bug.c, fixed: each forward pass has a region of its own. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { STEPS = 5, BATCH = 8, INPUT = 4 };

struct model {
    mc_tensor *w;
};

static mc_tensor *model_loss(const struct model *m, mc_tensor *x, mc_tensor *y)
{
    return mc_mse_loss(mc_squeeze(mc_linear(x, m->w, NULL), -1), y);
}

/* One epoch; returns the loss of its last step. */
static double optimize(const struct model *m, mc_optimizer *o, mc_tensor *x, mc_tensor *y)
{
    double last = 0;
    for (int i = 0; i < STEPS; i++) {
        mc_optimizer_zero_grad(o);
        mc_autocast region = mc_autocast_begin(MC_CPU, MC_BF16);
        mc_tensor *loss = model_loss(m, x, y);
        mc_autocast_end(region);
        mc_backward(loss);
        mc_optimizer_step(o);
        last = mc_item(loss);
        printf("step %d: loss %.4f\n", i, last);
    }
    return last;
}

int main(void)
{
    mc_manual_seed(3);
    struct model m = {.w = mc_zeros(mc_shape(1, INPUT), .requires_grad = true)};
    mc_tensor *x = mc_randn(mc_shape(BATCH, INPUT)), *y = mc_sum(x, .dim = mc_dims(1));
    mc_optimizer *o = mc_sgd(mc_params(m.w), 0.1);
    double start = mc_item(model_loss(&m, x, y));
    double end = optimize(&m, o, x, y);
    mc_optimizer_free(o);
    return !(end < 0.8 * start);
}
