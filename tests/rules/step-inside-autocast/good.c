#include <miscast/tensor.h>

void train(mc_tensor *w, mc_optimizer *o)
{
    for (int i = 0; i < 10; i++) {
        mc_autocast a = mc_autocast_begin(MC_CUDA, MC_F16);
        mc_tensor *loss = mc_sum(mc_mul(w, w));
        mc_autocast_end(a);
        mc_optimizer_zero_grad(o);
        mc_backward(loss);
        mc_optimizer_step(o);
    }
}
