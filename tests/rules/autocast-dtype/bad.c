#include <miscast/tensor.h>

mc_tensor *forward(mc_tensor *x, mc_tensor *w)
{
    mc_autocast a = mc_autocast_begin(MC_CUDA, MC_DTYPE_DEFAULT); /* expect: autocast-dtype note */
    mc_tensor *y = mc_matmul(x, w);
    mc_autocast_end(a);
    return y;
}
