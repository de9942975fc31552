#include <miscast/tensor.h>

static mc_tensor *loss(mc_tensor *scores)
{
    mc_tensor *target = mc_ones(mc_shape(4), .device = mc_device_of(scores));
    return mc_mse_loss(scores, target);
}

/* Named, but then brought to where the other is. */
static mc_tensor *masked(mc_tensor *scores)
{
    mc_tensor *mask = mc_zeros(mc_shape(4), .device = MC_CUDA);
    return mc_add(scores, mc_to_device(mask, mc_device_of(scores)));
}

int main(void)
{
    mc_tensor *x = mc_load_npy("x.npy");
    mc_print(loss(mc_float(x)));
    mc_print(masked(mc_randn(mc_shape(4), .device = MC_CUDA_AT(1))));
    return 0;
}
