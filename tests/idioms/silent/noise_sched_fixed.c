/* Diffusion schedule: the product of all alphas. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

static mc_tensor *alphas_bar(int64_t steps, mc_dtype dtype)
{
    mc_tensor *betas = mc_linspace(1e-4, 0.02, steps, .dtype = MC_F32);
    return mc_to_dtype(mc_cumprod(mc_rsub(betas, 1.0), 0), dtype);
}

int main(void)
{
    const char *e = getenv("DIFFUSION_F32");
    mc_tensor *a = alphas_bar(1000, e ? MC_F32 : MC_BF16);
    printf("%g %g\n", mc_item(mc_float(mc_select(a, 0, 50))),
           mc_item(mc_float(mc_select(a, 0, 500))));
    return 0;
}
