/* Gradients that are cleared, and those of several batches, of which one step is made. */
#include <miscast/tensor.h>

static mc_tensor *loss_of(mc_tensor *w)
{
    return mc_mean(mc_square(mc_matmul(mc_randn(mc_shape(2, 4)), w)));
}

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    for (int step = 0; step < 5; step++) {
        mc_backward(loss_of(w));
        mc_optimizer_step(o);
        mc_optimizer_zero_grad(o);
    }
    mc_optimizer_free(o);
    mc_tensor *v = mc_randn(mc_shape(4, 4), .requires_grad = true);
    mc_optimizer *once = mc_sgd(mc_params(v), 0.1);
    for (int batch = 0; batch < 5; batch++)
        mc_backward(loss_of(v));
    mc_optimizer_step(once);
    mc_optimizer_free(once);
    return 0;
}
