#include <miscast/tensor.h>

mc_tensor *loss(void)
{
    mc_tensor *w = mc_randn(mc_shape(4), .requires_grad = true);
    mc_tensor *rounded = mc_long(w); /* expect: int-cast-drops-grad warning */
    return mc_sum(mc_mul(rounded, 0.5));
}
