/* A device set in a loop, and an operand left on the CPU. */
#include <string.h>
#include <miscast/tensor.h>
int main(int argc, char **argv)
{
    mc_device d = MC_CPU;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--gpu") == 0)
            d = MC_CUDA;
    mc_tensor *x = mc_randn(mc_shape(4, 4), .device = d),
              *w = mc_randn(mc_shape(4, 4), .device = d);
    mc_tensor *b = mc_zeros(mc_shape(4));
    mc_print(mc_linear(x, w, b));
}
