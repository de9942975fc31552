/* The model, and what the training engine does to it. */
#include "ema.h"

void model_init(struct model *m)
{
    mc_manual_seed(27);
    m->params[0] = mc_randn(mc_shape(4, 4));
    m->params[1] = mc_zeros(mc_shape(4));
}

void engine_wrap(struct model *m, mc_dtype precision)
{
    for (int i = 0; i < PARAMS; i++)
        m->params[i] = mc_to_dtype(m->params[i], precision);
}
