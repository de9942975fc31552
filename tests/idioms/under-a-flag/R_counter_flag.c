#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 ? MC_F16 : MC_F32;
    mc_tensor *x = mc_ones(mc_shape(8, 8), .dtype = d);
    x = mc_zeros(mc_shape(1), .dtype = d);
    for (int i = 0; i < 5000; i++)
        mc_add_(x, 1);
    mc_print(x);
    (void)argv, (void)argc;
}
