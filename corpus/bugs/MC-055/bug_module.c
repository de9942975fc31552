/* The script that trained it used doubles, and wrote them down as such. */
#include "module.h"

static const double w1[] = {0.5, -1.25, 0.75};
static const double b1[] = {0.1, 0.2, -0.3};
static const double w2[] = {1.0, 0.5, -2.0};

void module_load(struct module *m)
{
    m->w1 = mc_from_array(w1, mc_shape(3, 1));
    m->b1 = mc_from_array(b1, mc_shape(3));
    m->w2 = mc_from_array(w2, mc_shape(1, 3));
}

mc_tensor *module_forward(const struct module *m, mc_tensor *x)
{
    mc_tensor *h = mc_tanh(mc_linear(x, m->w1, m->b1)); /* expect: matmul-dtype */
    return mc_linear(h, m->w2, NULL);
}
