#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    double weights[4] = {1, 2, 1, 1};
    mc_tensor *logits = mc_randn(mc_shape(2, 4)), *y = mc_arange(2);
    mc_tensor *w = mc_from_array(weights, mc_shape(4));
    if (argc == 1)
        mc_print(mc_cross_entropy(logits, y, .weight = w)); /* expect: loss-dtype error */
    else if (argc == 2)
        mc_print(mc_binary_cross_entropy(mc_sigmoid(logits), mc_gt(logits, 0))); /* expect: loss-dtype error */
    else
        mc_print(mc_mse_loss(mc_arange(4), mc_arange(4))); /* expect: loss-dtype error */
    return 0;
}
