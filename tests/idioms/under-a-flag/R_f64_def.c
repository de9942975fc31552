#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_F64;
    mc_tensor *x = mc_ones(mc_shape(8, 8), .dtype = d);
    x = mc_add(mc_rand(mc_shape(8, 8)), x);
    mc_print(x);
    (void)argv, (void)argc;
}
