/* Layers. Their weights are f32 and stay so: autocast casts what it wants to. */
#include "layers.h"

#include <math.h>

struct linear linear_new(int64_t in, int64_t out, mc_device device)
{
    mc_tensor *w = mc_empty(mc_shape(out, in), .device = device);
    mc_normal_(w, 0, 1 / sqrt((double)in));
    return (struct linear){
        .weight = mc_requires_grad_(w, true),
        .bias = mc_zeros(mc_shape(out), .device = device, .requires_grad = true),
    };
}

mc_tensor *linear_forward(const struct linear *l, mc_tensor *x)
{
    return mc_linear(x, l->weight, l->bias);
}

void linear_parameters(const struct linear *l, struct parameters *p, const char *name)
{
    parameters_add(p, l->weight, "%s.weight", name);
    parameters_add(p, l->bias, "%s.bias", name);
}

struct norm norm_new(int64_t width, mc_device device)
{
    return (struct norm){
        .weight = mc_ones(mc_shape(width), .device = device, .requires_grad = true),
        .bias = mc_zeros(mc_shape(width), .device = device, .requires_grad = true),
    };
}

/* In f32 also where autocast leaves half precision on its way. */
mc_tensor *norm_forward(const struct norm *n, mc_tensor *x)
{
    return mc_layer_norm(mc_float(x), n->weight, n->bias);
}

void norm_parameters(const struct norm *n, struct parameters *p, const char *name)
{
    parameters_add(p, n->weight, "%s.weight", name);
    parameters_add(p, n->bias, "%s.bias", name);
}
