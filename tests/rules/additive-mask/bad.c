#include <miscast/tensor.h>

void attention(void)
{
    mc_tensor *q = mc_randn(mc_shape(2, 8, 4)), *k = mc_randn(mc_shape(2, 4, 8));
    mc_tensor *mask = mc_tril(mc_ones(mc_shape(8, 8)), 0);
    mc_tensor *scores = mc_add(mc_mul(mc_matmul(q, k), 0.5), mask); /* expect: additive-mask warning */
    mc_print(mc_softmax(scores, -1));
    mc_print(mc_softmax(mc_add(mc_matmul(q, k), mc_rsub(mask, 1.0)), -1)); /* expect: additive-mask warning */
}

void padding(mc_tensor *x)
{
    mc_tensor *lengths = mc_arange(2);
    mc_tensor *mask = mc_float(mc_lt(mc_unsqueeze(mc_arange(8), 0), mc_unsqueeze(lengths, 1)));
    mc_print(mc_softmax(mc_add(x, mask), -1)); /* expect: additive-mask warning */
    mc_print(mc_scaled_dot_product_attention(x, x, x, .mask = mask)); /* expect: additive-mask warning */
}
