#include <miscast/tensor.h>
int main(void)
{
    mc_tensor *e = mc_ones(mc_shape(4), .dtype = MC_BF16),
              *p = mc_randn(mc_shape(4), .dtype = MC_BF16);
    e = mc_add(mc_mul(e, 0.999), mc_mul(p, 0.001));
    mc_print(e);
    return 0;
}
