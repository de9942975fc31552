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

void average(mc_tensor **means, mc_tensor **now, int count)
{
    for (int i = 0; i < count; i++)
        mc_lerp_(means[i], mc_float(now[i]), 0.1);
}

/* What it takes is all that is of interest. */
void warm_up(mc_tensor *x, mc_tensor *w)
{
    (void)mc_matmul(x, w);
}

/* For the time that it takes. */
double repeated(mc_tensor *a, mc_tensor *b, int times)
{
    for (int i = 0; i < times; i++)
        mc_matmul(a, b);
    return mc_item(mc_sum(mc_matmul(a, b)));
}

/* Into a tensor that is given. */
void into(mc_tensor *to, mc_tensor *a, mc_tensor *b)
{
    mc_mul(a, b, .out = to);
}

/* The time of a sum, which nothing uses. */
void measured(int times)
{
    mc_tensor *a = mc_randn(mc_shape(64, 64)), *b = mc_randn(mc_shape(64, 64));
    for (int i = 0; i < times; i++)
        mc_add(a, b);
    for (int i = 0; i < times; i++)
        mc_relu(b);
}
