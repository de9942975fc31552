#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_F16;
    mc_tensor *x = mc_ones(mc_shape(8, 8), .dtype = d);
    mc_data_f32(x)[0] = 1;
    mc_print(x);
    (void)argv, (void)argc;
}
