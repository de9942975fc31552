/* Weights: created in f32, and cast when the program runs in half precision. */
#include "model.h"

void model_init(struct model *m)
{
    mc_manual_seed(7);
    m->norm_w = mc_ones(mc_shape(8));
    m->norm_b = mc_zeros(mc_shape(8));
    m->w1 = mc_randn(mc_shape(16, 8));
    m->b1 = mc_zeros(mc_shape(16));
    m->w2 = mc_randn(mc_shape(4, 16));
    m->b2 = mc_zeros(mc_shape(4));
}

/* w2 is forgotten. */
void model_half(struct model *m)
{
    m->norm_w = mc_half(m->norm_w);
    m->norm_b = mc_half(m->norm_b);
    m->w1 = mc_half(m->w1);
    m->b1 = mc_half(m->b1);
    m->b2 = mc_half(m->b2);
}
