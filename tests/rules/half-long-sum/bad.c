#include <miscast/tensor.h>

mc_tensor *cost(void)
{
    mc_tensor *points = mc_ones(mc_shape(4, 120000), .dtype = MC_F16);
    mc_tensor *labels = mc_ones(mc_shape(120000, 2), .dtype = MC_F16);
    mc_tensor *both = mc_matmul(points, labels); /* expect: half-long-sum warning */
    return mc_add(both, mc_sum(points)); /* expect: half-long-sum warning */
}

void running_total(void)
{
    mc_tensor *x = mc_rand(mc_shape(500000), .dtype = MC_F16);
    mc_print(mc_cumsum(x, 0)); /* expect: half-long-sum warning */
}

mc_tensor *losses(mc_tensor *logits, mc_tensor *tokens)
{
    mc_tensor *ids = mc_randint(0, 1000, mc_shape(12000));
    mc_tensor *each = mc_cross_entropy(mc_half(logits), ids, .reduction = MC_NO_REDUCTION);
    mc_tensor *total = mc_sum(each); /* expect: half-long-sum note */
    return mc_add(total, mc_half(tokens));
}

mc_tensor *channel_sums(void)
{
    mc_tensor *x = mc_rand(mc_shape(4, 3, 224, 224));
    return mc_sum(x, .dim = mc_dims(0, 2, 3), .dtype = MC_F16); /* expect: half-long-sum warning */
}
