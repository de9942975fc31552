#include <miscast/tensor.h>

/* What a program asks about leaves is known as well as what it does with them. */
int main(void)
{
    mc_tensor *w = mc_ones(mc_shape(4), .requires_grad = true), *y = mc_mul(w, 2), *x = mc_ones(mc_shape(4));
    if (!mc_is_leaf(w))
        mc_add_(w, 1);
    if (mc_is_leaf(y))
        mc_add_(mc_mm(y, y), 1);
    if (!mc_is_leaf(x) || !mc_is_leaf(mc_detach(y)))
        mc_add_(w, 1);
    mc_backward(mc_sum(y));
    return 0;
}
