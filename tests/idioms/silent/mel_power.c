/* Log-mel features: power, floor, log10. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

static mc_dtype env_dtype(void)
{
    const char *s = getenv("ASR_DTYPE");
    return s && s[0] == '3' ? MC_F32 : MC_F16;
}

static mc_tensor *log_mel(mc_tensor *magnitude)
{
    mc_tensor *power = mc_clamp(mc_square(magnitude), 1e-10, NULL);
    return mc_log10(power);
}

int main(void)
{
    mc_manual_seed(1);
    mc_tensor *frames = mc_mul(mc_rand(mc_shape(4, 32)), 0.01);
    mc_zero_(mc_select(frames, 0, 2));
    mc_tensor *f = log_mel(mc_to_dtype(frames, env_dtype()));
    printf("%g\n", mc_item(mc_float(mc_amin(f))));
    return 0;
}
