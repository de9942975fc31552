#include <miscast/tensor.h>

void callee(mc_tensor *x);

int main(void)
{
    callee(mc_half(mc_randn(mc_shape(4, 4))));
    return 0;
}
