#include <miscast/tensor.h>

mc_tensor *masked(mc_tensor *mask)
{
    mc_tensor *scores = mc_full(mc_shape(4, 4), -40, .dtype = MC_F16);
    mc_tensor *bias = mc_mul(mc_half(mask), -65504.0); /* expect: constant-near-limit warning */
    return mc_softmax(mc_add(scores, bias), -1);
}

/* Nobody knows how large the scores are. */
mc_tensor *masked_scores(mc_tensor *mask)
{
    mc_tensor *scores = mc_half(mc_randn(mc_shape(4, 4)));
    mc_tensor *bias = mc_mul(mc_half(mask), -65504.0); /* expect: constant-near-limit note */
    return mc_softmax(mc_add(scores, bias), -1);
}

static mc_tensor *bias(mc_tensor *hidden)
{
    return mc_masked_fill(mc_zeros(mc_shape(4, 4), .dtype = MC_F16), /* expect: constant-near-limit warning */
                          hidden, -65504.0);
}

/* Where both are set, all scores of a row are -inf. */
mc_tensor *twice(mc_tensor *scores, mc_tensor *order, mc_tensor *padding)
{
    return mc_add(mc_add(mc_half(scores), bias(order)), bias(padding));
}
