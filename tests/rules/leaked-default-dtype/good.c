#include <miscast/tensor.h>

static mc_tensor *half_block(void)
{
    mc_dtype before = mc_get_default_dtype();
    mc_set_default_dtype(MC_F16);
    mc_tensor *w = mc_randn(mc_shape(4, 4));
    mc_set_default_dtype(before);
    return w;
}

int main(void)
{
    mc_tensor *w = half_block();
    mc_tensor *steps = mc_full(mc_shape(1000), 0.1);
    mc_print(mc_add(mc_sum(steps), mc_sum(w)));
    return 0;
}
