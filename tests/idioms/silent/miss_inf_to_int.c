#include <miscast/tensor.h>
#include <math.h>
int main(void)
{
    mc_tensor *a = mc_full(mc_shape(2), INFINITY);
    mc_print(mc_int(a));
    mc_print(mc_int(mc_div(mc_zeros(mc_shape(2)), 0.0)));
    return 0;
}
