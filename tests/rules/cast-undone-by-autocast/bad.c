#include <miscast/tensor.h>

mc_tensor *angles(mc_tensor *frequency, mc_tensor *position)
{
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *f = mc_unsqueeze(mc_float(frequency), 1), *p = mc_unsqueeze(mc_float(position), 0);
    mc_tensor *product = mc_matmul(f, p); /* expect: cast-undone-by-autocast warning */
    mc_autocast_end(a);
    return product;
}

mc_tensor *run(void)
{
    return angles(mc_rand(mc_shape(4)), mc_arange(8));
}
