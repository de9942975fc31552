#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *logits = mc_randn(mc_shape(2, 4)), *y = mc_arange(2);
    mc_print(mc_cross_entropy(logits, y, .weight = mc_ones(mc_shape(4))));
    mc_print(mc_binary_cross_entropy(mc_sigmoid(logits), mc_float(mc_gt(logits, 0))));
    mc_print(mc_mse_loss(logits, mc_zeros_like(logits)));
    return 0;
}
