#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 ? MC_U8 : MC_I64;
    mc_tensor *x = mc_ones(mc_shape(8, 8), .dtype = d);
    x = mc_index(mc_rand(mc_shape(8, 8)), mc_select(x, 0, 0));
    mc_print(x);
    (void)argv, (void)argc;
}
