#include <miscast/tensor.h>

struct state {
    mc_tensor *mean;
};

void step(mc_tensor *param, struct state *s, double lr)
{
    mc_tensor *update;
    if (mc_ndim(param) == 2)
        update = mc_div(s->mean, 2);
    else
        update = s->mean;
    mc_sub_(param, mc_mul(update, lr));
}

/* In place unless a copy is asked for: that is what it is for. */
mc_tensor *relu(mc_tensor *x, bool inplace)
{
    mc_tensor *y = x;
    if (!inplace)
        y = mc_clone(x);
    mc_relu_(y);
    return y;
}
