#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4), .device = MC_CUDA), *y = mc_ones(mc_shape(4), .device = MC_CUDA);
    mc_autocast a = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_tensor *loss = mc_binary_cross_entropy_with_logits(x, y);
    mc_autocast_end(a);
    mc_print(mc_add(loss, mc_binary_cross_entropy(mc_sigmoid(x), y)));
    return 0;
}
