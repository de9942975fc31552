#include <miscast/tensor.h>

struct state {
    mc_tensor *mean;
};

static mc_tensor *shaped(mc_tensor *g)
{
    return mc_div(g, mc_add(mc_norm(g), 1e-7));
}

/* For matrices the update is a new tensor, for the rest it is the average itself. */
void step(mc_tensor *param, struct state *s, double lr)
{
    mc_tensor *update;
    if (mc_ndim(param) == 2)
        update = shaped(s->mean);
    else
        update = s->mean;
    mc_mul_(update, lr); /* expect: inplace-on-alias warning */
    mc_sub_(param, update);
}
