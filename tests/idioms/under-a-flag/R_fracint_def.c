#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_I64;
    mc_tensor *x = mc_ones(mc_shape(8, 8), .dtype = d);
    mc_fill_(x, 0.5);
    mc_print(x);
    (void)argv, (void)argc;
}
