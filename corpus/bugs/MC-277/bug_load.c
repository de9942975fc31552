/* The loader halves everything, for the GPU it was written on. */
#include "vision.h"

void model_load(struct model *m)
{
    mc_manual_seed(80);
    m->mean = mc_randn(mc_shape(WIDTH));
    m->root = mc_randn(mc_shape(WIDTH, WIDTH));
    m->mean = mc_half(m->mean);
    m->root = mc_half(m->root);
}
