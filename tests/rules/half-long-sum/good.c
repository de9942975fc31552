#include <miscast/tensor.h>

mc_tensor *cost(mc_tensor *unknown)
{
    mc_tensor *points = mc_ones(mc_shape(4, 1200), .dtype = MC_F16);
    mc_tensor *many = mc_ones(mc_shape(4, 120000));
    mc_print(mc_sum(mc_div(mc_half(many), 120000)));
    mc_tensor *wide = mc_add(mc_sum(many), mc_sum(mc_bfloat16(many)));
    return mc_add(mc_add(mc_sum(points), wide), mc_sum(mc_half(unknown)));
}

/* Fewer, and what is not known to be losses. */
mc_tensor *losses(mc_tensor *logits)
{
    mc_tensor *ids = mc_randint(0, 1000, mc_shape(1000)), *h = mc_randn(mc_shape(12000), .dtype = MC_F16);
    mc_tensor *each = mc_cross_entropy(mc_half(logits), ids, .reduction = MC_NO_REDUCTION);
    return mc_add(mc_sum(each), mc_sum(h));
}

mc_tensor *channel_sums(void)
{
    mc_tensor *x = mc_rand(mc_shape(4, 3, 224, 224));
    mc_print(mc_sum(x, .dim = mc_dims(1), .dtype = MC_F16));
    return mc_sum(x, .dim = mc_dims(0, 2, 3), .dtype = MC_F32);
}
