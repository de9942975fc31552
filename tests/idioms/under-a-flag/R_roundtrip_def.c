#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_F16;
    mc_tensor *x = mc_ones(mc_shape(8, 8), .dtype = d);
    x = mc_float(mc_to_dtype(mc_float(x), d));
    mc_print(x);
    (void)argv, (void)argc;
}
