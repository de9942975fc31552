#include <miscast/tensor.h>

/* Of what lies in order, reshape is a view and contiguous the tensor itself. */
int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(3, 4)), *number = mc_scalar_tensor(1.0);
    mc_add_(mc_reshape(x, 12), 1);
    mc_tensor *same = mc_contiguous(mc_mul(x, 2)), *rows = mc_reshape(mc_view(x, 2, 6), 4, 3);
    mc_add_(same, 1);
    mc_add_(rows, 1);
    mc_tensor *list = mc_reshape(number, 1);
    mc_add_(list, 1);
    mc_print(x);
    mc_print(number);
    return 0;
}
