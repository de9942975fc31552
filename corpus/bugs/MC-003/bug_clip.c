/* The encoder knows nothing of precision. */
#include "clip.h"

void encoder_init(struct encoder *e)
{
    mc_manual_seed(3);
    e->patch_w = mc_randn(mc_shape(WIDTH, 12), .device = MC_CUDA);
    e->norm_w = mc_ones(mc_shape(WIDTH), .device = MC_CUDA);
    e->norm_b = mc_zeros(mc_shape(WIDTH), .device = MC_CUDA);
    e->mlp_w = mc_randn(mc_shape(WIDTH, WIDTH), .device = MC_CUDA);
}

mc_tensor *encoder_forward(const struct encoder *e, mc_tensor *pixels)
{
    mc_tensor *x = mc_linear(mc_type_as(pixels, e->patch_w), e->patch_w, NULL);
    mc_tensor *h = mc_layer_norm(x, e->norm_w, e->norm_b); /* expect: norm-dtype */
    return mc_add(x, mc_gelu(mc_linear(h, e->mlp_w, NULL)));
}
