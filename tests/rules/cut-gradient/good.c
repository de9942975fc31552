/* A number that scales a loss, one that is only printed, and one that was never on a tape. */
#include <miscast/tensor.h>
#include <stdio.h>

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    double total = 0, offset = mc_item(mc_sum(x));
    for (int step = 0; step < 5; step++) {
        mc_tensor *loss = mc_mean(mc_square(mc_matmul(x, w)));
        mc_tensor *scaled = mc_div(loss, mc_item(loss) + 1e-3);
        mc_optimizer_zero_grad(o);
        mc_backward(mc_add(scaled, offset));
        mc_optimizer_step(o);
        total += mc_item(loss);
    }
    printf("%g\n", total);
    mc_optimizer_free(o);
    return 0;
}
