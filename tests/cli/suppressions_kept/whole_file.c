// miscast: ignore-file[matmul-dtype] for one of the branches
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4));
#ifdef HALF
    x = mc_matmul(x, mc_half(x));
#endif
    mc_print(x);
    return 0;
}
