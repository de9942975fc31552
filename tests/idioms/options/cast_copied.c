#include <miscast/tensor.h>
int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *w = mc_randn(mc_shape(4)), *start = w;
    w = mc_to_dtype(w, argc > 1 ? MC_F16 : MC_F32);
    mc_mul_(w, 0.5); /* BUG */
    mc_print(start);
    mc_print(w);
}
