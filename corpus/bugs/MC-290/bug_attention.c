/* Attention with a bias that grows with distance. */
#include "engine.h"

/* in the default dtype, which used to be the model's because nobody set it back */
static mc_tensor *alibi_bias(void)
{
    mc_tensor *bias = mc_empty(mc_shape(HEADS, TOKENS, TOKENS), .dtype = default_dtype);
    mc_tensor *at = mc_to_dtype(mc_arange(TOKENS), default_dtype);
    mc_tensor *distance = mc_sub(mc_unsqueeze(at, 0), mc_unsqueeze(at, 1));
    for (int h = 0; h < HEADS; h++)
        mc_copy_(mc_select(bias, 0, h), mc_mul(distance, h ? 0.0625 : 0.25));
    return bias;
}

mc_tensor *layer_attend(const struct layer *l, mc_tensor *x)
{
    mc_tensor *q = mc_bmm(x, l->q), *k = mc_bmm(x, l->k), *v = mc_bmm(x, l->v);
    mc_tensor *kt = mc_transpose(k, 1, 2);
    mc_tensor *scores = mc_baddbmm(alibi_bias(), q, kt); /* expect: matmul-dtype */
    return mc_bmm(mc_softmax(scores, -1), v);
}
