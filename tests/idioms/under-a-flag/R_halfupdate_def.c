#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_BF16;
    mc_tensor *x = mc_ones(mc_shape(8, 8), .dtype = d);
    mc_tensor *g = mc_ones_like(x);
    for (int i = 0; i < 100; i++)
        mc_sub_(x, g, .alpha = MC_NUM(1e-5));
    mc_print(x);
    (void)argv, (void)argc;
}
