#include <miscast/tensor.h>
int main(int argc, char **argv)
{
    (void)argv;
    mc_dtype d = argc > 1 ? MC_BF16 : MC_F32;
    mc_tensor *e = mc_ones(mc_shape(4), .dtype = d);
    mc_lerp_(e, mc_zeros_like(e), 0.001);
    mc_print(e);
    return 0;
}
