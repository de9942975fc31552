#include <miscast/tensor.h>

mc_tensor *angles(mc_tensor *frequency, mc_tensor *position)
{
    mc_autocast off = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = false);
    mc_tensor *product = mc_matmul(mc_unsqueeze(mc_float(frequency), 1), mc_unsqueeze(mc_float(position), 0));
    mc_autocast_end(off);
    return product;
}

mc_tensor *run(void)
{
    mc_tensor *x = mc_rand(mc_shape(4, 4)), *w = mc_rand(mc_shape(4, 4));
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *y = mc_matmul(x, w);
    mc_print(angles(mc_rand(mc_shape(4)), mc_arange(8)));
    mc_autocast_end(a);
    return y;
}
