#include <miscast/tensor.h>

mc_tensor *cost(mc_tensor *unknown)
{
    mc_tensor *points = mc_ones(mc_shape(4, 1200), .dtype = MC_F16);
    mc_tensor *many = mc_ones(mc_shape(4, 120000));
    mc_print(mc_sum(mc_div(mc_half(many), 120000)));
    mc_tensor *wide = mc_add(mc_sum(many), mc_sum(mc_bfloat16(many)));
    return mc_add(mc_add(mc_sum(points), wide), mc_sum(mc_half(unknown)));
}
