#include <miscast/tensor.h>

mc_tensor *masked(mc_tensor *mask)
{
    mc_tensor *scores = mc_half(mc_randn(mc_shape(4, 4)));
    mc_tensor *bias = mc_mul(mc_half(mask), -30000.0);
    mc_tensor *filled = mc_masked_fill(scores, mc_bool(mask), -65504.0);
    return mc_add(mc_softmax(mc_add(scores, bias), -1), mc_softmax(filled, -1));
}
