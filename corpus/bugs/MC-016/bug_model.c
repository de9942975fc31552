/* The network. Its weights are f32 in the file. */
#include "reid.h"

void reid_load(struct reid *r, const struct options *o)
{
    mc_manual_seed(16);
    r->norm_w = mc_ones(mc_shape(PIXELS), .device = MC_CUDA);
    r->norm_b = mc_zeros(mc_shape(PIXELS), .device = MC_CUDA);
    r->embed_w = mc_randn(mc_shape(WIDTH, PIXELS), .device = MC_CUDA);
    (void)o; /* the same for all */
}

mc_tensor *reid_features(const struct reid *r, mc_tensor *crops)
{
    mc_tensor *h = mc_layer_norm(crops, r->norm_w, r->norm_b); /* expect: norm-dtype */
    h = mc_linear(h, r->embed_w, NULL);
    return mc_div(h, mc_norm(h, .dim = mc_dims(-1), .keepdim = true));
}
