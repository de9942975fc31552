/* The same, continued with what the scaler is for: scale, backward, step. The gradients are f16 as
 * the weights are, and a scaler refuses to unscale those. */
#include <stdio.h>

#include "model.h"

int main(void)
{
    struct model m;
    mc_manual_seed(33);
    model_init(&m, 8, 4);
    mc_tensor *x = mc_randn(mc_shape(2, 8));

    mc_grad_scaler *scaler = mc_grad_scaler_new(true);
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16);
    model_cuda_half(&m);
    mc_tensor *loss = mc_mean(model_forward(&m, mc_half(mc_cuda(x))));
    mc_autocast_end(region);

    mc_optimizer *optimizer = mc_sgd(mc_params(m.w, m.b), 0.1);
    mc_backward(mc_grad_scaler_scale(scaler, loss));
    printf("gradient: %s\n", mc_dtype_name(mc_dtype_of(mc_grad(m.w))));
    mc_grad_scaler_step(scaler, optimizer); /* expect: unscale-half-gradients error */
    mc_grad_scaler_update(scaler);
    mc_optimizer_free(optimizer);
    mc_grad_scaler_free(scaler);
    return 0;
}
