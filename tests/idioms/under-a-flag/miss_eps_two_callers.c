#include <miscast/tensor.h>
static mc_tensor *f(mc_tensor *p)
{
    return mc_log(mc_add(p, 1e-8));
}
int main(void)
{
    mc_print(f(mc_rand(mc_shape(4), .dtype = MC_F16)));
    mc_print(f(mc_rand(mc_shape(4))));
    return 0;
}
