#include <miscast/tensor.h>
#include <stdlib.h>
static void step(bool half, mc_tensor *x)
{
    mc_grad_mode mode = mc_no_grad_begin();
    mc_tensor *w = mc_requires_grad_(mc_ones(mc_shape(4, 4)), true);
    mc_grad_scaler *s = mc_grad_scaler_new(half);
    mc_optimizer *o = mc_adam(mc_params(w), 0.01);
    mc_tensor *loss = mc_grad_scaler_scale(s, mc_mean(mc_mul(x, w)));
    if (mc_requires_grad(loss))
        mc_backward(loss);
    mc_grad_scaler_step(s, o);
    mc_optimizer_free(o);
    mc_grad_scaler_free(s);
    mc_grad_mode_end(mode);
}
int main(int argc, char **argv)
{
    step(argc > 1 && atoi(argv[1]), mc_rand(mc_shape(4, 4)));
    return 0;
}
