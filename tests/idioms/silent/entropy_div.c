/* Share of non-zero activations per layer. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *density(mc_tensor *h)
{
    mc_tensor *on = mc_sum(mc_gt(h, 0.0), .dim = mc_dims(1));
    return mc_floor_divide(on, mc_size(h, 1));
}

int main(void)
{
    mc_manual_seed(1);
    mc_tensor *h = mc_relu(mc_randn(mc_shape(4, 256)));
    mc_tensor *d = density(h);
    printf("%g\n", mc_item(mc_mean(mc_float(d))));
    return 0;
}
