/* The head yields logits, and the loss takes them: this one autocast computes in f32. */
#include "mask.h"

mc_tensor *mask_head_forward(const struct mask_head *h, mc_tensor *features)
{
    mc_tensor *x = mc_relu(mc_conv2d(features, h->conv, NULL, .padding = mc_dims(1)));
    return mc_conv2d(x, h->predictor, NULL);
}

mc_tensor *mask_loss(mc_tensor *pred, mc_tensor *gt)
{
    return mc_binary_cross_entropy_with_logits(pred, gt);
}
