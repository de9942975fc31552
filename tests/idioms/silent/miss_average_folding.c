#include <miscast/tensor.h>
int main(void)
{
    mc_tensor *e = mc_zeros(mc_shape(4), .dtype = MC_F16);
    mc_lerp_(e, mc_ones_like(e), 1 - 0.9999);
    mc_print(e);
    return 0;
}
