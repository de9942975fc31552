#include <miscast/tensor.h>

static mc_tensor *weight(int in, int out, mc_dtype dtype = MC_F16)
{
    return mc_randn(mc_shape(in, out), .dtype = dtype);
}

int main()
{
    mc_tensor *x = mc_ones(mc_shape(2, 4));
    mc_print(mc_matmul(x, weight(4, 4)));
    mc_print(mc_matmul(mc_half(x), weight(4, 4, MC_F16)));
    return 0;
}
