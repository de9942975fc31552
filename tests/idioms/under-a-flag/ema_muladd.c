#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *p = mc_ones(mc_shape(4), .dtype = MC_F16), *e = mc_clone(p);
    for (int i = 0; i < 1000; i++) {
        mc_mul_(e, 0.999);
        mc_add_(e, p, .alpha = MC_NUM(0.001));
    }
    mc_print(e);
}
