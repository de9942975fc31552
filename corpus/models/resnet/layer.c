/* A convolution with its batch norm. */
#include "resnet.h"

#include <math.h>

struct conv_norm conv_norm_new(int64_t in, int64_t out, int64_t window, int64_t stride,
                               mc_device device)
{
    double size = sqrt(2.0 / (double)(in * window * window));
    mc_tensor *w = mc_randn(mc_shape(out, in, window, window), .device = device);
    return (struct conv_norm){
        .stride = stride,
        .weight = mc_requires_grad_(mc_mul_(w, size), true),
        .scale = mc_ones(mc_shape(out), .device = device, .requires_grad = true),
        .shift = mc_zeros(mc_shape(out), .device = device, .requires_grad = true),
        .mean = mc_zeros(mc_shape(out), .device = device),
        .var = mc_ones(mc_shape(out), .device = device),
    };
}

mc_tensor *conv_norm_forward(const struct conv_norm *l, mc_tensor *x, bool training)
{
    int64_t padding = mc_size(l->weight, 2) / 2;
    mc_tensor *y =
        mc_conv2d(x, l->weight, l->bias, .stride = mc_dims(l->stride), .padding = mc_dims(padding));
    if (l->bias)
        return y;
    return mc_batch_norm(y, l->mean, l->var, .weight = l->scale, .bias = l->shift,
                         .training = training);
}
