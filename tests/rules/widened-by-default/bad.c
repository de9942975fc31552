#include <miscast/tensor.h>

mc_tensor *rotate(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 8), .dtype = MC_BF16);
    mc_tensor *cosine = mc_ones(mc_shape(8));
    return mc_mul(x, cosine); /* expect: widened-by-default note */
}

mc_tensor *noise(void)
{
    mc_tensor *w = mc_randn(mc_shape(4), .dtype = MC_F16);
    return mc_add(w, mc_randn(mc_shape_of(w))); /* expect: widened-by-default note */
}
