#include <miscast/tensor.h>

/* The weights are f16: float makes a copy, which is filled and forgotten. */
void load(mc_tensor *from)
{
    mc_tensor *w = mc_zeros(mc_shape(4), .dtype = MC_F16);
    mc_copy_(mc_float(w), from); /* expect: lost-write warning */
    mc_print(w);
}

void flat(mc_tensor *w, mc_tensor *from)
{
    mc_copy_(mc_reshape(w, -1), from); /* expect: lost-write warning */
}

/* The means are not moved: lerp_ was meant. */
void average(mc_tensor **means, mc_tensor **now, int count)
{
    mc_grad_mode g = mc_no_grad_begin();
    for (int i = 0; i < count; i++)
        mc_lerp(means[i], mc_float(now[i]), 0.1); /* expect: lost-write warning */
    mc_grad_mode_end(g);
}
