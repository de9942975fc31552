/* The loss keeps the cast this time. What is wrong stands before it. */
#include <stdio.h>

#include <miscast/tensor.h>

static mc_tensor *loss(mc_tensor *predictions, mc_tensor *targets)
{
    predictions = mc_float(predictions);
    targets = mc_float(targets);
    return mc_mse_loss(predictions, targets);
}

int main(void)
{
    int64_t classes[] = {1, 2, 3};
    mc_tensor *predictions = mc_from_array(classes, mc_shape(3));
    predictions = mc_requires_grad_(predictions, true); /* expect: int-requires-grad error */
    mc_tensor *targets = mc_from_array(((int64_t[]){1, 2, 4}), mc_shape(3));

    mc_tensor *l = loss(predictions, targets);
    mc_backward(l);
    printf("loss %.4f\n", mc_item(l));
    return 0;
}
