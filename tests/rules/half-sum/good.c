#include <miscast/tensor.h>

mc_tensor *accuracy(mc_tensor *logits, mc_tensor *y)
{
    mc_tensor *right = mc_eq(mc_argmax(logits, .dim = mc_dims(-1)), y);
    mc_tensor *n = mc_add(mc_sum(right), mc_sum(mc_float(right)));
    return mc_add(n, mc_sum(mc_half(mc_randn(mc_shape(4)))));
}
