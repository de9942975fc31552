#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4)); /* miscast: ignore expect: unused-suppression warning */
    /* miscast: ignore expect: unused-suppression warning
     * over two lines */
    mc_print(/* miscast: ignore[conv-dtype] expect: unused-suppression warning */ x);
    /* miscast: ignore[conv-dtype] expect: unused-suppression warning */ mc_print(x);
    return/* miscast: ignore expect: unused-suppression warning */0;
} // miscast: ignore[loss-dtype, conv-dtype] expect: unused-suppression warning
