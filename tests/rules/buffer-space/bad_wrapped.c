/* Wrapping an array does not move it. */
#include <miscast/tensor.h>

mc_tensor *thresholds(int *levels, mc_device device)
{
    return mc_from_blob(levels, mc_shape(3), .device = device);
}

int main(void)
{
    int levels[3] = {1, 2, 3};
    mc_tensor *t = mc_from_blob(levels, mc_shape(3), .device = MC_CUDA); /* expect: buffer-space error */
    mc_print(t);
    return 0;
}
