#include <miscast/tensor.h>

mc_tensor *blend(void)
{
    mc_tensor *a = mc_full(mc_shape(4), 200, .dtype = MC_U8), *b = mc_full(mc_shape(4), 100, .dtype = MC_U8);
    mc_tensor *sum = mc_add(a, b); /* expect: byte-arithmetic warning */
    mc_tensor *difference = mc_sub(b, a); /* expect: byte-arithmetic warning */
    mc_mul_(a, 2); /* expect: byte-arithmetic warning */
    return mc_stack(0, sum, difference, a);
}

void counted(mc_tensor *x)
{
    mc_tensor *mask = mc_byte(mc_gt(mc_randn(mc_shape(5000)), 0));
    mc_print(mc_sum(mask, .dtype = MC_U8)); /* expect: byte-arithmetic warning */
    mc_print(x);
}
