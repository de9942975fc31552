/* Tensors on the CPU and on two GPUs; where each is was decided before it was cast. */
#include <miscast/tensor.h>

static mc_tensor *positions(int n, mc_device device)
{
    mc_tensor *p = mc_arange(n, .device = device);
    return mc_float(p);
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_randn(mc_shape(4), .device = MC_CUDA);
    mc_tensor *y = mc_randn(mc_shape(4), .device = argc > 3 ? MC_CUDA_AT(1) : MC_CUDA_AT(2));
    mc_tensor *z = mc_to_device(x, MC_CUDA_AT(argc));
    mc_print(mc_add(x, positions(4, MC_CUDA)));
    mc_print(mc_add(z, z));
    if (argc > 1)
        mc_print(mc_add(x, positions(4, MC_CPU)));
    else
        mc_print(mc_add(x, mc_half(y)));
    return 0;
}

mc_tensor *sum(mc_tensor *a, mc_tensor *b)
{
    MC_EXPECT(b, MC_FLOATING, MC_CUDA_AT(1));
    return mc_add(a, b);
}
