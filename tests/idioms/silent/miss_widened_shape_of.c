#include <miscast/tensor.h>
int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4), .dtype = MC_F16);
    w = mc_add(w, mc_randn(mc_shape_of(w)));
    mc_print(w);
    return 0;
}
