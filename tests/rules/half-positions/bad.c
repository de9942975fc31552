#include <miscast/tensor.h>

mc_tensor *positions(int n)
{
    mc_tensor *at = mc_arange(n);
    return mc_bfloat16(at); /* expect: half-positions warning */
}

mc_tensor *tables(void)
{
    mc_tensor *at = mc_float(mc_arange(4096));
    mc_tensor *h = mc_half(at); /* expect: half-positions warning */
    return mc_add(h, mc_arange(512, .dtype = MC_BF16)); /* expect: half-positions warning */
}

mc_tensor *best(void)
{
    mc_tensor *x = mc_randn(mc_shape(2, 4096));
    return mc_half(mc_argmax(x, .dim = mc_dims(1))); /* expect: half-positions warning */
}

mc_tensor *timesteps(void)
{
    mc_tensor *t = mc_randint(0, 1000, mc_shape(16));
    return mc_bfloat16(mc_unsqueeze(t, 1)); /* expect: half-positions warning */
}

/* The centre of each pixel, scaled. */
mc_tensor *centres(void)
{
    mc_tensor *x = mc_add(mc_arange(1500, .dtype = MC_F16), 0.5); /* expect: half-positions warning */
    mc_tensor *y = mc_mul(mc_arange(1500, .dtype = MC_F16), 1.9); /* expect: half-positions warning */
    return mc_add(y, mc_mul(x, 4.0));
}

mc_tensor *angles(void)
{
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *at = mc_unsqueeze(mc_arange(2048, .dtype = MC_F32), 1);
    mc_tensor *y = mc_matmul(at, mc_rand(mc_shape(1, 8))); /* expect: half-positions warning */
    mc_autocast_end(a);
    return y;
}
