#include <miscast/tensor.h>

void step(mc_tensor *x, mc_tensor *w)
{
    mc_autocast a = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_tensor *loss = mc_sum(mc_matmul(x, w));
    mc_backward(loss); /* expect: backward-in-autocast warning */
    mc_autocast_end(a);
}
