/* What is put into a variable later is not what fails before. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *w = mc_ones(mc_shape(2, 2)), *x = mc_half(w);
    mc_print(mc_matmul(x, w)); /* expect: matmul-dtype error */
    x = mc_matmul(x, w);       /* expect: matmul-dtype error */
    mc_print(mc_matmul(x, w));
    return 0;
}
