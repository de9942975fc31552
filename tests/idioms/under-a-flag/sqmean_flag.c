#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 ? MC_F16 : MC_F32;
    mc_tensor *x = mc_rand(mc_shape(8, 8), .dtype = d);
    x = mc_rsqrt(mc_add(mc_mean(mc_square(x), .dim = mc_dims(-1), .keepdim = true), 1e-6));
    mc_print(x);
    (void)argv, (void)argc;
}
