/* A model that was cast to half, whose norms were made afterwards in the default dtype. */
#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_randn(mc_shape(2, 8), .dtype = MC_F16, .device = MC_CUDA);
    mc_tensor *w = mc_ones(mc_shape(8), .device = MC_CUDA), *b = mc_zeros(mc_shape(8), .device = MC_CUDA);
    if (argc == 1)
        mc_print(mc_layer_norm(x, w, b)); /* expect: norm-dtype error */
    else if (argc == 2)
        mc_print(mc_group_norm(x, 2, mc_half(w), b)); /* expect: norm-dtype error */
    else
        mc_print(mc_layer_norm(mc_float(x), mc_half(w), mc_half(b))); /* expect: norm-dtype error */
    return 0;
}
