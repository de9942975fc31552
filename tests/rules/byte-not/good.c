#include <miscast/tensor.h>

mc_tensor *invalid(mc_tensor *x)
{
    mc_tensor *valid = mc_gt(x, 0);
    return mc_bitwise_and(mc_bitwise_not(valid), mc_logical_not(mc_byte(valid)));
}
