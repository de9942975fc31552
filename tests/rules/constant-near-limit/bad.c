#include <miscast/tensor.h>

mc_tensor *masked(mc_tensor *mask)
{
    mc_tensor *scores = mc_half(mc_randn(mc_shape(4, 4)));
    mc_tensor *bias = mc_mul(mc_half(mask), -65504.0); /* expect: constant-near-limit warning */
    return mc_softmax(mc_add(scores, bias), -1);
}
