#include <miscast/tensor.h>

mc_tensor *blend(mc_tensor *scores)
{
    mc_tensor *a = mc_full(mc_shape(4), 200, .dtype = MC_U8), *b = mc_full(mc_shape(4), 100, .dtype = MC_U8);
    mc_tensor *sum = mc_div(mc_add(mc_int(a), mc_int(b)), 2);
    mc_tensor *votes = mc_add(mc_byte(mc_gt(scores, 0)), mc_byte(mc_gt(scores, 1)));
    mc_tensor *both = mc_mul(a, mc_byte(mc_gt(scores, 0)));
    return mc_stack(0, sum, mc_float(votes), mc_float(both), mc_mul(a, 0.5));
}
