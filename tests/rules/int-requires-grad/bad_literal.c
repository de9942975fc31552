/* An integer where a float was meant. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *scale = mc_full(mc_shape(2), 1, .requires_grad = true); /* expect: int-requires-grad error */
    mc_backward(mc_sum(mc_mul(scale, scale)));
    return 0;
}
