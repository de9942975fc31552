/* Nothing but the cast in the call asks for f16: it is left out, and no tensor becomes f16. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    mc_tensor *w = mc_randn(mc_shape(4, 4));
    mc_print(mc_matmul(x, mc_half(w))); /* expect: matmul-dtype error */
    return 0;
}
