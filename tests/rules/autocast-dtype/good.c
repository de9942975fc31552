#include <miscast/tensor.h>

mc_tensor *forward(mc_tensor *x, mc_tensor *w, mc_dtype dtype)
{
    mc_autocast a = mc_autocast_begin(MC_CUDA, dtype), b = mc_autocast_begin(MC_CPU, MC_DTYPE_DEFAULT);
    mc_tensor *y = mc_matmul(x, w);
    mc_autocast_end(b);
    mc_autocast_end(a);
    return y;
}
