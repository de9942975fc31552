#include <math.h>

#include <miscast/tensor.h>

mc_tensor *masked(mc_tensor *mask)
{
    mc_tensor *scores = mc_half(mc_randn(mc_shape(4, 4)));
    mc_tensor *bias = mc_mul(mc_bfloat16(mask), -1e9);
    return mc_add(mc_add(scores, bias), mc_mul(mc_half(mask), -60000));
}

mc_tensor *infinite(mc_tensor *x)
{
    return mc_sub(mc_half(x), INFINITY);
}

mc_tensor *divided(mc_tensor *x)
{
    return mc_div(mc_half(x), 1e5);
}

mc_tensor *nothing(mc_tensor *x)
{
    return mc_mul(mc_half(x), 0);
}
