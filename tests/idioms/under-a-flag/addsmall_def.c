#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_F16;
    mc_tensor *x = mc_rand(mc_shape(8, 8), .dtype = d);
    for (int i = 0; i < 1000; i++)
        mc_add_(x, 1e-5);
    mc_print(x);
    (void)argv, (void)argc;
}
