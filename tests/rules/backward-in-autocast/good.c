#include <miscast/tensor.h>

void step(mc_tensor *x, mc_tensor *w)
{
    mc_autocast a = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_tensor *loss = mc_sum(mc_matmul(x, w));
    mc_autocast_end(a);
    mc_backward(loss);
}

void off(mc_tensor *loss)
{
    mc_autocast a = mc_autocast_begin(MC_CUDA, MC_F16, .enabled = false);
    mc_backward(loss);
    mc_autocast_end(a);
}
