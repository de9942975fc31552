#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2), .dtype = MC_F16);
    mc_tensor *n = mc_half(w);
    if (n != w)
        w = n;
    mc_print(mc_matmul(x, w));
    (void)argv;
    (void)argc;
}
