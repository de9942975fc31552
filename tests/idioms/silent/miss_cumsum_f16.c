#include <miscast/tensor.h>
int main(void)
{
    mc_tensor *s = mc_rand(mc_shape(500000), .dtype = MC_F16);
    mc_print(mc_cumsum(s, 0));
    return 0;
}
