#include <miscast/tensor.h>

void load(mc_tensor *from)
{
    mc_tensor *w = mc_zeros(mc_shape(4), .dtype = MC_F16);
    mc_copy_(w, from);
    mc_copy_(mc_narrow(w, 0, 0, 2), mc_narrow(from, 0, 0, 2));
    mc_print(w);
}

void flat(mc_tensor *w, mc_tensor *from)
{
    mc_copy_(mc_view(w, -1), from);
}

mc_tensor *used(mc_tensor *w)
{
    mc_tensor *h = mc_half(mc_exp(w));
    mc_add_(h, 1);
    return h;
}
