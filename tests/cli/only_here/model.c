#include <miscast/tensor.h>

int wanted(void);

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(2, 4)), *w = mc_randn(mc_shape(4, 4));
    if (wanted())
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    return 0;
}
