#include <miscast/tensor.h>

static void up(mc_tensor *e, mc_tensor *p)
{
    mc_lerp_(e, p, 0.001);
}
int main(int argc, char **argv)
{
    mc_tensor *p = mc_ones(mc_shape(4), .dtype = argc > 1 ? MC_F16 : MC_F32), *e = mc_clone(p);
    for (int i = 0; i < 1000; i++)
        up(e, p);
    mc_print(e);
    (void)argv;
}
