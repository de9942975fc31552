#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = argc > 2 ? MC_F16 : argc > 1 ? MC_BF16 : MC_F32;
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *n = mc_to_dtype(w, d);
    if (n != w)
        w = n;
    if (argc > 2)
        mc_print(mc_matmul(mc_rand(mc_shape(2, 2)), w));
    (void)argv;
}
