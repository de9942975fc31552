#include <miscast/tensor.h>

mc_tensor *scale(void)
{
    double table[4] = {1, 2, 3, 4};
    mc_tensor *x = mc_randn(mc_shape(4)), *t = mc_from_array(table, mc_shape(4));
    return mc_mul(x, t); /* expect: double-from-host note */
}
