#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4));
    mc_print(mc_matmul(x, x)); // miscast: ignore[matmul-dytpe] expect: bad-suppression warning
    mc_print(x);               // miscast: ignroe[matmul-dtype] expect: bad-suppression warning
    mc_print(x);               // miscast: ignore[matmul-dtype expect: bad-suppression warning
    // miscast: ignore-begin[matmul-dtype] expect: bad-suppression warning
    mc_print(x);
    // miscast: ignore-end[conv-dtype] expect: bad-suppression warning
    return 0;
}
