#include <miscast/tensor.h>

int main(void)
{
    double wanted[4] = {1, 2, 3, 4};
    mc_tensor *w = mc_randn(mc_shape(4), .requires_grad = true);
    mc_tensor *loss = mc_mse_loss(w, mc_from_array(wanted, mc_shape(4)));
    mc_backward(loss); /* expect: backward-dtype error */
    return 0;
}
