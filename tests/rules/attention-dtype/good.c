#include <miscast/tensor.h>

static mc_tensor *attend(mc_tensor *q, mc_tensor *k, mc_tensor *v)
{
    mc_tensor *nq = mc_type_as(mc_rms_norm(mc_float(q), NULL), v);
    mc_tensor *nk = mc_type_as(mc_rms_norm(mc_float(k), NULL), v);
    return mc_scaled_dot_product_attention(nq, nk, v, .causal = true);
}

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(1, 2, 8, 16), .dtype = MC_BF16);
    mc_print(attend(x, x, x));
    return 0;
}
