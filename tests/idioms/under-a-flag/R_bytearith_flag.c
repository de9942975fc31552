#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 ? MC_U8 : MC_I64;
    mc_tensor *x = mc_ones(mc_shape(8, 8), .dtype = d);
    x = mc_sub(x, mc_full(mc_shape(8, 8), 3, .dtype = d));
    mc_print(x);
    (void)argv, (void)argc;
}
