#include <miscast/tensor.h>

/* If x is f32 already, float gives x itself, and the caller's tensor is changed. */
mc_tensor *normalise(mc_tensor *x)
{
    mc_tensor *h = mc_float(x);
    mc_mul_(h, 0.5); /* expect: inplace-on-cast-alias warning */
    return h;
}

struct state {
    mc_tensor *mean;
};

mc_tensor *scaled(struct state *s)
{
    mc_tensor *m = mc_to_device(s->mean, MC_CPU);
    mc_clamp_(m, 0, 1); /* expect: inplace-on-cast-alias warning */
    return m;
}
