#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *q = mc_randn(mc_shape(1, 2, 8, 16), .dtype = MC_F16);
    mc_tensor *causal = mc_bool(mc_tril(mc_ones(mc_shape(8, 8)), 0));
    mc_tensor *bias = mc_zeros(mc_shape(8, 8), .dtype = MC_F16);
    mc_print(mc_scaled_dot_product_attention(q, q, q, .mask = causal));
    mc_print(mc_scaled_dot_product_attention(q, q, q, .mask = bias));
    return 0;
}
