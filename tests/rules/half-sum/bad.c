#include <miscast/tensor.h>

mc_tensor *accuracy(mc_tensor *logits, mc_tensor *y)
{
    mc_tensor *right = mc_eq(mc_argmax(logits, .dim = mc_dims(-1)), y);
    return mc_sum(mc_half(right)); /* expect: half-sum warning */
}

/* 0 + 1 + … + 64 is 2080; of 257 truths the last may not count. */
mc_tensor *many(void)
{
    mc_tensor *n = mc_sum(mc_half(mc_arange(65))); /* expect: half-sum warning */
    mc_tensor *right = mc_gt(mc_randn(mc_shape(257)), 0);
    return mc_add(n, mc_sum(mc_bfloat16(right))); /* expect: half-sum warning */
}

/* The position of each token, from a mask that went through views. */
mc_tensor *positions(void)
{
    mc_tensor *mask = mc_unsqueeze(mc_bfloat16(mc_ge(mc_arange(3000), 100)), 0);
    return mc_cumsum(mask, 1); /* expect: half-sum warning */
}

mc_tensor *words(mc_tensor *ids)
{
    mc_tensor *counts = mc_zeros(mc_shape(100), .dtype = MC_F16);
    return mc_index_add_(counts, 0, ids, mc_ones(mc_shape(10000), .dtype = MC_F16)); /* expect: half-sum warning */
}
