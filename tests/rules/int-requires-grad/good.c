#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *ids = mc_arange(4);
    mc_requires_grad_(mc_half(ids), true);
    mc_requires_grad_(ids, false);
    mc_print(mc_zeros(mc_shape(2), .requires_grad = true));
    return 0;
}
