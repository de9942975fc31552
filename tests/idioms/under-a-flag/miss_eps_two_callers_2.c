/* An epsilon in a helper with an f32 and an f16 caller. */
#include <miscast/tensor.h>
static mc_tensor *norm(mc_tensor *x)
{
    return mc_div(x, mc_add(mc_sqrt(x), 1e-8));
}
int main(void)
{
    mc_print(norm(mc_zeros(mc_shape(4), .dtype = MC_F16)));
    mc_print(norm(mc_zeros(mc_shape(4))));
}
