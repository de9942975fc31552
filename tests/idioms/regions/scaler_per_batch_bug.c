#include <miscast/tensor.h>
#include <stdlib.h>

/* Each batch is scaled, and goes back only where the loss requires grad: in the loop there is a
 * step for every backward that is left out. */
static void train(mc_tensor *w, mc_optimizer *o, int epochs)
{
    for (int i = 0; i < epochs; i++) {
        mc_grad_scaler *scaler = mc_grad_scaler_new(true);
        mc_optimizer_zero_grad(o);
        mc_tensor *loss = mc_mean(mc_square(w));
        mc_tensor *scaled = mc_grad_scaler_scale(scaler, loss);
        if (mc_requires_grad(scaled))
            mc_backward(scaled);
        mc_grad_scaler_step(scaler, o);
        mc_grad_scaler_update(scaler);
        mc_grad_scaler_free(scaler);
    }
}

int main(int argc, char **argv)
{
    mc_tensor *w = mc_requires_grad_(mc_rand(mc_shape(4, 4), .device = MC_CUDA), true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    bool frozen = argc > 1 && atoi(argv[1]) != 0;
    mc_grad_mode mode;
    if (frozen)
        mode = mc_no_grad_begin();
    train(w, o, 3);
    if (frozen)
        mc_grad_mode_end(mode);
    mc_optimizer_free(o);
    return 0;
}
