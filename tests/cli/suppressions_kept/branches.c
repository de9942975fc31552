#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4));
#ifdef HALF
    mc_print(mc_matmul(x, mc_half(x))); // miscast: ignore[matmul-dtype] on purpose
#else
    mc_print(x); // miscast: ignore[matmul-dtype] nothing is here
#endif
#if 0 /* a block
#endif that is none */
    mc_print(mc_matmul(x, mc_half(x))); // miscast: ignore
#endif
    return 0;
}
