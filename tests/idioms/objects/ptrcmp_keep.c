#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    mc_dtype d = argc > 1 ? MC_F16 : MC_F32;
    mc_tensor *n = mc_to_dtype(w, d);
    if (n != w) {
        mc_free(w);
        w = n;
    }
    mc_print(mc_matmul(mc_to_dtype(x, d), w));
    (void)argv;
}
