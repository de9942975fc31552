/* A branch that looks where it is; the same device on both ways. */
#include <miscast/tensor.h>

mc_tensor *forward(mc_tensor *x, mc_tensor *w)
{
    if (!mc_is_cuda(x))
        x = mc_cuda(x);
    return mc_relu(mc_matmul(x, mc_cuda(w)));
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_device device = argc > 1 && mc_cuda_is_available() ? MC_CUDA : MC_CPU;
    mc_tensor *x = mc_randn(mc_shape(4, 4), .device = device), *w = mc_randn(mc_shape(4, 4), .device = device);
    mc_print(mc_cpu(mc_matmul(x, w)));
    mc_print(forward(x, w));
    return 0;
}
