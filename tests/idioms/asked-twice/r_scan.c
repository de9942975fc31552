#include <miscast/tensor.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double f = 0;
    if (argc > 1)
        sscanf(argv[1], "%lf", &f);
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (f > 1)
        w = mc_half(w);
    if (f > 1)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
