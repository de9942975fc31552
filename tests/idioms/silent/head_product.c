/* Similarity of heads, elementwise and summed in f32. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *similarity(mc_tensor *q, mc_tensor *k)
{
    mc_tensor *products = mc_mul(q, k);
    return mc_sum(products, .dim = mc_dims(1), .dtype = MC_F32);
}

int main(void)
{
    mc_manual_seed(5);
    mc_tensor *q = mc_half(mc_add(mc_mul(mc_rand(mc_shape(2, 8)), 100.0), 300.0));
    mc_tensor *k = mc_half(mc_full(mc_shape(2, 8), 280.0));
    printf("%g\n", mc_item(mc_max(similarity(q, k))));
    return 0;
}
