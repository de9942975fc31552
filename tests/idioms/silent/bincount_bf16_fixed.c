/* How many tokens each expert received, next to the router in bf16. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *load(mc_tensor *choice, int64_t experts, mc_dtype d)
{
    mc_tensor *count = mc_zeros(mc_shape(experts), .dtype = d);
    mc_tensor *one = mc_ones(mc_shape_of(choice), .dtype = d);
    return mc_scatter_add_(count, 0, choice, one);
}

int main(void)
{
    mc_tensor *choice = mc_remainder(mc_arange(3000), 4);
    mc_tensor *c = load(choice, 4, MC_I64);
    printf("%g tokens\n", mc_item(mc_sum(mc_float(c))));
    return 0;
}
