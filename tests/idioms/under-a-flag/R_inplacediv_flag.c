#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 ? MC_I64 : MC_F32;
    mc_tensor *x = mc_ones(mc_shape(8, 8), .dtype = d);
    mc_div_(x, 2);
    mc_print(x);
    (void)argv, (void)argc;
}
