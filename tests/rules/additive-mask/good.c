#include <math.h>
#include <miscast/tensor.h>

void attention(void)
{
    mc_tensor *q = mc_randn(mc_shape(2, 8, 4)), *k = mc_randn(mc_shape(2, 4, 8));
    mc_tensor *ones = mc_tril(mc_ones(mc_shape(8, 8)), 0);
    mc_tensor *mask = mc_mul(mc_rsub(ones, 1.0), -10000.0);
    mc_print(mc_softmax(mc_add(mc_matmul(q, k), mask), -1));
    mc_print(mc_softmax(mc_masked_fill(mc_matmul(q, k), mc_eq(ones, 0), -INFINITY), -1));
    mc_print(mc_add(mc_softmax(mc_matmul(q, k), -1), ones));
}

void padding(mc_tensor *x, mc_tensor *mask)
{
    mc_print(mc_softmax(mc_add(x, mask), -1));
    mc_print(mc_scaled_dot_product_attention(x, x, x, .mask = mc_lt(mc_arange(8), 4)));
    mc_print(mc_softmax(mc_add(x, 1.0), -1));
    mc_print(mc_softmax(mc_add(x, mc_ones(mc_shape(8))), -1));
}
