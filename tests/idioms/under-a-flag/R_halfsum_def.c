#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_F16;
    mc_tensor *x = mc_ones(mc_shape(8, 8), .dtype = d);
    x = mc_sum(mc_to_dtype(mc_gt(mc_rand(mc_shape(100, 100)), 0.5), d));
    mc_print(x);
    (void)argv, (void)argc;
}
