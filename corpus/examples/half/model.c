/* The forward pass, in the precision of its input. */
#include "model.h"

mc_tensor *model_forward(const struct model *m, mc_tensor *x)
{
    mc_tensor *h = mc_layer_norm(x, m->norm_w, m->norm_b);
    h = mc_gelu(mc_linear(h, m->w1, m->b1));
    return mc_softmax(mc_linear(h, m->w2, m->b2), -1);
}
