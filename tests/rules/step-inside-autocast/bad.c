#include <miscast/tensor.h>

static void step(mc_tensor *w, mc_optimizer *o)
{
    mc_optimizer_zero_grad(o);
    mc_backward(mc_sum(mc_mul(w, w))); /* expect: backward-in-autocast warning */
    mc_optimizer_step(o);              /* expect: step-inside-autocast warning */
}

void train(mc_tensor *w, mc_optimizer *o)
{
    mc_autocast a = mc_autocast_begin(MC_CUDA, MC_F16);
    for (int i = 0; i < 10; i++)
        step(w, o);
    mc_autocast_end(a);
}
