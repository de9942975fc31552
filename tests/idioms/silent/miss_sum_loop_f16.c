#include <miscast/tensor.h>
int main(void)
{
    mc_tensor *e = mc_ones(mc_shape(1, 4096), .dtype = MC_F16);
    mc_tensor *s = mc_zeros(mc_shape(1), .dtype = MC_F16);
    for (int i = 0; i < 4096; i++)
        mc_add_(s, mc_select(e, 1, i));
    mc_print(s);
    return 0;
}
