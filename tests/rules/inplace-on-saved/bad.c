/* exp needs its result to go back; it is changed before that. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4), .requires_grad = true);
    mc_tensor *y = mc_exp(w);
    mc_add_(y, 1);
    mc_backward(mc_sum(y)); /* expect: inplace-on-saved error */
    mc_print(mc_grad(w));
    return 0;
}
