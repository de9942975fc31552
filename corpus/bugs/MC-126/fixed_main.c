/* Compares with the attention of the library. */
#include <stdio.h>

#include "attention.h"

int main(void)
{
    mc_manual_seed(126);
    mc_tensor *q = mc_randn(mc_shape(4, 15)), *k = mc_randn(mc_shape(4, 15));
    mc_tensor *v = mc_randn(mc_shape(4, 15));
    bool same =
        mc_allclose(attention(q, k, v), mc_scaled_dot_product_attention(q, k, v), .atol = 1e-5);
    printf("%s as the library's; %d heads\n", same ? "the same" : "not the same",
           (int)mc_item_int(as_int(mc_scalar_tensor(1.0))));
    return !same;
}
