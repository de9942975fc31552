#include <miscast/tensor.h>

mc_tensor *positions(int n)
{
    mc_tensor *at = mc_float(mc_arange(n));
    return mc_bfloat16(mc_sin(mc_div(at, n)));
}

mc_tensor *few(void)
{
    return mc_add(mc_half(mc_arange(2048)), mc_arange(64, .dtype = MC_F16));
}

mc_tensor *best(void)
{
    mc_tensor *x = mc_randn(mc_shape(2, 2));
    return mc_add(mc_half(mc_argmax(x, .dim = mc_dims(1))), mc_bfloat16(mc_nonzero(x)));
}

mc_tensor *timesteps(mc_tensor *unknown)
{
    mc_tensor *t = mc_randint(0, 1000, mc_shape(16));
    return mc_add(mc_half(t), mc_half(mc_long(unknown)));
}

/* Few, scaled to few, or doubled. */
mc_tensor *centres(void)
{
    mc_tensor *x = mc_arange(1500, .dtype = MC_F16);
    return mc_add(mc_mul(x, 4.0), mc_add(mc_mul(x, 0.5), mc_mul(mc_add(x, 0.0), 1.1)));
}

mc_tensor *angles(void)
{
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *at = mc_unsqueeze(mc_arange(2048, .dtype = MC_F32), 1);
    mc_tensor *few = mc_unsqueeze(mc_arange(128, .dtype = MC_F32), 1);
    mc_print(mc_matmul(few, mc_rand(mc_shape(1, 8))));
    mc_tensor *y = mc_mul(at, mc_rand(mc_shape(1, 8)));
    mc_autocast_end(a);
    return y;
}
