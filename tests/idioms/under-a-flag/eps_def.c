#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_F16;
    mc_tensor *x = mc_rand(mc_shape(8, 8), .dtype = d);
    x = mc_div(x, mc_add(mc_sqrt(x), 1e-8));
    mc_print(x);
    (void)argv, (void)argc;
}
