#include <miscast/tensor.h>

static mc_tensor *to_host(mc_tensor *x)
{
    return mc_cpu(x);
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_randn(mc_shape(4, 4), .device = MC_CUDA);
    mc_tensor *y = to_host(x);
    if (argc == 1)
        mc_print(mc_matmul(x, y)); /* expect: device-mismatch error */
    else
        mc_print(mc_add(y, x)); /* expect: device-mismatch error */
    return 0;
}
