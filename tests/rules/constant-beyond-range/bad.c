#include <miscast/tensor.h>

mc_tensor *masked(void)
{
    mc_tensor *scores = mc_half(mc_randn(mc_shape(4, 4))), *mask = mc_half(mc_gt(scores, 0));
    mc_tensor *bias = mc_mul(mask, -1e9); /* expect: constant-beyond-range warning */
    return mc_add(scores, bias);
}

/* A tensor without dimensions does not promote, and is rounded itself. */
mc_tensor *scaled(void)
{
    mc_tensor *x = mc_half(mc_randn(mc_shape(4)));
    return mc_mul(x, mc_scalar_tensor(1e5)); /* expect: constant-beyond-range warning */
}

mc_tensor *averaged(mc_tensor *x)
{
    mc_tensor *h = mc_half(x);
    mc_tensor *mean = mc_div(h, 65536.0 * 1024); /* expect: constant-beyond-range warning */
    return mc_add(mean, mc_mul(h, 1e-9)); /* expect: constant-beyond-range warning */
}
