#include <miscast/tensor.h>

mc_tensor *buffer(mc_tensor *x)
{
    mc_tensor *on_host = mc_zeros(mc_shape(4));
    mc_print(on_host);
    return mc_add(mc_zeros(mc_shape(4), .device = MC_CUDA), mc_add(mc_cuda(on_host), mc_cuda(x)));
}

/* A tensor over the numbers is no copy of them. */
mc_tensor *batch(float *numbers)
{
    return mc_cuda(mc_from_blob(numbers, mc_shape(4)));
}
