#include <miscast/tensor.h>

mc_tensor *convert(void)
{
    mc_tensor *w = mc_randn(mc_shape(4), .dtype = MC_BF16), *h = mc_randn(mc_shape(4), .dtype = MC_F16);
    return mc_add(mc_float(w), mc_bfloat16(h));
}
