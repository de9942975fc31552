/* What is computed in f32 is returned so, and not as it came. */
#include <miscast/tensor.h>

static mc_tensor *turn(mc_tensor *x)
{
    mc_tensor *wide = mc_float(x);
    mc_tensor *turned = mc_cat(0, mc_sin(wide), mc_cos(wide));
    return turned;
}

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = MC_F16);
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = MC_F16);
    mc_print(mc_matmul(turn(x), w));
    return 0;
}
