#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    int k = (argc > 1) + (argc > 2) + (argc > 3);
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (k >= 2)
        w = mc_half(w);
    if (argc > 2)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
