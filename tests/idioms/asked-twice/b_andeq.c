#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    bool a = argc > 1;
    a &= atoi(argv[1]) > 2;
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (a)
        w = mc_half(w);
    if (argc > 1 && atoi(argv[1]) > 2)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
