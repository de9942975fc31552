/* One epoch of mixed precision: the scaler looks at the gradients of every parameter. */
#include <stdio.h>

#include "face.h"

int main(void)
{
    struct face_net net;
    face_net_init(&net);
    mc_optimizer *o = mc_sgd(mc_params(net.trunk, net.slope, net.head), 0.1, .momentum = 0.9);
    mc_grad_scaler *scaler = mc_grad_scaler_new(true, .init_scale = 1024);
    mc_tensor *x = mc_randn(mc_shape(6, INPUT), .device = MC_CUDA);
    mc_tensor *who = mc_randint(0, PEOPLE, mc_shape(6), .device = MC_CUDA);
    for (int step = 0; step < 3; step++) {
        mc_optimizer_zero_grad(o);
        mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16);
        mc_tensor *loss = mc_cross_entropy(face_net_forward(&net, x), who);
        mc_autocast_end(region);
        mc_backward(mc_grad_scaler_scale(scaler, loss));
        mc_grad_scaler_unscale_(scaler, o);
        mc_clip_grad_norm_(mc_optimizer_params(o), 5.0);
        mc_grad_scaler_step(scaler, o);
        mc_grad_scaler_update(scaler);
        printf("step %d: loss %.3f\n", step, mc_item(loss));
    }
    mc_grad_scaler_free(scaler);
    mc_optimizer_free(o);
    return 0;
}
