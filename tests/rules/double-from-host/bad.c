#include <miscast/tensor.h>

mc_tensor *scale(void)
{
    double table[4] = {1, 2, 3, 4};
    mc_tensor *x = mc_randn(mc_shape(4)), *t = mc_from_array(table, mc_shape(4));
    return mc_mul(x, t); /* expect: double-from-host note */
}

mc_tensor *found(void)
{
    double edges[3] = {0.1, 0.2, 0.3};
    mc_tensor *e = mc_from_array(edges, mc_shape(3));
    return mc_eq(mc_float(e), e); /* expect: double-from-host note */
}
