/* RMSNorm as in the paper's listing. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static mc_tensor *rms_norm(mc_tensor *x, mc_tensor *g, double eps)
{
    mc_tensor *w = mc_float(x);
    mc_tensor *ms = mc_mean(mc_pow(w, 2), .dim = mc_dims(-1), .keepdim = true);
    return mc_mul(mc_type_as(mc_mul(w, mc_rsqrt(mc_add(ms, eps))), x), g);
}

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    if (argc > 1 && !strcmp(argv[1], "half"))
        d = MC_F16;
    mc_manual_seed(1);
    mc_tensor *x = mc_mul(mc_randn(mc_shape(4, 64), .dtype = d), 400.0);
    mc_tensor *y = rms_norm(x, mc_ones(mc_shape(64), .dtype = d), 1e-6);
    printf("%g\n", mc_item(mc_mean(mc_float(mc_abs(y)))));
    return 0;
}
