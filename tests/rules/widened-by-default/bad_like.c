/* Another tensor is cast to the dtype of the result, which nobody chose. */
#include <miscast/tensor.h>

mc_tensor *scaled(mc_tensor *w)
{
    mc_tensor *scale = mc_full(mc_shape(1), 4.0);
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = MC_BF16);
    mc_tensor *h = mc_mul(x, scale); /* expect: widened-by-default note */
    return mc_matmul(h, mc_type_as(w, h));
}
