/* Trains it. The loss takes any two dtypes; its way back does not. */
#include <stdio.h>

#include "predictor.h"

int main(void)
{
    mc_tensor *w = mc_zeros(mc_shape(1, FEATURES), .requires_grad = true);
    mc_optimizer *o = mc_adam(mc_params(w), 0.1);
    struct batch b = dataset_batch();
    double last = 0;
    for (int epoch = 0; epoch < 3; epoch++) {
        mc_tensor *loss = mc_mse_loss(predict(w, b.features), b.accuracy);
        mc_optimizer_zero_grad(o);
        mc_backward(loss); /* expect: backward-dtype */
        mc_optimizer_step(o);
        last = mc_item(loss);
    }
    printf("loss %.4f\n", last);
    mc_optimizer_free(o);
    return 0;
}
