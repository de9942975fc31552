/* Adam corrects its averages by 1 - beta^t. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *correction(mc_tensor *beta, int t)
{
    return mc_rsub(mc_pow(beta, t), 1.0);
}

int main(void)
{
    mc_tensor *beta = mc_full(mc_shape(1), 0.999, .dtype = MC_BF16);
    mc_tensor *v = mc_full(mc_shape(1), 1e-3);
    printf("%g\n", mc_item(mc_div(v, mc_float(correction(beta, 10)))));
    return 0;
}
