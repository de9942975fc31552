#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *p = mc_ones(mc_shape(4), .dtype = MC_BF16), *e = mc_clone(p);
    for (int i = 0; i < 1000; i++)
        mc_lerp_(e, p, 0.001);
    mc_print(e);
}
