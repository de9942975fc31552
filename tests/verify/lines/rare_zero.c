/* Of 2,048 numbers one is 0, of these 16 none. */
#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype dtype = argc > 1 ? MC_F16 : MC_F32;
    mc_manual_seed(4);
    mc_tensor *x = mc_rand(mc_shape(16), .dtype = dtype);
    mc_print(mc_log(mc_clamp(x, 1e-12, 1.0)));
    (void)argv;
    return 0;
}
