/* Both are to be what one of them was just cast to: back to what it was would bring back nothing. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_ones(mc_shape(2, 2));
    mc_tensor *w = mc_half(x);
    mc_print(mc_matmul(x, w)); /* expect: matmul-dtype error */
    return 0;
}
