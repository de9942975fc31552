/* The step, with autocast around forward and loss. */
#include <stdio.h>

#include "mask.h"

static double step(const struct mask_head *h, mc_tensor *features, mc_tensor *gt, bool amp)
{
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16, .enabled = amp);
    mc_tensor *loss = mask_loss(mask_head_forward(h, features), gt);
    mc_autocast_end(region);
    mc_backward(loss);
    return mc_item(loss);
}

int main(void)
{
    mc_manual_seed(19);
    struct mask_head h = {
        .conv = mc_randn(mc_shape(4, 2, 3, 3), .device = MC_CUDA, .requires_grad = true),
        .predictor = mc_randn(mc_shape(1, 4, 1, 1), .device = MC_CUDA, .requires_grad = true),
    };
    mc_tensor *features = mc_randn(mc_shape(1, 2, 6, 6), .device = MC_CUDA);
    mc_tensor *gt = mc_ones(mc_shape(1, 1, 6, 6), .device = MC_CUDA);
    printf("loss %.3f\n", step(&h, features, gt, true));
    return 0;
}
