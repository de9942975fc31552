#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_BF16;
    mc_tensor *x = mc_rand(mc_shape(8, 8), .dtype = d);
    for (int i = 0; i < 1000; i++)
        mc_lerp_(x, mc_ones_like(x), 0.001);
    mc_print(x);
    (void)argv, (void)argc;
}
