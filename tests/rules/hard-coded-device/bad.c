/* The loss knows better than its operands where to compute. */
#include <miscast/tensor.h>

static mc_tensor *loss(mc_tensor *scores)
{
    mc_tensor *target = mc_ones(mc_shape(4), .device = MC_CUDA);
    return mc_mse_loss(scores, target); /* expect: hard-coded-device error */
}

/* The rest of the program may use another GPU than the first. */
static mc_tensor *masked(mc_tensor *scores)
{
    mc_tensor *mask = mc_zeros(mc_shape(4), .device = MC_CUDA);
    return mc_add(scores, mask); /* expect: hard-coded-device error */
}

int main(void)
{
    mc_tensor *x = mc_load_npy("x.npy");
    mc_print(loss(x));
    mc_print(masked(mc_randn(mc_shape(4), .device = MC_CUDA_AT(1))));
    return 0;
}
