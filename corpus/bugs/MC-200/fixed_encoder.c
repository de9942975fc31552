/* bug_encoder.c, fixed: the mask is negated as a bool. */
#include "encoder.h"

void encoder_init(struct encoder *e)
{
    mc_manual_seed(2);
    e->embedding = mc_randn(mc_shape(10, WIDTH));
    e->qkv = mc_randn(mc_shape(3 * WIDTH, WIDTH));
}

static mc_tensor *additive(mc_tensor *mask)
{
    return mc_mul(mc_bitwise_not(mask), -1e4);
}

mc_tensor *encoder_forward(const struct encoder *e, mc_tensor *ids, mc_tensor *mask)
{
    mc_tensor *x = mc_linear(mc_embedding(ids, e->embedding), e->qkv, NULL);
    mc_tensor *q = mc_narrow(x, -1, 0, WIDTH), *k = mc_narrow(x, -1, WIDTH, WIDTH);
    mc_tensor *scores = mc_add(mc_mul(mc_matmul(q, mc_t(k)), 0.35), additive(mask));
    return mc_matmul(mc_softmax(scores, -1), mc_narrow(x, -1, 2 * WIDTH, WIDTH));
}
