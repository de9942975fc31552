/* A linear layer in f32; then layer and input go to the GPU in f16, inside autocast, with a scaler
 * at hand. That the weights are f16 by themselves is not how autocast is meant, but forward runs.
 */
#include <stdio.h>

#include "model.h"

static void show(const char *name, const mc_tensor *t)
{
    printf("%s: %s on %s\n", name, mc_dtype_name(mc_dtype_of(t)), mc_device_name(mc_device_of(t)));
}

int main(void)
{
    struct model m;
    mc_manual_seed(33);
    model_init(&m, 8, 4);
    mc_tensor *x = mc_randn(mc_shape(2, 8));
    show("in f32", model_forward(&m, x));

    mc_grad_scaler *scaler = mc_grad_scaler_new(true);
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16);
    model_cuda_half(&m);
    mc_tensor *y = model_forward(&m, mc_half(mc_cuda(x)));
    mc_autocast_end(region);
    show("in autocast", y);
    printf("scale: %g\n", mc_grad_scaler_get_scale(scaler));
    mc_grad_scaler_free(scaler);
    return 0;
}
