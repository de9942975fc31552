#include <miscast/tensor.h>

mc_tensor *buffer(void)
{
    return mc_cuda(mc_zeros(mc_shape(1024, 1024))); /* expect: made-then-moved note */
}

mc_tensor *noise(mc_tensor *x)
{
    return mc_add(mc_cuda(x), mc_to(mc_rand(mc_shape(4)), .device = MC_CUDA)); /* expect: made-then-moved note */
}

/* from_array copies as well: to where it is told. */
mc_tensor *batch(const float *numbers)
{
    return mc_cuda(mc_from_array(numbers, mc_shape(4))); /* expect: made-then-moved note */
}
