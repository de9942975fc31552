/* The same with f32 predictions and i64 targets: what the loss casts are its own variables, the
 * caller's tensors stay what they were. */
#include <stdio.h>

#include <miscast/tensor.h>

static mc_tensor *loss(mc_tensor *predictions, mc_tensor *targets)
{
    predictions = mc_double(predictions);
    targets = mc_double(targets);
    return mc_mse_loss(predictions, targets);
}

int main(void)
{
    mc_tensor *predictions =
        mc_from_array(((float[]){1, 2, 3}), mc_shape(3), .requires_grad = true);
    mc_tensor *targets = mc_from_array(((int64_t[]){1, 2, 4}), mc_shape(3));

    mc_tensor *l = loss(predictions, targets);
    mc_backward(l);
    printf("loss: %s, %.4f\n", mc_dtype_name(mc_dtype_of(l)), mc_item(l));
    printf("predictions: %s\n", mc_dtype_name(mc_dtype_of(predictions)));
    printf("targets: %s\n", mc_dtype_name(mc_dtype_of(targets)));
    printf("gradient: %s\n", mc_dtype_name(mc_dtype_of(mc_grad(predictions))));
    return 0;
}
