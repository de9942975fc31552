/* Positions for a small model in f32 and a large one in bf16. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *angles(mc_tensor *like, int64_t n)
{
    mc_tensor *t = mc_arange(n, .dtype = mc_dtype_of(like));
    return mc_sin(mc_mul(t, 0.01));
}

int main(void)
{
    mc_tensor *small = mc_zeros(mc_shape(1)), *large = mc_zeros(mc_shape(1), .dtype = MC_BF16);
    mc_tensor *d = mc_sub(mc_float(angles(large, 2000)), angles(small, 2000));
    printf("%.2f\n", mc_item(mc_max(mc_abs(d))));
    return 0;
}
