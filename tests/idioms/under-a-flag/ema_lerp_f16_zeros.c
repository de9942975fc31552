#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *p = mc_rand(mc_shape(4), .dtype = MC_F16),
              *e = mc_zeros(mc_shape(4), .dtype = MC_F16);
    for (int i = 0; i < 1000; i++)
        mc_lerp_(e, mc_rand(mc_shape(4), .dtype = MC_F16), 0.0001);
    mc_print(e);
    (void)p;
}
