#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

static mc_tensor *weights, *means;

static void farewell(void)
{
    puts("done");
}

static void compare(void)
{
    if (weights)
        mc_print(mc_sub(weights, means));
}

int main(int argc, char **argv)
{
    if (argc > 2)
        atexit(farewell);
    if (atexit(compare))
        return 1;
    if (argc > 1 && argv[1][0] == '?')
        exit(2);
    weights = mc_randn(mc_shape(4, 4), .device = argc > 1 ? MC_CUDA : MC_CPU);
    means = mc_zeros(mc_shape(4, 4));
    mc_lerp_(means, mc_cpu(weights), 0.1);
    return 0;
}
