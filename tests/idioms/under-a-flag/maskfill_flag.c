#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 ? MC_F16 : MC_F32;
    mc_tensor *x = mc_rand(mc_shape(8, 8), .dtype = d);
    x = mc_softmax(mc_masked_fill(x, mc_gt(x, 0.5), -1e9), -1);
    mc_print(x);
    (void)argv, (void)argc;
}
