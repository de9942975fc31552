#include <miscast/tensor.h>

static mc_tensor *half_block(void)
{
    mc_set_default_dtype(MC_F16); /* expect: leaked-default-dtype warning */
    return mc_randn(mc_shape(4, 4));
}

int main(void)
{
    mc_tensor *w = half_block();
    mc_tensor *steps = mc_full(mc_shape(1000), 0.1);
    mc_print(mc_add(mc_sum(steps), mc_sum(w)));
    return 0;
}
