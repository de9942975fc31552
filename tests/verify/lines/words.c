/* Positional words: the dtype, then the device. */
#include <miscast/tensor.h>

#include <string.h>

int main(int argc, char **argv)
{
    mc_dtype dtype = MC_F32;
    mc_device device = MC_CPU;
    if (argc > 1 && strcmp(argv[1], "f16") != 0 && strcmp(argv[1], "f32") != 0)
        return 2;
    if (argc > 1 && strcmp(argv[1], "f16") == 0)
        dtype = MC_F16;
    if (argc > 2 && strcmp(argv[2], "cuda") == 0)
        device = MC_CUDA;
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = dtype, .device = device);
    mc_tensor *w = mc_randn(mc_shape(4, 4), .device = device);
    if (device == MC_CUDA)
        mc_print(mc_matmul(x, w));
    return 0;
}
