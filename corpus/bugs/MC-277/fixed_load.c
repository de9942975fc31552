/* The loader leaves the weights in f32. */
#include "vision.h"

void model_load(struct model *m)
{
    mc_manual_seed(80);
    m->mean = mc_randn(mc_shape(WIDTH));
    m->root = mc_randn(mc_shape(WIDTH, WIDTH));
}
