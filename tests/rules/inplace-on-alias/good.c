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

/* Made when there is none yet, and kept: the next step changes it, too. */
mc_tensor *counted(struct state *s, mc_tensor *like)
{
    mc_tensor *mean;
    if (!s->mean) {
        mean = mc_zeros_like(like);
        s->mean = mean;
    } else {
        mean = s->mean;
    }
    mc_add_(mean, 1);
    return mean;
}

/* Always the member: the name is used again for something new. */
mc_tensor *halved(struct state *s)
{
    mc_tensor *mean = s->mean;
    mc_mul_(mean, 0.5);
    mean = mc_div(mean, 2);
    return mean;
}
