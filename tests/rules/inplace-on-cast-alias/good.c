#include <miscast/tensor.h>

mc_tensor *normalise(mc_tensor *x)
{
    mc_tensor *h = mc_to(x, .dtype = MC_F32, .copy = true);
    mc_mul_(h, 0.5);
    return h;
}

mc_tensor *out_of_place(mc_tensor *x)
{
    return mc_mul(mc_float(x), 0.5);
}

mc_tensor *of_its_own(mc_tensor *x)
{
    mc_tensor *h = mc_float(mc_add(x, 1));
    mc_mul_(h, 0.5);
    return h;
}

/* Changing what one is given is one's own business, if it is said so. */
void in_place(mc_tensor *x)
{
    mc_mul_(x, 0.5);
}
