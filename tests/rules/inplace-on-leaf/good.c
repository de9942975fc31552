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

/* It was divided by what was detached from it, which is a leaf: but it is no view of that. */
void divide_by_detached(void)
{
    mc_tensor *y = mc_rand(mc_shape(4, 4));
    mc_tensor *x = mc_narrow(y, 0, 0, 4);
    for (int i = 0; i < 2; i++) {
        mc_tensor *apart = mc_requires_grad_(mc_detach(x), true);
        mc_div_(x, apart);
    }
    mc_print(y);
}
