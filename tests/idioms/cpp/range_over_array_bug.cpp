#include <miscast/tensor.h>

int main()
{
    mc_tensor *weights[] = {mc_randn(mc_shape(4, 4)), mc_randn(mc_shape(4, 4), .dtype = MC_F16)};
    mc_tensor *x = mc_ones(mc_shape(2, 4));
    for (mc_tensor *w : weights)
        x = mc_matmul(x, w);
    mc_print(x);
    return 0;
}
