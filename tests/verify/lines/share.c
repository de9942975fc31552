/* A quotient that has no fraction in any dtype. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *on = mc_sum(mc_gt(mc_randn(mc_shape(4, 256)), 0.0), .dim = mc_dims(1));
    mc_print(mc_floor_divide(on, 256));
    return 0;
}
