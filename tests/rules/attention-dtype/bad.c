/* Queries and keys are normalised in f32; the values are not. */
#include <miscast/tensor.h>

static mc_tensor *attend(mc_tensor *q, mc_tensor *k, mc_tensor *v)
{
    q = mc_rms_norm(mc_float(q), NULL);
    k = mc_rms_norm(mc_float(k), NULL);
    return mc_scaled_dot_product_attention(q, k, v, .causal = true); /* expect: attention-dtype error */
}

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(1, 2, 8, 16), .dtype = MC_BF16);
    mc_print(attend(x, x, x));
    return 0;
}
