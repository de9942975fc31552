#include <miscast/tensor.h>

mc_tensor *rotary(mc_tensor *frequencies)
{
    mc_tensor *t = mc_arange(2048, .dtype = MC_F32), *f = mc_float(frequencies);
    mc_tensor *angle = mc_mul(mc_unsqueeze(t, 1), mc_unsqueeze(f, 0));
    return mc_half(mc_cat(1, mc_cos(angle), mc_sin(angle)));
}

/* Few positions, small angles, and what is not known. */
mc_tensor *others(mc_tensor *x, mc_tensor *y)
{
    mc_tensor *few = mc_mul(mc_arange(64, .dtype = MC_F16), mc_half(x));
    mc_tensor *turn = mc_mul(mc_rand(mc_shape(16), .dtype = MC_F16), 6.28);
    mc_tensor *unknown = mc_mul(mc_half(x), mc_half(y));
    return mc_add(mc_add(mc_cos(few), mc_sin(turn)), mc_cos(unknown));
}
