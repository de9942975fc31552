/* People say that an i32 tensor times an f32 one fails. It works, and gives f32. */
#include <stdio.h>

#include <miscast/tensor.h>

static mc_tensor *scaled(mc_tensor *counts, mc_tensor *weights)
{
    return mc_mul(counts, weights);
}

int main(void)
{
    mc_tensor *counts = mc_ones(mc_shape(2, 2), .dtype = MC_I32);
    mc_tensor *weights = mc_full(mc_shape(2, 2), 0.25);
    mc_tensor *y = scaled(counts, weights);
    printf("%s times %s: %s\n", mc_dtype_name(mc_dtype_of(counts)),
           mc_dtype_name(mc_dtype_of(weights)), mc_dtype_name(mc_dtype_of(y)));
    mc_print(y);
    return 0;
}
