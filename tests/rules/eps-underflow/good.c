#include <miscast/tensor.h>

mc_tensor *update(void)
{
    mc_tensor *m = mc_half(mc_randn(mc_shape(4))), *v = mc_half(mc_rand(mc_shape(4)));
    mc_tensor *root = mc_add(mc_sqrt(v), 1e-4), *w = mc_rand(mc_shape(4));
    mc_tensor *wide = mc_add(w, 1e-8), *brain = mc_add(mc_bfloat16(w), 1e-8);
    return mc_add(mc_div(m, root), mc_mul(mc_half(mc_add(wide, mc_float(brain))), 1e-5));
}
