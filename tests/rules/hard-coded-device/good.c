#include <miscast/tensor.h>

static mc_tensor *loss(mc_tensor *scores)
{
    mc_tensor *target = mc_ones(mc_shape(4), .device = mc_device_of(scores));
    return mc_mse_loss(scores, target);
}

int main(void)
{
    mc_tensor *x = mc_load_npy("x.npy");
    mc_print(loss(mc_float(x)));
    return 0;
}
