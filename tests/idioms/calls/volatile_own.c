#include <miscast/tensor.h>

int main(void)
{
    volatile int half = 0;
    mc_tensor *x = mc_rand(mc_shape(2, 2)), *w = mc_rand(mc_shape(2, 2));
    if (half)
        w = mc_half(w);
    mc_print(mc_matmul(x, w));
}
