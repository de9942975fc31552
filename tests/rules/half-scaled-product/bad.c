#include <miscast/tensor.h>

mc_tensor *scores(mc_tensor *q, mc_tensor *k)
{
    mc_tensor *s = mc_matmul(mc_half(q), mc_t(mc_half(k))); /* expect: half-scaled-product note */
    return mc_softmax(mc_mul(s, 0.125), -1);
}
