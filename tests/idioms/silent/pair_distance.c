/* Squared distances of points by expanding the square. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *distances(mc_tensor *a, mc_tensor *b)
{
    mc_tensor *aa = mc_sum(mc_square(a), .dim = mc_dims(1), .keepdim = true);
    mc_tensor *bb = mc_t(mc_sum(mc_square(b), .dim = mc_dims(1), .keepdim = true));
    return mc_sub(mc_add(aa, bb), mc_mul(mc_matmul(a, mc_t(b)), 2.0));
}

int main(void)
{
    mc_tensor *a = mc_full(mc_shape(1, 2), 40000.25), *b = mc_full(mc_shape(1, 2), 40001.0);
    printf("%g\n", mc_item(distances(a, b)));
    return 0;
}
