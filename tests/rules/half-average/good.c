#include <miscast/tensor.h>

void track(mc_tensor *x)
{
    mc_tensor *mean = mc_zeros(mc_shape(4)), *half = mc_zeros(mc_shape(4), .dtype = MC_BF16);
    mc_tensor *f = mc_float(x), *h = mc_bfloat16(x);
    for (int i = 0; i < 1000; i++) {
        mc_lerp_(mean, f, 0.001);
        mc_lerp_(half, h, 0.1);
    }
    mc_print(mean);
    mc_print(half);
}

/* Steps that are large enough, and what is no average. */
void others(mc_tensor *x)
{
    mc_tensor *h = mc_bfloat16(x), *y = mc_bfloat16(mc_ones(mc_shape(4)));
    mc_print(mc_add(mc_mul(y, 0.9), mc_mul(h, 0.1)));
    mc_print(mc_add(mc_mul(y, 0.5), mc_mul(h, 0.001)));
}

/* A step that is large enough, in place. */
void in_place(mc_tensor *x)
{
    mc_tensor *y = mc_bfloat16(mc_ones(mc_shape(4)));
    mc_mul_(y, 0.9);
    mc_add_(y, mc_bfloat16(x), .alpha = MC_NUM(0.1));
    mc_print(y);
}

/* One step, from zeros. */
static mc_tensor *moment(mc_tensor *v, mc_tensor *grad)
{
    return mc_add(mc_mul(v, 0.999), mc_mul(mc_square(grad), 0.001));
}

mc_tensor *first_step(mc_tensor *grad)
{
    return moment(mc_zeros(mc_shape(6), .dtype = MC_F16), mc_half(grad));
}
