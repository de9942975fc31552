/* Samples from probabilities in f16: one draw is the same as in f64, of many some are not. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_rand(mc_shape(8, 8), .dtype = MC_F16);
    mc_print(mc_multinomial(mc_softmax(x, -1), 2));
    return 0;
}
