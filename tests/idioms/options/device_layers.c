/* The device and the number of layers both depend on how many words there are; the loop makes the
 * first tensor in all runs, but in some of them it makes no other. */
#include <miscast/tensor.h>

#include <stdlib.h>

int main(int argc, char **argv)
{
    mc_device d = argc > 2 ? MC_CUDA : MC_CPU;
    int layers = argc > 5 ? atoi(argv[5]) : 1;
    mc_tensor *u = mc_zeros(mc_shape(4, 4), .device = d);
    mc_tensor *cache = mc_rand(mc_shape(4, 4), .device = d);
    for (int k = 0; k < 2; k++)
        for (int i = layers; i > 0; i--) {
            mc_print(mc_matmul(u, cache));
            cache = mc_triu(u, 1);
        }
    return 0;
}
