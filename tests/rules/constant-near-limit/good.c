#include <miscast/tensor.h>

mc_tensor *masked(mc_tensor *mask)
{
    mc_tensor *scores = mc_half(mc_randn(mc_shape(4, 4)));
    mc_tensor *bias = mc_mul(mc_half(mask), -30000.0);
    mc_tensor *filled = mc_masked_fill(scores, mc_bool(mask), -65504.0);
    return mc_add(mc_softmax(mc_add(scores, bias), -1), mc_softmax(filled, -1));
}

static mc_tensor *bias(mc_tensor *hidden)
{
    return mc_masked_fill(mc_zeros(mc_shape(4, 4), .dtype = MC_F16), hidden, -65504.0);
}

static mc_tensor *half_bias(mc_tensor *hidden)
{
    return mc_masked_fill(mc_zeros(mc_shape(4, 4), .dtype = MC_F16), hidden, -30000.0);
}

mc_tensor *once(mc_tensor *scores, mc_tensor *order)
{
    return mc_add(mc_half(scores), bias(order));
}

mc_tensor *twice(mc_tensor *scores, mc_tensor *order, mc_tensor *padding)
{
    return mc_add(mc_add(mc_half(scores), half_bias(order)), half_bias(padding));
}

mc_tensor *limited(mc_tensor *order, mc_tensor *padding)
{
    return mc_clamp(mc_add(bias(order), bias(padding)), -65504.0, 0.0);
}
