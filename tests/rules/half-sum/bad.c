#include <miscast/tensor.h>

mc_tensor *accuracy(mc_tensor *logits, mc_tensor *y)
{
    mc_tensor *right = mc_eq(mc_argmax(logits, .dim = mc_dims(-1)), y);
    return mc_sum(mc_half(right)); /* expect: half-sum warning */
}
