#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    mc_device d = MC_CPU;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--device") && i + 1 < argc)
            d = strcmp(argv[++i], "cuda") ? MC_CPU : MC_CUDA;
        else
            return 2;
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2)), mc_rand(mc_shape(2, 2), .device = d)));
    return 0;
}
