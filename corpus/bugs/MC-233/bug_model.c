/* The model, made half by hand before it is given to the trainer. */
#include "trainer.h"

void model_init(struct model *m)
{
    mc_manual_seed(12);
    m->w1 = mc_randn(mc_shape(8, 4), .device = MC_CUDA);
    m->w2 = mc_randn(mc_shape(1, 8), .device = MC_CUDA);
    m->w1 = mc_half(m->w1);
    m->w2 = mc_half(m->w2);
    mc_requires_grad_(m->w1, true);
    mc_requires_grad_(m->w2, true);
}

mc_tensor *model_forward(const struct model *m, mc_tensor *x)
{
    return mc_squeeze(mc_linear(mc_relu(mc_linear(x, m->w1, NULL)), m->w2, NULL), -1);
}
