#include <miscast/tensor.h>

mc_tensor *invalid(mc_tensor *x)
{
    mc_tensor *valid = mc_byte(mc_gt(x, 0));
    return mc_bitwise_not(valid); /* expect: byte-not warning */
}
