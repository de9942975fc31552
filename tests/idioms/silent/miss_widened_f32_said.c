/* A table that is f32 because it says so, and x in half. */
#include <miscast/tensor.h>
int main(void)
{
    mc_tensor *x = mc_half(mc_randn(mc_shape(8, 8)));
    mc_tensor *cos = mc_cos(mc_arange(8, .dtype = MC_F32));
    mc_tensor *q = mc_mul(x, cos);
    mc_print(mc_matmul(q, mc_t(q)));
}
