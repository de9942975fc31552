/* Scales attention scores by the root of the head size. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *number(mc_tensor *x)
{
    return mc_to_dtype(x, MC_I32);
}

static mc_tensor *scores(mc_tensor *q, mc_tensor *k)
{
    mc_tensor *d = mc_scalar_tensor((double)mc_size(q, 1));
    return mc_div(mc_matmul(q, mc_t(k)), number(mc_sqrt(d)));
}

int main(void)
{
    mc_tensor *q = mc_ones(mc_shape(2, 15)), *k = mc_ones(mc_shape(2, 15));
    printf("%g\n", mc_item(mc_mean(scores(q, k))));
    return 0;
}
