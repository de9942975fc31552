#include <miscast/tensor.h>

mc_tensor *scores(mc_tensor *q, mc_tensor *k)
{
    mc_tensor *s = mc_matmul(mc_mul(mc_half(q), 0.125), mc_t(mc_half(k)));
    mc_tensor *wide = mc_matmul(mc_bfloat16(q), mc_t(mc_bfloat16(k)));
    return mc_add(mc_softmax(s, -1), mc_softmax(mc_mul(wide, 0.125), -1));
}
