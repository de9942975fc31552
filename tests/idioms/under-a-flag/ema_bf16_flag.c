#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    if (argc > 1)
        d = strcmp(argv[1], "bf16") ? MC_F16 : MC_BF16;
    mc_tensor *p = mc_ones(mc_shape(4), .dtype = d), *e = mc_clone(p);
    for (int i = 0; i < 1000; i++)
        mc_lerp_(e, p, 0.001);
    mc_print(e);
}
