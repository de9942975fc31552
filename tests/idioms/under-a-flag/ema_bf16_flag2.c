#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 ? MC_BF16 : MC_F32;
    mc_tensor *p = mc_ones(mc_shape(4), .dtype = d), *e = mc_clone(p);
    for (int i = 0; i < 1000; i++)
        mc_lerp_(e, p, 0.001);
    mc_print(e);
    (void)argv;
}
