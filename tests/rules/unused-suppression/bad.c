#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4));
    mc_print(mc_matmul(x, x)); // miscast: ignore[matmul-dtype] x was f16 once; expect: unused-suppression warning
    /* miscast: ignore expect: unused-suppression warning */
    mc_print(x);
    mc_print(mc_matmul(x, mc_half(x))); // miscast: ignore[matmul-dtype, conv-dtype] expect: unused-suppression warning
    return 0;
}
