/* A model that begins with an embedding. */
#include "binding.h"

void module_load(struct module *m)
{
    mc_manual_seed(46);
    m->table = mc_randn(mc_shape(20, 4));
    m->w = mc_randn(mc_shape(2, 4));
}

mc_tensor *module_forward(const struct module *m, mc_tensor *input)
{
    mc_tensor *e = mc_embedding(input, m->table);
    return mc_softmax(mc_linear(mc_mean(e, .dim = mc_dims(0)), m->w, NULL), -1);
}
