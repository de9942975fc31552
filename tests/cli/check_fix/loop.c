/* Weights are created as what they are used with, not cast in every round. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *w[3], *x = mc_half(mc_randn(mc_shape(2, 4)));
    for (int i = 0; i < 3; i++)
        w[i] = mc_randn(mc_shape(4, 4));
    for (int round = 0; round < 10; round++)
        for (int i = 0; i < 3; i++)
            x = mc_tanh(mc_matmul(x, w[i]));
    mc_print(x);
    return 0;
}
