#include <miscast/tensor.h>
#include <string.h>
int main(int argc, char **argv)
{
    mc_device device = MC_CPU;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--cuda") == 0)
            device = MC_CUDA;
    mc_tensor *w = mc_randn(mc_shape(8, 3, 3, 3), .device = device),
              *x = mc_rand(mc_shape(1, 3, 8, 8), .device = device);
    mc_print(mc_conv2d(x, w, NULL));
    return 0;
}
