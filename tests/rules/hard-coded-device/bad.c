/* The loss knows better than its operands where to compute. */
#include <miscast/tensor.h>

static mc_tensor *loss(mc_tensor *scores)
{
    mc_tensor *target = mc_ones(mc_shape(4), .device = MC_CUDA);
    return mc_mse_loss(scores, target); /* expect: hard-coded-device error */
}

int main(void)
{
    mc_tensor *x = mc_load_npy("x.npy");
    mc_print(loss(x));
    return 0;
}
