#include <miscast/tensor.h>

/* 2048 positions are exact in f16, their angles are not. */
mc_tensor *rotary(mc_tensor *frequencies)
{
    mc_tensor *t = mc_arange(2048, .dtype = MC_F16), *f = mc_half(frequencies);
    mc_tensor *angle = mc_mul(mc_unsqueeze(t, 1), mc_unsqueeze(f, 0)); /* expect: half-angle warning */
    mc_tensor *cos = mc_cos(angle);
    return mc_cat(1, cos, mc_sin(angle));
}

mc_tensor *waves(void)
{
    mc_tensor *phase = mc_mul(mc_rand(mc_shape(16), .dtype = MC_BF16), 100.0); /* expect: half-angle warning */
    return mc_sin(mc_float(phase));
}
