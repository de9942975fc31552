/* bug.c, fixed: the optimizer keeps its means in f32. */
#include <math.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { WIDTH = 4, STEPS = 400 };

struct recipe {
    mc_dtype torch_dtype;
    double lr;
};

static const struct recipe recipe = {.torch_dtype = MC_BF16, .lr = 1e-5};

static mc_tensor *model_weight(const struct recipe *r)
{
    mc_tensor *w = mc_zeros(mc_shape(WIDTH), .dtype = r->torch_dtype);
    return mc_requires_grad_(w, true);
}

/* The mean of squared gradients that the optimizer has in the end; all gradients are 1. */
static double train(const struct recipe *r)
{
    mc_tensor *w = model_weight(r);
    mc_optimizer *o = mc_adamw(mc_params(w), r->lr, .state_dtype = MC_F32);
    for (int i = 0; i < STEPS; i++) {
        mc_optimizer_zero_grad(o);
        mc_backward(mc_sum(w));
        mc_optimizer_step(o);
    }
    double mean = mc_item(mc_select(mc_optimizer_state(o, w, "exp_avg_sq"), 0, 0));
    mc_optimizer_free(o);
    return mean;
}

int main(void)
{
    double mean = train(&recipe), wanted = 1 - pow(0.999, STEPS);
    printf("the mean of squares is %.4f, it should be %.4f\n", mean, wanted);
    return !(fabs(mean - wanted) < 0.02 * wanted);
}
