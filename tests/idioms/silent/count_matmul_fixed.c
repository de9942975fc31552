/* Tokens per document as a product with the membership matrix, inside the forward pass. */
#include <miscast/tensor.h>
#include <stdio.h>

#define TOKENS 1003

int main(void)
{
    mc_tensor *member = mc_ones(mc_shape(2, TOKENS)), *one = mc_ones(mc_shape(TOKENS, 1));
    mc_autocast region = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *count = mc_sum(member, .dim = mc_dims(1));
    mc_autocast_end(region);
    printf("%g\n", mc_item(mc_sum(mc_float(count))));
    return 0;
}
