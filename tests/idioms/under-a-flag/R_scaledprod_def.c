#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_F16;
    mc_tensor *x = mc_ones(mc_shape(8, 8), .dtype = d);
    x = mc_mul(mc_matmul(x, mc_t(x)), 0.125);
    mc_print(x);
    (void)argv, (void)argc;
}
