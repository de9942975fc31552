#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *bias = mc_zeros(mc_shape(3, 8), .requires_grad = true);
    mc_grad_mode g = mc_no_grad_begin();
    mc_add_(bias, 0.1);
    mc_grad_mode_end(g);
    mc_add_(mc_detach(bias), 0.1);
    mc_add_(mc_mul(bias, 2), 0.1);
    mc_print(bias);
    return 0;
}
