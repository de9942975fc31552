#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *q = mc_randn(mc_shape(1, 2, 8, 16), .dtype = MC_F16);
    if (argc == 1) {
        mc_tensor *mask = mc_tril(mc_ones(mc_shape(8, 8), .dtype = MC_I64), 0);
        mc_print(mc_scaled_dot_product_attention(q, q, q, .mask = mask)); /* expect: attention-mask-dtype error */
    } else {
        mc_tensor *bias = mc_zeros(mc_shape(8, 8), .dtype = MC_BF16);
        mc_print(mc_scaled_dot_product_attention(q, q, q, .mask = bias)); /* expect: attention-mask-dtype error */
    }
    return 0;
}
