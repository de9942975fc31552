#include <miscast/tensor.h>

mc_tensor *twice(mc_tensor *x)
{
    mc_tensor *h = mc_randn(mc_shape(4), .dtype = MC_F16);
    mc_print(mc_half(h)); /* expect: redundant-cast note */
    return mc_add(mc_float(x), mc_float(mc_randn(mc_shape(4)))); /* expect: redundant-cast note */
}
