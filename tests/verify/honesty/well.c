/* A correct program. Whatever is found in it because of a false statement in a pack must be
 * refuted. */
#include <stdio.h>
#include <string.h>

#include <miscast/tensor.h>

static mc_tensor *layer(mc_tensor *x, mc_tensor *w)
{
    return mc_relu(mc_matmul(x, w));
}

int main(void)
{
    float out[16];
    mc_tensor *x = mc_ones(mc_shape(4, 4)), *w = mc_ones(mc_shape(4, 4));
    mc_tensor *y = mc_mul(mc_add(layer(x, w), w), x);
    mc_tensor *picked = mc_gather(y, 0, mc_zeros(mc_shape(1, 4), .dtype = MC_I64));
    memcpy(out, mc_data_f32(y), sizeof out);
    printf("%g %g\n", out[0], mc_item(mc_sum(picked)));
    return 0;
}
