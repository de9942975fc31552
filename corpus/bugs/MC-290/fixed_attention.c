/* Attention with a bias that grows with distance. */
#include "engine.h"

static mc_tensor *bias_like(mc_tensor *q)
{
    mc_dtype dtype = mc_dtype_of(q);
    mc_tensor *bias = mc_empty(mc_shape(HEADS, TOKENS, TOKENS), .dtype = dtype);
    mc_tensor *at = mc_to_dtype(mc_arange(TOKENS), dtype);
    mc_tensor *distance = mc_sub(mc_unsqueeze(at, 0), mc_unsqueeze(at, 1));
    for (int h = 0; h < HEADS; h++)
        mc_copy_(mc_select(bias, 0, h), mc_mul(distance, h ? 0.0625 : 0.25));
    return bias;
}

mc_tensor *layer_attend(const struct layer *l, mc_tensor *x)
{
    mc_tensor *q = mc_bmm(x, l->q), *k = mc_bmm(x, l->k), *v = mc_bmm(x, l->v);
    mc_tensor *kt = mc_transpose(k, 1, 2);
    mc_tensor *scores = mc_baddbmm(bias_like(q), q, kt);
    return mc_bmm(mc_softmax(scores, -1), v);
}
