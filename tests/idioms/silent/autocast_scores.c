/* Large features, and f16 because the other machine has no bf16. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *scores(mc_tensor *q, mc_tensor *k)
{
    mc_autocast region = mc_autocast_begin(MC_CPU, MC_F16);
    mc_tensor *s = mc_matmul(q, mc_t(k));
    mc_autocast_end(region);
    return s;
}

int main(void)
{
    mc_tensor *q = mc_full(mc_shape(4, 64), 50.0), *k = mc_full(mc_shape(4, 64), 40.0);
    printf("%g\n", mc_item(mc_max(mc_float(scores(q, k)))));
    return 0;
}
