/* What is told is the gradient asked of integers, not that backward then misses it. */
#include <miscast/tensor.h>

static mc_tensor *loss(mc_tensor *predictions, mc_tensor *targets)
{
    return mc_mse_loss(predictions, targets);
}

int main(void)
{
    int64_t whole[3] = {1, 2, 3};
    mc_tensor *predictions = mc_from_array(whole, mc_shape(3));
    mc_requires_grad_(predictions, true); /* expect: int-requires-grad error */
    mc_backward(loss(predictions, mc_ones(mc_shape(3))));

    mc_tensor *steps = mc_arange(3);
    mc_requires_grad_(steps, true); /* expect: int-requires-grad error */
    mc_print(mc_linear(steps, mc_ones(mc_shape(3, 3)), NULL)); /* expect: matmul-dtype error */
    mc_backward(mc_sum(mc_float(steps)));
    return 0;
}
