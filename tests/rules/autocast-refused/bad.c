#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *p = mc_rand(mc_shape(4), .device = MC_CUDA), *y = mc_ones(mc_shape(4), .device = MC_CUDA);
    mc_autocast a = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_tensor *loss = mc_binary_cross_entropy(p, y); /* expect: autocast-refused error */
    mc_autocast_end(a);
    mc_print(loss);
    return 0;
}
