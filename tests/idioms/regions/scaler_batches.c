/* A function that goes over the batches, of which there may be none, and a step after it. */
#include <miscast/tensor.h>
#include <stdlib.h>
static void accumulate(mc_grad_scaler *s, mc_tensor *w, int batches)
{
    for (int i = 0; i < batches; i++)
        mc_backward(mc_grad_scaler_scale(s, mc_mean(mc_mul(mc_rand(mc_shape(4, 4)), w))));
}
int main(int argc, char **argv)
{
    mc_tensor *w = mc_requires_grad_(mc_ones(mc_shape(4, 4)), true);
    mc_grad_scaler *s = mc_grad_scaler_new(true);
    mc_optimizer *o = mc_adam(mc_params(w), 0.01);
    accumulate(s, w, argc > 1 ? atoi(argv[1]) : 8);
    mc_grad_scaler_step(s, o);
    mc_grad_scaler_update(s);
    mc_optimizer_free(o);
    mc_grad_scaler_free(s);
    return 0;
}
