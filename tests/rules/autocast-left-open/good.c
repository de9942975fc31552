#include <miscast/tensor.h>

mc_tensor *forward(mc_tensor *x, mc_tensor *w)
{
    mc_autocast a = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_tensor *y = w ? mc_matmul(x, w) : x;
    mc_autocast_end(a);
    return y;
}

mc_autocast begin(void)
{
    return mc_autocast_begin(MC_CUDA, MC_F16);
}
