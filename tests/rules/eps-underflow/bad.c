#include <miscast/tensor.h>

/* Adam written out, in f16. */
mc_tensor *update(void)
{
    mc_tensor *m = mc_half(mc_randn(mc_shape(4))), *v = mc_half(mc_rand(mc_shape(4)));
    mc_tensor *root = mc_add(mc_sqrt(v), 1e-8); /* expect: eps-underflow warning */
    mc_tensor *bound = mc_clamp(v, 1e-12, NULL); /* expect: eps-underflow warning */
    return mc_add(mc_div(m, root), bound);
}
