#include <miscast/tensor.h>

void variance(void)
{
    mc_tensor *x = mc_half(mc_add(mc_mul(mc_rand(mc_shape(256, 4)), 8.0), 300.0));
    mc_tensor *square = mc_mul(x, x); /* expect: result-beyond-dtype warning */
    mc_print(square);
    mc_print(mc_square(mc_neg(x))); /* expect: result-beyond-dtype warning */
}

void sums(void)
{
    mc_tensor *x = mc_half(mc_add(mc_rand(mc_shape(4096, 8)), 20.0));
    mc_print(mc_cumsum(x, 0)); /* expect: result-beyond-dtype warning */
    mc_print(mc_sum(x, .dim = mc_dims(0))); /* expect: result-beyond-dtype warning */
}

void powers(void)
{
    mc_print(mc_exp(mc_arange(20, .dtype = MC_F16))); /* expect: result-beyond-dtype warning */
}

/* Every pair of positions. */
mc_tensor *distances(void)
{
    mc_tensor *x = mc_arange(640, .dtype = MC_F16);
    mc_tensor *d = mc_sub(mc_unsqueeze(x, 1), mc_unsqueeze(x, 0));
    return mc_square(d); /* expect: result-beyond-dtype warning */
}
