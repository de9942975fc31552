#include <miscast/tensor.h>

void variance(void)
{
    mc_tensor *x = mc_add(mc_mul(mc_rand(mc_shape(256, 4)), 8.0), 300.0);
    mc_print(mc_mul(x, x));
    mc_print(mc_half(x));
}

/* It may be large, but need not be. */
void unknown(mc_tensor *y)
{
    mc_tensor *x = mc_half(mc_mul(mc_rand(mc_shape(256, 4)), 300.0));
    mc_print(mc_mul(x, x));
    mc_print(mc_exp(mc_half(y)));
}

void sums(void)
{
    mc_tensor *x = mc_half(mc_add(mc_rand(mc_shape(4096, 8)), 10.0));
    mc_print(mc_cumsum(x, 0));
    mc_print(mc_sum(x, .dim = mc_dims(1)));
}

/* Infinite from the start. */
void masks(void)
{
    mc_tensor *mask = mc_div(mc_ones(mc_shape(4)), 0.0);
    mc_print(mc_add(mask, 1.0));
}

/* Each with itself. */
mc_tensor *distances(void)
{
    mc_tensor *x = mc_arange(640, .dtype = MC_F16);
    return mc_square(mc_sub(x, x));
}
