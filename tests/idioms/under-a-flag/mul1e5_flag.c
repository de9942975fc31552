#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 ? MC_F16 : MC_F32;
    mc_tensor *x = mc_rand(mc_shape(8, 8), .dtype = d);
    x = mc_mul(x, 1e5);
    mc_print(x);
    (void)argv, (void)argc;
}
