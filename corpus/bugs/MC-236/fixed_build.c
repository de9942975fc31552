/* Builds the model: the encoder in its own precision, frozen or not. */
#include "vision.h"

void model_build(struct model *m, const struct config *c)
{
    mc_manual_seed(6);
    m->vit = mc_to_dtype(mc_randn(mc_shape(8, 6), .device = MC_CUDA), c->vit_precision);
    mc_requires_grad_(m->vit, !c->freeze_vit);
    m->projector = mc_randn(mc_shape(2, 8), .device = MC_CUDA, .requires_grad = true);
}
