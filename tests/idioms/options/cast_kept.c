#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_tensor *w = mc_zeros(mc_shape(4, 4)), *n = mc_to_dtype(w, argc > 1 ? MC_F16 : MC_F32);
    if (n != w)
        w = n;
    mc_mul_(w, 0.5);
    mc_print(w);
    (void)argv;
}
