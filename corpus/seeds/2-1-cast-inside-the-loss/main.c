/* Predictions in i64 that are to be trained. The loss casts them, but it does not come to that:
 * integers cannot require a gradient. */
#include <stdio.h>

#include <miscast/tensor.h>

static mc_tensor *loss(mc_tensor *predictions, mc_tensor *targets)
{
    predictions = mc_float(predictions);
    return mc_mse_loss(predictions, targets);
}

int main(void)
{
    mc_tensor *predictions = mc_from_array(((int64_t[]){1, 2, 3}), mc_shape(3));
    mc_requires_grad_(predictions, true); /* expect: int-requires-grad error */
    mc_tensor *targets = mc_from_array(((float[]){1, 2, 4}), mc_shape(3));

    mc_tensor *l = loss(predictions, targets);
    mc_backward(l);
    printf("loss %.4f\n", mc_item(l));
    return 0;
}
