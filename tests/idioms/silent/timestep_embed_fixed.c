/* Diffusion: sinusoidal embedding of the timestep, in the model's dtype. */
#include <math.h>
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

static mc_tensor *timestep_embedding(mc_tensor *t, int64_t dim, mc_dtype dtype)
{
    int64_t half = dim / 2;
    mc_tensor *freqs =
        mc_exp(mc_mul(mc_arange(half, .dtype = MC_F32), -log(10000.0) / (double)half));
    mc_tensor *args = mc_mul(mc_unsqueeze(mc_float(t), 1), mc_unsqueeze(freqs, 0));
    return mc_to_dtype(mc_cat(1, mc_cos(args), mc_sin(args)), dtype);
}

int main(void)
{
    const char *env = getenv("MODEL_BF16");
    mc_dtype dtype = env && *env == '0' ? MC_F32 : MC_BF16;
    mc_manual_seed(5);
    mc_tensor *t = mc_randint(0, 1000, mc_shape(16));
    mc_tensor *e = timestep_embedding(t, 32, dtype);
    mc_print(mc_select(mc_float(e), 0, 0));
    return 0;
}
